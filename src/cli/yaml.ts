import { constructFromEvents, type Event, EVENT_ID, parseEvents, YAMLException } from 'js-yaml';

/** Maximum characters, keys and levels of a file that people write. The largest of ours has 40 keys and 4 levels. */
export const LARGEST_FILE = 65_536;
const MOST_KEYS = 1000;
const MOST_LEVELS = 32;
/** Maximum number of aliases, of which one counts again wherever what contains it is repeated. */
const MOST_ALIASES = 100;

/**
 * Reads YAML, and JSON, which is a subset of it. Null if there is nothing in it.
 *
 * @throws {Error} with what is wrong.
 */
export function parseYaml(text: string): unknown {
  if (text.length > LARGEST_FILE) throw tooLarge();
  try {
    // The document counts as a level.
    const events = parseEvents(text, { maxDepth: MOST_LEVELS + 1 });
    checkSize(events, text);
    return constructFromEvents(events, { source: text })[0] ?? null;
  } catch (error) {
    throw error instanceof YAMLException ? new Error(faultOf(error), { cause: error }) : error;
  }
}

function tooLarge(): Error {
  return new Error(`it is larger than ${LARGEST_FILE / 1024} KiB.`);
}

function faultOf({ reason, mark }: YAMLException): string {
  if (/\bmaxDepth\b/.test(reason)) return `it is nested more than ${MOST_LEVELS} levels deep.`;
  if (mark === undefined) return `${reason}.`;
  const line = mark.line + 1;
  if (/\btag\b/.test(reason)) return `it has a tag in line ${line}. Write a plain text, number, list or mapping.`;
  return `${reason}, in line ${line}, column ${mark.column + 1}.`;
}

/** Refuses what is small as text and large as a value. */
function checkSize(events: readonly Event[], text: string): void {
  /** The aliases in each value with an anchor. */
  const inside = new Map<string, number>();
  const open: { readonly name: string; readonly before: number; readonly isMapping: boolean; values: number }[] = [];
  let [documents, keys, aliases] = [0, 0, 0];
  const nameOf = ({ anchorStart, anchorEnd }: { anchorStart: number; anchorEnd: number }): string =>
    anchorStart < 0 ? '' : text.slice(anchorStart, anchorEnd);
  for (const event of events) {
    const around = open.at(-1);
    if (event.type === EVENT_ID.POP) {
      const { name, before } = open.pop()!;
      inside.set(name, aliases - before);
      continue;
    }
    if (event.type === EVENT_ID.DOCUMENT) documents += 1;
    // The values of a mapping are its keys and what belongs to them, by turns.
    else if (around!.isMapping && (around!.values += 1) % 2 === 1) keys += 1;
    if (event.type === EVENT_ID.ALIAS) aliases += 1 + (inside.get(nameOf(event)) ?? 0);
    else if (event.type === EVENT_ID.SCALAR) inside.set(nameOf(event), 0);
    else {
      const name = event.type === EVENT_ID.DOCUMENT ? '' : nameOf(event);
      open.push({ name, before: aliases, isMapping: event.type === EVENT_ID.MAPPING, values: 0 });
    }
    if (documents > 1) throw new Error('it has more than one document.');
    if (keys > MOST_KEYS) throw new Error(`it has more than ${MOST_KEYS} keys. Split it into several files.`);
    if (aliases > MOST_ALIASES) throw new Error('its aliases expand to too many values. Write the values out.');
  }
}
