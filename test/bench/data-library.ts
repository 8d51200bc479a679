import { Collection } from '@msw/data';
import { Booking } from '../../src/engine/model/booking.js';
import { Ledger } from '../../src/engine/store/ledger.js';
import type { Row, Section } from './report.js';

const SIZES = [1000, 10_000, 100_000];
/** Looked up and changed in each way; few, since the library's look-ups take milliseconds. */
const LOOKED_UP = 20;
const DAYS = 365;
const FIRST_DAY = 20_605;

const request = {
  facilityId: 1001,
  course: 'Duinbaan',
  holes: 18,
  players: 1,
  productId: 1,
  contactFirstName: 'Ada',
  contactLastName: 'Lovelace',
  contactPhone: '1',
  contactEmail: 'ada@partner.example',
  netRate: null,
  extraProducts: [],
  comments: null,
  additionalPlayers: [],
  linkedTeeTimeRef: null,
  providerPlayerTypeId: null,
} as const;

function bookings(count: number): Booking[] {
  return Array.from({ length: count }, (_, index) => {
    const day = FIRST_DAY + (index % DAYS);
    const time = `2026-06-01T${String(6 + (index % 12)).padStart(2, '0')}:00:00`;
    return new Booking(
      { ...request, teeId: 1_000_000 + (index >> 2), time },
      {
        time,
        course: request.course,
        sequence: index,
        bookingId: `TBX-1001-${index}`,
        code: `C${index}`,
        channel: 'fairway',
        courseId: 10011,
        day,
        startsAt: day * 86_400_000,
        startsAtAsUtc: day * 86_400_000,
        productId: 1,
        groupId: null,
        paymentIntent: null,
        createdAt: '2026-06-01T08:00:00.000',
      },
    );
  });
}

/** Some of the records, spread evenly. */
function sample(records: readonly Booking[]): Booking[] {
  return Array.from(
    { length: LOOKED_UP },
    (_, index) => records[Math.floor(((index + 0.5) * records.length) / LOOKED_UP)]!,
  );
}

/** Microseconds for each of the records. */
async function each(records: readonly Booking[], work: (booking: Booking) => unknown): Promise<number> {
  const start = performance.now();
  for (const record of records) await work(record);
  return ((performance.now() - start) * 1000) / records.length;
}

interface Costs {
  readonly create: number;
  readonly find: number;
  readonly update: number;
  readonly day: number;
}

async function ledgerCosts(records: readonly Booking[]): Promise<Costs> {
  const ledger = new Ledger();
  const start = performance.now();
  for (const record of records) ledger.add(record);
  const create = ((performance.now() - start) * 1000) / records.length;
  const some = sample(records);
  return {
    create,
    find: await each(some, ({ bookingId }) => ledger.find(bookingId)!.time),
    day: await each(some, ({ day }) => ledger.days('fairway', day, day)[0]!.bookings.length),
    update: await each(some, (booking) => ledger.cancel(booking, '2026-06-01T08:00:00.000')),
  };
}

interface Types {
  readonly input: Booking;
  readonly output: Booking;
}

/** Takes what it is given: the sandbox has validated it before. */
const schema = {
  '~standard': {
    version: 1,
    vendor: 'bench',
    validate: (value: unknown) => ({ value: value as Booking }),
    types: undefined as Types | undefined,
  },
} as const;

async function libraryCosts(records: readonly Booking[]): Promise<Costs> {
  const collection = new Collection({ schema });
  const create = await each(records, (booking) => collection.create(booking));
  const some = sample(records);
  return {
    create,
    find: await each(some, ({ bookingId }) => collection.findFirst((q) => q.where({ bookingId }))!),
    day: await each(some.slice(0, 5), ({ day }) => collection.findMany((q) => q.where({ channel: 'fairway', day }))),
    update: await each(some.slice(0, 5), ({ bookingId }) =>
      collection.update((q) => q.where({ bookingId }), { data: (booking) => void (booking.status = 'CANCELED') }),
    ),
  };
}

const titles: Record<keyof Costs, string> = {
  create: 'create a booking',
  find: 'find one by its id',
  day: "find a day's bookings of a channel",
  update: 'cancel one',
};

/** The indexes of the ledger beside the linear scans of the data library, which is why the ledger answers requests. */
export async function measureDataLibrary(): Promise<Section> {
  await ledgerCosts(bookings(20_000));
  const rows: Row[] = [];
  for (const size of SIZES) {
    const ours = await ledgerCosts(bookings(size));
    const library = await libraryCosts(bookings(size));
    for (const key of Object.keys(titles) as (keyof Costs)[]) {
      rows.push({
        case: titles[key],
        bookings: size,
        'ledger us': ours[key].toFixed(2),
        '@msw/data us': library[key].toFixed(1),
      });
    }
  }
  return { title: 'Ledger and data library: microseconds of one operation', rows };
}
