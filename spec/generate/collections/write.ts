import { readdirSync, rmSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Contract } from '../contract.js';
import { type Files, writeFiles } from '../files.js';
import { rootFolder } from '../folders.js';
import { brunoFiles } from './bruno.js';
import { collectionOf } from './collection.js';
import { postmanFiles } from './postman.js';

const parent = 'docs/collections';

/** Writes the collections, and returns all names of their files and those that changed. */
export async function writeCollections(contract: Contract): Promise<{ all: string[]; written: string[] }> {
  const collection = await collectionOf(contract);
  const bruno = Object.entries(brunoFiles(collection)).map(([name, files]) => [`bruno/${name}`, files] as const);
  const folders = new Map<string, Files>([['postman', postmanFiles(collection)], ...bruno]);
  const pathOf = (name: string, file: string): string => `${parent}/${name}/${file}`;
  const all = [...folders].flatMap(([name, files]) => Object.keys(files).map((file) => pathOf(name, file)));
  const written = [...folders].flatMap(([name, files]) =>
    writeFiles(resolve(rootFolder, parent, name), files).map((file) => pathOf(name, file)),
  );
  return { all, written: [...written, ...removeOthers([...folders.keys()])] };
}

/** Removes folders that are no longer generated, such as those of an operation's former version. */
function removeOthers(names: readonly string[]): string[] {
  const root = resolve(rootFolder, parent, 'bruno');
  const found = readdirSync(root, { recursive: true, withFileTypes: true }).filter((entry) => entry.isDirectory());
  const paths = found.map(({ parentPath, name }) => resolve(parentPath, name));
  const left = paths.filter((path) => !names.some((name) => resolve(rootFolder, parent, name) === path));
  for (const path of left) rmSync(path, { recursive: true, force: true });
  return left.map((path) => path.slice(rootFolder.length + 1));
}
