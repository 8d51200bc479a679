import { Misfit } from '../scenarios/spec.js';
import type { Schedule } from './callbacks.js';
import {
  checkFilter,
  criteriaOf,
  type ExchangeFilter,
  filterFields,
  fits,
  type KnownNames,
  misfit,
} from './exchange-filter.js';
import type { Exchange, Journal } from './journal.js';
import { maskAddress, maskJson } from './mask.js';

/** Which requests there must have been, and how many. */
export interface Expectation extends ExchangeFilter {
  /** Default 1; 0 beside `atMost: 0`. */
  readonly atLeast?: number;
  readonly atMost?: number;
  /** How long to wait for them; default 0, at most a minute. With `atMost` it is waited out, to be sure. */
  readonly timeoutMs?: number;
}

/** What was found, of which there was enough. */
export interface Verified {
  readonly verified: true;
  readonly count: number;
  /** The ids of the newest thousand. */
  readonly requests: readonly string[];
}

/** A request that was nearly one of those expected. */
export interface NearMiss {
  readonly id: string;
  /** How many of the things asked for it has, and of how many. */
  readonly matched: number;
  readonly of: number;
  /** The first that it has not. */
  readonly differs: { readonly field: string; readonly wanted: unknown; readonly got: unknown };
}

/** Thrown when there were too few or too many of the requests expected. */
export class Unverified extends Error {
  override readonly name = 'Unverified';

  constructor(
    message: string,
    readonly count: number,
    /** Up to five requests that came nearest, best first. */
    readonly nearest: readonly NearMiss[],
  ) {
    super(message);
  }
}

export interface VerifyHost {
  readonly journal: Journal;
  readonly known: KnownNames;
  readonly prefix?: string | undefined;
  readonly schedule: Schedule;
}

const LONGEST_WAIT = 60_000;
const NEAREST = 5;
const LISTED = 1000;
const fields: readonly string[] = [...filterFields, 'atLeast', 'atMost', 'timeoutMs'];

/**
 * Checks what was expected against the journal, and waits for it while it can still come true.
 *
 * @throws {Misfit} for an expectation that makes no sense, naming the field.
 * @throws {Unverified} when it is not met in time.
 */
export async function verify(host: VerifyHost, expectation: Expectation): Promise<Verified> {
  checkExpectation(expectation, host.known);
  const { atMost = Infinity, timeoutMs = 0 } = expectation;
  const atLeast = expectation.atLeast ?? Math.min(1, atMost);
  const found = new Set<Exchange>();
  const look = (exchange: Exchange): void => {
    if (fits(expectation, exchange, host.prefix)) found.add(exchange);
    else found.delete(exchange);
  };
  const decided = () => found.size > atMost || (found.size >= atLeast && atMost === Infinity);
  for (const exchange of host.journal.exchanges) look(exchange);
  if (!decided() && timeoutMs > 0) await wait(host, timeoutMs, (exchange) => (look(exchange), decided()));
  const count = found.size;
  if (count < atLeast || count > atMost) throw unverified(host, expectation, { count, atLeast, atMost, timeoutMs });
  return { verified: true, count, requests: [...found].slice(-LISTED).map(({ requestId }) => requestId) };
}

/** Resolves when `seen` says so of what happens, or when the time is up. */
function wait({ journal, schedule }: VerifyHost, timeoutMs: number, seen: JournalSeen): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      unlisten();
      cancel();
      resolve();
    };
    const cancel = schedule(end, timeoutMs);
    const unlisten = journal.listen((exchange) => {
      if (seen(exchange)) end();
    });
  });
}

type JournalSeen = (exchange: Exchange) => boolean;

function checkExpectation(expectation: Expectation, known: KnownNames): void {
  if (typeof expectation !== 'object' || expectation === null || Array.isArray(expectation)) {
    throw new Misfit('What is expected is not an object.', ['{"operation": "createBooking", "atLeast": 1}']);
  }
  const stray = Object.keys(expectation).find((name) => !fields.includes(name));
  if (stray !== undefined) throw misfit(stray.slice(0, 80), 'is not known here', fields);
  checkFilter(expectation, known);
  const { atLeast, atMost, timeoutMs } = expectation;
  for (const [name, value] of Object.entries({ atLeast, atMost })) {
    if (value !== undefined && !(Number.isSafeInteger(value) && value >= 0)) {
      throw misfit(name, 'must be a whole number', ['0', '1', '2 and so on']);
    }
  }
  if (atLeast !== undefined && atMost !== undefined && atLeast > atMost) {
    throw misfit('atLeast', 'is more than `atMost`, which nothing can meet', [`0 to ${atMost}`]);
  }
  if (timeoutMs !== undefined && !(Number.isSafeInteger(timeoutMs) && timeoutMs >= 0 && timeoutMs <= LONGEST_WAIT)) {
    throw misfit('timeoutMs', 'must be a whole number of milliseconds', [`0 to ${LONGEST_WAIT}`]);
  }
}

interface Judged {
  readonly count: number;
  readonly atLeast: number;
  readonly atMost: number;
  readonly timeoutMs: number;
}

function unverified(
  host: VerifyHost,
  expectation: Expectation,
  { count, atLeast, atMost, timeoutMs }: Judged,
): Unverified {
  const wanted = count > atMost ? `at most ${atMost}` : `at least ${atLeast}`;
  const within = timeoutMs > 0 && count < atLeast ? ` within ${timeoutMs} ms` : '';
  const nearest = count > atMost ? [] : nearestOf(host, expectation);
  const [first] = nearest;
  const hint = first
    ? ` Nearest is ${first.id}: \`${first.differs.field}\` is ${written(first.differs.got)}, not ${written(first.differs.wanted)}.`
    : '';
  return new Unverified(`Expected ${wanted} such request(s), and there were ${count}${within}.${hint}`, count, nearest);
}

function written(value: unknown): string {
  const text = JSON.stringify(value) ?? 'absent';
  return text.length > 80 ? `${text.slice(0, 80)}...` : text;
}

/** Those that have most of what was asked for; of equals the newest. */
function nearestOf({ journal, prefix }: VerifyHost, expectation: Expectation): NearMiss[] {
  const misses: NearMiss[] = [];
  for (const exchange of journal.exchanges) {
    const criteria = criteriaOf(expectation, exchange, prefix);
    const first = criteria.find(({ met }) => !met);
    const matched = criteria.filter(({ met }) => met).length;
    if (!first || matched === 0) continue;
    misses.push({ id: exchange.requestId, matched, of: criteria.length, differs: masked(first) });
  }
  return misses
    .reverse()
    .sort((a, b) => b.matched - a.matched)
    .slice(0, NEAREST);
}

function masked({ field, wanted, got }: NearMiss['differs']): NearMiss['differs'] {
  if (field === 'path') return { field, wanted, got: maskAddress(got as string) };
  const name = field.replace(/^match\./, '');
  const shown = (value: unknown) => Object.values(maskJson({ [name]: value ?? null }) as object)[0] as unknown;
  return { field, wanted: shown(wanted), got: shown(got) };
}
