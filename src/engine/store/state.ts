import type { Amendment } from '../model/amend.js';
import { type BookingState, recordOf } from '../model/booking.js';
import { decodeTeeId } from '../model/tee-id.js';
import type { World } from '../model/world.js';
import type { Zones } from '../model/zone.js';
import { alternatives, createUnique, type InSlices, misfit } from '../../common/index.js';
import { isGroup } from './groups.js';
import { Ledger } from './ledger.js';
import { createBookingReader } from './state-bookings.js';
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

/** The content of a store without its bookings. */
export type StoreParts = Omit<StoreState, 'bookings'>;

/** A state that was read and checked, but not applied yet. */
export interface ReadStore {
  readonly parts: StoreParts;
  readonly ledger: Ledger;
}

interface StoreReadOptions {
  /** Without the changes by operators. */
  readonly world: World;
  readonly zones: Zones;
  /** The position of the state in the input. */
  readonly path: string;
  /** @throws {Misfit} for a booking that is not valid by its schema. */
  readonly checkBooking: (booking: unknown, path: string) => void;
  readonly inSlices: InSlices;
}

/**
 * Reads the state of a store, which is valid by its schema except for its bookings.
 *
 * @throws {Misfit} with the first field that does not fit the world, and what would fit.
 */
export async function readStoreState(
  { bookings, ...state }: StoreState,
  { world, zones, path, checkBooking, inSlices }: StoreReadOptions,
): Promise<ReadStore> {
  const { sequence, groups, bulks, tokens, amendments } = state;
  const unique = createUnique();
  for (const [index, id] of bulks.entries()) {
    const at = `${path}.bulks[${index}]`;
    if (!isGroup(id, groups)) throw misfit(at, 'the id of an existing group', id);
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
