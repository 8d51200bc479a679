import { RIVALS } from './rival-channel.js';
import { Booking, type BookingState } from '../model/booking.js';
import { decodeTeeId, type TeeTime, teeSheet } from '../model/tee-sheet.js';
import type { World } from '../model/world.js';
import type { Zones } from '../model/zone.js';
import { alternatives, misfit } from '../../common/index.js';
import { derivedFields, type DatedTeeTime } from './derived.js';
import { isGroup } from './groups.js';

/** The data against which the bookings of a state are checked. */
export interface BookingsHost {
  readonly world: World;
  readonly zones: Zones;
  /** The number of the newest booking, and the number of groups. */
  readonly sequence: number;
  readonly groups: number;
}

/** Reads bookings that are valid by their schema, in order of creation; checks each against the world and the others. */
export function createBookingReader(host: BookingsHost): (state: BookingState, path: string) => Booking {
  const teeTimeOf = createTeeTimes(host.world);
  const checkOrder = createOrder(host);
  const checkChoice = createChoices(host);
  const taken = new Map<number, number>();
  return (state, path) => {
    checkMoments(state, path);
    checkOrder(state, path);
    const dated = teeTimeOf(state.teeId);
    if (!dated) throw misfit(`${path}.teeId`, 'the id of a tee time of this world', state.teeId);
    checkDerived(host, state, path, dated);
    checkChoice(state, path, dated);
    const held = (taken.get(state.teeId) ?? 0) + state.players;
    if (state.status === 'CANCELED') return revive(state);
    if (held > dated.teeTime.free) {
      const left = dated.teeTime.free - held + state.players;
      throw misfit(
        `${path}.players`,
        `at most ${left}, the number of free slots of tee time ${state.teeId}`,
        state.players,
      );
    }
    taken.set(state.teeId, held);
    return revive(state);
  };
}

/** Numbers ascend, which makes them and the ids derived from them unique. A group belongs to one channel. */
function createOrder({ sequence: newest, groups }: BookingsHost): (state: BookingState, path: string) => void {
  const owners = new Map<number, string>();
  let before = 0;
  return ({ sequence, groupId, channel }, path) => {
    if (sequence <= before || sequence > newest) {
      const range = `more than ${before} (the previous booking) and at most ${newest} (the newest booking)`;
      throw misfit(`${path}.sequence`, range, sequence);
    }
    before = sequence;
    if (groupId === null) return;
    if (!isGroup(groupId, groups)) throw misfit(`${path}.groupId`, 'null or the id of an existing group', groupId);
    const owner = owners.get(groupId) ?? channel;
    if (owner !== channel) throw misfit(`${path}.channel`, `"${owner}", the channel of group ${groupId}`, channel);
    owners.set(groupId, owner);
  };
}

/** Checks the properties that follow from the number and the tee time of a booking. */
function checkDerived({ world, zones }: BookingsHost, state: BookingState, path: string, dated: DatedTeeTime): void {
  const { course, teeTime } = dated;
  checkDue(state, path, 'facilityId', course.facilityId);
  checkDue(state, path, 'holes', teeTime.holes);
  const derived = derivedFields(world, zones, state.sequence, dated);
  for (const name in derived)
    checkDue(state, path, name as keyof typeof derived, derived[name as keyof typeof derived]);
}

function checkDue(state: BookingState, path: string, name: keyof BookingState, due: unknown): void {
  if (state[name] === due) return;
  const from = name === 'bookingId' || name === 'code' ? `number ${state.sequence}` : `tee time ${state.teeId}`;
  throw misfit(`${path}.${name}`, `${JSON.stringify(due)}, which follows from ${from}`, state[name]);
}

/** Checks what whoever booked has chosen. */
function createChoices({ world }: BookingsHost): (state: BookingState, path: string, dated: DatedTeeTime) => void {
  const channels = [...world.channels.map(({ name }) => name), RIVALS];
  return (state, path, { teeTime, course }) => {
    const { channel, productId, extraProducts } = state;
    if (!channels.includes(channel)) throw misfit(`${path}.channel`, alternatives(channels), channel, channels);
    if (!teeTime.products.some(({ mid }) => mid === productId)) {
      const products = teeTime.products.map(({ mid }) => mid).join(', ');
      throw misfit(`${path}.productId`, `a product of tee time ${state.teeId} (${products})`, productId);
    }
    if ((state.status === 'CANCELED') !== (state.canceledAt !== null)) {
      throw misfit(`${path}.canceledAt`, 'a moment if the booking is cancelled, otherwise null', state.canceledAt);
    }
    for (const [index, { mid }] of extraProducts.entries()) {
      if (world.facility(course.facilityId)!.extraProducts.some((extra) => extra.mid === mid)) continue;
      throw misfit(`${path}.extraProducts[${index}].mid`, `an extra product of facility ${course.facilityId}`, mid);
    }
  };
}

/** The pattern of the schema allows days that do not exist. */
function checkMoments(state: BookingState, path: string): void {
  for (const name of ['createdAt', 'paymentConfirmedAt', 'canceledAt'] as const) {
    const text = state[name];
    if (text === null) continue;
    const at = new Date(`${text}Z`);
    if (!Number.isNaN(at.getTime()) && at.toISOString() === `${text}Z`) continue;
    throw misfit(`${path}.${name}`, 'a moment such as 2026-06-01T08:00:00.000, in UTC', text);
  }
}

/** A record of a snapshot is shared with its booking; anything else is copied. */
function revive(state: BookingState): Booking {
  const { status, canceledAt, paymentConfirmedAt } = state;
  const { extraProducts, additionalPlayers } = state;
  const isRecord =
    Object.isFrozen(state) &&
    [extraProducts, additionalPlayers].every((list) => Object.isFrozen(list) && list.every(Object.isFrozen));
  const booking = new Booking(state, state);
  booking.status = status;
  booking.canceledAt = canceledAt;
  booking.paymentConfirmedAt = paymentConfirmedAt;
  if (!isRecord) {
    const copies = { extraProducts: copied(extraProducts), additionalPlayers: copied(additionalPlayers) };
    Object.assign(booking, copies);
  }
  if (isRecord) Booking.keep(booking, state);
  return booking;
}

const copied = <T extends object>(list: readonly T[]): readonly T[] => list.map((one) => ({ ...one }));

/** The tee times of a world by id; each sheet is computed once. */
function createTeeTimes(world: World): (teeId: number) => DatedTeeTime | undefined {
  const sheets = new Map<string, ReadonlyMap<number, TeeTime>>();
  return (teeId) => {
    const found = decodeTeeId(world, teeId);
    if (!found) return undefined;
    const { course, day } = found;
    const key = `${course.id} ${day}`;
    let teeTimes = sheets.get(key);
    if (!teeTimes) {
      teeTimes = new Map(teeSheet(world, course, day).teeTimes.map((teeTime) => [teeTime.teeId, teeTime]));
      sheets.set(key, teeTimes);
    }
    const teeTime = teeTimes.get(teeId);
    return teeTime && { course, day, teeTime };
  };
}
