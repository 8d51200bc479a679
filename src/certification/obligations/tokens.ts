import type { Breach, ObligationSpec, Sight, Watcher } from './obligation.js';
import { endOf, isRefusal, isSuccess, overlap } from './operations.js';
import { type Exchanged, isOfToken, type IssuedTokens, type Refresh, TokenHistory } from './token-history.js';
import { keepNewest } from './bounded.js';
import { count } from './slips.js';
import type { ClientCall } from './traffic.js';

/** Within this time after an answer, a request may have been sent without knowledge of it. */
const IN_FLIGHT = 250;
/** Within this time after a refusal, the refresh that it calls for may be under way while other requests are sent. */
const UNDER_WAY = 1000;

/** Makes a watcher of tokens with a history of its own. */
function ofTokens(
  watch: (sight: Sight) => {
    refresh?(refresh: Refresh): void;
    used?(used: IssuedTokens, call: ClientCall): void;
    end?: Watcher['end'];
  },
): ObligationSpec['watch'] {
  return (sight) => {
    const history = new TokenHistory();
    const { refresh, used, end } = watch(sight);
    return {
      call(call) {
        const seen = history.take(call);
        if (seen.refresh) refresh?.(seen.refresh);
        if (seen.used) used?.(seen.used, call);
      },
      ...(end && { end }),
    };
  };
}

/**
 * Whether a token was sent after the refresh with it was over. A refused one only: where it is accepted, the service has
 * been reset, or takes a token twice.
 */
function isReuse({ call, before }: Refresh): boolean {
  return before !== undefined && isRefusal(call) && !overlap(before.call, call);
}

/** Milliseconds after which a client may have given up waiting, just when the answer came. */
const SLOW = 1000;

const isSlow = ({ call }: Exchanged): boolean => endOf(call) - call.at >= SLOW;

/**
 * Reports the reuse of a refresh token. After a slow answer to the first use, it does so as soon as the client has shown that
 * it has this answer.
 */
function ofReuses(id: ObligationSpec['id'], told: (reuse: Refresh, last: IssuedTokens) => Breach): ObligationSpec {
  return {
    id,
    watch: ofTokens((sight) => {
      let last: IssuedTokens | undefined;
      let open: { readonly reuse: Refresh; readonly last: IssuedTokens }[] = [];
      const settle = (known: IssuedTokens | undefined): void => {
        for (const one of open) if (one.reuse.before!.next === known) sight.broken(told(one.reuse, one.last));
        open = open.filter(({ reuse }) => reuse.before!.next !== known);
      };
      return {
        refresh(refresh) {
          const { call, before, from, next } = refresh;
          settle(from);
          if (last && isReuse(refresh)) {
            if (before!.next.uses > 0 || !isSlow(before!)) sight.broken(told(refresh, last));
            else open = [...open.slice(1 - MOST_REFRESHES), { reuse: refresh, last }];
          } else if (from && next) sight.met(from.by, call);
          if (next) last = next;
        },
        used: settle,
      };
    }),
  };
}

const noReuse = ofReuses('tokens.no-reuse', ({ call, before }) => ({
  message: `A refresh was sent with a refresh token that ${before!.call.id} had used before.`,
  expected: 'Each refresh token is sent until one refresh with it succeeds, and then never again.',
  evidence: [before!.call, call],
}));

const newest = ofReuses('tokens.newest', ({ call }, last) => ({
  message: `A refresh was sent with an older refresh token than the one that ${last.by.id} gave.`,
  expected: 'A refresh is sent with the refresh token of the newest answer.',
  evidence: [last.by, call],
}));

/** Refusals of one expired token after which a client should have refreshed. */
const MOST_REFUSALS = 3;
/** Requests that are sent again with it after the client has a newer one. */
const MOST_REPEATS = 2;

const onExpiry: ObligationSpec = {
  id: 'tokens.on-expiry',
  watch: ofTokens((sight) => {
    /** Refusals of an expired token since the last refresh was tried. */
    let refused: ClientCall[] = [];
    /** What was sent with each token, and refused. */
    const sent = new WeakMap<IssuedTokens, Set<string>>();
    /** What was sent with it again after the client had a newer one. */
    const stale: ClientCall[] = [];
    /**
     * What was sent with it for the first time then. Requests that were made before may come late; each of them is then sent
     * again with the newer token.
     */
    const late = new Map<string, ClientCall>();
    let newest: Refresh | undefined;
    let expired: IssuedTokens | undefined;
    const expected = 'When the access token has expired, the client refreshes it and continues with the new one.';
    const breach = (how: Pick<Breach, 'isOfAbsence'> = {}): void => {
      const message = `An access token had expired, and the client did not refresh it after ${refused[0]!.id} was refused.`;
      sight.broken({ message, expected, evidence: refused, ...how });
      refused = [];
    };
    const goesOn = (how: Pick<Breach, 'isOfAbsence'> = {}): void => {
      const message = `The client went on with an access token that had expired, although ${newest!.call.id} gave it a new one.`;
      sight.broken({ message, expected, evidence: stale, ...how });
    };
    return {
      refresh(refresh) {
        const { call, from, next } = refresh;
        refused = [];
        if (next) newest = refresh;
        if (next && from && (from.refused || !isFresh(from, call))) sight.met(from.refused ?? from.by, call);
      },
      used(used, call) {
        const identity = JSON.stringify([call.test, call.method, call.path, call.body]);
        if (used === expired && !used.refused) refused = [];
        if (used === newest?.next && isSuccess(call)) late.delete(identity);
        if (!used.refused || !isOfToken(call)) return;
        const [first] = refused;
        if (first && call !== used.refused && call.at <= (first.answeredAt ?? 0) + IN_FLIGHT) return;
        expired = used;
        const before = sent.get(used) ?? new Set();
        const isRepeat = before.has(identity);
        sent.set(used, before.add(identity));
        if (newest && used !== newest.next) {
          if (!isRepeat) return keepNewest(late, identity, call, MOST_REFRESHES);
          if (!isAfter(newest.call, call)) return;
          stale.push(call);
          if (count(sight, 'stale') >= MOST_REPEATS) goesOn();
          return;
        }
        refused.push(call);
        const isLong = call.at > endOf(refused[0]!) + UNDER_WAY;
        if (refused.length >= MOST_REFUSALS && isLong) breach();
      },
      end({ exam, clientOk }) {
        if (exam === undefined || clientOk === undefined) return;
        if (refused.length > 0) breach({ isOfAbsence: true });
        if (stale.length >= MOST_REPEATS) return;
        stale.push(...late.values());
        if (stale.length === 0) return;
        if (stale.length >= MOST_REFUSALS || newest!.next!.uses === 0) goesOn({ isOfAbsence: true });
      },
    };
  }),
};

