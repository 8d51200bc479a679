import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Files } from '../../spec/generate/files.js';

/** The files in a folder and in those below it, in order. */
export function textsOf(folder: string): Files {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.includes('.'));
  return Object.fromEntries(files.sort().map((name) => [name, readFileSync(join(folder, name), 'utf8')]));
}
