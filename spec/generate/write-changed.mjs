// Plain JavaScript, since the build runs before anything is compiled.
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';

const parts = resolve(import.meta.dirname, '../../node_modules/.cache/teebox-build');

/**
 * Writes a file that others may be reading, such as a packer or a command that starts: as a whole, and only if it
 * changes. What begins with `#!` can be run.
 */
export function writeChanged(path, contents) {
  const bytes = Buffer.from(contents);
  if (contentsOf(path)?.equals(bytes)) return;
  for (const folder of [parts, dirname(path)]) mkdirSync(folder, { recursive: true });
  const part = join(parts, `${process.pid}-${basename(path)}`);
  writeFileSync(part, bytes, { mode: bytes.subarray(0, 2).toString() === '#!' ? 0o755 : 0o644 });
  renameSync(part, path);
}

function contentsOf(path) {
  try {
    return readFileSync(path);
  } catch {
    return undefined;
  }
}
