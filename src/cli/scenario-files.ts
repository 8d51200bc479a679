import { opendir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { readScenario } from '../engine/index.js';
import { scenarios as ours, type Scenario } from '../contract/index.js';
import { readText } from './text-file.js';
import { UsageError } from './usage-error.js';
import { LARGEST_FILE, parseYaml } from './yaml.js';

const MOST_FILES = 100;

/**
 * Reads the scenarios in the YAML and JSON files of a folder, in order of file name.
 *
 * @throws {UsageError} naming the file that cannot be loaded, and why.
 */
export async function readScenarioFolder(folder: string): Promise<Scenario[]> {
  const files = await filesIn(folder);
  const read: Scenario[] = [];
  // One after the other, so that of several faults the first is reported.
  for (const name of files) read.push(await readFileOf(join(folder, name)));
  const fileOf = new Map<string, string | undefined>(ours.map(({ id }) => [id, undefined]));
  for (const [index, { id }] of read.entries()) {
    if (fileOf.has(id)) throw twice(join(folder, files[index]!), id, fileOf.get(id));
    fileOf.set(id, files[index]);
  }
  return read;
}

async function filesIn(folder: string): Promise<string[]> {
  const failure = (why: string) => new UsageError(`Failed to load scenarios from ${folder}: ${why}`);
  const entries = await opendir(folder).catch((error: NodeJS.ErrnoException) => {
    throw failure(whyNot(error));
  });
  const files: string[] = [];
  for await (const { name } of entries) {
    if (/\.(ya?ml|json)$/.test(name) && !name.endsWith('.schema.json')) files.push(name);
    if (files.length > MOST_FILES) throw failure(`it contains more than ${MOST_FILES} files.`);
  }
  if (files.length === 0) throw failure('it contains no .yaml, .yml or .json file.');
  return files.sort();
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
  const failure = (why: string): UsageError => new UsageError(`Failed to load scenario ${file}: ${why}`);
  const found = await stat(file).catch(({ code }: NodeJS.ErrnoException) => {
    throw failure(`it cannot be read (${code}).`);
  });
  if (!found.isFile()) throw failure('it is not a file.');
  const text = (await readText(file, LARGEST_FILE, failure)).toString();
  try {
    const { $schema: _, ...value } = Object(parseYaml(text)) as Record<string, unknown>;
    return readScenario(value);
  } catch (error) {
    throw failure((error as Error).message);
  }
}
