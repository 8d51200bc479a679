import { existsSync, readdirSync, rmSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Contract } from '../contract.js';
import { type Files, staleFiles, writeFiles } from '../files.js';
import { rootFolder } from '../folders.js';
import { brunoFiles } from './bruno.js';
import { collectionOf } from './collection.js';
import { postmanFiles } from './postman.js';

const parent = 'docs/collections';

/** The files of the collections that were out of date; writes them unless only checking. */
export async function staleCollections(contract: Contract, write: boolean): Promise<string[]> {
  const collection = await collectionOf(contract);
  const bruno = Object.entries(brunoFiles(collection)).map(([name, files]) => [`bruno/${name}`, files] as const);
  const folders = new Map<string, Files>([['postman', postmanFiles(collection)], ...bruno]);
  const stale = [...folders].flatMap(([name, files]) => {
    const path = resolve(rootFolder, parent, name);
    return (write ? writeFiles(path, files) : staleFiles(path, files)).map((file) => `${parent}/${name}/${file}`);
  });
  return [...stale, ...foldersLeft([...folders.keys()], write)];
}

/** Folders that are no longer generated, such as those of an operation's former version. */
function foldersLeft(names: readonly string[], write: boolean): string[] {
  const root = resolve(rootFolder, parent, 'bruno');
  if (!existsSync(root)) return [];
  const found = readdirSync(root, { recursive: true, withFileTypes: true }).filter((entry) => entry.isDirectory());
  const paths = found.map(({ parentPath, name }) => resolve(parentPath, name));
  const left = paths.filter((path) => !names.some((name) => resolve(rootFolder, parent, name) === path));
  if (write) for (const path of left) rmSync(path, { recursive: true, force: true });
  return left.map((path) => path.slice(rootFolder.length + 1));
}
