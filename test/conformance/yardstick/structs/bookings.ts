import { dayOf, parseIsoDay, shuffled, wallClock } from './go.js';
import { daysAhead, openSlots, today, type OpenSlot } from './sheet.js';
import { type Booking, bookingId, freeSlots, type State } from './state.js';
import { type Account, type Course, facilities, type Facility, facilityOf, type Product } from './world.js';

/** A request that the deployment answers with an error. */
export class Refusal extends Error {
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
  }
}

const retry = 'Please retry, and contact support if the error persists.';
export const unprocessed = (why: string) =>
  new Refusal(400, `The booking could not be processed at the moment: ${why}. ${retry}`);
const cart = () =>
  new Refusal(400, 'There is a problem with the tee times in your cart. Please search and book the tee times again.');

type Shape = 'single' | 'multiple' | 'details';

interface Wanted {
  readonly facilityId: number;
  readonly teetime: string;
  readonly course: string;
  readonly players: number;
  readonly teeId: number;
  readonly holes: number;
  readonly productId: number | undefined;
  readonly first: string;
  readonly last: string;
  readonly phone: string;
  readonly email: string;
  readonly linkedTeeTimeRef: string | undefined;
  readonly extras: readonly number[];
}

type Members = Readonly<Record<string, unknown>>;

const members = (value: unknown, what: string): Members => {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw unprocessed(`${what} is no object`);
  return { ...value };
};

/** A member as a Go pointer holds it: null is the same as missing. */
const given = (body: Members, name: string, required: boolean): unknown => {
  const value = body[name] ?? undefined;
  if (value === undefined && required) throw unprocessed(`${name} is missing`);
  return value;
};

function text(body: Members, name: string, required = true): string | undefined {
  const value = given(body, name, required);
  if (value !== undefined && typeof value !== 'string') throw unprocessed(`${name} is no string`);
  if (required && value?.trim() === '') throw unprocessed(`${name} is empty`);
  return value;
}

function integer(body: Members, name: string, required = true): number | undefined {
  const value = given(body, name, required);
  if (value === undefined) return undefined;
  if (typeof value !== 'number' || !Number.isSafeInteger(value)) throw unprocessed(`${name} is no integer`);
  return value;
}

function list(body: Members, name: string, required: boolean): readonly unknown[] {
  const value = given(body, name, required) ?? [];
  if (!Array.isArray(value)) throw unprocessed(`${name} is no array`);
  return value;
}

function facilityId(body: Members): number {
  const value = given(body, 'facilityId', true);
  return typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : (integer(body, 'facilityId') ?? 0);
}

function checkNetRate(body: Members, required: boolean): void {
  const value = given(body, 'netRate', required);
  const decimal = typeof value === 'string' && /^\d+(\.\d+)?$/.test(value);
  if (value !== undefined && !decimal && typeof value !== 'number') throw unprocessed('netRate is no decimal');
}

function names(body: Members): readonly [string, string] {
  const whole = text(body, 'contactName', false)?.trim();
  if (whole && body['contactFirstName'] === undefined && body['contactLastName'] === undefined) {
    const [first = '', ...others] = whole.split(/\s+/);
    return [first, others.join(' ')];
  }
  return [text(body, 'contactFirstName') ?? '', text(body, 'contactLastName') ?? ''];
}

