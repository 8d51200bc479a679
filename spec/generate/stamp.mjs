// Plain JavaScript, so that a build which has nothing to generate need not load a compiler first.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const root = resolve(import.meta.dirname, '../..');
/** All TypeScript that is generated; `folders.ts` has it for the generator. */
export const outputFolder = resolve(root, 'src/contract/generated');
const stamp = join(outputFolder, 'built/sources.stamp.json');

/** What the derived files are made from. The lock file holds the versions of the generators. */
const sources = ['spec', 'fixtures', 'scenarios', 'package-lock.json'];

function filesOf(path) {
  const names = readdirSync(resolve(root, path), { recursive: true, withFileTypes: true });
  return names.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}

function hashOfSources() {
  const files = sources.flatMap((path) => (path.includes('.') ? [resolve(root, path)] : filesOf(path))).sort();
  const hash = createHash('sha256');
  for (const file of files) {
    const text = readFileSync(file);
    hash.update(`${file.slice(root.length)} ${text.length}\n`).update(text);
  }
  return hash.digest('hex');
}

export function isDerivedFresh() {
  if (!existsSync(stamp)) return false;
  const { hash, files } = JSON.parse(readFileSync(stamp, 'utf8'));
  return files.every((name) => existsSync(resolve(root, name))) && hash === hashOfSources();
}

export function stampDerived(files) {
  writeFileSync(stamp, `${JSON.stringify({ hash: hashOfSources(), files })}\n`);
}
