import { dayIn } from '../support/scenes.js';
import { startBare, startTeebox } from './children.js';
import { alternate, compared } from './compare.js';
import type { Row } from './report.js';
import { ask, getRequest, sheetPath } from './requests.js';

/** A GET whose answer does not change, beside bare Hono sending the same bytes. */
export interface ReadCase {
  readonly name: string;
  readonly path: string;
  readonly requests: number;
  readonly target?: number;
}

/** A facility and day with a sheet of 50 kB, and one with a sheet as large as they come. */
export const SHEET = { facilityId: 1002, days: 18 };
const LARGEST_SHEET = { facilityId: 1027, days: 18 };
const week = `fromDate=${dayIn(9).query}&toDate=${dayIn(15).query}`;

export const readCases: readonly ReadCase[] = [
  { name: 'countries', path: '/api/v3/countries', requests: 16_000, target: 0.8 },
  { name: 'facilities', path: '/api/v3/facilities?country=Portugal', requests: 16_000, target: 0.8 },
  { name: 'sheet', path: sheetPath(SHEET.facilityId, SHEET.days), requests: 8000, target: 0.8 },
  { name: 'largest-sheet', path: sheetPath(LARGEST_SHEET.facilityId, LARGEST_SHEET.days), requests: 2000, target: 0.8 },
  { name: 'prices', path: `/api/v5/price/insideDateRange?facilityIds=1001&${week}&limit=20`, requests: 8000 },
];

/** Those that the table does not have. */
export const otherReads = readCases.filter(({ name }) => name !== 'countries' && name !== 'sheet');

/** Measures one read; its name in the report tells how many bytes it answers. */
export async function measureRead({ name, path, requests, target }: ReadCase, rounds: number): Promise<Row> {
  const teebox = await startTeebox();
  try {
    const answered = await ask(teebox, path);
    const bare = await startBare([{ method: 'GET', path: path.split('?')[0]!, ...answered }]);
    try {
      const same = await ask(bare, path);
      if (same.body !== answered.body) throw new Error(`Bare Hono sends other bytes than ${path}.`);
      const next = getRequest(path);
      const [ours, theirs] = await alternate(
        [
          { server: teebox, next },
          { server: bare, next },
        ],
        rounds,
        requests,
      );
      return compared(`${name}, ${kilobytes(answered.body)}`, ours!, theirs!, target);
    } finally {
      await bare.stop();
    }
  } finally {
    await teebox.stop();
  }
}

export function kilobytes(body: string): string {
  return `${(Buffer.byteLength(body) / 1000).toFixed(1)} kB`;
}
