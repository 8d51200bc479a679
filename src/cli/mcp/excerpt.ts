import { ToolError } from './tool.js';

/** Characters of JSON that a tool shows of one value. */
const ROOM = 5000;
/** A member of an object that gets less room is left out. */
const LEAST_ROOM = 24;

/** Where a value was cut: `next` is the `from` that shows what follows. */
export interface Cut {
  /** JSON pointer of the list, text or object. */
  readonly at: string;
  readonly shown: number;
  readonly of: number;
  readonly unit: 'items' | 'characters' | 'members';
  readonly next: number;
}

/** The beginning of a JSON value. */
export interface Excerpt {
  readonly value: unknown;
  readonly cuts: readonly Cut[];
}

/**
 * A value with at most about `room` characters of JSON. Items of lists stay whole, as long as one of them fits.
 *
 * @param at The pointer of the value in what it is a part of.
 * @param from The first item of a list, or character of a text, to show.
 */
export function excerptOf(value: unknown, { at = '', from = 0, room = ROOM } = {}): Excerpt {
  const cuts: Cut[] = [];
  return { value: fitted(value, { at, from, room }, cuts), cuts };
}

interface PlaceInValue {
  readonly at: string;
  readonly from: number;
  readonly room: number;
}

function fitted(value: unknown, { at, from, room }: PlaceInValue, cuts: Cut[]): unknown {
  const rest = from > 0 && (typeof value === 'string' || Array.isArray(value)) ? value.slice(from) : value;
  if (sizeOf(rest) <= room) return rest;
  if (typeof rest === 'string') {
    // Characters that JSON escapes take more room.
    const text = rest.slice(0, Math.max(Math.floor((room * rest.length) / sizeOf(rest)), 1));
    cuts.push(cutAt(at, 'characters', from, text.length, from + rest.length));
    return text;
  }
  if (Array.isArray(rest)) return fittedList(rest, { at, from, room }, cuts);
  return typeof rest === 'object' && rest !== null ? fittedObject(rest, { at, from: 0, room }, cuts) : rest;
}

function cutAt(at: string, unit: Cut['unit'], from: number, shown: number, of: number): Cut {
  return { at, unit, shown, of, next: from + shown };
}

function fittedList(list: readonly unknown[], { at, from, room }: PlaceInValue, cuts: Cut[]): unknown[] {
  let left = room - 2;
  let whole = 0;
  while (whole < list.length && sizeOf(list[whole]) < left) left -= sizeOf(list[whole++]) + 1;
  if (whole > 0) {
    cuts.push(cutAt(at, 'items', from, whole, from + list.length));
    return list.slice(0, whole);
  }
  if (list.length > 1) cuts.push(cutAt(at, 'items', from, 1, from + list.length));
  return [fitted(list[0], { at: `${at}/${from}`, from: 0, room: room - 2 }, cuts)];
}

/** Small members stay whole, and the large ones share the room that is left. */
function fittedObject(value: object, { at, room }: PlaceInValue, cuts: Cut[]): Record<string, unknown> {
  const members = Object.entries(value).sort(([, a], [, b]) => sizeOf(a) - sizeOf(b));
  const kept = new Map<string, unknown>();
  let left = room - 2;
  for (const [index, [name, member]] of members.entries()) {
    const share = Math.floor(left / (members.length - index)) - sizeOf(name) - 2;
    if (share < LEAST_ROOM && sizeOf(member) > share) {
      cuts.push(cutAt(at, 'members', 0, kept.size, members.length));
      break;
    }
    const shown = fitted(member, { at: `${at}/${escaped(name)}`, from: 0, room: share }, cuts);
    kept.set(name, shown);
    left -= sizeOf(shown) + sizeOf(name) + 2;
  }
  return Object.fromEntries(Object.keys(value).flatMap((name) => (kept.has(name) ? [[name, kept.get(name)]] : [])));
}

function sizeOf(value: unknown): number {
  return JSON.stringify(value)?.length ?? 0;
}

function escaped(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}

/**
 * The part of a value at a JSON pointer (RFC 6901).
 *
 * @throws {ToolError} naming the last place that there is, and what it has.
 */
export function partAt(value: unknown, pointer: string): unknown {
  if (pointer !== '' && !pointer.startsWith('/')) {
    throw new ToolError(`\`at\` must be a JSON pointer, such as /response/body/data/0; got \`${pointer}\`.`);
  }
  let part = value;
  let at = '';
  for (const step of pointer.split('/').slice(1)) {
    const name = step.replaceAll('~1', '/').replaceAll('~0', '~');
    const has = typeof part === 'object' && part !== null && Object.hasOwn(part, name);
    // A list has an own `length` as well, which is no item.
    const isItem = !Array.isArray(part) || /^\d+$/.test(name);
    if (!has || !isItem) throw new ToolError(`There is nothing at \`${at}/${step}\`. ${whatIsAt(at, part)}`);
    part = (part as Record<string, unknown>)[name];
    at = `${at}/${step}`;
  }
  return part;
}

function whatIsAt(at: string, part: unknown): string {
  const place = at === '' ? 'The whole value' : `\`${at}\``;
  if (Array.isArray(part)) return `${place} is a list of ${part.length} items, counted from 0.`;
  if (typeof part !== 'object' || part === null) return `${place} is ${JSON.stringify(part)?.slice(0, 60)}.`;
  return `${place} has ${Object.keys(part).slice(0, 20).map(escaped).join(', ') || 'no members'}.`;
}

/** What was cut, in words, and the call that shows more: its arguments but `at` and `from`. */
export function cutsInWords(
  cuts: readonly Cut[],
  tool: string,
  given: Readonly<Record<string, string>> = {},
): string[] {
  const named = Object.entries(given).map(([name, value]) => `${name}="${value}"`);
  return cuts.map(({ at, shown, of, unit, next }) => {
    const place = at === '' ? 'the value' : at;
    const where = (from: string): string => `${tool}(${[...named, `at="${at}"`, from].filter(Boolean).join(', ')})`;
    if (unit !== 'members') {
      return `Cut: ${place} shows ${unit} ${next - shown} to ${next - 1} of ${of}. For more: ${where(`from=${next}`)}.`;
    }
    return `Cut: ${place} shows ${shown} of ${of} members. For one of them: ${where('')} with its name added to \`at\`.`;
  });
}
