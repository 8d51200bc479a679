/** Reads and checks the parameters of path and query by the operation table. */
import { parseIsoDate, parseQueryDate } from '../model/calendar.js';
import { invalid, Refusal } from '../model/refusal.js';
import type { Answers, OperationSpec, ParameterSpec } from '../../contract/index.js';
import type { Route } from './routes/call.js';

type Read = (text: string, spec: ParameterSpec, answers: Answers) => unknown;

const whole = /^[+-]?\d{1,15}$/;

function range({ min, max }: ParameterSpec): string {
  if (min !== undefined && max !== undefined) return ` from ${min} to ${max}`;
  return min === undefined ? '' : ` of at least ${min}`;
}

function inRange(value: number, { min, max, values }: ParameterSpec): boolean {
  if (values) return (values as readonly unknown[]).includes(value);
  return (min === undefined || value >= min) && (max === undefined || value <= max);
}

/** Undefined for an invalid text. */
const readers: Record<ParameterSpec['kind'], Read> = {
  integer: (text, spec) => (whole.test(text) && inRange(Number(text), spec) ? Number(text) : undefined),
  boolean: (text) => (text === 'true' ? true : text === 'false' ? false : undefined),
  date: (text) => parseQueryDate(text),
  'date-either': (text, _spec, answers) => {
    const form = answers['search.date-format'];
    const day = form === 'yyyy-mm-dd' ? undefined : parseQueryDate(text);
    return day ?? (form === 'dd-mm-yyyy' ? undefined : parseIsoDate(text));
  },
  integers: (text, spec) => {
    const items = text.split(',').map((item) => item.trim());
    if (!items.every((item) => whole.test(item) && inRange(Number(item), spec))) return undefined;
    return items.map(Number);
  },
  string: (text) => text,
  url: (text) => text,
  version: (text) => text,
};

function due(spec: ParameterSpec, answers: Answers): string {
  switch (spec.kind) {
    case 'integer':
      return spec.values ? `must be ${spec.values.join(' or ')}` : `must be a whole number${range(spec)}`;
    case 'boolean':
      return 'must be true or false';
    case 'date':
      return 'must be a date that exists, written dd-mm-yyyy';
    case 'date-either':
      return `must be a date that exists, written ${answers['search.date-format'].replace('both', 'dd-mm-yyyy or yyyy-mm-dd')}`;
    case 'integers':
      return `must be facility ids separated by commas${spec.maxItems ? `, at most ${spec.maxItems}` : ''}`;
    default:
      return 'must not be empty';
  }
}

/**
 * Reads and checks the parameters of a request by the operation table. Dates become day numbers; repeated ids are
 * removed from lists.
 *
 * @throws {Refusal} `invalid`, naming the first missing or malformed parameter.
 */
function readParameters(
  specs: readonly ParameterSpec[],
  path: Readonly<Record<string, string>>,
  query: Query,
  answers: Answers,
): Record<string, unknown> {
  const params: Record<string, unknown> = {};
  for (const spec of specs) {
    const text = spec.in === 'path' ? path[spec.name] : query.get(spec.name)?.[0];
    if (text === undefined || text === '') {
      if (spec.required || text === '') throw invalid(spec.rule, spec.name, due(spec, answers), text);
      continue;
    }
    const value = readers[spec.kind](text, spec, answers);
    if (value === undefined) throw invalid(spec.rule, spec.name, due(spec, answers), text);
    params[spec.name] = Array.isArray(value) ? distinct(spec, value) : value;
  }
  return params;
}

/** The limit counts the ids as sent; the response contains each facility once. */
function distinct(spec: ParameterSpec, items: readonly unknown[]): unknown[] {
  if (spec.maxItems !== undefined && items.length > spec.maxItems) {
    throw invalid(
      'prices.facility-ids-limit',
      spec.name,
      `must name at most ${spec.maxItems} facilities`,
      items.length,
    );
  }
  return [...new Set(items)];
}

/**
 * Reads the parameters of one operation from the query and the path of a request. Names in the query that the operation
 * does not have are reported first, even if a parameter is then refused.
 */
type ParameterReader = (
  url: string,
  path: Readonly<Record<string, string>>,
  tell: (strays: readonly string[]) => void,
) => ReadRequest;

/** The parameters of a request, with the names in its query that the operation does not have. */
interface ReadRequest {
  readonly params: Readonly<Record<string, unknown>>;
  readonly strays: readonly string[];
}

export function createParameterReader(specs: readonly ParameterSpec[], answers: Answers): ParameterReader {
  const named = new Set(specs.flatMap((spec) => (spec.in === 'query' ? [spec.name] : [])));
  return (url, path, tell) => {
    const query = readQuery(url);
    if (!query) throw invalid('versions.path', 'query', 'must be percent-encoded UTF-8', url.split('?')[1]);
    const strays = [...query.keys()].filter((name) => !named.has(name));
    if (strays.length > 0) tell(strays);
    refuseRepeated(query, specs);
    return { params: Object.freeze(readParameters(specs, path, query, answers)), strays };
  };
}

/** The values of each name of a query, in their order. */
type Query = ReadonlyMap<string, readonly string[]>;

const noQuery: Query = new Map();

/** The parameters of path and query as they were sent; a malformed query has none. */
export function sentParameters(url: string, path: Readonly<Record<string, string>>): Record<string, string> {
  const sent = Object.create(null) as Record<string, string>;
  for (const [name, values] of readQuery(url) ?? noQuery) sent[name] = values.join(',');
  return Object.assign(sent, path);
}

/** The query of a URL. Null for a malformed escape. */
function readQuery(url: string): Query | null {
  const start = url.indexOf('?');
  if (start < 0) return noQuery;
  const hash = url.indexOf('#', start);
  const query = new Map<string, string[]>();
  try {
    for (const pair of url.slice(start + 1, hash < 0 ? undefined : hash).split('&')) {
      const equals = pair.indexOf('=');
      const name = decode(equals < 0 ? pair : pair.slice(0, equals));
      if (name === '') continue;
      const value = equals < 0 ? '' : decode(pair.slice(equals + 1));
      const values = query.get(name);
      if (values) values.push(value);
      else query.set(name, [value]);
    }
  } catch {
    return null;
  }
  return query;
}

/** To answer by one of several values would lose the others without a word. */
function refuseRepeated(query: Query, specs: readonly ParameterSpec[]): void {
  for (const [name, values] of query) {
    if (values.length === 1) continue;
    const isList = specs.some((spec) => spec.name === name && spec.kind === 'integers');
    const remedy = isList ? `send the ids as one value, \`${name}=${values.join()}\`` : 'send it once';
    const words = `\`${name}\` must not be sent more than once; got ${values.length} values; ${remedy}`;
    throw new Refusal('invalid', 'versions.query-once', { words });
  }
}

function decode(text: string): string {
  return /[%+]/.test(text) ? decodeURIComponent(text.replaceAll('+', ' ')) : text;
}

/** An operation with what answers it. */
export interface Served {
  readonly operation: OperationSpec;
  readonly route: Route<never>;
  readonly readParameters: ParameterReader;
}

/** What the method and the URL of a request say: they are read once for many requests. */
export interface KnownCall {
  readonly served: Served;
  readonly path: Readonly<Record<string, string>>;
  /** The parameters, after they were found valid. */
  read: ReadRequest | undefined;
}
