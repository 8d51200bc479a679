// Removes the declarations from dist/ that no entry of the package reaches: `npm run build:types` runs it after the compiler.
import { readdirSync, readFileSync, rmdirSync, rmSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import ts from 'typescript';

/** The declarations that these reach, with themselves, by relative imports. */
function reachedFrom(files, found = new Set()) {
  for (const file of files) {
    if (found.has(file)) continue;
    found.add(file);
    const { importedFiles } = ts.preProcessFile(readFileSync(file, 'utf8'));
    const own = importedFiles.filter(({ fileName }) => fileName.startsWith('.'));
    reachedFrom(
      own.map(({ fileName }) => resolve(dirname(file), fileName.replace(/\.js$/, '.d.ts'))),
      found,
    );
  }
  return found;
}

const { exports } = JSON.parse(readFileSync('package.json', 'utf8'));
const entries = Object.values(exports).flatMap(({ types }) => (types === undefined ? [] : [resolve(types)]));
const reached = reachedFrom(entries);
const inside = readdirSync('dist', { recursive: true, withFileTypes: true });
for (const one of inside) {
  const file = resolve(one.parentPath, one.name);
  if (file.endsWith('.d.ts') && !reached.has(file)) rmSync(file);
}
// A folder comes after those that it is in.
for (const one of inside.filter((each) => each.isDirectory()).reverse()) {
  const folder = join(one.parentPath, one.name);
  if (readdirSync(folder).length === 0) rmdirSync(folder);
}
