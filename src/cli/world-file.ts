import type { ValidationError } from '../common/index.js';
import type { WorldFile } from '../contract/index.js';
import { WorldFault, worldOfFile } from '../engine/index.js';
import type { Environment } from './network/proxy.js';
import { readText } from './text-file.js';
import { UsageError } from './usage-error.js';
import { LARGE, lineOf, parseYaml } from './yaml.js';

/**
 * Reads a world file, in which a text may have `${NAME}`, the environment variable NAME.
 *
 * @throws {UsageError} naming the file, the line and the column of what does not fit, and what fits.
 */
export async function readWorld(path: string, env: Environment = process.env): Promise<WorldFile> {
  const failure = (why: string): UsageError => new UsageError(`Failed to load world ${path}: ${why}`);
  const text = (await readText(path, LARGE.characters, failure)).toString();
  let value: unknown;
  try {
    value = filledIn(parseYaml(text, LARGE), '', env);
    // So that what does not fit is known before anything starts.
    worldOfFile(value);
  } catch (error) {
    const { pointer } = error as ValidationError;
    if (pointer === undefined) throw failure((error as Error).message);
    const { line, column } = lineOf(text, pointer);
    throw failure(`line ${line}, column ${column}: ${(error as Error).message}`);
  }
  return value as WorldFile;
}

/** @throws {WorldFault} for an environment variable that is not set. */
function filledIn(value: unknown, pointer: string, env: Environment): unknown {
  if (Array.isArray(value)) return value.map((one, index) => filledIn(one, `${pointer}/${index}`, env));
  if (typeof value === 'object' && value !== null) {
    const entries = Object.entries(value).map(([name, one]) => [name, filledIn(one, `${pointer}/${name}`, env)]);
    return Object.fromEntries(entries) as unknown;
  }
  if (typeof value !== 'string') return value;
  return value.replace(/\$\{(\w+)\}/g, (_, name: string) => {
    const found = env[name] ?? '';
    if (found !== '') return found;
    throw new WorldFault(pointer, `It needs the environment variable ${name}, which is not set.`);
  });
}
