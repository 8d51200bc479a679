import { startBare, startTeebox } from './children.js';
import { alternate, compared, WARM_UP_ROUNDS } from './compare.js';
import { requestBytes } from './load.js';
import { kilobytes, SHEET } from './reads.js';
import type { Row } from './report.js';
import {
  ask,
  authorization,
  bookingRequest,
  bookingsOn,
  CREATE_PATH,
  inCircles,
  inTurn,
  sheetPath,
} from './requests.js';

const PAIRS_A_ROUND = 500;

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
