import { exactAmount } from '../../common/index.js';
import type { OperationId } from '../../contract/index.js';
import type { Reply } from '../client/exchange.js';
import { Inconclusive, Refused, unlessInconclusive } from '../client/outcome.js';
import type { Creation } from '../client/operations.js';
import { resourceOf } from '../client/resource.js';
import type { Session } from '../client/session.js';
import { bodyFor, bodyOf, booking, netRateFor, type Place } from './bookings.js';
import {
  hasExtras,
  nextProbeTarget,
  PROBE_PLAYERS,
  probeTarget,
  probeTargetSpent,
  type TakenTeeTime,
} from './material.js';
import { freeIn, type ListedTeeTime, teeTimesNow } from './pool/reads.js';

/** Bookings that are left to the rules that need one. */
const SPARE_BOOKINGS = 10;
/** Extra products of one booking. */
const EXTRAS = 2;

type BookingBody = Readonly<Record<string, unknown>>;

/** Optional fields of a booking, in groups that share a prerequisite. */
export type OptionalField = 'net-rate' | 'extras' | 'players' | 'reference' | 'player-type';

/** A valid booking that was accepted, and a way to make the same booking for another tee time. */
export interface ControlRequest {
  readonly reply: Reply;
  readonly asList: boolean;
  body(place: Place): BookingBody;
}

/** The minimal booking of an operation: only its required fields. */
export async function plainControl(session: Session, creation: Creation): Promise<ControlRequest> {
  const { reply } = await booking(session, creation);
  return { reply, asList: creation.form === 'bulk', body: (place) => bodyFor(session, creation, place) };
}

/**
 * A booking with an optional field. The first attempt has all optional fields and so serves all rules with one booking.
 * A deployment may have reasons to refuse it, and the second attempt has only this field.
 *
 * @throws {Inconclusive} `control-failed` if neither is accepted.
 */
export async function richControl(session: Session, creation: Creation, facet: OptionalField): Promise<ControlRequest> {
  const all: readonly OptionalField[] = ['extras', 'players', 'net-rate', 'reference', 'player-type'];
  const known = all.filter(
    (one) => creation.form === 'product' || one === 'extras' || one === 'players' || one === 'net-rate',
  );
  const { teeTime } = await probeTarget(session);
  const lacking: readonly OptionalField[] = [
    ...(hasExtras(teeTime) ? [] : ['extras' as const]),
    ...(freeIn(teeTime) >= PROBE_PLAYERS ? [] : ['players' as const]),
  ];
  if (lacking.includes(facet)) {
    const missing = facet === 'extras' ? 'extra products' : `enough free slots (${PROBE_PLAYERS})`;
    throw new Inconclusive('no-data', `another tee time with ${missing}`);
  }
  const offered = known.filter((one) => !lacking.includes(one));
  const whole = await richBooking(session, { creation, facets: offered }).catch(unlessInconclusive);
  if (whole?.reply.ok) return whole;
  const alone = await richBooking(session, { creation, facets: [facet] });
  if (alone.reply.ok) return alone;
  throw new Refused(alone.reply, 'control-failed');
}

interface RichBooking {
  readonly creation: Creation;
  readonly facets: readonly OptionalField[];
}

const richBooking = resourceOf(
  'booking with optional fields',
  async (session, { creation, facets }: RichBooking): Promise<ControlRequest> => {
    const body = (place: Place): BookingBody => richBody(session, creation, facets, place);
    const item = body(await probeTarget(session));
    const call = { operation: creation.operation, body: [item], refusable: true } as const;
    const reply = await session.send(call);
    if (reply.ok) await probeTargetSpent(session);
    return { reply, asList: true, body };
  },
  ({ creation, facets }) => `${creation.operation} ${facets.join()}`,
);

function richBody(session: Session, creation: Creation, facets: readonly OptionalField[], place: Place): BookingBody {
  const { teeTime } = place;
  const has = (facet: OptionalField): boolean => facets.includes(facet);
  const players = has('players') ? PROBE_PLAYERS : 1;
  const plain = bodyFor(session, creation, place, players);
  const extras = has('extras') ? someExtras(teeTime) : [];
  return {
    ...plain,
    ...(extras.length > 0 ? { extraProduct: extrasFor(extras) } : {}),
    ...(has('players') ? { additionalPlayers: [{ firstName: 'Second', lastName: 'Player' }] } : {}),
    ...(has('net-rate') ? { netRate: netRateOf(teeTime, players, extras) } : {}),
    ...(has('reference') ? { linkedTeeTimeRef: session.uuid() } : {}),
    ...(has('player-type') ? { providerPlayerTypeId: 'ADULT' } : {}),
  };
}