/** Decodes a booking request of a version and checks each member on its own. */
function decode(value: unknown, version: number): Wanted {
  const body = members(value, 'the booking');
  const players = integer(body, 'players') ?? 0;
  const holes = integer(body, 'holes') ?? 0;
  if (players < 1 || players > 4) throw unprocessed('players must be 1 to 4');
  if (holes !== 9 && holes !== 18) throw unprocessed('holes must be 9 or 18');
  const teetime = text(body, 'teetime') ?? '';
  const [, date = '', clock = ''] = /^(\S+) (([01]\d|2[0-3]):[0-5]\d:[0-5]\d)$/.exec(teetime) ?? [];
  if (parseIsoDay(date) === undefined) throw unprocessed('teetime must be written yyyy-mm-dd HH:MM:ss');
  const [first, last] = names(body);
  const wanted = {
    facilityId: facilityId(body),
    teetime: `${date}T${clock}`,
    course: text(body, version === 2 ? 'round' : 'course') ?? '',
    players,
    teeId: integer(body, 'teeId') ?? 0,
    holes,
    productId: version === 5 ? integer(body, 'productId') : undefined,
    first,
    last,
    phone: text(body, 'contactPhone') ?? '',
    email: text(body, 'contactEmail') ?? '',
    linkedTeeTimeRef: undefined,
    extras: [],
  };
  text({ comments: body['comments'] ?? undefined }, 'comments', false);
  if (version === 2) return wanted;
  const bulk = version === 3;
  checkNetRate(body, bulk);
  if (bulk) given(body, 'comments', true);
  for (const player of list(body, 'additionalPlayers', bulk)) {
    const name = members(player, 'an additional player');
    text(name, 'firstName', false);
    text(name, 'lastName', false);
  }
  const extras = list(body, 'extraProduct', bulk).map((item) => {
    const extra = members(item, 'an extra product');
    if ((integer(extra, 'quantity') ?? 0) < 1) throw unprocessed('the quantity of an extra product is below 1');
    return integer(extra, 'mid') ?? 0;
  });
  return { ...wanted, extras, linkedTeeTimeRef: text(body, 'linkedTeeTimeRef', false) };
}

/** A requested booking together with what it names on the tee sheet. */
interface Found {
  readonly wanted: Wanted;
  readonly facility: Facility;
  readonly course: Course;
  readonly slot: OpenSlot;
  readonly product: Product;
}

function find(state: State, account: Account, wanted: Wanted): Found {
  const facility = facilityOf(wanted.facilityId);
  if (facility === undefined || !account.connected.has(facility.id)) throw unprocessed('the facility is not found');
  const course = facility.courses.find(({ name }) => name === wanted.course);
  if (course === undefined) throw unprocessed('the facility has no course of this name');
  const day = dayOf(wanted.teetime.slice(0, 10));
  if (day < today(state, facility) || day > today(state, facility) + daysAhead) throw cart();
  const slot = openSlots(state, facility, course, day, 0).find(({ teeId }) => teeId === wanted.teeId);
  if (slot === undefined || slot.at !== wanted.teetime || slot.holes !== wanted.holes) throw cart();
  const product = slot.products.find(({ mid }, index) =>
    wanted.productId === undefined ? index === 0 : mid === wanted.productId,
  );
  if (product === undefined) throw unprocessed('the tee time does not offer this product');
  return { wanted, facility, course, slot, product };
}

const uuid = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i;

interface Round {
  readonly teeId: number;
  readonly holes: number;
  readonly players: number;
  readonly productId: number;
}

/** The rules of linked tee times. */
function checkLinks(state: State, account: Account, items: readonly Found[], shape: Shape): void {
  const isUuid = (ref: string) => (state.is('looseUuid') ? ref.length === 36 : uuid.test(ref));
  const groups = new Map<string, Found[]>();
  for (const item of items) {
    const ref = item.wanted.linkedTeeTimeRef;
    if (ref === undefined) {
      if (item.product.holes > item.slot.holes) throw unprocessed('the product needs a linkedTeeTimeRef');
      continue;
    }
    if (!isUuid(ref)) throw unprocessed('linkedTeeTimeRef is no UUID');
    groups.set(ref, [...(groups.get(ref) ?? []), item]);
  }
  for (const [ref, members] of groups) {
    const earlier: Round[] = state.bookings
      .filter((booking) => booking.account === account && booking.linkedTeeTimeRef === ref && !booking.canceled)
      .map(({ teeId, players, productId, course }) => ({ teeId, holes: course.holes, players, productId }));
    const rounds: Round[] = members.map(({ slot, wanted, product }) => ({
      teeId: slot.teeId,
      holes: slot.holes,
      players: wanted.players,
      productId: product.mid,
    }));
    const all = [...earlier, ...rounds];
    const compared = state.is('thirdPlayers') ? all.slice(0, 2) : all;
    if (new Set(all.map(({ productId }) => productId)).size > 1) throw unprocessed('a linked group has one product');
    if (new Set(compared.map(({ players }) => players)).size > 1) {
      throw unprocessed('the rounds of a linked group have the same number of players');
    }
    const holes = new Map(all.map((round) => [round.teeId, round.holes]));
    const sum = [...holes.values()].reduce((total, count) => total + count, 0);
    const required = Math.max(...members.map(({ product }) => product.holes));
    if (sum < required && !(shape === 'details' && state.is('detailsHoles'))) {
      throw unprocessed('the linked tee times have fewer holes than the product');
    }
  }
}

