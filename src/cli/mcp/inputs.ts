import * as z from 'zod';
import { versions } from '../../conformance/index.js';
import { type OperationName, operations } from '../../contract/index.js';
import { closest, shown } from '../../common/index.js';
import { PATIENCE_SECONDS } from './jobs.js';

const ids = operations.map(({ id }) => id);
const names = [...new Set(operations.map(({ name }) => name))] as [OperationName, ...OperationName[]];

/** A closed list. Its error names the nearest word that there is. */
export function oneOf<const T extends string>(words: readonly T[], what: string) {
  return z.enum(words as readonly [T, ...T[]], {
    error: ({ input }) => {
      const word = typeof input === 'object' ? shown(input) : String(input);
      const guess = closest(word, words);
      const hint = guess === undefined ? `Use one of ${words.join(', ')}.` : `Did you mean \`${guess}\`?`;
      return `There is no ${what} \`${word.slice(0, 80)}\`. ${hint}`;
    },
  });
}

export const operationId = oneOf(ids, 'operation');
export const operationName = oneOf(names, 'operation');

export const itemFrom = z.int().min(0).optional().describe('First item of a list, or character of a text, to show.');

export const pointer = z
  .string()
  .max(500)
  .optional()
  .describe('JSON pointer of the part to show, such as /response/body/data/0.');

/** The number of rows of a list. */
export function rowLimit(usual: number, most: number) {
  return z.int().min(1).max(most).default(usual).describe('The most rows to show.');
}

/** How long a call waits for a run. */
export const waitSeconds = z.number().min(0).max(600).default(PATIENCE_SECONDS);
export const globs = z.array(z.string().min(1).max(100)).max(50).optional();
export const versionList = z
  .array(z.enum(versions as [string, ...string[]]))
  .min(1)
  .optional();

type Asked = Readonly<Record<string, readonly string[] | string | number | undefined>>;

/** What the agent asks for, as words of the command: they are read, and refused, in the same way. */
export function wordsOf(asked: Asked): string[] {
  return Object.entries(asked).flatMap(([name, value = []]) => [value].flat().map((one) => `--${name}=${one}`));
}

/** What to do where no entry of a catalogue matches. */
export function hintFor(all: readonly { readonly id: string }[], example: string, ids: readonly string[] = []): string {
  const known = all.map(({ id }) => id);
  const guess = ids.map((id) => closest(id, known)).find((one) => one !== undefined);
  if (guess !== undefined) return `Did you mean \`${guess}\`?`;
  return `Leave a criterion out, or use a glob such as "${example}".`;
}
