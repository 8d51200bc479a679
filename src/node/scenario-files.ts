import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'yaml';
import { readScenario } from '../app/own-scenarios.js';
import { type Scenario, scenarios as ours } from '../generated/scenarios.js';
import { UsageError } from './usage-error.js';

/**
 * The scenarios of a folder: its files in YAML and JSON, in order of their names.
 *
 * @throws {UsageError} naming the file that cannot be taken, and why.
 */
export async function readScenarioFolder(folder: string): Promise<Scenario[]> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    throw new UsageError(`Failed to load scenarios from ${folder}: ${whyNot(error)}`);
  });
  const files = names.filter((name) => /\.(ya?ml|json)$/.test(name) && !name.endsWith('.schema.json')).sort();
  if (files.length === 0) {
    throw new UsageError(`Failed to load scenarios from ${folder}: there is no .yaml, .yml or .json file in it.`);
  }
  const read = await Promise.all(files.map((name) => readFileOf(join(folder, name))));
  const fileOf = new Map<string, string | undefined>(ours.map(({ id }) => [id, undefined]));
  for (const [index, { id }] of read.entries()) {
    if (fileOf.has(id)) throw twice(join(folder, files[index]!), id, fileOf.get(id));
    fileOf.set(id, files[index]);
  }
  return read;
}

function twice(file: string, id: string, other: string | undefined): UsageError {
  const whose = other === undefined ? 'one of those that come with teebox' : `that of ${other}`;
  return new UsageError(`Failed to load scenario ${file}: its id \`${id}\` is ${whose}. Please give it another one.`);
}

function whyNot({ code }: NodeJS.ErrnoException): string {
  if (code === 'ENOENT') return 'there is no such folder.';
  return code === 'ENOTDIR' ? 'it is no folder.' : `it cannot be read (${code}).`;
}

async function readFileOf(file: string): Promise<Scenario> {
  try {
    // Every JSON text is YAML too.
    const { $schema: _, ...value } = Object(parse(await readFile(file, 'utf8'))) as Record<string, unknown>;
    return readScenario(value);
  } catch (error) {
    throw new UsageError(`Failed to load scenario ${file}: ${(error as Error).message}`);
  }
}
