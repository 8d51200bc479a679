/** Reads the part of an exported state that belongs to the store: bookings, tokens and changes by operators. */
import type { Amendment } from '../model/amend.js';
import { Booking, type BookingState, recordOf } from '../model/booking.js';
import { decodeTeeId, teeSheet, type TeeTime } from '../model/tee-sheet.js';
import type { Channel, World } from '../model/world.js';
import type { Zones } from '../model/calendar.js';
import { isGroup, type ReadStore, type StoreState } from './store.js';
import { alternatives, createUnique, type InSlices, validationError } from '../../common/index.js';
import { type DatedTeeTime, derivedFields, Ledger, RIVALS } from './ledger.js';
import type { TokensState } from './tokens.js';

interface StoreReadOptions {
  /** Without the changes by operators. */
  readonly world: World;
  readonly zones: Zones;
  /** The position of the state in the input. */
  readonly path: string;
  /** @throws {ValidationError} for a booking that is not valid by its schema. */
  readonly checkBooking: (booking: unknown, path: string) => void;
  readonly inSlices: InSlices;
}

/**
 * Reads the state of a store, which is valid by its schema except for its bookings.
 *
 * @throws {ValidationError} with the first field that does not fit the world, and what would fit.
 */
export async function readStoreState(
  { bookings, ...state }: StoreState,
  { world, zones, path, checkBooking, inSlices }: StoreReadOptions,
): Promise<ReadStore> {
  const { sequence, groups, bulks, tokens, amendments } = state;
  const unique = createUnique();
  for (const [index, id] of bulks.entries()) {
    const at = `${path}.bulks[${index}]`;
    if (!isGroup(id, groups)) throw validationError(at, 'the id of an existing group', id);
    unique(id, at);
  }
  checkTokens(tokens, `${path}.tokens`, world.channels);
  for (const [index, one] of amendments.entries()) checkAmendment(one, `${path}.amendments[${index}]`, world);
  const readBooking = createBookingReader({ world, zones, sequence, groups });
  const ledger = new Ledger();
  await inSlices(bookings, (one, index) => {
    const at = `${path}.bookings[${index}]`;
    checkBooking(one, at);
    const booking = readBooking(one, at);
    // The next export shall take no time for all of them.
    recordOf(booking);
    ledger.add(booking);
  });
  return { parts: state, ledger };
}

function checkAmendment(amendment: Amendment, path: string, world: World): void {
  if (amendment.change === 'facility-disconnected') {
    const { facilityId, channel } = amendment;
    const names = world.channels.map(({ name }) => name);
    if (!world.facility(facilityId))
      throw validationError(`${path}.facilityId`, 'the id of a facility of this world', facilityId);
    if (!names.includes(channel)) throw validationError(`${path}.channel`, alternatives(names), channel, names);
    return;
  }
  const { courseId } = amendment;
  if (!world.course(courseId)) throw validationError(`${path}.courseId`, 'the id of a course of this world', courseId);
  if (amendment.change !== 'tee-time-withdrawn') return;
  if (decodeTeeId(world, amendment.teeId)?.course.id === courseId) return;
  throw validationError(`${path}.teeId`, `the id of a tee time of course ${courseId}`, amendment.teeId);
}

/**
 * Checks tokens, which are valid by their schema, against these channels.
 *
 * @throws {ValidationError} with the first invalid field and what would fit.
 */
