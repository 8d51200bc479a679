import { fit, loadAdminValidators } from '../../contract/index.js';
import { checkNesting, maskAddress, maskJson, ValidationError } from '../../common/index.js';
import type { Schedule } from '../model/clock.js';
import type { PlanView } from '../scenarios/plans.js';
import { checkNames, criteriaOf, type EntryFilter, fits, type KnownNames } from './entry-filter.js';
import type { Journal, JournalEntry } from './journal.js';
import { type NearMiss, Unverified } from './unverified.js';

/** The expected requests and their number. */
export interface Expectation extends EntryFilter {
  /** Default: 1; 0 with `atMost: 0`. */
  readonly atLeast?: number;
  readonly atMost?: number;
  /** Timeout in milliseconds; default 0, maximum 60000. With `atMost`, the full time is waited. */
  readonly timeoutMs?: number;
}

/** The result of a met expectation. */
export interface Verified {
  readonly verified: true;
  readonly count: number;
  /** The ids of the newest thousand. */
  readonly requests: readonly string[];
}

/** Thrown if the sandbox ends while an expectation is waited for. */
export class SandboxEnded extends Error {
  override readonly name = 'SandboxEnded';
}

export interface VerifyHost {
  readonly journal: Journal;
  readonly scenarios: { readonly plans: readonly Pick<PlanView, 'id' | 'scenario' | 'near'>[] };
  readonly known: KnownNames;
  readonly prefix?: string | undefined;
  readonly schedule: Schedule;
  /** Ends the waiting. */
  readonly signal?: AbortSignal | undefined;
}

const NEAREST = 5;
const LISTED = 1000;

/**
 * Checks an expectation against the journal, and waits for it as long as it can still be met.
 *
 * @throws {ValidationError} for an invalid expectation, naming the field.
 * @throws {Unverified} if it is not met in time.
 * @throws {SandboxEnded} if the sandbox ends before, with the reason.
 */
export async function verify(host: VerifyHost, expectation: Expectation): Promise<Verified> {
  await checkExpectation(expectation, host.known);
  const { atMost = Infinity, timeoutMs = 0 } = expectation;
  const atLeast = expectation.atLeast ?? Math.min(1, atMost);
  const found = new Set<JournalEntry>();
  const look = (entry: JournalEntry): void => {
    if (fits(expectation, entry, host.prefix)) found.add(entry);
    else found.delete(entry);
  };
  const decided = () => found.size > atMost || (found.size >= atLeast && atMost === Infinity);
  for (const entry of host.journal.entries) look(entry);
  if (!decided() && timeoutMs > 0 && !host.signal?.aborted)
    await wait(host, timeoutMs, found, (entry) => (look(entry), decided()));
  const count = found.size;
  if (count < atLeast || count > atMost) throw unverified(host, expectation, { count, atLeast, atMost, timeoutMs });
  return { verified: true, count, requests: [...found].slice(-LISTED).map(({ requestId }) => requestId) };
}

/** Resolves when `seen` returns true for an event, or after the timeout. A reset empties what was found. */
function wait(
  { journal, schedule, signal }: VerifyHost,
  timeoutMs: number,
  found: Set<JournalEntry>,
  seen: JournalSeen,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      cancel();
      signal?.removeEventListener('abort', end);
    };
    const end = () => {
      unfollow();
      stop();
      resolve();
    };
    const cancel = schedule(end, timeoutMs);
    signal?.addEventListener('abort', end);
    const unfollow = journal.follow({
      entry: (entry) => {
        if (seen(entry)) end();
      },
      begun: () => found.clear(),
      ended: (reason) => {
        stop();
        reject(new SandboxEnded(reason));
      },
    });
  });
}

type JournalSeen = (entry: JournalEntry) => boolean;

async function checkExpectation(expectation: Expectation, known: KnownNames): Promise<void> {
  checkNesting(expectation, 'The expectation');
  const { Expectation: validate } = await loadAdminValidators();
  const { atLeast, atMost } = fit(validate, expectation, { whole: 'The expectation' });
  checkNames(expectation, known);
  if (atLeast !== undefined && atMost !== undefined && atLeast > atMost) {
    throw new ValidationError('`atLeast` is more than `atMost`, which nothing can meet.', [`0 to ${atMost}`]);
  }
}

interface Tally {
  readonly count: number;
  readonly atLeast: number;
  readonly atMost: number;
  readonly timeoutMs: number;
}

function unverified(
  host: VerifyHost,
  expectation: Expectation,
  { count, atLeast, atMost, timeoutMs }: Tally,
): Unverified {
  const wanted = count > atMost ? `at most ${atMost}` : `at least ${atLeast}`;
  const within = timeoutMs > 0 && count < atLeast ? ` within ${timeoutMs} ms` : '';
  const nearest = count > atMost ? [] : nearestOf(host, expectation);
  const [first] = nearest;
  const hint = first
    ? ` Nearest is ${first.id}: \`${first.differs.field}\` is ${written(first.differs.got)}, not ${written(first.differs.wanted)}.`
    : '';
  const why = first?.differs.field === 'scenario' ? whyNotTriggered(host, first) : '';
  return new Unverified(
    `The number of matching requests must be ${wanted}; got ${count}${within}.${hint}${why}`,
    count,
    nearest,
  );
}

/** Why the plans for the expected scenario did not apply to the nearest request. */
function whyNotTriggered({ scenarios }: VerifyHost, { differs: { wanted } }: NearMiss): string {
  const own = scenarios.plans.filter(({ scenario }) => scenario === wanted);
  if (own.length === 0) return ` No plan for \`${String(wanted)}\` is armed.`;
  const reasons = own.flatMap(({ id, near }) => near.reasons.slice(-1).map((reason) => ({ id, ...reason })));
  return reasons.map(({ id, why, last }) => ` Plan ${id} was not triggered by ${last}: ${why}.`).join('');
}

function written(value: unknown): string {
  const text = JSON.stringify(value) ?? 'absent';
  return text.length > 80 ? `${text.slice(0, 80)}...` : text;
}

/** The entries that meet the most criteria; among equals, the newest. */
function nearestOf({ journal, prefix }: VerifyHost, expectation: Expectation): NearMiss[] {
  const misses: NearMiss[] = [];
  for (const entry of journal.entries) {
    const criteria = criteriaOf(expectation, entry, prefix);
    const first = criteria.find(({ met }) => !met);
    const matched = criteria.filter(({ met }) => met).length;
    if (!first || matched === 0) continue;
    misses.push({ id: entry.requestId, matched, of: criteria.length, differs: masked(first) });
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
