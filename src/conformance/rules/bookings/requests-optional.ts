import type { RuleId } from '../../../contract/index.js';
import type { Reply } from '../../client/exchange.js';
import { bulkBooking, type Creation, productBooking, roundBooking } from '../../client/operations.js';
import { Inconclusive, Refused } from '../../client/outcome.js';
import { resourceOf } from '../../client/resource.js';
import type { Session } from '../../client/session.js';
import { type OptionalField, richControl } from '../../journeys/booking-probes.js';
import { bodyFor, bodyOf, booking, contactKnown } from '../../journeys/bookings.js';
import {
  freshTeeTime,
  PROBE_PLAYERS,
  probeTarget,
  probeTargetSpent,
  type TakenTeeTime,
} from '../../journeys/material.js';
import { defineRule, type RuleContext, type RuleSpec } from '../rule.js';

export type RequestBody = Readonly<Record<string, unknown>>;

/** What a deployment says to a booking without any optional field. */
interface LeastBooking {
  readonly reply: Reply;
  /** The optional fields without which it refuses a booking, with the refusal. */
  readonly demanded: ReadonlyMap<string, Reply>;
}

/** Optional fields with a value for each; v2 has the comments alone (section "Booking request", sentence 3). */
function fillers({ form }: Creation, netRate: number): RequestBody {
  const comments = 'conformance check';
  if (form === 'round') return { comments };
  return { comments, netRate, extraProduct: [], additionalPlayers: [], providerPlayerTypeId: 'ADULT' };
}

/** Sends a booking of a tee time with some optional fields. */
async function bookWith(
  session: Session,
  creation: Creation,
  place: TakenTeeTime,
  fields: readonly string[],
): Promise<Reply> {
  const { comments: _, ...least } = bodyFor(session, creation, place);
  const { netRate } = bodyFor(session, bulkBooking, place);
  const more = Object.entries(fillers(creation, netRate as number)).filter(([name]) => fields.includes(name));
  return session.send({ operation: creation.operation, body: { ...least, ...Object.fromEntries(more) } });
}

const leastBooking = resourceOf('least booking', async (session, creation: Creation): Promise<LeastBooking> => {
  await contactKnown(session);
  const all = Object.keys(fillers(creation, 0));
  let place = await freshTeeTime(session);
  let reply = await bookWith(session, creation, place, []);
  if (!reply.ok) {
    // Another client may have taken the tee time.
    place = await freshTeeTime(session);
    reply = await bookWith(session, creation, place, []);
  }
  if (reply.ok) return { reply, demanded: new Map() };
  // The same tee time, so that nothing but the fields is the reason.
  if (!(await bookWith(session, creation, place, all)).ok) {
    throw new Inconclusive('precondition', `a successful answer to ${reply.what} (the status was ${reply.status})`);
  }
  const demanded = new Map<string, Reply>();
  for (const name of all) {
    const other = await freshTeeTime(session);
    const others = all.filter((one) => one !== name);
    const without = await bookWith(session, creation, other, others);
    if (!without.ok && (await bookWith(session, creation, other, all)).ok) demanded.set(name, without);
  }
  return { reply, demanded };
});

/** A booking without an optional field must be accepted; so must one with it, if the deployment offered what is in it. */
function isOptional(field: string, own: readonly Creation[], facet?: OptionalField): RuleSpec {
  return defineRule({
    id: `bookings.request.${field}` as RuleId,
    needs: ['bookings'],
    async run({ session, expect }) {
      for (const creation of own) {
        const { reply, demanded } = await leastBooking(session, creation);
        const refused = demanded.get(field);
        expect.about(refused?.id ?? reply.id);
        expect.that(refused === undefined, `A ${creation.version} booking without \`${field}\` is refused.`, {
          expected: 'success',
          actual: refused?.text,
        });
      }
      if (facet === undefined) return;
      await booking(session, productBooking);
      const refused = await richControl(session, productBooking, facet).catch(refusalOf);
      const isRefused = refused instanceof Inconclusive;
      // A quota, for one, refuses any further booking, whatever its fields.
      if (isRefused) await anotherAccepted(session, facet);
      expect.about(refused instanceof Refused ? refused.reply.id : undefined);
      expect.that(!isRefused, `A ${productBooking.version} booking with \`${field}\` is refused.`, {
        expected: 'success',
        actual: isRefused ? refused.missing : undefined,
      });
    },
  });
}

/**
 * Books the tee time of the probes for as many players, without the optional field that was refused.
 *
 * @throws {Inconclusive} `control-failed` if that is refused too.
 */
async function anotherAccepted(session: Session, facet: OptionalField): Promise<void> {
  const players = facet === 'players' ? PROBE_PLAYERS : 1;
  const item = bodyFor(session, productBooking, await probeTarget(session), players);
  const call = { operation: productBooking.operation, body: bodyOf(productBooking, item), refusable: true } as const;
  const reply = await session.send(call);
  if (!reply.ok) throw new Refused(reply, 'control-failed');
  await probeTargetSpent(session);
}

/** The refusal of a booking with an optional field; undefined if the deployment offers nothing to put into it. */
function refusalOf(error: unknown): Inconclusive | undefined {
  if (!(error instanceof Inconclusive)) throw error;
  return error.reason === 'control-failed' ? error : undefined;
}

/** The minimal booking of a version must be accepted. If it is refused, more fields are added to find the reason. */
async function needsNot({ session, expect, probe }: RuleContext, creation: Creation, more: RequestBody): Promise<void> {
  try {
    const { reply } = await booking(session, creation);
    expect.succeeds(reply, `A ${creation.version} booking is refused.`);
  } catch (error) {
    if (!(error instanceof Inconclusive) || error.reason !== 'precondition') throw error;
    const target = await probeTarget(session);
    const { productId } = bodyFor(session, productBooking, target);
    const body = { ...bodyFor(session, creation, target), ...more, productId };
    const reply = await probe({ operation: creation.operation, body: bodyOf(creation, body) });
    expect.about(error instanceof Refused ? error.reply.id : undefined, reply.id);
    expect.that(!reply.ok, `A ${creation.version} booking is accepted only with fields that are not part of it.`, {
      expected: `success without ${Object.keys({ ...more, productId }).join(', ')}`,
      actual: error.missing,
    });
    throw error;
  }
}

/** Rules of fields that a booking request may have, and of those that it need not have. */
export const optionalRequestRules: readonly RuleSpec[] = [
  isOptional('comments', [productBooking, roundBooking]),
  isOptional('netRate', [productBooking], 'net-rate'),
  isOptional('extraProduct', [productBooking], 'extras'),
  isOptional('additionalPlayers', [productBooking], 'players'),
  isOptional('providerPlayerTypeId', [productBooking]),
  defineRule({
    id: 'bookings.request.v2-fields',
    needs: ['bookings'],
    run: (context) => needsNot(context, roundBooking, { netRate: 0, extraProduct: [], additionalPlayers: [] }),
  }),
  defineRule({
    id: 'bookings.request.v3-fields',
    needs: ['bookings'],
    run: (context) => needsNot(context, bulkBooking, {}),
  }),
];