function checkTokens(state: TokensState, path: string, channels: readonly Channel[]): void {
  const names = channels.map(({ name }) => name);
  const checkChannel = (name: string, at: string): void => {
    if (!names.includes(name)) throw validationError(at, alternatives(names), name, names);
  };
  const unique = createUnique();
  for (const list of ['refreshTokens', 'accessTokens'] as const) {
    for (const [index, { token, channel }] of state[list].entries()) {
      checkChannel(channel, `${path}.${list}[${index}].channel`);
      unique(token, `${path}.${list}[${index}].token`);
    }
  }
  const uniqueRevoked = createUnique();
  for (const [index, channel] of state.revoked.entries()) {
    checkChannel(channel, `${path}.revoked[${index}]`);
    uniqueRevoked(channel, `${path}.revoked[${index}]`);
  }
  const families = state.families.map(({ channel }) => channel);
  if (families.join() !== names.join()) {
    throw validationError(`${path}.families`, `a list with one entry for each channel (${names.join(', ')})`, families);
  }
  // A smaller number would issue existing tokens again. Each channel starts with one token.
  const least = state.refreshTokens.length + state.accessTokens.length - names.length;
  if (state.issued < least)
    throw validationError(`${path}.issued`, `at least ${least}, the number of tokens`, state.issued);
}

/** The data against which the bookings of a state are checked. */
interface BookingsHost {
  readonly world: World;
  readonly zones: Zones;
  /** The number of the newest booking, and the number of groups. */
  readonly sequence: number;
  readonly groups: number;
}

/** Reads bookings that are valid by their schema, in order of creation; checks each against the world and the others. */
function createBookingReader(host: BookingsHost): (state: BookingState, path: string) => Booking {
  const teeTimeOf = createTeeTimes(host.world);
  const checkOrder = createOrder(host);
  const checkChoice = createChoices(host);
  const taken = new Map<number, number>();
  return (state, path) => {
    checkMoments(state, path);
    checkOrder(state, path);
    const dated = teeTimeOf(state.teeId);
    if (!dated) throw validationError(`${path}.teeId`, 'the id of a tee time of this world', state.teeId);
    checkDerived(host, state, path, dated);
    checkChoice(state, path, dated);
    const held = (taken.get(state.teeId) ?? 0) + state.players;
    if (state.status === 'CANCELED') return revive(state);
    if (held > dated.teeTime.free) {
      const left = dated.teeTime.free - held + state.players;
      throw validationError(
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
      throw validationError(`${path}.sequence`, range, sequence);
    }
    before = sequence;
    if (groupId === null) return;
    if (!isGroup(groupId, groups))
      throw validationError(`${path}.groupId`, 'null or the id of an existing group', groupId);
    const owner = owners.get(groupId) ?? channel;
    if (owner !== channel)
      throw validationError(`${path}.channel`, `"${owner}", the channel of group ${groupId}`, channel);
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
  throw validationError(`${path}.${name}`, `${JSON.stringify(due)}, which follows from ${from}`, state[name]);
}

/** Checks what whoever booked has chosen. */
function createChoices({ world }: BookingsHost): (state: BookingState, path: string, dated: DatedTeeTime) => void {
  const channels = [...world.channels.map(({ name }) => name), RIVALS];
  return (state, path, { teeTime, course }) => {
    const { channel, productId, extraProducts } = state;
    if (!channels.includes(channel))
      throw validationError(`${path}.channel`, alternatives(channels), channel, channels);
    if (!teeTime.products.some(({ mid }) => mid === productId)) {
      const products = teeTime.products.map(({ mid }) => mid).join(', ');
      throw validationError(`${path}.productId`, `a product of tee time ${state.teeId} (${products})`, productId);
    }
    if ((state.status === 'CANCELED') !== (state.canceledAt !== null)) {
      throw validationError(
        `${path}.canceledAt`,
        'a moment if the booking is cancelled, otherwise null',
        state.canceledAt,
      );
    }
    for (const [index, { mid }] of extraProducts.entries()) {
      if (world.facility(course.facilityId)!.extraProducts.some((extra) => extra.mid === mid)) continue;
      throw validationError(
        `${path}.extraProducts[${index}].mid`,
        `an extra product of facility ${course.facilityId}`,
        mid,
      );
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
    throw validationError(`${path}.${name}`, 'a moment such as 2026-06-01T08:00:00.000, in UTC', text);
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
