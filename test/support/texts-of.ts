import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { Files } from '../../spec/generate/files.js';

/** The files in a folder and in those below it, in order; not those of packages that are installed there. */
export function textsOf(folder: string): Files {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
  const own = paths.filter((path) => !/(^|[/])(node_modules|[.]vitepress)[/]/.test(relative(folder, path)));
  return Object.fromEntries(own.sort().map((path) => [relative(folder, path), readFileSync(path, 'utf8')]));
}
