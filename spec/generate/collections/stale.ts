import { resolve } from 'node:path';
import type { Contract } from '../contract.js';
import { staleFiles, writeFiles } from '../files.js';
import { rootFolder } from '../folders.js';
import { collectionOf } from './collection.js';
import { postmanFiles } from './postman.js';

/** The files of the collections that were out of date; writes them unless only checking. */
export async function staleCollections(contract: Contract, write: boolean): Promise<string[]> {
  const collection = await collectionOf(contract);
  const folder = 'docs/collections/postman';
  const path = resolve(rootFolder, folder);
  const files = postmanFiles(collection);
  return (write ? writeFiles(path, files) : staleFiles(path, files)).map((name) => `${folder}/${name}`);
}
