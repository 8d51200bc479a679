import * as z from 'zod';
import { type OperationName, operations } from '../../contract/index.js';
import { closest, shown } from '../../common/index.js';

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
