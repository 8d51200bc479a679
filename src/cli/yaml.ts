import { type CST, parseDocument, Parser } from 'yaml';

/** Maximum characters, keys and levels of a file that people write. The largest of ours has 40 keys and 4 levels. */
export const LARGEST_FILE = 65_536;
const MOST_KEYS = 1000;
const MOST_LEVELS = 32;
/** Maximum number of values that the aliases of a file expand to. */
const MOST_ALIASES = 100;

/**
 * Reads YAML, and JSON, which is a subset of it. The limits are checked first: the library compares each key of a
 * mapping with all others, and calls itself for each level.
 *
 * @throws {Error} with what is wrong.
 */
export function parseYaml(text: string): unknown {
  if (text.length > LARGEST_FILE) throw tooLarge();
  const left = { keys: MOST_KEYS, documents: 1 };
  for (const token of new Parser().parse(text)) {
    if (token.type !== 'document') continue;
    if ((left.documents -= 1) < 0) throw new Error('it has more than one document.');
    spend(left, token.value, MOST_LEVELS);
  }
  const document = parseDocument(text);
  const [fault] = [...document.errors, ...document.warnings];
  if (fault?.code === 'TAG_RESOLVE_FAILED') {
    throw new Error(`it has a tag in line ${fault.linePos![0].line}. Write a plain text, number, list or mapping.`);
  }
  if (fault) throw fault;
  try {
    return document.toJS({ maxAliasCount: MOST_ALIASES });
  } catch (error) {
    if (!(error instanceof ReferenceError) || !error.message.startsWith('Excessive alias count')) throw error;
    throw new Error('its aliases expand to too many values. Write the values out.', { cause: error });
  }
}

export function tooLarge(): Error {
  return new Error(`it is larger than ${LARGEST_FILE / 1024} KiB.`);
}

/** Counts keys, and levels on the way down. */
function spend(left: { keys: number }, token: CST.Token | null | undefined, levels: number): void {
  if (!token || !('items' in token)) return;
  if (levels === 0) throw new Error(`it is nested more than ${MOST_LEVELS} levels deep.`);
  for (const { key, sep, value } of token.items) {
    if (sep && (left.keys -= 1) < 0) {
      throw new Error(`it has more than ${MOST_KEYS} keys. Split it into several files.`);
    }
    spend(left, key, levels - 1);
    spend(left, value, levels - 1);
  }
}
