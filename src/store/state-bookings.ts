import { Booking } from '../domain/booking.js';
import { decodeTeeId, type Slot, teeSheet } from '../domain/tee-sheet.js';
import type { World } from '../domain/world.js';
import type { Zones } from '../domain/zone.js';
import { derivedFields, type TeeTime } from './derived.js';
import { FIRST_GROUP } from './groups.js';
import {
  type Kind,
  list,
  misfit,
  moment,
  number,
  oneOf,
  orNull,
  readList,
  readRow,
  text,
  whole,
} from './state-fields.js';

/** A booking as data: every field, money in cents, instants in epoch milliseconds. */
export type BookingState = Readonly<Pick<Booking, keyof Booking>>;

/** What the bookings of a state are held against. */
export interface BookingsHost {
  readonly world: World;
  readonly zones: Zones;
  /** The number of the newest booking, and how many groups there are. */
  readonly sequence: number;
  readonly groups: number;
}

const nullableText = orNull(text);
const id = whole(1);

const fields: Readonly<Record<keyof BookingState, Kind>> = {
  sequence: id,
  bookingId: text,
  code: text,
  status: oneOf('BOOKED', 'CANCELED'),
  channel: text,
  facilityId: id,
  courseId: id,
  course: text,
  teeId: whole(0),
  day: whole(0),
  time: text,
  startsAt: number,
  startsAtAsUtc: number,
  holes: oneOf(9, 18),
  players: whole(1, 4),
  productId: id,
  extraProducts: list,
  netRate: orNull(number),
  groupId: orNull(id),
  linkedTeeTimeRef: nullableText,
  providerPlayerTypeId: nullableText,
  contactFirstName: text,
  contactLastName: text,
  contactPhone: text,
  contactEmail: text,
  additionalPlayers: list,
  comments: nullableText,
  paymentIntent: nullableText,
  createdAt: moment,
  paymentConfirmedAt: orNull(moment),
  canceledAt: orNull(moment),
};
const extra = { mid: id, quantity: whole(0) };
const player = { firstName: text, lastName: text };

/** A copy that shares nothing with the booking. */
export function exportBooking(booking: Booking): BookingState {
  return {
    ...booking,
    extraProducts: booking.extraProducts.map(({ mid, quantity }) => ({ mid, quantity })),
    additionalPlayers: booking.additionalPlayers.map(({ firstName, lastName }) => ({ firstName, lastName })),
  };
}

/** Reads bookings one by one, in order of creation, and holds each against the world and those before it. */
export function createBookingReader(host: BookingsHost): (item: unknown, path: string) => Booking {
  const teeTimeOf = createTeeTimes(host.world);
  const checkOrder = createOrder(host);
  const taken = new Map<number, number>();
  return (item, path) => {
    const state = readRow(item, path, fields) as unknown as BookingState;
    checkOrder(state, path);
    const teeTime = teeTimeOf(state.teeId);
    if (!teeTime) throw misfit(`${path}.teeId`, 'the id of a tee time of this world', state.teeId);
    checkDerived(state, path, derivedFrom(host, state, teeTime));
    checkChoices(host, state, path, teeTime);
    const held = (taken.get(state.teeId) ?? 0) + state.players;
    if (state.status === 'CANCELED') return revive(state);
    if (held > teeTime.slot.free) {
      const left = teeTime.slot.free - held + state.players;
      throw misfit(
        `${path}.players`,
        `at most ${left}, the places that tee time ${state.teeId} has left`,
        state.players,
      );
    }
    taken.set(state.teeId, held);
    return revive(state);
  };
}

