import type { Answers } from '../../../contract/index.js';
import { changedBooking, plainTwin, richTwin, type Twin } from '../../journeys/booking-probes.js';
import type { Session } from '../../client/session.js';
import { defineRule, type RuleSpec } from '../rule.js';
import { bookingWithSingleName } from '../../journeys/booking-variants.js';
import { booking, needsSingleName } from '../../journeys/bookings.js';
import { Refused } from '../../client/outcome.js';
import { isTaken } from './probe.js';
import type { RequestBody } from './requests-optional.js';
import { bulkBooking, type Creation, productBooking } from '../../client/operations.js';

/** How a rule answers an open question: a valid booking, and the change that the question is about. */
interface Asked<Q extends keyof Answers> {
  readonly id: RuleSpec['id'];
  readonly question: Q;
  readonly creation?: Creation;
  readonly twin?: (session: Session) => Promise<Twin>;
  readonly changes: (body: RequestBody, session: Session) => RequestBody;
  readonly taken: Answers[Q];
  readonly refused: Answers[Q];
}

/** A rule that sends a booking of a kind that the document leaves open, and observes whether it is accepted. */
function asks<Q extends keyof Answers>(asked: Asked<Q>): RuleSpec {
  const { id, question, creation = productBooking, twin = (session) => plainTwin(session, creation), changes } = asked;
  return defineRule({
    id,
    needs: ['bookings'],
    async run(context) {
      const { session, observe } = context;
      const right = await twin(session);
      const probe = await changedBooking(session, creation, right, (body) => changes(body, session));
      observe(question, (await isTaken(context, probe, right.reply)) ? asked.taken : asked.refused);
    },
  });
}

const withNetRate = (session: Session): Promise<Twin> => richTwin(session, productBooking, 'net-rate');

/** Rules of what a booking request may have in some deployments. */
export const openRequestRules: readonly RuleSpec[] = [
  defineRule({
    id: 'bookings.request.contactName',
    needs: ['bookings'],
    async run({ session, observe }) {
      if (await needsSingleName(session)) return observe('booking.contact', 'single');
      await booking(session, productBooking);
      const taken = await bookingWithSingleName(session).catch((error: unknown) => {
        if (!(error instanceof Refused)) throw error;
      });
      observe('booking.contact', taken ? 'either' : 'fields');
    },
  }),
  asks({
    id: 'bookings.request.facilityId.string',
    question: 'booking.facility-id',
    changes: ({ facilityId }) => ({ facilityId: String(facilityId) }),
    taken: 'either',
    refused: 'integer',
  }),
  asks({
    id: 'bookings.request.netRate.form',
    question: 'booking.net-rate-form',
    twin: withNetRate,
    changes: ({ netRate }) => ({ netRate: (netRate as number).toFixed(2) }),
    taken: 'either',
    refused: 'number',
  }),
  asks({
    id: 'bookings.request.netRate.check',
    question: 'booking.net-rate-check',
    twin: withNetRate,
    changes: ({ netRate }) => ({ netRate: Math.round((netRate as number) * 100 + 100) / 100 }),
    taken: 'unchecked',
    refused: 'checked',
  }),
  asks({
    id: 'bookings.request.linkedTeeTimeRef.single',
    question: 'booking.linked-ref-single',
    changes: (_, session) => ({ linkedTeeTimeRef: session.uuid() }),
    taken: 'accepted',
    refused: 'refused',
  }),
  asks({
    id: 'bookings.request.unknown-fields',
    question: 'booking.unknown-fields',
    changes: () => ({ 'x-unknown': 'conformance check' }),
    taken: 'ignored',
    refused: 'refused',
  }),
  asks({
    // `comments` is kept: it identifies the bookings of the run.
    id: 'bookings.request.v3-required',
    question: 'booking.v3-required',
    creation: bulkBooking,
    changes: () => ({ extraProduct: undefined, additionalPlayers: undefined, linkedTeeTimeRef: undefined }),
    taken: 'core',
    refused: 'every',
  }),
];