function checkSlots(state: State, items: readonly Found[], version: number): void {
  const wanted = new Map<number, number>();
  for (const { slot, wanted: booking } of items) {
    const players = (wanted.get(slot.teeId) ?? 0) + booking.players;
    wanted.set(slot.teeId, players);
    if (players <= freeSlots(state, slot)) continue;
    throw version === 5 && state.is('conflictStatus') ? new Refusal(409, cart().message) : cart();
  }
}

/** Takes the slots while the rest of the booking is checked, and gives them back. */
function whileHeld(state: State, items: readonly Found[], forget: boolean, check: () => void): void {
  const hold = (sign: 1 | -1) => {
    for (const { slot, wanted } of items) {
      state.held.set(slot.teeId, (state.held.get(slot.teeId) ?? 0) + sign * wanted.players);
    }
  };
  hold(1);
  try {
    check();
  } catch (refusal) {
    if (!forget) hold(-1);
    throw refusal;
  }
  hold(-1);
}

/** Creates all bookings of a request or, with a refusal, none. */
async function create(state: State, account: Account, items: readonly Wanted[], version: number, shape: Shape) {
  const found = items.map((wanted) => find(state, account, wanted));
  checkLinks(state, account, found, shape);
  checkSlots(state, found, version);
  if (version === 2 && state.is('lostUpdate')) {
    await new Promise<void>((resolve) => state.around.schedule(resolve, 25));
  }
  whileHeld(state, found, version === 5 && state.is('heldSlots'), () => {
    for (const { wanted, facility } of found) {
      const offered = facility.extras.map(({ mid }) => mid);
      if (wanted.extras.some((mid) => !offered.includes(mid))) throw unprocessed('an extra product is not offered');
    }
  });
  const swapped = version === 2 && state.is('namesSwapped');
  const created = found.map(({ wanted, facility, course, slot, product }, index): Booking => {
    const { first, last, phone, email } = wanted;
    return {
      id: bookingId(facility, slot.at, state.bookings.length + index + 1),
      account,
      facility,
      course,
      teeId: slot.teeId,
      at: slot.at,
      players: wanted.players,
      productId: product.mid,
      linkedTeeTimeRef: wanted.linkedTeeTimeRef,
      contact: { first: swapped ? last : first, last: swapped ? first : last, phone, email },
      createdAt: state.around.now(),
      version,
      canceled: false,
      paid: false,
      groupPaid: false,
    };
  });
  state.bookings.push(...created);
  return created;
}

export async function createSingle(state: State, account: Account, body: unknown, version: number) {
  const [booking] = await create(state, account, [decode(body, version)], version, 'single');
  return { bookingId: booking?.id };
}