/** Whether a call was sent after a refresh. */
const isAfter = (refresh: ClientCall, call: ClientCall): boolean => call.turn > refresh.turn && !overlap(refresh, call);

/** A token is not refreshed too early if it has less than this left: clients refresh a little before the end. */
const MARGIN = 5 * 60_000;

/** Whether much of the life of an access token is left. */
function isFresh({ issuedAt, life, refused }: IssuedTokens, { at }: ClientCall): boolean {
  if (life === undefined || refused) return false;
  return issuedAt + life - at > Math.max(life / 2, MARGIN);
}

/** Refreshes of one test in a row, each for one call at most. */
const MOST_EARLY = 5;
/** Early refreshes for each call that shares its token with an earlier one: of tests that are not told apart, some make several calls. */
const EARLY_FOR_AGAIN = 4;

const notEachCall: ObligationSpec = {
  id: 'tokens.not-each-call',
  watch: ofTokens((sight) => {
    const early = new Map<string | undefined, ClientCall[]>();
    /** Access tokens that the service did not take, for whatever reason. */
    const rejected = new WeakSet<IssuedTokens>();
    const breach = (evidence: readonly ClientCall[], times?: number): void => {
      const often = times === undefined ? `${MOST_EARLY} times in a row` : `${times} times`;
      const message = `${often}, the client refreshed an access token after one call at most, long before its end.`;
      const expected = 'The client uses an access token until it expires, or a little less.';
      sight.broken({ message, expected, evidence: evidence.slice(0, MOST_EARLY) });
    };
    return {
      refresh({ call, from, next }) {
        const { test } = call;
        if (!from || !next) return;
        if (from.uses > 1 || rejected.has(from) || !isFresh(from, call)) {
          if (test !== undefined) early.delete(test);
          return;
        }
        count(sight, 'refreshed early');
        keepNewest(early, test, [...(early.get(test) ?? []).slice(-MOST_REFRESHES), call], MOST_REFRESHES);
        if (test === undefined || early.get(test)!.length < MOST_EARLY) return;
        breach(early.get(test)!);
        early.delete(test);
      },
      used(used, call) {
        if (call.status === 401) rejected.add(used);
        if (used.uses < 2) return;
        count(sight, 'used again');
        if (used.uses === 2) sight.met(used.by, call);
      },
      end() {
        // Tests that are not told apart may each begin with a refresh, and some of them make one call.
        const all = early.get(undefined) ?? [];
        const [times = 0, again = 0] = ['refreshed early', 'used again'].map((what) => sight.counts.get(what));
        if (all.length > 0 && times >= MOST_EARLY && again * EARLY_FOR_AGAIN < times) breach(all, times);
      },
    };
  }),
};

const NOTED_LATE = 50;

/** Refreshes that are remembered to find others at the same time. */
const MOST_REFRESHES = 20;

const oneAtATime: ObligationSpec = {
  id: 'tokens.one-at-a-time',
  watch: ofTokens((sight) => {
    let answered: Refresh[] = [];
    return {
      refresh(refresh) {
        const { call, token, next } = refresh;
        if (call.status === 0 || call.answeredAt === undefined) return;
        const other = answered.find((one) => one.token === token && isBeside(one, refresh));
        answered = [...answered.slice(1 - MOST_REFRESHES), refresh];
        if (other) {
          sight.broken({
            message: 'Two refreshes with the same refresh token were sent at the same time.',
            expected: 'While a refresh is under way, other requests wait for its result.',
            evidence: [other.call, call],
          });
        } else if (next) sight.met(call);
      },
    };
  }),
};

/** Whether two refreshes overlapped. After a failure, a client can have its end a moment before the service notes it. */
function isBeside(first: Refresh, second: Refresh): boolean {
  if (!overlap(first.call, second.call)) return false;
  const [earlier, later] = first.call.turn < second.call.turn ? [first, second] : [second, first];
  return earlier.next !== undefined || later.call.at < endOf(earlier.call) - NOTED_LATE;
}

export const tokenObligations: readonly ObligationSpec[] = [newest, noReuse, onExpiry, notEachCall, oneAtATime];
