import { jsonEscape, parsedJson } from '../../common/index.js';
import type { Disguise } from '../recording.js';

type JsonPart = null | boolean | number | string | readonly JsonPart[] | { readonly [name: string]: JsonPart };
type JsonRecord = Readonly<Record<string, JsonPart>>;

/** Changes the JSON of answers, and of search results. What is no JSON stays as it is. */
function onJson(change: (json: JsonPart, operation: string | undefined) => JsonPart, write = JSON.stringify): Disguise {
  const changed = (text: string, operation?: string): string => {
    const json = parsedJson(text) as JsonPart | undefined;
    return json === undefined ? text : write(change(json, operation));
  };
  return {
    answer: ({ text, operation, ...rest }) => ({ ...rest, operation, text: changed(text, operation) }),
    result: (text) => changed(text, 'v5.searchTeeTimes'),
  };
}

/** Changes each object of JSON, from the inside out. */
function eachObject(json: JsonPart, change: (object: JsonRecord) => JsonRecord): JsonPart {
  if (Array.isArray(json)) return json.map((item: JsonPart) => eachObject(item, change));
  if (typeof json !== 'object' || json === null) return json;
  const members = Object.entries(json).map(([name, value]) => [name, eachObject(value, change)] as const);
  return change(Object.fromEntries(members));
}

/** A field more in each object. */
export const unknownFields = (): Disguise =>
  onJson((json) => eachObject(json, (object) => ({ ...object, addedLater: { since: '2027', values: [1, null] } })));

const LISTS = ['extraProducts', 'images', 'availability'];

/** Lists that may be empty are so, and the first tee sheet has no tee times. */
export const someEmptyLists = (): Disguise => {
  let isFirst = true;
  return onJson((json, operation) => {
    const isSheet = operation?.endsWith('.listTeeTimes') === true;
    const names = isSheet && isFirst ? [...LISTS, 'teeTimeV3', 'teeTimeV2'] : LISTS;
    const isPlain = names !== LISTS && Array.isArray((json as JsonRecord)['data']);
    if (isSheet) isFirst = false;
    return isPlain ? { ...(json as JsonRecord), data: [] } : eachObject(json, (object) => emptied(object, names));
  });
};

/** Lists that no shop depends on are empty. */
export const emptyExtras = (): Disguise =>
  onJson((json) => eachObject(json, (object) => emptied(object, ['extraProducts', 'images'])));

function emptied(object: JsonRecord, names: readonly string[]): JsonRecord {
  const lists = names.filter((name) => Array.isArray(object[name])).map((name) => [name, []] as const);
  return { ...object, ...Object.fromEntries(lists) };
}

/** Search results without tee times. */
export const withoutTeeTimes = (): Disguise => {
  const { result } = onJson((json) => eachObject(json, (object) => emptied(object, ['teeTimeV3'])));
  return { result: result! };
};

const COURSE_NAMES = ['course', 'round', 'courseName'];
const FOREIGN = /^Göteborgs (.*) – 山$/s;

/** Courses with letters outside ASCII. A booking may name them so. */
export const foreignNames = (): Disguise => ({
  ...onJson((json) => eachObject(json, (object) => renamed(object, (name) => `Göteborgs ${name} – 山`))),
  request: (text) => {
    const json = parsedJson(text) as JsonPart | undefined;
    const known = (name: string): string => FOREIGN.exec(name)?.[1] ?? name;
    return json === undefined ? text : JSON.stringify(eachObject(json, (object) => renamed(object, known)));
  },
});

function renamed(object: JsonRecord, rename: (name: string) => string): JsonRecord {
  const names = COURSE_NAMES.filter((name) => typeof object[name] === 'string');
  return { ...object, ...Object.fromEntries(names.map((name) => [name, rename(object[name] as string)])) };
}

/** All amounts in yen: as many of them as there were hundredths of the currency before. */
export const inYen = (): Disguise => ({
  ...onJson((json) => eachObject(json, (object) => asYen(object))),
  request: (text) => {
    const json = parsedJson(text) as JsonPart | undefined;
    const back = (object: JsonRecord): JsonRecord => {
      const { netRate } = object;
      if (typeof netRate === 'number') return { ...object, netRate: netRate / 100 };
      const amount = typeof netRate === 'string' && netRate.trim() !== '' ? Number(netRate) : NaN;
      return Number.isNaN(amount) ? object : { ...object, netRate: String(amount / 100) };
    };
    return json === undefined ? text : JSON.stringify(eachObject(json, back));
  },
});

function asYen(object: JsonRecord): JsonRecord {
  if (typeof object['currencyCode'] === 'string') return { ...object, currencyCode: 'JPY' };
  if (typeof object['currency'] !== 'string') return object;
  const amounts = ['amount', 'price'].flatMap((name) => {
    const amount = object[name];
    return typeof amount === 'number' ? [[name, Math.round(amount * 100)] as const] : [];
  });
  return { ...object, ...Object.fromEntries(amounts), currency: 'JPY' };
}

/** The same JSON in another form: fields in reverse, indented, with escapes. */
export const otherJson = (): Disguise => {
  const reversed = (object: JsonRecord): JsonRecord => Object.fromEntries(Object.entries(object).reverse());
  const write = (json: unknown): string => JSON.stringify(json, null, 2).replace(/[^\0-~]/g, jsonEscape);
  return onJson((json) => eachObject(json, reversed), write);
};

const PAGE = '<!doctype html><html><head><title>502 Bad Gateway</title></head><body>Bad Gateway</body></html>';

/** Server errors as a page of HTML, as a system in front of the service sends them. */
export const htmlErrors = (): Disguise => ({
  answer: (answer) => {
    if (answer.status < 500) return answer;
    const headers = new Headers(answer.headers);
    headers.set('content-type', 'text/html; charset=utf-8');
    return { ...answer, headers, text: PAGE };
  },
});
