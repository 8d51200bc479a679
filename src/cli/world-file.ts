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
  const text = await textOf(path);
  let value: unknown;
  try {
    value = filledIn(parseYaml(text, LARGE), '', env);
    // So that what does not fit is known before anything starts.
    worldOfFile(value);
  } catch (error) {
    throw placed(path, text, error as Error);
  }
  return value as WorldFile;
}

/** The fault of a world file that was found after it was read. */
export async function worldFault(path: string, error: ValidationError): Promise<UsageError> {
  return placed(path, await textOf(path), error);
}

const failed = (path: string, why: string): UsageError => new UsageError(`Failed to load world ${path}: ${why}`);

async function textOf(path: string): Promise<string> {
  return (await readText(path, LARGE.characters, (why) => failed(path, why))).toString();
}

/** Names the line and the column of what does not fit. */
function placed(path: string, text: string, { message, pointer }: Error & { readonly pointer?: string }): UsageError {
  if (pointer === undefined) return failed(path, message);
  const { line, column } = lineOf(text, pointer);
  return failed(path, `line ${line}, column ${column}: ${message}`);
}

/** @throws {WorldFault} for an environment variable that is not set. */
function filledIn(value: unknown, pointer: string, env: Environment): unknown {
  if (Array.isArray(value)) return value.map((one, index) => filledIn(one, `${pointer}/${index}`, env));
  if (typeof value === 'object' && value !== null) {
    const entries = Object.entries(value).map(([name, one]) => [name, filledIn(one, `${pointer}/${name}`, env)]);
    return Object.fromEntries(entries) as unknown;
  }
  if (typeof value !== 'string') return value;
  // A text of a deployment may look like a variable: `$${NAME}` stands for `${NAME}`.
  return value.replace(/\$(\$\{\w+\})|\$\{(\w+)\}/g, (_, plain: string | undefined, name: string) => {
    if (plain !== undefined) return plain;
    const found = env[name] ?? '';
    if (found !== '') return found;
    throw new WorldFault(pointer, `It needs the environment variable ${name}, which is not set.`);
  });
}
