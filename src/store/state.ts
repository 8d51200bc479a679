import type { Amendment } from '../domain/amend.js';
import type { Booking } from '../domain/booking.js';
import { decodeTeeId } from '../domain/tee-id.js';
import type { World } from '../domain/world.js';
import type { Zones } from '../domain/zone.js';
import { FIRST_GROUP } from './groups.js';
import { type BookingState, createBookingReader } from './state-bookings.js';
import { createUnique, type Kind, list, misfit, object, oneOf, readList, readRow, whole } from './state-fields.js';
import { readTokens } from './state-tokens.js';
import type { TokensState } from './tokens.js';

/** What the store of a sandbox holds, as data. */
export interface StoreState {
  /** In order of creation. */
  readonly bookings: readonly BookingState[];
  /** The number of the newest booking. */
  readonly sequence: number;
  /** How many groups were made. */
  readonly groups: number;
  /** Ids of the groups that the bulk operation made. */
  readonly bulks: readonly number[];
  readonly tokens: TokensState;
  /** What operators did since the world began. */
  readonly amendments: readonly Amendment[];
}

/** A state that was read: everything in it fits, and nothing of it is in place yet. */
export interface StoreParts extends Omit<StoreState, 'bookings'> {
  readonly bookings: readonly Booking[];
}

/**
 * Reads the state of a store for a world, without what operators did to it.
 *
 * @throws {StateMisfit} naming the first field that does not fit, and what would.
 */
export function readStoreState(value: unknown, path: string, world: World, zones: Zones): StoreParts {
  const count = whole(0);
  const row = readRow(value, path, {
    bookings: list,
    sequence: count,
    groups: count,
    bulks: list,
    tokens: object,
    amendments: list,
  });
  const { sequence, groups } = row as unknown as Pick<StoreState, 'sequence' | 'groups'>;
  const readBooking = createBookingReader({ world, zones, sequence, groups });
  const unique = createUnique();
  const group = whole(FIRST_GROUP, FIRST_GROUP + groups - 1);
  const readBulk = (item: unknown, at: string): number => {
    if (!group.fits(item)) throw misfit(at, 'the id of a group that was made', item);
    unique(item as number, at);
    return item as number;
  };
  return {
    sequence,
    groups,
    bookings: readList(row['bookings'], `${path}.bookings`, readBooking),
    bulks: readList(row['bulks'], `${path}.bulks`, readBulk),
    tokens: readTokens(row['tokens'], `${path}.tokens`, world.channels),
    amendments: readList(row['amendments'], `${path}.amendments`, (item, at) => readAmendment(item, at, world)),
  };
}

function idKind(what: string, find: (id: number) => unknown): Kind {
  const { fits } = whole(1);
  return { due: `the id of a ${what} of this world`, fits: (id) => fits(id) && find(id as number) !== undefined };
}

function readAmendment(item: unknown, path: string, world: World): Amendment {
  const change = (item as { readonly change?: unknown } | null)?.change;
  const facility = idKind('facility', (id) => world.facility(id));
  const course = idKind('course', (id) => world.course(id));
  const kind = oneOf('sold-out', 'price-changed', 'tee-time-withdrawn', 'facility-disconnected');
  if (change === 'facility-disconnected') {
    const channel = oneOf(...world.channels.map(({ name }) => name));
    return { ...readRow(item, path, { change: kind, facilityId: facility, channel }) } as unknown as Amendment;
  }
  if (change !== 'tee-time-withdrawn') {
    return { ...readRow(item, path, { change: kind, courseId: course, day: whole(0) }) } as unknown as Amendment;
  }
  const row = readRow(item, path, { change: kind, courseId: course, teeId: whole(0) });
  const { teeId, courseId } = row as { readonly teeId: number; readonly courseId: number };
  if (decodeTeeId(world, teeId)?.course.id === courseId) return { ...row } as unknown as Amendment;
  throw misfit(`${path}.teeId`, `the id of a tee time of course ${courseId}`, teeId);
}
