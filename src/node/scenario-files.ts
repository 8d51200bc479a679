import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'yaml';
import { readScenario } from '../state/own-scenarios.js';
import { type Scenario, scenarios as ours } from '../generated/scenarios.js';
import { UsageError } from './usage-error.js';

/**
 * Reads the scenarios in the YAML and JSON files of a folder, in order of file name.
 *
 * @throws {UsageError} naming the file that cannot be loaded, and why.
 */
export async function readScenarioFolder(folder: string): Promise<Scenario[]> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    throw new UsageError(`Failed to load scenarios from ${folder}: ${whyNot(error)}`);
  });
  const files = names.filter((name) => /\.(ya?ml|json)$/.test(name) && !name.endsWith('.schema.json')).sort();
  if (files.length === 0) {
    throw new UsageError(`Failed to load scenarios from ${folder}: it contains no .yaml, .yml or .json file.`);
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
  const user = other === undefined ? 'a built-in scenario' : other;
  return new UsageError(
    `Failed to load scenario ${file}: its id \`${id}\` is already used by ${user}. Choose another id.`,
  );
}

function whyNot({ code }: NodeJS.ErrnoException): string {
  if (code === 'ENOENT') return 'the folder does not exist.';
  return code === 'ENOTDIR' ? 'it is not a folder.' : `it cannot be read (${code}).`;
}

async function readFileOf(file: string): Promise<Scenario> {
  try {
    // JSON is a subset of YAML.
    const { $schema: _, ...value } = Object(parse(await readFile(file, 'utf8'))) as Record<string, unknown>;
    return readScenario(value);
  } catch (error) {
    throw new UsageError(`Failed to load scenario ${file}: ${(error as Error).message}`);
  }
}
