import type { Exhibit, ObligationSpec } from '../obligation.js';
import { linkedObligations } from './linked.js';
import { currentTeeSheet, playersAvailable, price } from './tee-sheets.js';
import { isCreation, isSuccess } from '../operations.js';
import { type Repeat, type Trouble, Troubles } from '../failures/troubles.js';
import { wordsOf } from './requested-bookings.js';

/**
 * After these, nobody knows whether the booking was made; after the transfer failed, the API specification asks for no
 * retry.
 */
function isUncertain({ outcome }: Trouble): boolean {
  return outcome === 'lost' || outcome === 'server-error';
}

const how: Partial<Record<Trouble['outcome'], string>> = {
  lost: 'got no answer that it could read',
  'server-error': 'was answered with a server error',
};

const looksBeforeRetry: ObligationSpec = {
  id: 'bookings.looks-before-retry',
  watch(sight) {
    const troubles = new Troubles({
      repeated({ trouble, call, look }) {
        if (!isUncertain(trouble)) return;
        if (look) return sight.met(trouble.seenIn, look.seenIn, call);
        sight.broken({
          message: `A booking of ${wordsOf(trouble.requested)} ${how[trouble.outcome]}, and the client sent it again without looking into the list of bookings.`,
          expected:
            'After an uncertain outcome, it reads the list of bookings, and books again only if the booking is not there.',
          evidence: [trouble.seenIn, call],
          repeats: { call, most: 1 },
        });
      },
      looked(trouble, look) {
        if (isUncertain(trouble)) sight.met(trouble.seenIn, look.seenIn);
      },
    });
    return { call: (call) => troubles.call(call) };
  },
};

const MAX_HANDLED = 5;

const bookedOnce: ObligationSpec = {
  id: 'bookings.one-for-one-wish',
  watch(sight) {
    const handled: Exhibit[][] = [];
    const twice = (repeat: Repeat, how: { readonly mayBeMeant?: true } = {}): void => {
      if (!isDouble(repeat)) return;
      sight.broken({
        message: `The client booked ${wordsOf(repeat.trouble.requested)} twice for the same contact: the first booking was made, although the client got no success for it.`,
        expected: 'There is one booking for each purchase, even after a lost answer, a timeout or a server error.',
        evidence: evidenceOf(repeat),
        repeats: { call: repeat.call, most: 1, ...how },
      });
    };
    const troubles = new Troubles({
      repeated: (repeat) => twice(repeat),
      madeAgain: (trouble, call) => twice({ trouble, call, look: trouble.found }, { mayBeMeant: true }),
      troubled({ seenIn }) {
        if (handled.length < MAX_HANDLED) handled.push([seenIn]);
      },
    });
    return {
      call(call) {
        troubles.call(call);
        // A scenario that does not end the booking, such as a slow response, tempts a client to send it again, too.
        const isTriggered = isCreation(call) && call.struck !== undefined && isSuccess(call);
        if (isTriggered && handled.length < MAX_HANDLED) handled.push([{ id: call.id }]);
      },
      end() {
        for (const evidence of handled) sight.met(...evidence);
      },
    };
  },
};

function evidenceOf({ trouble, call, look }: Repeat): readonly Exhibit[] {
  return [trouble.seenIn, ...(look ? [look.seenIn] : []), { id: call.id }];
}

/**
 * Whether a requested booking is made for a second time. A client that sends a booking again after a message that asks
 * for it does what it is told, unless it has seen in the list that the booking was made.
 */
function isDouble({ trouble, call, look }: Repeat): boolean {
  const isMade = isSuccess(call) || call.struck?.committed === true;
  const isBlind = !look && trouble.committed && (isUncertain(trouble) || trouble.outcome === 'transfer-failed');
  return isMade && (look?.found === true || isBlind);
}

export const bookingObligations: readonly ObligationSpec[] = [
  currentTeeSheet,
  price,
  playersAvailable,
  ...linkedObligations,
  bookedOnce,
  looksBeforeRetry,
];
