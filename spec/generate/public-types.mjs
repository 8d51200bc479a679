// Copies to dist/types the declarations that an entry of the package reaches: `npm run build:types` runs it after the compiler.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, relative, resolve } from 'node:path';
import ts from 'typescript';
import { pastDoors } from './doors.mjs';

const compiled = resolve('.tsc/src');
const target = resolve('dist/types');

async function copy(file, copied = new Set()) {
  if (copied.has(file)) return;
  copied.add(file);
  const text = await pastDoors(readFileSync(file, 'utf8'), dirname(file), '.d.ts');
  const path = resolve(target, relative(compiled, file));
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text.replace(/^\/\/# sourceMappingURL=.*$/m, ''));
  for (const { fileName } of ts.preProcessFile(text).importedFiles) {
    if (fileName.startsWith('.')) await copy(resolve(dirname(file), fileName.replace(/\.js$/, '.d.ts')), copied);
  }
}

const { exports } = JSON.parse(readFileSync('package.json', 'utf8'));
rmSync(target, { recursive: true, force: true });
for (const { types } of Object.values(exports)) {
  if (types !== undefined) await copy(resolve(compiled, relative('dist/types', types)));
}
