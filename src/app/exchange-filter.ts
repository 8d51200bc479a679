import { operations } from '../generated/operations.js';
import { type RuleId, ruleBasis } from '../generated/rule-basis.js';
import { cancelBooking } from '../routes/cancel.js';
import { Misfit } from '../scenarios/spec.js';
import { rawPathOf } from './exchange-view.js';
import type { Exchange } from './journal.js';

/** Which exchanges are meant; what is absent does not matter. */
export interface ExchangeFilter {
  /** The name of an operation, such as `createBooking`, or its id with the version, such as `v5.createBooking`. */
  readonly operation?: string;
  readonly method?: string;
  /** Below the base URL: exactly so, or what stands before a `*` at its end. A query counts where one is given. */
  readonly path?: string;
  readonly channel?: string;
  readonly status?: number;
  readonly rule?: RuleId | 'scenario' | (string & {});
  /** The scenario that struck. */
  readonly scenario?: string;
  /** Fields of the body, or of one booking in it, with the values they must have. */
  readonly match?: Readonly<Record<string, unknown>>;
  readonly state?: Exchange['state'];
}

/** The names that a sandbox knows. */
export interface KnownNames {
  readonly channels: readonly string[];
  readonly scenarios: readonly string[];
}

/** One thing that a filter asks of an exchange, with what it found; a field of the body is `match.` and its name. */
export interface Criterion {
  readonly field: string;
  readonly wanted: unknown;
  readonly got: unknown;
  readonly met: boolean;
}

const names = [...operations.map(({ name }) => name), cancelBooking.operation.name];
const ids = [...operations.map(({ id }) => id), 'v2.cancelBooking', 'v4.cancelBooking'];
const states = ['open', 'answered', 'cut'] as const;
const isText = (value: unknown): value is string => typeof value === 'string';

/** The fields of a filter. */
export const filterFields = [
  'operation',
  'method',
  'path',
  'channel',
  'status',
  'rule',
  'scenario',
  'match',
  'state',
] as const;

/**
 * Checks a filter.
 *
 * @throws {Misfit} naming the first field that does not fit, and what would.
 */
export function checkFilter(filter: ExchangeFilter, known: KnownNames): void {
  const { operation, method, path, channel, status, rule, scenario, match, state } = filter;
  const oneOf = (field: string, value: unknown, fitting: readonly string[], shown = fitting) => {
    if (value !== undefined && !fitting.includes(value as string)) throw misfit(field, 'is not known here', shown);
  };
  oneOf('operation', operation, [...names, ...ids], [...new Set(names)]);
  if (method !== undefined && !(isText(method) && /^[a-z]{1,20}$/i.test(method))) {
    throw misfit('method', 'must be the name of a method', ['GET', 'POST']);
  }
  if (path !== undefined && !(isText(path) && path.startsWith('/'))) {
    throw misfit('path', 'must begin with a slash', ['/api/v5/bookings', '/api/v5/*']);
  }
  oneOf('channel', channel, known.channels);
  if (status !== undefined && !(Number.isInteger(status) && status >= 0 && status <= 599)) {
    throw misfit('status', 'must be the status of an answer', ['200', '400', '0 without an answer']);
  }
  oneOf('rule', rule, [...Object.keys(ruleBasis), 'scenario'], ['the id of a rule, as `teebox rules` lists them']);
  oneOf('scenario', scenario, known.scenarios);
  if (match !== undefined && Object.prototype.toString.call(match) !== '[object Object]') {
    throw misfit('match', 'must be an object', ['{"contactLastName": "Lovelace"}']);
  }
  oneOf('state', state, states);
}

/** What does not fit, said of a field. */
export function misfit(field: string, due: string, fits: readonly string[]): Misfit {
  return new Misfit(`\`${field}\` ${due}.`, fits);
}

/** Everything that a filter asks of an exchange, met or not; no criterion at all is met by every exchange. */
export function criteriaOf(filter: ExchangeFilter, exchange: Exchange, prefix?: string): Criterion[] {
  const { operation, path } = filter;
  const found: Criterion[] = [];
  const add = (field: keyof ExchangeFilter, got: unknown, met?: boolean) => {
    const wanted = filter[field];
    if (wanted !== undefined) found.push({ field, wanted, got, met: met ?? wanted === got });
  };
  add('operation', exchange.operation, exchange.operation !== undefined && namesOf(exchange).includes(operation ?? ''));
  add('method', exchange.method, exchange.method === filter.method?.toUpperCase());
  const asked = rawPathOf(exchange.url, prefix);
  add('path', asked, path !== undefined && fitsPath(asked, path));
  add('channel', exchange.channel);
  add('status', exchange.status);
  add('rule', exchange.rule);
  const { scenario } = exchange;
  const struck = scenario?.struck ? [scenario.id, ...(scenario.also ?? [])] : [];
  add('scenario', struck.join(', ') || undefined, struck.includes(filter.scenario ?? ''));
  add('state', exchange.state);
  return filter.match ? [...found, ...bestMatch(filter.match, exchange.body)] : found;
}

/** Whether an exchange is one of those meant. */
export function fits(filter: ExchangeFilter, exchange: Exchange, prefix?: string): boolean {
  return criteriaOf(filter, exchange, prefix).every(({ met }) => met);
}

/** `v5.confirmPayment.post` is also `v5.confirmPayment` and `confirmPayment`. */
function namesOf({ operation = '' }: Exchange): string[] {
  const plain = operation.replace(/\.post$/, '');
  return [operation, plain, plain.replace(/^v\d\./, '')];
}

function fitsPath(asked: string, wanted: string): boolean {
  const path = wanted.includes('?') ? asked : asked.split('?')[0]!;
  return wanted.endsWith('*') ? path.startsWith(wanted.slice(0, -1)) : path === wanted;
}

/** The fields of the booking in a body that fits best. */
function bestMatch(match: Readonly<Record<string, unknown>>, body: unknown): Criterion[] {
  const judged = bookingsIn(body).map((fields) =>
    Object.entries(match).map(([name, wanted]): Criterion => {
      const got = Object.hasOwn(fields, name) ? fields[name] : undefined;
      return { field: `match.${name}`, wanted, got, met: got !== undefined && sameJson(got, wanted) };
    }),
  );
  const score = (criteria: readonly Criterion[]) => criteria.filter(({ met }) => met).length;
  return judged.reduce((best, one) => (score(one) > score(best) ? one : best));
}

/** The body itself, and each booking of a list in it. */
function bookingsIn(body: unknown): Readonly<Record<string, unknown>>[] {
  const whole = typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : {};
  const list = Array.isArray(body) ? body : whole['details'];
  const items = Array.isArray(list) ? list.filter((one) => typeof one === 'object' && one !== null) : [];
  return [whole, ...items];
}

/** Whether two values read from JSON are the same, whatever the order of their members. */
function sameJson(one: unknown, other: unknown): boolean {
  const pairs: [unknown, unknown][] = [[one, other]];
  for (let pair = pairs.pop(); pair; pair = pairs.pop()) {
    const [a, b] = pair;
    if (a === b) continue;
    if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
    const members = Object.entries(a);
    if (Array.isArray(a) !== Array.isArray(b) || members.length !== Object.keys(b).length) return false;
    for (const [name, value] of members) {
      if (!Object.hasOwn(b, name)) return false;
      pairs.push([value, (b as Record<string, unknown>)[name]]);
    }
  }
  return true;
}
