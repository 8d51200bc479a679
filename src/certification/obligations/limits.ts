import { keepNewest } from './bounded.js';
import type { ObligationSpec, Sight } from './obligation.js';
import { endOf, identityOf, isRefusal, kindOf, knewOf } from './operations.js';
import type { ClientCall } from './traffic.js';

/** Requests that are remembered after a failure. */
const MOST = 200;
/** A repeat with more requests than this between may be that of somebody else, unless its test says that it is not. */
const NEAR = 3;

function isFar(before: ClientCall, call: ClientCall, near = NEAR): boolean {
  return call.test === undefined && call.turn - before.turn > near;
}

/** Finds the repeats of requests that failed in a way. */
class Repeats<Failure> {
  readonly #failed = new Map<string, { readonly call: ClientCall; readonly failure: Failure }>();

  constructor(readonly failureOf: (call: ClientCall) => Failure | undefined) {}

  /** The failure that a call repeats. */
  take(call: ClientCall): { readonly call: ClientCall; readonly failure: Failure } | undefined {
    const key = identityOf(call);
    const before = this.#failed.get(key);
    const failure = this.failureOf(call);
    if (failure === undefined) this.#failed.delete(key);
    else keepNewest(this.#failed, key, { call, failure }, MOST);
    return before && knewOf(call, { turn: before.call.turn, end: endOf(before.call) }) ? before : undefined;
  }
}

/** Instants by which a clock shows that it runs: a sandbox can hold it, and then nobody can be seen to wait. */
const RUNNING = 5;

/** Reports violations only after the clock of the service was seen to run. */
class Clocked {
  readonly #instants = new Set<number>();
  #waiting: (() => void)[] = [];

  constructor(readonly sight: Sight) {}

  take({ at }: ClientCall): void {
    if (this.#instants.size < RUNNING) this.#instants.add(at);
    if (this.#instants.size >= RUNNING) for (const report of this.#waiting.splice(0)) report();
  }

  broken(breach: Parameters<Sight['broken']>[0]): void {
    if (this.#instants.size >= RUNNING) this.sight.broken(breach);
    else if (this.#waiting.length < MOST) this.#waiting.push(() => this.sight.broken(breach));
  }
}

/** Until when a service asks to wait, in epoch milliseconds (RFC 9110, section 10.2.3). */
function waitOf(call: ClientCall): number | undefined {
  const after = call.status === 429 || call.status === 503 ? call.responseHeaders.get('retry-after') : null;
  if (after === null) return undefined;
  const end = endOf(call);
  // Timers can fire a little early, and a date has no fractions of a second.
  if (/^\d{1,9}$/.test(after)) return end + Number(after) * 900 - 50;
  const until = Date.parse(after);
  return Number.isNaN(until) ? undefined : until - 1000;
}

/** Counts how many calls of a kind may be repeats that waited: at most one for each that failed. */
class Waiting {
  readonly #kinds = new Map<string, { readonly until: number; readonly failed: number; readonly later: number }>();

  take(call: ClientCall): void {
    const wait = waitOf(call);
    if (this.#kinds.size === 0 && wait === undefined) return;
    const kind = kindOf(call);
    const { until = wait, failed, later } = this.#kinds.get(kind) ?? { failed: 0, later: 0 };
    if (until === undefined) return;
    const counts = { until, failed: failed + (wait === undefined ? 0 : 1), later: later + (call.at >= until ? 1 : 0) };
    keepNewest(this.#kinds, kind, counts, MOST);
  }

  repeatsLike(call: ClientCall): number {
    const { failed = 0, later = 0 } = this.#kinds.get(kindOf(call)) ?? {};
    return Math.min(failed, later);
  }
}

const retryAfter: ObligationSpec = {
  id: 'limits.retry-after',
  watch(sight) {
    const repeats = new Repeats(waitOf);
    const waiting = new Waiting();
    const clocked = new Clocked(sight);
    const asked = new Set<string>();
    let early: ClientCall[] = [];
    let single: (() => void) | undefined;
    return {
      call(call) {
        clocked.take(call);
        waiting.take(call);
        if (waitOf(call) !== undefined && asked.size < MOST) asked.add(call.id);
        const before = repeats.take(call);
        if (!before) return;
        if (call.at >= before.failure) {
          early = [];
          return sight.met(before.call, call);
        }
        if (isFar(before.call, call)) return;
        early = [...early.slice(-MOST), before.call, call];
        const wait = before.call.responseHeaders.get('retry-after');
        const breach = {
          message: `The client repeated ${before.call.id} after ${Math.max(0, Math.round(call.at - endOf(before.call)))} ms, though the answer had \`Retry-After: ${wait}\`.`,
          expected: 'The client waits as long as `Retry-After` says before it repeats the request.',
          evidence: early,
          repeats: { call, most: 1, lawful: () => waiting.repeatsLike(call) },
        };
        // A single one can be a person who reloads a page.
        if (early.length > 2) clocked.broken(breach);
        else single ??= () => clocked.broken(breach);
      },
      end({ exam, clientOk }) {
        if (exam !== undefined && clientOk !== undefined) single?.();
        if (asked.size > 0 && !single) sight.met(...[...asked].map((id) => ({ id })));
      },
    };
  },
};

/** A repeat within this time, in milliseconds, has not waited. */
const AT_ONCE = 100;
/** Repeats at once, in a row, after which a client does not back off: of a service in trouble, and of a refusal. */
const MOST_AT_ONCE = { trouble: 3, refusal: 10 };

function failureOf(call: ClientCall): keyof typeof MOST_AT_ONCE | undefined {
  if (call.status === 429 || call.status >= 500) return 'trouble';
  return isRefusal(call) ? 'refusal' : undefined;
}

const backsOff: ObligationSpec = {
  id: 'limits.backs-off',
  watch(sight) {
    const repeats = new Repeats(failureOf);
    const clocked = new Clocked(sight);
    const atOnce = new Map<string, ClientCall[]>();
    let last: ClientCall | undefined;
    let isHasty = false;
    return {
      call(call) {
        clocked.take(call);
        if (failureOf(call) === 'trouble') last = call;
        const { call: before, failure } = repeats.take(call) ?? {};
        if (!before || !failure) return;
        if (call.at - endOf(before) >= AT_ONCE) return failure === 'trouble' ? sight.met(before, call) : undefined;
        // Tests that are refused the same, such as a login, may each send something before it.
        if (isFar(before, call, failure === 'refusal' ? 1 : NEAR)) return;
        const chain = [...(atOnce.get(before.id) ?? [before]), call];
        const most = MOST_AT_ONCE[failure];
        atOnce.delete(before.id);
        if (chain.length <= most) return void keepNewest(atOnce, call.id, chain, MOST);
        isHasty = true;
        clocked.broken({
          message: `The client repeated a request ${most} times at once, each time after ${failure === 'trouble' ? 'an answer with 429 or 5xx' : 'a refusal'}.`,
          expected: 'The client waits between attempts, longer each time, and gives up in the end.',
          evidence: chain,
          repeats: { call, most, mayBegin: true, ...(failure === 'refusal' && !call.test ? { mayBeMeant: true } : {}) },
        });
      },
      end() {
        if (last && !isHasty) sight.met(last);
      },
    };
  },
};

export const limitObligations: readonly ObligationSpec[] = [retryAfter, backsOff];