type ExtraProduct = ListedTeeTime['extraProducts'][number];

/** Two extra products of a tee time, or the only one: a list may be read wrongly from its second item on. */
function someExtras({ extraProducts }: ListedTeeTime): readonly ExtraProduct[] {
  if (!Array.isArray(extraProducts) || extraProducts.length === 0) {
    throw new Inconclusive('no-data', 'a tee time with extra products');
  }
  return extraProducts.slice(0, EXTRAS);
}

/** Extra products as a booking has them. */
export function extrasFor(
  extras: readonly ExtraProduct[],
): readonly { readonly mid: number; readonly quantity: number }[] {
  return extras.slice(0, EXTRAS).map(({ mid }) => ({ mid, quantity: 1 }));
}

/** The net rate of the product that {@link bodyFor} selects, plus those of the extra products. */
function netRateOf(teeTime: ListedTeeTime, players: number, extras: readonly ExtraProduct[]): number {
  const rate = netRateFor(teeTime, players);
  if (rate === undefined) throw new Inconclusive('no-data', `a product with a price for ${players} players`);
  return exactAmount(extras.reduce((sum, { netRate }) => sum + netRate.amount, rate));
}

/** A creation with a body that may be invalid. */
export interface BookingProbe {
  readonly operation: OperationId;
  readonly body: BookingBody | readonly BookingBody[];
}

/**
 * A probe: the booking of the control request with some fields changed; `undefined` leaves a field out.
 *
 * @param place Where it is: by itself, or the second of a list or of `details`, after the same booking without the change.
 */
export async function changedBooking(
  session: Session,
  creation: Creation,
  control: ControlRequest,
  changes: (body: BookingBody) => BookingBody,
  place: 'alone' | 'list' | 'details' = 'alone',
): Promise<BookingProbe> {
  const { operation } = creation;
  const plain = control.body(await probeTarget(session));
  const changed = { ...plain, ...changes(plain) };
  if (place === 'alone') return { operation, body: control.asList ? [changed] : changed };
  const both = [plain, changed];
  return { operation, body: place === 'details' ? { details: both } : both };
}

/**
 * Checks each version, even after an inconclusive one; the first {@link Inconclusive} is thrown at the end. If something
 * was checked, one that only lacks data is not.
 */
export async function forEach<T>(versions: readonly T[], probe: (version: T) => Promise<void>): Promise<void> {
  let lacking: Inconclusive | undefined;
  let hasProbed = false;
  for (const version of versions) {
    try {
      await probe(version);
      hasProbed = true;
    } catch (error) {
      unlessInconclusive(error);
      const found = error as Inconclusive;
      if (!lacking || lacking.reason === 'no-data') lacking = found.reason === 'no-data' ? (lacking ?? found) : found;
    }
  }
  if (lacking && !(hasProbed && lacking.reason === 'no-data')) throw lacking;
}

/**
 * Checks that the tee time of the probes can be booked, after they were refused. If the run has no booking or no tee
 * time to spare, it checks that the tee time still has free slots.
 *
 * @throws {Inconclusive} `control-failed` if it cannot; the next probes get another tee time.
 */
export async function expectBookable(session: Session, creation: Creation): Promise<void> {
  const target = await probeTarget(session);
  if (!(await session.run.transport.hasRoom(SPARE_BOOKINGS + 1)) || !(await nextProbeTarget(session))) {
    return expectFree(session, target);
  }
  const item = bodyFor(session, creation, target);
  const call = { operation: creation.operation, body: bodyOf(creation, item), refusable: true } as const;
  const reply = await session.send(call);
  if (!reply.ok) throw new Refused(reply, 'control-failed');
}

/** Checks that the tee time of the probes still has free slots. */
export async function expectFree(session: Session, target?: TakenTeeTime): Promise<void> {
  const { sheet, teeTime } = target ?? (await probeTarget(session));
  const shown = (await teeTimesNow(session, sheet)).find(({ teeid }) => teeid === teeTime.teeid);
  if (shown && freeIn(shown) > 0) return;
  await probeTargetSpent(session);
  throw new Inconclusive('control-failed', 'a tee time that still has free slots after the probes');
}
