import { type FailureCode, failures } from '../../../contract/index.js';
import { keepNewest } from '../bounded.js';
import { couldShow } from '../bookings/offers.js';
import { type RequestedBooking, requestedBookingsOf, wordsOf, isTooMany } from '../bookings/requested-bookings.js';
import type { Breach, Exhibit, ObligationSpec, Sight } from '../obligation.js';
import { endOf, identityOf, isSuccess, knewOf } from '../operations.js';
import type { ClientCall } from '../traffic.js';
import { failureOf } from './outcome.js';
import { type Repeat, Troubles } from './troubles.js';

/** The API specification asks for a retry and names no number; more than these without a look are blind. */
const MAX_REPEATS = 5;
/** The failures that are shown as evidence of a pass. */
const MAX_SHOWN = 5;

/** A failure that the client repeats its booking after, and what is wrong with that. */
const repeating = (
  failure: FailureCode,
  breachOf: (repeat: Repeat) => Omit<Breach, 'evidence'> | undefined,
): ObligationSpec => ({
  id: failures[failure].obligation,
  watch(sight) {
    const shown: Exhibit[] = [];
    const troubles = new Troubles({
      troubled({ outcome, seenIn }) {
        if (outcome === failure && shown.length < MAX_SHOWN) shown.push(seenIn);
      },
      repeated(repeat) {
        const { trouble, call, look } = repeat;
        const breach = trouble.outcome === failure && !look ? breachOf(repeat) : undefined;
        if (breach) sight.broken({ ...breach, evidence: [trouble.seenIn, call] });
      },
    });
    return {
      call: (call) => troubles.call(call),
      end: ({ hung }) => meet(sight, shown, hung),
    };
  },
});

/** After a failure whose message asks for a retry (section Errors, list 2). */
const bounded = (failure: FailureCode): ObligationSpec =>
  repeating(failure, ({ trouble: { requested, repeats }, call }) =>
    repeats < MAX_REPEATS
      ? undefined
      : {
          message: `The client sent a booking of ${wordsOf(requested)} for the ${repeats + 2}th time, although each answer was that it failed.`,
          expected: `After ${MAX_REPEATS} retries at most, it shows the message, or looks into the list of bookings.`,
          repeats: { call, most: MAX_REPEATS + 1 },
        },
  );

/** After a failure whose message asks for nothing. */
const looking = (failure: FailureCode): ObligationSpec =>
  repeating(failure, ({ trouble, call }) => ({
    message: `After a failed transfer of funds, the client sent the booking of ${wordsOf(trouble.requested)} again without looking into the list of bookings.`,
    expected: 'It shows the message with its request id, and books again only if the list does not have the booking.',
    repeats: { call, most: 1 },
  }));

/** A client that hangs after a failure shows it to nobody. */
function meet(sight: Sight, shown: readonly Exhibit[], hung = false): void {
  if (!hung) for (const one of shown) sight.met(one);
}

interface CartProblem {
  readonly requested: RequestedBooking;
  readonly turn: number;
  readonly end: number;
  readonly seenIn: Exhibit;
}

const MAX_CARTS = 1000;

/** After a failure whose message asks for a new search. */
const searching = (failure: FailureCode): ObligationSpec => ({
  id: failures[failure].obligation,
  watch(sight) {
    const problems = new Map<string, CartProblem>();
    const shown: Exhibit[] = [];
    return {
      call(call) {
        for (const [key, { requested, seenIn }] of problems) {
          if (!couldShow(call, requested)) continue;
          sight.met(seenIn, call);
          problems.delete(key);
        }
        const again = requestedBookingsOf(call).find((requested) => isAgain(requested, call, problems));
        if (again) {
          sight.broken({
            message: `After a problem with the tee times in the cart, the client booked ${wordsOf(again)} again without a new search that could show it.`,
            expected: 'It searches anew, and books a tee time of the new answer.',
            evidence: [problems.get(cartKey(again, call)!)!.seenIn, call],
            repeats: { call, most: 1 },
          });
        }
        const isCart: boolean = failureOf(call) === failure;
        for (const requested of requestedBookingsOf(call)) {
          const key = cartKey(requested, call);
          if (key === undefined) continue;
          const problem = { requested, turn: call.turn, end: endOf(call), seenIn: { id: call.id } };
          if (isCart) keepNewest(problems, key, problem, MAX_CARTS);
          else if (isSuccess(call)) problems.delete(key);
        }
        if (isCart && shown.length < MAX_SHOWN) shown.push({ id: call.id });
      },
      end: ({ hung }) => meet(sight, shown, hung),
    };
  },
});

function isAgain(requested: RequestedBooking, call: ClientCall, problems: ReadonlyMap<string, CartProblem>): boolean {
  const problem = problems.get(cartKey(requested, call) ?? '');
  if (isTooMany(requested) && !isSuccess(call)) return false;
  return problem !== undefined && knewOf(call, problem);
}

/** The same request for the same tee time. */
function cartKey({ facilityId, teeId, contact }: RequestedBooking, call: ClientCall): string | undefined {
  return contact === undefined ? undefined : [identityOf(call), facilityId, teeId].join('\n');
}

export const failureObligations: readonly ObligationSpec[] = (['retry', 'look', 'search'] as const).flatMap(
  (client) => {
    const codes = (Object.keys(failures) as FailureCode[]).filter((code) => failures[code].client === client);
    return codes.map({ retry: bounded, look: looking, search: searching }[client]);
  },
);
