import { describe, expect, test } from 'vitest';
import { exchangeLog } from '../../../src/cli/log.js';
import { adminOf } from '../../support/admin.js';
import { open } from '../../support/client.js';
import { NOWHERE } from '../../support/views.js';

const TEE_TIMES = '/api/v4/teetimes/1001?bookingDate=11-06-2026&players=1&holes=18';
const PRICES = '/api/v5/price/insideDateRange?facilityIds=1001';
const SEARCH = `/api/v5/teetimes?facilityIds=1001&players=1&holes=18&callbackUrl=${NOWHERE}`;
const unknown = (name: string, hint: string) =>
  `The query parameter \`${name}\` is unknown to this operation and is ignored. ${hint}`;
const past = (field: string, day: string, now = '2026-06-01T08:00:00Z') =>
  `\`${field}\` ${day} is in the past: the clock of the sandbox is at ${now}.`;

interface Row {
  readonly path: string;
  readonly status?: number;
  readonly warnings?: readonly string[];
  readonly now?: string;
}

const rows: readonly Row[] = [
  { path: '/api/v4/bookings?fromdate=01-06-2026', warnings: [unknown('fromdate', 'Did you mean `fromDate`?')] },
  {
    path: '/api/v4/bookings?fromDate=01-06-2026&sort=asc',
    warnings: [unknown('sort', 'It has fromDate, toDate.')],
  },
  { path: '/api/v3/facilities/1001?verbose', warnings: [unknown('verbose', 'It has none.')] },
  {
    path: '/api/v3/facilities?Country=Spain',
    status: 400,
    warnings: [unknown('Country', 'Did you mean `country`?')],
  },
  { path: '/api/v4/bookings?fromDate=01-06-2020&toDate=02-06-2020' },
  { path: TEE_TIMES },
  { path: TEE_TIMES.replace('11-06', '01-06') },
  // It is still Sunday in Hawaii.
  { path: TEE_TIMES.replace('11-06', '31-05') },
  { path: TEE_TIMES.replace('11-06', '30-05'), warnings: [past('bookingDate', '30-05-2026')] },
  {
    path: TEE_TIMES,
    now: '2027-01-15T10:00:00Z',
    warnings: [past('bookingDate', '11-06-2026', '2027-01-15T10:00:00Z')],
  },
  { path: `${PRICES}&fromDate=01-01-2026&toDate=11-06-2026` },
  { path: `${PRICES}&fromDate=01-01-2026&toDate=02-01-2026`, warnings: [past('toDate', '02-01-2026')] },
  {
    path: `${SEARCH}&fromDate=2026-01-01&toDate=2026-01-02&x=1`,
    warnings: [
      unknown('x', 'It has facilityIds, fromDate, toDate, players, holes, callbackUrl.'),
      past('toDate', '02-01-2026'),
    ],
  },
];

describe('what is answered all the same, and may have been meant otherwise', () => {
  test.each(rows)('$path $now', async ({ path, status = 200, warnings, now }) => {
    const lines: string[] = [];
    const log = exchangeLog({ level: 'warn', format: 'json', colour: false, write: (line) => lines.push(line) })!;
    const { fairway, sandbox } = await open({ onExchange: log, ...(now === undefined ? {} : { now }) });
    // The second time, the parameters are cached.
    for (const time of [1, 2]) {
      const reply = await fairway.get(path);
      expect(reply.status).toBe(status);
      const id = reply.headers.get('teebox-request-id');
      const { body } = await adminOf(sandbox)('GET', `requests/${id}/explain`);
      expect(body.request.warnings).toEqual(warnings);
      expect(lines.map((line) => JSON.parse(line).warnings)).toEqual(Array(warnings ? time : 0).fill(warnings));
    }
  });

  test('many stray names are told in part', async () => {
    const { fairway, sandbox } = await open();
    const names = Array.from({ length: 9 }, (_, index) => `${'x'.repeat(99)}${index}=1`);
    await fairway.get(`/api/v3/countries?${names.join('&')}`);
    const { warnings } = sandbox.journal.entries[0]!;
    expect(warnings).toHaveLength(5);
    for (const one of warnings!) expect(one.length).toBeLessThan(160);
  });
});
