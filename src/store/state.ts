import type { Amendment } from '../domain/amend.js';
import type { Booking } from '../domain/booking.js';
import { decodeTeeId } from '../domain/tee-id.js';
import type { World } from '../domain/world.js';
import type { Zones } from '../domain/zone.js';
import { alternatives, createUnique, misfit } from '../input/misfit.js';
import { isGroup } from './groups.js';
import { type BookingState, createBookingReader } from './state-bookings.js';
import { checkTokens } from './state-tokens.js';
import type { TokensState } from './tokens.js';

/** The content of a store as data. */
export interface StoreState {
  /** In order of creation. */
  readonly bookings: readonly BookingState[];
  /** The number of the newest booking. */
  readonly sequence: number;
  /** The number of groups. */
  readonly groups: number;
  /** The group ids of bulk bookings. */
  readonly bulks: readonly number[];
  readonly tokens: TokensState;
  /** The changes by operators since the start of the world. */
  readonly amendments: readonly Amendment[];
}

/** A state that was read and checked, but not applied yet. */
export interface StoreParts extends Omit<StoreState, 'bookings'> {
  readonly bookings: readonly Booking[];
}

/**
 * Reads the state of a store, which is valid by its schema, for a world without amendments.
 *
 * @throws {Misfit} with the first field that does not fit the world, and what would fit.
 */
export function readStoreState(state: StoreState, path: string, world: World, zones: Zones): StoreParts {
  const { sequence, groups, bulks, tokens, amendments } = state;
  const readBooking = createBookingReader({ world, zones, sequence, groups });
  const bookings = state.bookings.map((booking, index) => readBooking(booking, `${path}.bookings[${index}]`));
  const unique = createUnique();
  for (const [index, id] of bulks.entries()) {
    const at = `${path}.bulks[${index}]`;
    if (!isGroup(id, groups)) throw misfit(at, 'the id of an existing group', id);
    unique(id, at);
  }
  checkTokens(tokens, `${path}.tokens`, world.channels);
  for (const [index, one] of amendments.entries()) checkAmendment(one, `${path}.amendments[${index}]`, world);
  return { bookings, ...structuredClone({ sequence, groups, bulks, tokens, amendments }) };
}

function checkAmendment(amendment: Amendment, path: string, world: World): void {
  if (amendment.change === 'facility-disconnected') {
    const { facilityId, channel } = amendment;
    const names = world.channels.map(({ name }) => name);
    if (!world.facility(facilityId))
      throw misfit(`${path}.facilityId`, 'the id of a facility of this world', facilityId);
    if (!names.includes(channel)) throw misfit(`${path}.channel`, alternatives(names), channel, names);
    return;
  }
  const { courseId } = amendment;
  if (!world.course(courseId)) throw misfit(`${path}.courseId`, 'the id of a course of this world', courseId);
  if (amendment.change !== 'tee-time-withdrawn') return;
  if (decodeTeeId(world, amendment.teeId)?.course.id === courseId) return;
  throw misfit(`${path}.teeId`, `the id of a tee time of course ${courseId}`, amendment.teeId);
}
