import type { Amendment } from '../../src/engine/model/amend.js';
import { type TeeTime, teeSheet } from '../../src/engine/model/tee-sheet.js';
import type { Course, Facility } from '../../src/engine/model/world.js';
import { createSandbox, type SandboxOptions } from '../../src/engine/library.js';
import { createWorld } from '../../src/engine/store/world.js';
import { NOW } from '../support/client.js';

const DAY = 86_400_000;
/** Days from now of which tee times are withdrawn; the suite does not look further. */
const LAST_DAY = 95;

/** What is left of the default world. */
export interface Poverty {
  /** The facilities that stay connected to the first channel, by their number among the connected ones. */
  readonly connected?: (facility: Facility, index: number) => boolean;
  /** The tee times that stay on sale; `index` is the number among those of the course and the day. */
  readonly onSale?: (teeTime: TeeTime, place: { course: Course; day: number; index: number }) => boolean;
}

/** Settings of a sandbox that has only a part of the default world to offer. */
export async function poorWorld({
  connected = () => true,
  onSale = () => true,
}: Poverty): Promise<SandboxOptions & { readonly now: string }> {
  const sandbox = await createSandbox({ now: NOW });
  const state = sandbox.snapshot();
  const channel = sandbox.channels[0]!.name;
  const world = createWorld();
  const today = Math.floor(Date.parse(NOW) / DAY);
  const amendments: Amendment[] = [];
  const own = [...world.facilities()].filter(({ channels }) => channels.includes(channel));
  for (const [index, facility] of own.entries()) {
    if (!connected(facility, index)) {
      amendments.push({ change: 'facility-disconnected', facilityId: facility.id, channel });
      continue;
    }
    for (const course of facility.courses) {
      for (let day = 0; day <= LAST_DAY; day += 1) {
        for (const [at, teeTime] of teeSheet(world, course, today + day).teeTimes.entries()) {
          if (onSale(teeTime, { course, day, index: at })) continue;
          amendments.push({ change: 'tee-time-withdrawn', courseId: course.id, teeId: teeTime.teeId });
        }
      }
    }
  }
  return { now: NOW, state: { ...state, store: { ...state.store, amendments } } };
}

/** The first facilities. */
const first =
  (count: number) =>
  (_: Facility, index: number): boolean =>
    index < count;

/** Every so manieth tee time of a day. */
const each =
  (step: number) =>
  (_: TeeTime, { course, index }: { course: Course; index: number }) =>
    index % step === course.id % 3;

const linked = ({ products, holes }: TeeTime): boolean => products.some((one) => one.holes > holes);

/** Deployments with little to offer, and the rules that cannot be judged there, besides {@link never}. */
export const poorWorlds: readonly (readonly [what: string, poverty: Poverty, lacking: readonly string[]])[] = [
  ['7 facilities with about 7 tee times a day', { connected: first(7), onSale: each(8) }, []],
  ['7 facilities with about 3 tee times a day', { connected: first(7), onSale: each(18) }, []],
  [
    '7 facilities with one tee time a day on each course',
    { connected: first(7), onSale: (_, { index }) => index === 5 },
    ['bookings.linked.*'],
  ],
  ['2 facilities', { connected: first(2), onSale: each(12) }, ['prices.facility-ids-limit']],
  [
    'one facility with one course',
    { connected: first(1), onSale: each(8) },
    [
      'bookings.linked.*',
      'facilities.optional-fields',
      'prices.facility-ids-limit',
      'teetimes.filter.course',
      'teetimes.product.linked-elements',
    ],
  ],
  [
    'one free slot in each tee time',
    { connected: first(7), onSale: ({ free }) => free <= 1 },
    ['bookings.linked.same-players', 'bookings.request.additionalPlayers*', 'teetimes.filter.players-subset'],
  ],
  ['two free slots at most', { connected: first(7), onSale: ({ free }) => free <= 2 }, []],
  [
    'four free slots or none',
    { connected: first(7), onSale: ({ free }, { index }) => free === 4 && index % 8 === 1 },
    [],
  ],
  [
    'rounds of 9 holes only',
    { connected: first(7), onSale: ({ holes }, { index }) => holes === 9 && index % 6 === 1 },
    [],
  ],
  [
    'rounds of 18 holes only',
    { connected: first(7), onSale: ({ holes }, { index }) => holes === 18 && index % 6 === 1 },
    ['bookings.linked.*', 'teetimes.product.linked-elements'],
  ],
  [
    'no linked products',
    { connected: first(7), onSale: (teeTime, place) => !linked(teeTime) && each(6)(teeTime, place) },
    ['bookings.linked.*', 'teetimes.product.linked-elements'],
  ],
  [
    'tee times on one day of the week',
    { connected: first(7), onSale: (teeTime, place) => place.day % 7 === 3 && each(6)(teeTime, place) },
    [],
  ],
  [
    'tee times in the next two weeks only',
    { connected: first(7), onSale: (teeTime, place) => place.day < 14 && each(6)(teeTime, place) },
    [],
  ],
  [
    'tee times in two months only',
    { connected: first(7), onSale: (teeTime, place) => place.day > 60 && each(6)(teeTime, place) },
    [],
  ],
  [
    'facilities without tee times first in the list',
    { connected: first(30), onSale: (teeTime, place) => place.course.facilityId > 1045 && each(6)(teeTime, place) },
    [],
  ],
  [
    'connected facilities in the last countries only',
    { connected: ({ address }) => address.country > 'T', onSale: each(6) },
    [],
  ],
];

/** Rules that need something that no world has, a cancellation by DELETE or an hour of the day. */
export const never: readonly string[] = ['tokens.expiry', 'bookings.time-borders', 'payments.canceled'];
