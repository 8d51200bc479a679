import { bulkBooking, creations, isOf, productBooking, versionsOf } from '../client/operations.js';
import { Inconclusive, unlessInconclusive } from '../client/outcome.js';
import { Session } from '../client/session.js';
import { bodyFor, contactKnown, formKnown, idsIn } from '../journeys/bookings.js';
import { listVersions } from '../journeys/booking-lists.js';
import { linkedOffer } from '../journeys/linked-tee-times.js';
import { freeIn, paramsOf } from '../journeys/pool/reads.js';
import { bulkVersions, payVersions } from '../journeys/payments.js';
import { refusedGroup } from '../journeys/refused-bookings.js';
import { sheetVersions } from '../journeys/tee-sheets.js';
import { versionThatCancels } from '../run/target/clean-up.js';
import type { Abilities } from './generate.js';
import { type Ground, placeOf } from './ground.js';
import { Readings, type Shown } from './readings.js';
import { type Spot, takeSpots } from './spots.js';
import type { Channel, Way } from './steps.js';

type Row = Readonly<Record<string, unknown>>;

/** What can be explored without looking: by the permissions, the credentials and the scope. */
export function abilitiesOf({ run }: Pick<Ground, 'run'>): Abilities {
  const { transport, receiver } = run;
  const { scope } = transport;
  const books = transport.allows('bookings');
  const forms = new Set(creations.filter(({ operation }) => scope.has(operation)).map(({ form }) => form));
  const ways: readonly Way[] = [
    ...(forms.has('product') ? (['single', 'list', 'details', 'linked'] as const) : []),
    ...(forms.has('bulk') ? (['bulk'] as const) : []),
    ...(forms.has('round') ? (['round'] as const) : []),
  ];
  const has = <V extends string>(name: string, versions: readonly V[]): readonly V[] =>
    versions.filter((version) => scope.has(`${version}.${name}`));
  const pays = transport.allows('payments') && books;
  const refreshes = transport.allows('tokens') && transport.tokenOwner.schemes.includes('bearer');
  return {
    ways: books ? ways : [],
    isLinked: false,
    lists: has('listBookings', listVersions),
    sheets: has('listTeeTimes', sheetVersions)
      .toReversed()
      .sort((a, b) => sureness(b) - sureness(a)),
    payments: pays ? has('confirmPayment', payVersions) : [],
    groupPayments: pays ? has('confirmBulkPayment', bulkVersions) : [],
    filters: [],
    hasPrices: scope.has(versionsOf('listPrices').map((version) => `${version}.listPrices`)[0]!),
    channels: transport.channels.second ? ['first', 'second'] : ['first'],
    refreshes,
    reuses: refreshes && transport.allows('lockout'),
    searches: transport.allows('callbacks') && receiver !== undefined,
  };
}

/** The list of a whole facility first, then that of a course, then those without products. */
function sureness(version: string): number {
  return isOf('facilitySheet', version) ? 2 : Number(isSure(version));
}

/** Whether a version shows products, and so the free slots of each. */
function isSure(version: string): boolean {
  return isOf('facilitySheet', version) || isOf('courseSheet', version);
}

/**
 * Looks at one booking, in calm: how many slots it takes, which versions show that, how the lists show it, and whether it
 * can be cancelled.
 */
export async function learn(ground: Ground): Promise<void> {
  const session = new Session(ground.run);
  ground.can = abilitiesOf(ground);
  if (ground.can.refreshes) await learnBearer(ground, session);
  if (ground.can.ways.length === 0) return learnSheets(ground, session);
  await contactKnown(session);
  if (ground.can.ways.includes('bulk')) await formKnown(session, bulkBooking).catch(unlessInconclusive);
  const isLinked = (await linkedOffer(session).catch(unlessInconclusive)) !== undefined;
  ground.can = { ...ground.can, isLinked };
  if (ground.compares) {
    // A service may check the whole body first, and then book item by item until the slots run out.
    const stays = new Set<boolean>();
    for (const lacks of ['tee time', 'slots'] as const) {
      const group = await refusedGroup(session, { form: 'list', lacks }).catch(unlessInconclusive);
      if (group) stays.add(group.stays);
    }
    if (stays.size > 0) ground.habits.learn('refused group', stays.has(true) ? 'earlier stay' : 'nothing stays');
  }
  await learnFromBooking(ground, session);
}

async function learnBearer(ground: Ground, session: Session): Promise<void> {
  const { tokenOwner, channels } = ground.run.transport;
  const reuses = ground.can.reuses && (await isOpenWithoutTokens(ground, session, tokenOwner.name));
  ground.can = { ...ground.can, reuses };
  for (const as of ground.can.channels) {
    for (const version of channels[as]!.schemes.includes('bearer') ? ground.can.lists : []) {
      const call = { operation: `${version}.listBookings` as 'v4.listBookings', as, scheme: 'bearer' } as const;
      const reply = await session.send(call).catch(unlessInconclusive);
      if (!reply?.ok) continue;
      ground.bearers.set(as, version);
      break;
    }
  }
}

