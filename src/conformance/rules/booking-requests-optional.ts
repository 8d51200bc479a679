import type { Answers } from '../../generated/questions.js';
import { changed, isTaken, plainTwin, richTwin, type Twin } from '../journeys/booking-probes.js';
import { bodyFor, booking, type BookVersion } from '../journeys/bookings.js';
import { probeTarget } from '../journeys/booking-probes.js';
import { Inconclusive } from '../outcome.js';
import { defineRule, type RuleContext, type RuleSpec } from '../rule.js';

type Body = Readonly<Record<string, unknown>>;
type Session = RuleContext['session'];

/** How a question about a v5 or v3 booking is asked: a right booking, and the change that tells. */
interface Asked<Q extends keyof Answers> {
  readonly id: RuleSpec['id'];
  readonly question: Q;
  readonly version?: 'v3' | 'v5';
  readonly twin?: (session: Session) => Promise<Twin>;
  readonly changes: (body: Body, session: Session) => Body;
  readonly taken: Answers[Q];
  readonly refused: Answers[Q];
}

/** A rule that books in a way that the document leaves open and tells whether that was taken. */
function asks<Q extends keyof Answers>(asked: Asked<Q>): RuleSpec {
  const { id, question, version = 'v5', twin = (session) => plainTwin(session, version), changes } = asked;
  return defineRule({
    id,
    needs: ['bookings'],
    async run(context) {
      const { session, observe } = context;
      const right = await twin(session);
      const probe = await changed(session, version, right, (body) => changes(body, session));
      observe(question, (await isTaken(context, probe, right.reply)) ? asked.taken : asked.refused);
    },
  });
}

/** The plain booking of a version must be enough; when it is refused, further fields tell whether it lacked them. */
async function needsNot({ session, expect, probe }: RuleContext, version: BookVersion, more: Body): Promise<void> {
  try {
    const { reply } = await booking(session, version);
    expect.succeeds(reply, `A ${version} booking is refused.`);
  } catch (error) {
    if (!(error instanceof Inconclusive) || error.reason !== 'precondition') throw error;
    const { facilityId, teeTime } = await probeTarget(session);
    const { productId } = bodyFor(session, 'v5', { facilityId, teeTime });
    const body = { ...bodyFor(session, version, { facilityId, teeTime }), ...more, productId };
    const reply = await probe({
      operation: version === 'v3' ? 'v3.createBulkBooking' : `${version}.createBooking`,
      body: version === 'v3' ? [body] : body,
    });
    expect.that(!reply.ok, `A ${version} booking is accepted only with fields that it does not have.`, {
      expected: `success without ${Object.keys({ ...more, productId }).join(', ')}`,
      actual: error.missing,
    });
    throw error;
  }
}

const withNetRate = (session: Session): Promise<Twin> => richTwin(session, 'v5', 'net-rate');

/** Rules of what a booking request may have or lack. */
export const optionalRequestRules: readonly RuleSpec[] = [
  asks({
    id: 'bookings.request.contactName',
    question: 'booking.contact',
    changes: () => ({ contactFirstName: undefined, contactLastName: undefined, contactName: 'Conformance Check' }),
    taken: 'either',
    refused: 'fields',
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
    // `comments` stays: by it a booking that is made is found again.
    id: 'bookings.request.v3-required',
    question: 'booking.v3-required',
    version: 'v3',
    changes: () => ({ extraProduct: undefined, additionalPlayers: undefined }),
    taken: 'core',
    refused: 'every',
  }),
  defineRule({
    id: 'bookings.request.v2-fields',
    needs: ['bookings'],
    run: (context) => needsNot(context, 'v2', { netRate: 0, extraProduct: [], additionalPlayers: [] }),
  }),
  defineRule({
    id: 'bookings.request.v3-fields',
    needs: ['bookings'],
    run: (context) => needsNot(context, 'v3', {}),
  }),
];