/** Numbers rise, which makes them and the ids that follow from them unique; a group is of one channel. */
function createOrder({ sequence: newest, groups }: BookingsHost): (state: BookingState, path: string) => void {
  const group = whole(FIRST_GROUP, FIRST_GROUP + groups - 1);
  const owners = new Map<number, string>();
  let before = 0;
  return ({ sequence, groupId, channel }, path) => {
    if (sequence <= before || sequence > newest) {
      const range = `more than ${before}, that of the booking before it, and at most ${newest}, that of the newest`;
      throw misfit(`${path}.sequence`, range, sequence);
    }
    before = sequence;
    if (groupId === null) return;
    if (!group.fits(groupId)) throw misfit(`${path}.groupId`, 'null or the id of a group that was made', groupId);
    const owner = owners.get(groupId) ?? channel;
    if (owner !== channel) throw misfit(`${path}.channel`, `"${owner}", whose group ${groupId} is`, channel);
    owners.set(groupId, owner);
  };
}

/** What follows from the number and the tee time of a booking. */
function derivedFrom({ world, zones }: BookingsHost, state: BookingState, teeTime: TeeTime): Partial<BookingState> {
  const { course, slot } = teeTime;
  const { facilityId, name } = course;
  const stated = { facilityId, course: name, time: slot.time, holes: slot.holes };
  return { ...stated, ...derivedFields(world, zones, state.sequence, teeTime) };
}

function checkDerived(state: BookingState, path: string, derived: Partial<BookingState>): void {
  for (const [name, due] of Object.entries(derived)) {
    const got = state[name as keyof BookingState];
    if (got === due) continue;
    const from = name === 'bookingId' || name === 'code' ? `number ${state.sequence}` : `tee time ${state.teeId}`;
    throw misfit(`${path}.${name}`, `${JSON.stringify(due)}, which follows from ${from}`, got);
  }
}

function checkChoices({ world }: BookingsHost, state: BookingState, path: string, { slot, course }: TeeTime): void {
  const channels = world.channels.map(({ name }) => name);
  if (!channels.includes(state.channel)) throw misfit(`${path}.channel`, oneOf(...channels).due, state.channel);
  const products = slot.products.map(({ mid }) => mid);
  if (!products.includes(state.productId)) {
    throw misfit(`${path}.productId`, `a product of tee time ${state.teeId} (${products.join(', ')})`, state.productId);
  }
  if ((state.status === 'CANCELED') !== (state.canceledAt !== null)) {
    throw misfit(`${path}.canceledAt`, 'a moment where the booking is cancelled, and null elsewhere', state.canceledAt);
  }
  const extras = world.facility(course.facilityId)!.extraProducts.map(({ mid }) => mid);
  readList(state.extraProducts, `${path}.extraProducts`, (item, at) => {
    const { mid } = readRow(item, at, extra);
    if (!extras.includes(mid as number))
      throw misfit(`${at}.mid`, `an extra product of facility ${course.facilityId}`, mid);
  });
  readList(state.additionalPlayers, `${path}.additionalPlayers`, (item, at) => readRow(item, at, player));
}

function revive(state: BookingState): Booking {
  const { status, canceledAt, paymentConfirmedAt } = state;
  const copies = {
    extraProducts: state.extraProducts.map((one) => ({ ...one })),
    additionalPlayers: state.additionalPlayers.map((one) => ({ ...one })),
  };
  return Object.assign(new Booking({ ...state, ...copies }, state), { status, canceledAt, paymentConfirmedAt });
}

/** The tee times of a world by their ids; each sheet is worked out once. */
function createTeeTimes(world: World): (teeId: number) => TeeTime | undefined {
  const sheets = new Map<string, ReadonlyMap<number, Slot>>();
  return (teeId) => {
    const found = decodeTeeId(world, teeId);
    if (!found) return undefined;
    const { course, day } = found;
    const key = `${course.id} ${day}`;
    let slots = sheets.get(key);
    if (!slots) {
      slots = new Map(teeSheet(world, course, day).slots.map((slot) => [slot.teeId, slot]));
      sheets.set(key, slots);
    }
    const slot = slots.get(teeId);
    return slot && { course, day, slot };
  };
}
