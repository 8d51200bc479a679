import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

/** The texts of the files of one folder, by name. */
export type Files = Readonly<Record<string, string>>;

/** Names of the files in a folder that differ from what would be written, are missing, or have no source. */
export function staleFiles(folder: string, files: Files): string[] {
  const changed = Object.keys(files).filter((name) => {
    const file = resolve(folder, name);
    return !existsSync(file) || readFileSync(file, 'utf8') !== files[name];
  });
  return [...changed, ...leftOver(folder, files)];
}

/** Writes the files that changed, removes those that are no longer generated, and returns the names of both. */
export function writeFiles(folder: string, files: Files): string[] {
  mkdirSync(folder, { recursive: true });
  const stale = staleFiles(folder, files);
  for (const name of leftOver(folder, files)) rmSync(resolve(folder, name), { force: true });
  for (const name of stale) if (name in files) replaceFile(resolve(folder, name), files[name]!);
  return stale;
}

/** Another process may read the file at the same time, so it must never see half of it. */
function replaceFile(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true });
  const draft = `${file}.${process.pid}.tmp`;
  writeFileSync(draft, text);
  renameSync(draft, file);
}

function leftOver(folder: string, files: Files): string[] {
  if (!existsSync(folder)) return [];
  const found = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isFile());
  return found.map(({ name }) => name).filter((name) => !(name in files) && !/\.(tmp|stamp\.json)$/.test(name));
}
