import { parsedJson, shallowJson, isObject } from '../../../common/index.js';

/** How much of a value a report keeps. */
const MOST_TEXT = 300;
const MOST_ITEMS = 10;
const MOST_MEMBERS = 40;
const MOST_LEVELS = 5;
const MOST_VALUES = 500;
const MOST_WORDS = 2000;

/** A value as a finding keeps it: JSON in a text is read, and what is long is cut. Cut places end in dots. */
export function keptValue(value: unknown): unknown {
  return cut(typeof value === 'string' ? parsed(value) : value, MOST_LEVELS, { left: MOST_VALUES });
}

/** An object or array that is written in a text; any other text stays as it is. */
function parsed(text: string): unknown {
  return (/^\s*[[{]/.test(text) ? shallowJson(text) : undefined) ?? text;
}

/** The words of a finding, which may quote an answer. */
export function keptWords(text: string): string {
  return cutText(text, MOST_WORDS);
}

function cutText(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most)}...`;
}

function cut(value: unknown, levels: number, room: { left: number }): unknown {
  if (typeof value === 'string') return cutText(value, MOST_TEXT);
  if (typeof value !== 'object' || value === null) return value;
  if (levels === 0 || room.left <= 0) return '...';
  room.left -= Math.min(MOST_MEMBERS, Array.isArray(value) ? value.length : Object.keys(value).length);
  if (Array.isArray(value)) {
    const items = value.slice(0, MOST_ITEMS).map((item) => cut(item, levels - 1, room));
    return value.length <= MOST_ITEMS ? items : [...items, `... ${value.length - MOST_ITEMS} more`];
  }
  const members = Object.entries(value);
  const kept = members
    .slice(0, MOST_MEMBERS)
    .map(([name, item]) => [cutText(name, MOST_TEXT), cut(item, levels - 1, room)]);
  if (members.length > MOST_MEMBERS) kept.push(['...', `${members.length - MOST_MEMBERS} more`]);
  return Object.fromEntries(kept);
}

/** A value with each of its texts changed, the names of members too. */
export function withTexts(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map((item) => withTexts(item, change));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [change(name), withTexts(item, change)]));
}

/** A value on one line for people: words and texts as they are, in quotes only where they could be read as another value. */
export function valueText(value: unknown): string {
  if (typeof value === 'string') return isPlain(value) ? value : JSON.stringify(value);
  if (isObject(value)) {
    const sets = Object.entries(value).map(([name, items]) => setText(name, items));
    if (sets.length > 0 && sets.every((text) => text !== undefined)) return shortened(sets.join('; '));
  }
  const text = JSON.stringify(value) ?? String(value);
  return shortened(text);
}

function shortened(text: string): string {
  return text.length <= 2 * MOST_TEXT ? text : `${text.slice(0, 2 * MOST_TEXT)}...`;
}

/** How a finding names the items of a set; anything else is no set. */
const setNames: Readonly<Record<string, string>> = {
  oneOf: 'one of ',
  missing: 'missing: ',
  unexpected: 'unexpected: ',
};

function setText(name: string, items: unknown): string | undefined {
  if (!Object.hasOwn(setNames, name) || !Array.isArray(items) || items.length === 0) return undefined;
  return `${setNames[name]}${items.map(valueText).join(', ')}`;
}

/** Whether a text is not taken for a number, `null` or the like, and shows all it has on one line. */
function isPlain(text: string): boolean {
  return text !== '' && text === text.trim() && !/[\p{Cc}"]/u.test(text) && parsedJson(text) === undefined;
}
