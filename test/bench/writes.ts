import { startBare, startTeebox } from './children.js';
import { alternate, compared, WARM_UP_ROUNDS } from './compare.js';
import { requestBytes } from './load.js';
import { kilobytes, SHEET } from './reads.js';
import type { Row } from './report.js';
import {
  ask,
  authorization,
  bookAll,
  bookingRequest,
  bookingsOn,
  CREATE_PATH,
  getRequest,
  inCircles,
  inTurn,
  manyBookings,
  sheetPath,
} from './requests.js';
import { dayIn } from '../support/scenes.js';

const BOOKINGS_A_ROUND = 2500;
const PAIRS_A_ROUND = 500;
const LISTED = 100;
const LISTS_A_ROUND = 6000;

/** Bookings that all succeed, beside bare Hono parsing the body and answering the same bytes. */
export async function measureBooking(rounds: number): Promise<Row> {
  const teebox = await startTeebox();
  try {
    const bodies = await manyBookings(teebox, BOOKINGS_A_ROUND * (rounds + WARM_UP_ROUNDS) + 1, 20);
    const answered = await ask(teebox, CREATE_PATH, JSON.stringify(bodies.pop()));
    const bare = await startBare([{ method: 'POST', path: CREATE_PATH, ...answered }]);
    try {
      const requests = bodies.map(bookingRequest);
      const sides = [
        { server: teebox, next: inTurn(requests) },
        { server: bare, next: inCircles(requests) },
      ];
      const [ours, theirs] = await alternate(sides, rounds, BOOKINGS_A_ROUND);
      return compared(`booking, ${kilobytes(JSON.stringify(bodies[0]))} in`, ours!, theirs!, 0.5);
    } finally {
      await bare.stop();
    }
  } finally {
    await teebox.stop();
  }
}

/** A tee sheet that a booking changes before each reading of it, beside bare Hono doing both with kept bytes. */
export async function measureChangedSheet(rounds: number): Promise<Row> {
  const teebox = await startTeebox();
  try {
    const wanted = PAIRS_A_ROUND * (rounds + WARM_UP_ROUNDS);
    const pairs: Buffer[] = [];
    const { facilityId } = SHEET;
    for (let days = 4; pairs.length < wanted * 2; days += 1) {
      const path = sheetPath(facilityId, days);
      const read = requestBytes('GET', path, { Authorization: authorization });
      // One place of each tee time is spared, so that the sheet keeps its size.
      for (const body of await bookingsOn(teebox, facilityId, days, 1)) pairs.push(bookingRequest(body), read);
    }
    const path = sheetPath(facilityId, SHEET.days);
    const sheet = await ask(teebox, path);
    const booking = { ...sheet, body: '{"success":true,"data":{"bookingId":"TBX-1002-248687235-000000"}}' };
    const bare = await startBare([
      { method: 'GET', path: path.split('?')[0]!, ...sheet },
      { method: 'POST', path: CREATE_PATH, ...booking },
    ]);
    try {
      const sides = [
        { server: teebox, next: inTurn(pairs) },
        { server: bare, next: inCircles(pairs) },
      ];
      const [ours, theirs] = await alternate(sides, rounds, PAIRS_A_ROUND * 2);
      return compared(`booking, then sheet of ${kilobytes(sheet.body)}`, ours!, theirs!);
    } finally {
      await bare.stop();
    }
  } finally {
    await teebox.stop();
  }
}

/** One day of a channel's bookings in servers with a thousand and a hundred thousand bookings. */
export async function measureBookingList(rounds: number): Promise<Row[]> {
  const servers = await Promise.all([startTeebox(), startTeebox()]);
  const [few, many] = servers;
  try {
    const listed = (await manyBookings(few, LISTED, 12)).slice(0, LISTED);
    const others = await manyBookings(many, 100_000 - LISTED, 20);
    for (const server of servers) await bookAll(server, listed);
    await bookAll(few, others.slice(0, 1000 - LISTED));
    await bookAll(many, others);
    const day = dayIn(12).query;
    const path = `/api/v4/bookings?fromDate=${day}&toDate=${day}`;
    const answered = await ask(few, path);
    const bare = await startBare([{ method: 'GET', path: path.split('?')[0]!, ...answered }]);
    try {
      const next = getRequest(path);
      const sides = [...servers, bare].map((server) => ({ server, next }));
      const [ofFew, ofMany, theirs] = await alternate(sides, rounds, LISTS_A_ROUND);
      const size = kilobytes(answered.body);
      return [
        compared(`list of a day, ${size}, of 1 k bookings`, ofFew!, theirs!),
        compared(`list of a day, ${size}, of 100 k bookings`, ofMany!, theirs!),
      ];
    } finally {
      await bare.stop();
    }
  } finally {
    await Promise.all(servers.map((server) => server.stop()));
  }
}