/** Whether every version takes Basic credentials: the channel then works on if all its tokens are revoked. */
async function isOpenWithoutTokens(ground: Ground, session: Session, as: Channel): Promise<boolean> {
  for (const version of ground.can.lists) {
    const call = { operation: `${version}.listBookings` as 'v4.listBookings', as, scheme: 'basic' } as const;
    const reply = await session.send(call).catch(unlessInconclusive);
    if (!reply?.ok) return false;
  }
  const [spot] = await takeSpots(session, [{ free: 1 }], () => true);
  for (const version of ground.can.sheets) {
    const { facilityId, day, holes } = spot!.sheet;
    const { courseId } = spot!;
    if (isOf('courseSheet', version) && courseId === undefined) continue;
    const params = paramsOf({
      facilityId,
      day,
      holes,
      ...(isOf('courseSheet', version) ? { courseId: courseId! } : {}),
    });
    const operation = `${version}.listTeeTimes` as 'v4.listTeeTimes';
    const reply = await session.send({ operation, params, as, scheme: 'basic' }).catch(unlessInconclusive);
    if (!reply?.ok) return false;
  }
  return true;
}

/** Without permission to book, the versions that agree about a tee sheet are compared. */
async function learnSheets(ground: Ground, session: Session): Promise<void> {
  const [spot] = await takeSpots(session, [{ free: 3 }], () => true);
  const seen = await readAll(ground, new Readings(session, [spot!]));
  const first = seen.get(ground.can.sheets[0] ?? '')?.free;
  const sheets = ground.can.sheets.filter((version) => isSure(version) && seen.get(version)?.free === first);
  const hasPrices = ground.can.hasPrices && (await pricesOf(session, spot!)) === first;
  ground.can = { ...ground.can, sheets, filters: sheets, hasPrices };
}

/** Bookings that are tried to learn from one: a response may be lost. */
const MOST_BOOKINGS = 3;

async function learnFromBooking(ground: Ground, session: Session): Promise<void> {
  for (let tries = 0; tries < MOST_BOOKINGS; tries += 1) {
    const isDone = await learnFrom(ground, session, tries).catch((error: unknown) => {
      if (!(error instanceof Inconclusive) || error.reason === 'no-data' || error.reason === 'budget') throw error;
      return false;
    });
    if (isDone) return;
  }
  ground.can = { ...ground.can, ways: [], payments: [], groupPayments: [] };
}

/** Whether a booking was accepted, from which was learnt. */
async function learnFrom(ground: Ground, session: Session, tries: number): Promise<boolean> {
  const [spot] = await takeSpots(session, [{ free: 3 }], () => true);
  const readings = new Readings(session, [spot!]);
  const before = await readAll(ground, readings);
  const priced = await pricesOf(session, spot!);
  const { sheet, teeTime } = spot!;
  const key = `learning${tries}.${ground.run.runId}@example.com`;
  const creation = session.creations('product').at(-1) ?? session.creations('round', 'bulk').at(-1) ?? productBooking;
  const item = { ...bodyFor(session, creation, { sheet, teeTime }), contactEmail: key };
  const body = creation.form === 'bulk' ? [item] : item;
  const reply = await session.send({ operation: creation.operation, body });
  const [bookingId] = idsIn(reply);
  if (!reply.ok || bookingId === undefined) return false;
  ground.bookable.add(placeOf('first', sheet.facilityId));
  ground.ids.set(`booking ${bookingId}`, reply.id);
  const after = await settled(
    ground,
    () => readAll(ground, readings),
    (shown) => ground.can.sheets.every((one) => shown.get(one)?.free !== before.get(one)?.free),
  );
  const narrowing = await narrowingVersions(ground, readings);
  learnTaking(ground, before, after);
  const { sheets } = ground.can;
  const filters = sheets.filter(isSure).concat(narrowing);
  ground.can = { ...ground.can, filters };
  // Where the price list agrees with the tee sheet before the booking, it must after it.
  const isPriced = priced !== undefined && priced === before.get(ground.can.sheets[0] ?? '')?.free;
  ground.can = { ...ground.can, hasPrices: ground.can.hasPrices && isPriced };
  const made = { key, bookingId };
  for (const version of ground.can.lists) await learnList(ground, readings, version, made);
  ground.can = { ...ground.can, lists: ground.can.lists.filter((version) => ground.listed.has(version)) };
  await learnCancellation(ground, readings, before, { ...made, channel: 'first' });
  return true;
}

async function pricesOf(session: Session, spot: Spot): Promise<number | undefined> {
  const [product] = spot.teeTime.products.filter(({ available }) => available === freeIn(spot.teeTime));
  if (!product) return undefined;
  return new Readings(session, [spot]).prices(spot, product.mid).catch(() => undefined);
}

