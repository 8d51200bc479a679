import { constructFromEvents, type Event, EVENT_ID, getScalarValue, parseEvents, YAMLException } from 'js-yaml';

/** Maximum characters, keys and levels of a file that people write. The largest of ours has 40 keys and 4 levels. */
export const LARGEST_FILE = 65_536;

/** How much a file may have. */
interface FileLimits {
  readonly characters: number;
  /** With those of what aliases repeat. */
  readonly keys: number;
  /** Of which one counts again wherever what contains it is repeated. */
  readonly aliases: number;
}
const SMALL: FileLimits = { characters: LARGEST_FILE, keys: 1000, aliases: 100 };
/** For a file that may have thousands of facilities. */
export const LARGE: FileLimits = { characters: 16 * 1024 * 1024, keys: 1_000_000, aliases: 10_000 };
const MOST_LEVELS = 32;

/**
 * Reads YAML, and JSON, which is a subset of it. Null if there is nothing in it.
 *
 * @throws {Error} with what is wrong.
 */
export function parseYaml(text: string, limits = SMALL): unknown {
  if (text.length > limits.characters) throw new Error(`it is larger than ${limits.characters / 1024} KiB.`);
  try {
    // The document counts as a level.
    const events = parseEvents(text, { maxDepth: MOST_LEVELS + 1 });
    checkSize(events, text, limits);
    return constructFromEvents(events, { source: text })[0] ?? null;
  } catch (error) {
    throw error instanceof YAMLException ? new Error(faultOf(error), { cause: error }) : error;
  }
}

function faultOf({ reason, mark }: YAMLException): string {
  if (/\bmaxDepth\b/.test(reason)) return `it is nested more than ${MOST_LEVELS} levels deep.`;
  if (mark === undefined) return `${reason}.`;
  const line = mark.line + 1;
  if (/\btag\b/.test(reason)) return `it has a tag in line ${line}. Write a plain text, number, list or mapping.`;
  return `${reason}, in line ${line}, column ${mark.column + 1}.`;
}

/** What a value has in it. */
interface Size {
  readonly aliases: number;
  readonly keys: number;
}
const NOTHING: Size = { aliases: 0, keys: 0 };

/** Refuses what is small as text and large as a value. */
function checkSize(events: readonly Event[], text: string, most: FileLimits): void {
  /** What is in each value with an anchor. */
  const inside = new Map<string, Size>();
  const open: { readonly name: string; readonly before: Size; readonly isMapping: boolean; values: number }[] = [];
  let [documents, keys, aliases] = [0, 0, 0];
  const nameOf = ({ anchorStart, anchorEnd }: { anchorStart: number; anchorEnd: number }): string =>
    anchorStart < 0 ? '' : text.slice(anchorStart, anchorEnd);
  for (const event of events) {
    const around = open.at(-1);
    if (event.type === EVENT_ID.POP) {
      const { name, before } = open.pop()!;
      inside.set(name, { aliases: aliases - before.aliases, keys: keys - before.keys });
      continue;
    }
    if (event.type === EVENT_ID.DOCUMENT) documents += 1;
    // The values of a mapping are its keys and what belongs to them, by turns.
    else if (around!.isMapping && (around!.values += 1) % 2 === 1) keys += 1;
    if (event.type === EVENT_ID.ALIAS) {
      const repeated = inside.get(nameOf(event)) ?? NOTHING;
      aliases += 1 + repeated.aliases;
      keys += repeated.keys;
    } else if (event.type === EVENT_ID.SCALAR) inside.set(nameOf(event), NOTHING);
    else {
      const name = event.type === EVENT_ID.DOCUMENT ? '' : nameOf(event);
      open.push({ name, before: { aliases, keys }, isMapping: event.type === EVENT_ID.MAPPING, values: 0 });
    }
    if (documents > 1) throw new Error('it has more than one document.');
    if (keys > most.keys) throw new Error(`it has more than ${most.keys} keys. Split it into several files.`);
    if (aliases > most.aliases) throw new Error('its aliases expand to too many values. Write the values out.');
  }
}

/** The line and column, from 1, of the value that a JSON pointer names, or of what is there of it. */
export function lineOf(text: string, pointer: string): { readonly line: number; readonly column: number } {
  const path = pointer
    .split('/')
    .slice(1)
    .map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'));
  const events = parseEvents(text, { maxDepth: MOST_LEVELS + 1 });
  let [at, offset] = [1, startOf(events[1], 0)];
  for (const name of path) {
    const found = memberOf(events, at, name, text);
    if (found === undefined) break;
    [at, offset] = found;
  }
  const before = text.slice(0, offset).split('\n');
  return { line: before.length, column: before.at(-1)!.length + 1 };
}

function startOf(event: Event | undefined, otherwise: number): number {
  if (event?.type === EVENT_ID.SCALAR) return event.valueStart;
  if (event?.type === EVENT_ID.MAPPING || event?.type === EVENT_ID.SEQUENCE) return event.start;
  return event?.type === EVENT_ID.ALIAS ? event.anchorStart : otherwise;
}

/** The place of the value of a key or index among the events, and where its key stands in the text. */
function memberOf(events: readonly Event[], at: number, name: string, text: string): [number, number] | undefined {
  const parent = events[at];
  if (parent?.type !== EVENT_ID.MAPPING && parent?.type !== EVENT_ID.SEQUENCE) return undefined;
  const isMapping = parent.type === EVENT_ID.MAPPING;
  let index = 0;
  for (let next = at + 1; next < events.length && events[next]!.type !== EVENT_ID.POP; index += 1) {
    const key = events[next]!;
    const value = isMapping ? afterOf(events, next) : next;
    const own = isMapping && key.type === EVENT_ID.SCALAR ? getScalarValue(text, key) : String(index);
    if (own === name) return [value, startOf(key, startOf(events[value], 0))];
    next = afterOf(events, value);
  }
  return undefined;
}

/** The place after a value and all in it. */
function afterOf(events: readonly Event[], at: number): number {
  let open = 0;
  for (let next = at; next < events.length; next += 1) {
    const { type } = events[next]!;
    if (type === EVENT_ID.MAPPING || type === EVENT_ID.SEQUENCE) open += 1;
    if (type === EVENT_ID.POP) open -= 1;
    if (open === 0) return next + 1;
  }
  return events.length;
}
