import type { OperationId } from '../../generated/operations.js';
import type { Reply } from '../exchange.js';
import { Inconclusive, unlessInconclusive } from '../outcome.js';
import type { Probe, RuleContext } from '../rule.js';
import type { Session } from '../session.js';
import { bodyFor, type BookVersion, booking, freshTeeTime } from './bookings.js';
import type { TeeTime } from './tee-sheets.js';

type Body = Readonly<Record<string, unknown>>;

/** Fields of a booking that may be left out, by what a right booking with them needs. */
export type Facet = 'net-rate' | 'extras' | 'players' | 'reference' | 'player-type';

/** A right booking that was accepted, and how to make one like it for another tee time. */
export interface Twin {
  readonly reply: Reply;
  readonly asList: boolean;
  body(teeTime: TeeTime, facilityId: number): Body;
}

/** Enough for a second player, so that one body can have all optional fields. */
const PLAYERS = 2;

/** The operation that books in a version. */
export function creationOf(version: BookVersion): OperationId {
  return version === 'v3' ? 'v3.createBulkBooking' : `${version}.createBooking`;
}

/** The plain booking of a version: only what it must have, or for v3 empty lists. */
export async function plainTwin(session: Session, version: BookVersion): Promise<Twin> {
  const { reply } = await booking(session, version);
  const body = (teeTime: TeeTime, facilityId: number): Body => bodyFor(session, version, { facilityId, teeTime });
  return { reply, asList: version === 'v3', body };
}

/**
 * A booking with an optional field. One with all of them is tried first, as it costs one booking for all rules; a
 * deployment may have reasons of its own to refuse that, and then the field is tried alone.
 *
 * @throws {Inconclusive} `control-failed` when neither is accepted.
 */
export async function richTwin(session: Session, version: 'v3' | 'v5', facet: Facet): Promise<Twin> {
  const all: readonly Facet[] = ['extras', 'players', 'net-rate', 'reference', 'player-type'];
  const known = all.filter((one) => version === 'v5' || one === 'extras' || one === 'players' || one === 'net-rate');
  const whole = await accepted(session, version, known).catch(unlessInconclusive);
  if (whole?.reply.ok) return whole;
  const alone = await accepted(session, version, [facet]);
  if (alone.reply.ok) return alone;
  throw new Inconclusive('control-failed', `a successful answer to ${alone.reply.what} (it was ${alone.reply.status})`);
}

function accepted(session: Session, version: 'v3' | 'v5', facets: readonly Facet[]): Promise<Twin> {
  return session.once(`rich booking ${version} ${facets.join()}`, async (session) => {
    const body = (teeTime: TeeTime, facilityId: number): Body =>
      richBody(session, version, facets, teeTime, facilityId);
    const { facilityId, teeTime } = await probeTarget(session);
    const reply = await session.send({ operation: creationOf(version), body: [body(teeTime, facilityId)] });
    if (reply.ok) await targetSpent(session);
    return { reply, asList: true, body };
  });
}

function richBody(
  session: Session,
  version: 'v3' | 'v5',
  facets: readonly Facet[],
  teeTime: TeeTime,
  facilityId: number,
): Body {
  const has = (facet: Facet): boolean => facets.includes(facet);
  const players = has('players') ? PLAYERS : 1;
  const plain = bodyFor(session, version, { facilityId, teeTime, players });
  const extra = has('extras') ? firstExtra(teeTime) : undefined;
  return {
    ...plain,
    ...(extra ? { extraProduct: [{ mid: extra.mid, quantity: 1 }] } : {}),
    ...(has('players') ? { additionalPlayers: [{ firstName: 'Second', lastName: 'Player' }] } : {}),
    ...(has('net-rate') ? { netRate: netRateOf(teeTime, players, extra?.netRate.amount) } : {}),
    ...(has('reference') ? { linkedTeeTimeRef: session.uuid() } : {}),
    ...(has('player-type') ? { providerPlayerTypeId: 'ADULT' } : {}),
  };
}

function firstExtra({ extraProducts }: TeeTime): TeeTime['extraProducts'][number] {
  const [extra] = Array.isArray(extraProducts) ? extraProducts : [];
  if (!extra) throw new Inconclusive('no-data', 'a tee time with extra products');
  return extra;
}

/** The net rate of the product that {@link bodyFor} takes, and of the extra product beside it. */
function netRateOf({ products }: TeeTime, players: number, extra = 0): number {
  const product = products.find(({ available }) => available >= players) ?? products[0];
  const step = product?.pricing.find(({ quantity }) => quantity === players);
  if (!step) throw new Inconclusive('no-data', `a price for ${players} players`);
  return Math.round((step.netRate.amount + extra) * 100) / 100;
}

interface Target {
  readonly facilityId: number;
  readonly teeTime: TeeTime;
}

/** The tee time of all probes, which nobody has booked, until one of them is accepted. */
export async function probeTarget(session: Session): Promise<Target> {
  const bench = await theBench(session);
  if (!bench.target) {
    const { sheet, teeTime } = await freshTeeTime(session, PLAYERS);
    bench.target = { facilityId: sheet.facilityId, teeTime };
  }
  return bench.target;
}

/** The tee time of the probes is booked: the next probe gets another one, lest it be refused for lack of places. */
export async function targetSpent(session: Session): Promise<void> {
  (await theBench(session)).target = undefined;
}

function theBench(session: Session): Promise<{ target?: Target | undefined }> {
  return session.once('bench of probes', async () => ({}));
}

/** A booking like the twin with some fields changed, as a probe; `undefined` leaves a field out. */
export async function changed(
  session: Session,
  version: BookVersion,
  twin: Twin,
  changes: (body: Body) => Body,
): Promise<Probe> {
  const { facilityId, teeTime } = await probeTarget(session);
  const plain = twin.body(teeTime, facilityId);
  const body = { ...plain, ...changes(plain) };
  return { operation: creationOf(version), body: twin.asList ? [body] : body };
}

/** Sends a booking that must be refused. */
export async function refusesBooking(context: RuleContext, probe: Probe, twin: Reply, what: string): Promise<void> {
  try {
    await context.refuses(probe, twin, what);
  } catch (error) {
    // It may have been booked.
    await targetSpent(context.session);
    throw error;
  }
}

/**
 * Whether a booking is taken, where the document leaves that open.
 *
 * @throws {Inconclusive} `precondition` when the answer is neither success nor a refusal.
 */
export async function isTaken(context: RuleContext, probe: Probe, twin: Reply): Promise<boolean> {
  if (!twin.ok) throw new Inconclusive('control-failed', `a successful answer to ${twin.what} (it was ${twin.status})`);
  context.session.exchanges.add(twin.id);
  const reply = await context.probe(probe);
  if (reply.ok) await targetSpent(context.session);
  else if (reply.status >= 500) {
    throw new Inconclusive('precondition', `success or a refusal of ${reply.what} (it was ${reply.status})`);
  }
  return reply.ok;
}

/** Does something for each version, all of them also where nothing can be said about one; that is told at the end. */
export async function forEach<T>(versions: readonly T[], judge: (version: T) => Promise<void>): Promise<void> {
  let lacking: Inconclusive | undefined;
  for (const version of versions) {
    await judge(version).catch((error: unknown) => {
      unlessInconclusive(error);
      lacking ??= error as Inconclusive;
    });
  }
  if (lacking) throw lacking;
}
