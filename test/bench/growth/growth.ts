import { dayIn } from '../../support/scenes.js';
import { type Server, startTeebox } from '../children.js';
import { alternate, type Measured, ratios } from '../compare.js';
import type { NextRequest } from '../load.js';
import { residentMegabytes } from '../processor.js';
import { median, quartiles, type Row, type Section } from '../report.js';
import {
  ask,
  bookAll,
  bookingRequest,
  bookingsOn,
  fill,
  getRequest,
  inTurn,
  manyBookings,
  sheetPath,
} from '../requests.js';

const SIZES = [0, 1000, 10_000, 1_000_000];
const names = ['none', '1 thousand', '10 thousand', '1 million'];
/** The size that the largest is compared to. */
const FEW = SIZES.indexOf(1000);
const TARGET = 1.2;
/** Requests of each case before it is measured. */
const WARM_UP = 8000;

/** The day that is listed and shown, which has the same bookings everywhere; the many; and those of the rounds. */
const SHOWN = { facilityId: 1001, days: 12 };
const FILLED_FROM = 20;
const BOOKED_FROM = 400;
const LISTED = 100;

interface Case {
  readonly name: string;
  /** In a round. */
  readonly requests: number;
  /** At most. */
  readonly rounds?: number;
  readonly prepare: (server: Server, count: number) => Promise<NextRequest>;
}

const day = dayIn(SHOWN.days).query;
const cases: readonly Case[] = [
  {
    name: 'booking',
    // The garbage of a thousand bookings is collected at once: of shorter rounds, some have that and others do not.
    requests: 2500,
    rounds: 16,
    prepare: async (server, count) => inTurn((await manyBookings(server, count, BOOKED_FROM)).map(bookingRequest)),
  },
  {
    name: `list of ${LISTED} bookings of a day`,
    requests: 750,
    prepare: async () => getRequest(`/api/v4/bookings?fromDate=${day}&toDate=${day}`),
  },
  {
    name: 'tee sheet with bookings',
    requests: 750,
    prepare: async () => getRequest(sheetPath(SHOWN.facilityId, SHOWN.days)),
  },
];

/** What a request costs in servers that began with no bookings, and with up to a million. */
export async function measureGrowth(rounds: number): Promise<Section[]> {
  const servers: Server[] = [];
  try {
    for (const size of SIZES) {
      process.stderr.write(`  ${size} bookings ...\n`);
      servers.push(await startGrown(size));
    }
    const before = servers.map(({ pid }) => residentMegabytes(pid) ?? Number.NaN);
    const rows: Row[] = [];
    for (const one of cases) {
      process.stderr.write(`  ${one.name} ...\n`);
      const sides = [];
      const own = Math.min(rounds, one.rounds ?? rounds);
      const warmUp = Math.ceil(WARM_UP / one.requests);
      const count = one.requests * (own + warmUp);
      for (const server of servers) sides.push({ server, next: await one.prepare(server, count) });
      rows.push(rowOf(one.name, await alternate(sides, own, one.requests, warmUp)));
    }
    const note =
      'CPU time of the server per request in microseconds, by the number of bookings at the start; `ratio` is of ' +
      '1 million to 1 thousand, the median over neighbouring rounds.';
    return [{ title: 'Growth: the cost of a request by the bookings that there are', rows, note }, memoryOf(before)];
  } finally {
    await Promise.all(servers.map((server) => server.stop()));
  }
}

async function startGrown(size: number): Promise<Server> {
  const server = await startTeebox();
  const shown = await bookingsOn(server, SHOWN.facilityId, SHOWN.days, 1);
  await bookAll(server, shown.slice(0, LISTED));
  await fill(async (path, body) => (await ask(server, path, body)).body, size, FILLED_FROM);
  return server;
}

function rowOf(name: string, measured: readonly Measured[]): Row {
  const found = ratios(measured[FEW]!, measured.at(-1)!);
  return {
    case: name,
    ...Object.fromEntries(measured.map(({ costs }, index) => [names[index]!, median(costs).toFixed(1)])),
    ratio: median(found).toFixed(2),
    quartiles: quartiles(found)
      .map((value) => value.toFixed(2))
      .join('-'),
    target: `<= ${TARGET}`,
    reached: median(found) <= TARGET ? 'yes' : 'no',
  };
}

function memoryOf(megabytes: readonly number[]): Section {
  const each = ((megabytes.at(-1)! - megabytes[0]!) * 1e6) / SIZES.at(-1)!;
  const row = {
    case: 'RSS in MB',
    ...Object.fromEntries(megabytes.map((value, index) => [names[index]!, value.toFixed(0)])),
    'bytes a booking': each.toFixed(0),
  };
  const note = 'As the bookings came, with what is not collected yet; `memory` tells what a booking holds.';
  return { title: 'Growth: memory of the server after it was filled', rows: [row], note };
}