async function readAll(ground: Ground, readings: Readings): Promise<ReadonlyMap<string, Shown>> {
  const seen = new Map<string, Shown>();
  for (const version of ground.can.sheets) {
    const [shown] = await readings.sheet(version).catch(() => []);
    if (shown) seen.set(version, shown);
  }
  return seen;
}

/** Looks until a write is seen, or until it should be. */
async function settled<T>(
  { run: { host }, settle, compares }: Ground,
  look: () => Promise<T>,
  isSeen: (found: T) => boolean,
): Promise<T> {
  const end = host.now() + settle;
  for (;;) {
    const found = await look();
    if (isSeen(found) || host.now() >= end || !compares) return found;
    await host.sleep(Math.min(250, Math.max(1, end - host.now())));
  }
}

function learnTaking(ground: Ground, before: ReadonlyMap<string, Shown>, after: ReadonlyMap<string, Shown>): void {
  const [main = ''] = ground.can.sheets;
  const was = before.get(main)?.free;
  // One version may answer from a cache.
  const lowered = ground.can.sheets.find((version) => isSure(version) && after.get(version)?.free === was! - 1);
  const now = after.get(lowered ?? main)?.free;
  if (was === undefined || now === undefined) ground.taking = 'unknown';
  // A booking that takes nothing contradicts the number of free slots, each time that it is made.
  else if (now === was - 1 || (now === was && ground.compares)) ground.taking = 'players';
  else ground.taking = now === 0 && was > 2 ? 'all' : 'unknown';
  // The number in v2 and v3 may be that of the request (teetimes.players-field); that of a product is the free slots.
  const agrees = (version: string): boolean =>
    before.get(version)?.free === was && (isSure(version) || after.get(version)?.free === now);
  ground.can = { ...ground.can, sheets: ground.can.sheets.filter(agrees) };
}

/** Players of a request that finds no tee time with a booking. */
const MOST_PLAYERS = 4;

/**
 * The versions without products that leave out a tee time for more players than it has free slots. Whether they do is shown
 * by what they leave out; what their field `players` means is open (`teetimes.players-field`).
 */
async function narrowingVersions(ground: Ground, readings: Readings): Promise<readonly string[]> {
  const found: string[] = [];
  for (const version of ground.can.sheets.filter((one) => !isSure(one))) {
    const [forMost] = await readings.sheet(version, 'first', MOST_PLAYERS).catch(() => []);
    const [forOne] = await readings.sheet(version).catch(() => []);
    if (forOne?.isListed && forMost?.isListed === false) found.push(version);
  }
  return found;
}

/** How a list tells the booking from others. */
async function learnList(
  ground: Ground,
  readings: Readings,
  version: string,
  made: { readonly key: string; readonly bookingId: string },
): Promise<void> {
  const look = (): Promise<readonly Row[] | undefined> => readings.list(version, 'first').catch(() => undefined);
  const rowIn = (rows: readonly Row[] | undefined): Row | undefined =>
    rows?.find((one) => one['contactEmail'] === made.key || one['bookingId'] === made.bookingId);
  const rows = await settled(ground, look, (found) => rowIn(found) !== undefined);
  const row = rowIn(rows);
  if (!row) {
    // What it lacks now it may lack of each: bookings are then told by their email addresses.
    const hasKeys = rows?.every((one) => typeof one['contactEmail'] === 'string');
    if (hasKeys && ground.compares) ground.listed.set(version, new Set(['key']));
    return;
  }
  const shown = new Set<'key' | 'id'>();
  if (row['contactEmail'] === made.key) shown.add('key');
  if (row['bookingId'] === made.bookingId) shown.add('id');
  ground.listed.set(version, shown);
}

/** Whether a booking can be cancelled, and whether its slots then come back. */
async function learnCancellation(
  ground: Ground,
  readings: Readings,
  before: ReadonlyMap<string, Shown>,
  made: { readonly key: string; readonly bookingId: string; readonly channel: Channel },
): Promise<void> {
  const { own } = ground.run.transport;
  const version = await versionThatCancels(readings.session, made).catch(unlessInconclusive);
  if (version === undefined || !own.canceled.some(({ bookingId }) => bookingId === made.bookingId)) return;
  const { host } = ground.run;
  const [main = ''] = ground.can.sheets;
  const end = host.now() + ground.settle;
  let free: number | undefined;
  do {
    free = (await readings.sheet(main).catch(() => []))[0]?.free;
    if (free === before.get(main)?.free) break;
    await host.sleep(Math.min(250, ground.settle));
  } while (host.now() < end);
  ground.can = { ...ground.can, otherCancels: version };
  // A deployment that keeps the slots of a cancelled booking is left alone: nothing says that it may not.
  if (free === before.get(main)?.free && ground.taking === 'players') ground.can = { ...ground.can, cancels: version };
}