export async function createGroup(state: State, account: Account, body: unknown, version: number, shape: Shape) {
  if (!Array.isArray(body) || body.length === 0) throw unprocessed('there is no booking in the request');
  const items = body.map((item) => decode(item, version));
  const created: Booking[] = [];
  if (version === 3 && state.is('tornBulk')) {
    for (const item of items) created.push(...(await create(state, account, [item], version, shape)));
  } else {
    created.push(...(await create(state, account, items, version, shape)));
  }
  const id = 70_001 + state.groups.size;
  state.groups.set(id, created);
  const courseId = (booking: Booking) =>
    version === 5 && state.is('firstCourse') ? created[0]?.course.id : booking.course.id;
  const bookingIds = created.map((booking) => ({
    bookingId: booking.id,
    teetime: version === 3 && state.is('spacedTime') ? booking.at.replace('T', ' ') : booking.at,
    courseId: courseId(booking),
  }));
  return version === 3 ? { bulkBookingId: id, bookingIds } : { groupId: id, bookingIds };
}

/** POST /api/v5/bookings in its three shapes. */
export function createV5(state: State, account: Account, body: unknown) {
  if (Array.isArray(body)) return createGroup(state, account, body, 5, 'multiple');
  const object = members(body, 'the body');
  if (object['details'] === undefined) return createSingle(state, account, object, 5);
  text(object, 'paymentIntent', false);
  return createGroup(state, account, object['details'], 5, 'details');
}

function listed(state: State, booking: Booking, version: number) {
  const { facility, course, contact } = booking;
  const v1 = version === 1;
  const v4 = version === 4;
  const inUtc = version === 2 && facility.zone === 'Asia/Kolkata' && state.is('halfHourUtc');
  return {
    teetime: inUtc ? new Date(Date.parse(`${booking.at}+05:30`)).toISOString().slice(0, 19) : booking.at,
    course: v4 ? course.name : undefined,
    round: v4 ? undefined : course.name,
    players: booking.players,
    teeId: booking.teeId,
    facilityId: v4 ? facility.id : undefined,
    contactFirstName: v1 ? undefined : contact.first,
    contactLastName: v1 ? undefined : contact.last,
    contactName: v1 ? `${contact.first} ${contact.last}`.trim() : undefined,
    contactPhone: contact.phone,
    contactEmail: contact.email,
    createdAt: new Date(booking.createdAt).toISOString(),
    bookingId: booking.id,
    status: booking.canceled ? 'CANCELED' : booking.paid && state.is('paidStatus') ? 'PAID' : 'BOOKED',
  };
}

/** The bookings of a channel between two days, or those to come where no first day is given. */
export function listBookings(
  state: State,
  account: Account,
  version: number,
  from: number | undefined,
  to: number | undefined,
) {
  const clocks = new Map(facilities.map(({ id, zone }) => [id, wallClock(zone, state.around.now())]));
  const every = version === 1 && from !== undefined && state.is('everyChannel');
  const pastToo = from !== undefined || (version === 4 && to !== undefined && state.is('toDatePast'));
  const chosen = state.bookings
    .filter((booking) => every || booking.account === account)
    .filter(({ at, facility }) => pastToo || at > (clocks.get(facility.id) ?? ''))
    .filter(({ at }) => from === undefined || dayOf(at.slice(0, 10)) >= from)
    .filter(({ at }) => to === undefined || dayOf(at.slice(0, 10)) <= to)
    .filter(({ canceled }) => !(canceled && version === 2 && state.is('canceledDropped')));
  return shuffled(chosen, state.iteration()).map((booking) => listed(state, booking, version));
}

/** Confirms the payment of one booking. */
export function payBooking(state: State, account: Account, id: string, version: number): void {
  const anyone = version === 1 && state.is('foreignPayment');
  const booking = state.bookings.find((made) => made.id === id && (anyone || made.account === account));
  if (booking === undefined) throw new Refusal(404, 'The booking is not found.');
  if (booking.canceled) throw new Refusal(409, 'The booking is cancelled.');
  if (version === 4) booking.paid = true;
}

/** Confirms the payment of the bookings of a group. */
export function payGroup(state: State, account: Account, id: number): void {
  const group = state.groups.get(id)?.filter((booking) => booking.account === account) ?? [];
  if (group.length === 0) throw new Refusal(404, 'The bulk booking is not found.');
  for (const booking of group) booking.groupPaid = true;
}
