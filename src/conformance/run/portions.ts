import type { Contract, Schema } from '../client/contract.js';
import { isObject } from '../client/exchange.js';

/** Items of a list that are judged at a time, so that their errors are not all in memory together. */
const ITEMS = 500;

/** An answer with only some items of its list. */
interface Portion {
  readonly json: unknown;
  /** The position in the whole answer of one in the portion; undefined for what the first portion has, too. */
  placeOf(at: string): string | undefined;
}

/** Divides an answer with a long list. */
export function portionsOf(contract: Contract, schema: Schema, json: unknown): readonly Portion[] {
  const whole: Portion = { json, placeOf: (at) => at };
  const data = isObject(json) ? json['data'] : undefined;
  if (Array.isArray(data)) {
    const listed = contract.deref(schema).schema.properties?.['data'];
    // Items with a schema for each position are no list.
    if (data.length <= ITEMS || (listed && contract.deref(listed).schema.prefixItems)) return [whole];
    return divided(data, '/data', (items) => ({ ...(json as object), data: items }));
  }
  const [name, list] = longestOf(data);
  if (list.length <= ITEMS) return [whole];
  const key = name.replaceAll('~', '~0').replaceAll('/', '~1');
  return divided(list, `/data/${key}`, (items) => ({
    ...(json as object),
    data: { ...(data as object), [name]: items },
  }));
}

/** The longest list of an object and its name. */
function longestOf(data: unknown): readonly [name: string, list: readonly unknown[]] {
  let longest: readonly [string, readonly unknown[]] = ['', []];
  for (const [name, value] of isObject(data) ? Object.entries(data) : []) {
    if (Array.isArray(value) && value.length > longest[1].length) longest = [name, value];
  }
  return longest;
}

function divided(
  list: readonly unknown[],
  place: string,
  answerWith: (items: readonly unknown[]) => unknown,
): Portion[] {
  return Array.from({ length: Math.ceil(list.length / ITEMS) }, (_, turn) => ({
    json: answerWith(list.slice(turn * ITEMS, (turn + 1) * ITEMS)),
    placeOf(at) {
      if (!at.startsWith(`${place}/`)) return turn === 0 ? at : undefined;
      const [index, ...below] = at.slice(place.length + 1).split('/');
      return [place, Number(index) + turn * ITEMS, ...below].join('/');
    },
  }));
}
