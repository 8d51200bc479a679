import type { BareRoute } from '../bare-hono.js';
import type { Server } from '../children.js';
import type { NextRequest } from '../load.js';
import { SHEET } from '../reads.js';
import {
  ask,
  bookingRequest,
  CREATE_PATH,
  getRequest,
  inCircles,
  inTurn,
  manyBookings,
  sheetPath,
} from '../requests.js';

/** The days from which bodies of bookings are made: as many as a run needs. */
const BOOKED_FROM = 20;
export const LIST_PATH = '/api/v3/countries';
/** A sheet of all courses of a facility on a day. */
const SHEET_PATH = sheetPath(SHEET.facilityId, SHEET.days);

/** A column of the table. */
export interface TableCase {
  readonly name: string;
  readonly title: string;
  /** In a round; short, since neighbouring rounds are compared. */
  readonly requests: number;
  readonly targets: Readonly<Record<'silent' | 'default', number>>;
  /** What each server is asked, so many times. */
  prepare(servers: readonly Asked[], count: number): Promise<NextRequest[]>;
}

/** A server that is asked. */
export interface Asked {
  readonly server: Server;
  /** Whether it keeps what is booked: those that do not take the same booking for ever. */
  readonly stateful: boolean;
}

async function reading(path: string, asked: readonly Asked[]): Promise<NextRequest[]> {
  for (const { server } of asked) await ask(server, path);
  return asked.map(() => getRequest(path));
}

/** Each server is asked for the tee sheets, as clients do that book; the others take the bodies of the first. */
async function booking(asked: readonly Asked[], count: number): Promise<NextRequest[]> {
  const requests: (readonly Buffer[] | undefined)[] = [];
  for (const { server, stateful } of asked) {
    requests.push(stateful ? (await manyBookings(server, count, BOOKED_FROM)).map(bookingRequest) : undefined);
  }
  const first = requests.find((those) => those !== undefined)!;
  return requests.map((those) => (those ? inTurn(those) : inCircles(first)));
}

export const tableCases: readonly TableCase[] = [
  {
    name: 'list',
    title: 'list 0.2 kB',
    requests: 1500,
    targets: { silent: 0.85, default: 0.75 },
    prepare: (asked) => reading(LIST_PATH, asked),
  },
  {
    name: 'sheet',
    title: 'tee sheet 50 kB',
    requests: 750,
    targets: { silent: 0.7, default: 0.6 },
    prepare: (asked) => reading(SHEET_PATH, asked),
  },
  {
    name: 'booking',
    title: 'booking',
    requests: 750,
    targets: { silent: 0.6, default: 0.5 },
    prepare: booking,
  },
];

/** What bare Hono keeps: the answers of this server. */
export async function keptAnswers(server: Server): Promise<BareRoute[]> {
  const reads = [LIST_PATH, SHEET_PATH].map(async (path): Promise<BareRoute> => {
    return { method: 'GET', path: path.split('?')[0]!, ...(await ask(server, path)) };
  });
  const [body] = await manyBookings(server, 1, BOOKED_FROM - 1);
  const booked = await ask(server, CREATE_PATH, JSON.stringify(body));
  return [...(await Promise.all(reads)), { method: 'POST', path: CREATE_PATH, ...booked }];
}
