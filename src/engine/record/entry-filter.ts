import { operations, ruleBasis, type RuleId } from '../../contract/index.js';
import { isSameJson, ValidationError } from '../../common/index.js';
import { rawPathOf } from './entry-view.js';
import { INTERNAL_ERROR, type JournalEntry, NOT_KEPT, PREFLIGHT } from './journal.js';

/** The criteria for entries. A missing criterion matches every entry. */
export interface EntryFilter {
  /** The name of an operation, such as `createBooking`, or its id with the version, such as `v5.createBooking`. */
  readonly operation?: string;
  readonly method?: string;
  /** The path below the base URL: exact, or a prefix before a final `*`. The query is compared only if it is given. */
  readonly path?: string;
  readonly channel?: string;
  readonly status?: number;
  readonly rule?: RuleId | 'scenario' | 'internal-error' | (string & {});
  /** The scenario that the request triggered. */
  readonly scenario?: string;
  /** Fields of the body, or of one booking in it, with the values they must have. */
  readonly match?: Readonly<Record<string, unknown>>;
  readonly state?: JournalEntry['state'];
}

/** The names that exist in a sandbox. */
export interface KnownNames {
  readonly channels: readonly string[];
  readonly scenarios: readonly string[];
}

/** One criterion of a filter with the value found in an entry. A field of the body is `match.` and its name. */
export interface Criterion {
  readonly field: string;
  readonly wanted: unknown;
  readonly got: unknown;
  readonly met: boolean;
}

const names = [...operations.map(({ name }) => name), 'cancelBooking'];
const ids = [...operations.map(({ id }) => id), 'v2.cancelBooking', 'v4.cancelBooking'];

/**
 * Checks that the names in a filter exist. The schema checks the types of its fields.
 *
 * @throws {ValidationError} with the first unknown name and the known ones.
 */
export function checkNames({ operation, channel, rule, scenario }: EntryFilter, known: KnownNames): void {
  const oneOf = (field: string, value: string | undefined, there: readonly string[], fits = there) => {
    if (value !== undefined && !there.includes(value))
      throw new ValidationError(`There is no ${field} \`${value}\`.`, fits);
  };
  oneOf('operation', operation, [...names, ...ids], [...new Set(names)]);
  oneOf('channel', channel, known.channels);
  oneOf(
    'rule',
    rule,
    [...Object.keys(ruleBasis), 'scenario', INTERNAL_ERROR, NOT_KEPT, PREFLIGHT],
    ['the id of a rule, as `npx --no-install teebox list rules` lists them'],
  );
  oneOf('scenario', scenario, known.scenarios);
}

/** All criteria of a filter for an entry, met or not. An empty filter matches every entry. */
export function criteriaOf(filter: EntryFilter, entry: JournalEntry, prefix?: string): Criterion[] {
  const { operation, path } = filter;
  const found: Criterion[] = [];
  const add = (field: keyof EntryFilter, got: unknown, met?: boolean) => {
    const wanted = filter[field];
    if (wanted !== undefined) found.push({ field, wanted, got, met: met ?? wanted === got });
  };
  add('operation', entry.operation, entry.operation !== undefined && namesOf(entry).includes(operation ?? ''));
  add('method', entry.method, entry.method === filter.method?.toUpperCase());
  const asked = rawPathOf(entry.url, prefix);
  add('path', asked, path !== undefined && fitsPath(asked, path));
  add('channel', entry.channel);
  add('status', entry.status);
  add('rule', entry.rule);
  const { scenario } = entry;
  const struck = scenario?.struck ? [scenario.id, ...(scenario.also ?? [])] : [];
  add('scenario', struck.join(', ') || undefined, struck.includes(filter.scenario ?? ''));
  add('state', entry.state);
  return filter.match ? [...found, ...bestMatch(filter.match, entry)] : found;
}

/** Whether an entry matches a filter. */
export function fits(filter: EntryFilter, entry: JournalEntry, prefix?: string): boolean {
  return criteriaOf(filter, entry, prefix).every(({ met }) => met);
}

/** `v5.confirmPayment.post` is also `v5.confirmPayment` and `confirmPayment`. */
function namesOf({ operation = '' }: JournalEntry): string[] {
  const plain = operation.replace(/\.post$/, '');
  return [operation, plain, plain.replace(/^v\d\./, '')];
}

function fitsPath(asked: string, wanted: string): boolean {
  const path = wanted.includes('?') ? asked : asked.split('?')[0]!;
  return wanted.endsWith('*') ? path.startsWith(wanted.slice(0, -1)) : path === wanted;
}

/** The criteria for the booking in a body that matches best. */
function bestMatch(match: Readonly<Record<string, unknown>>, { body, bodyDropped }: JournalEntry): Criterion[] {
  const unknown = bodyDropped && `unknown, as the body is not kept (${bodyDropped})`;
  const compared = bookingsIn(body).map((fields) =>
    Object.entries(match).map(([name, wanted]): Criterion => {
      const got = Object.hasOwn(fields, name) ? fields[name] : unknown;
      return { field: `match.${name}`, wanted, got, met: got !== undefined && !unknown && isSameJson(got, wanted) };
    }),
  );
  const score = (criteria: readonly Criterion[]) => criteria.filter(({ met }) => met).length;
  return compared.reduce((best, one) => (score(one) > score(best) ? one : best));
}

/** The body itself, and each booking in a list of the body. */
function bookingsIn(body: unknown): Readonly<Record<string, unknown>>[] {
  const whole = typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : {};
  const list = Array.isArray(body) ? body : whole['details'];
  const items = Array.isArray(list) ? list.filter((one) => typeof one === 'object' && one !== null) : [];
  return [whole, ...items];
}
