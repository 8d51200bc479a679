import { beforeAll, describe, expect } from 'vitest';
import { type Client, open } from '../../../support/client.js';
import { rule } from '../../../support/rule.js';

let fairway: Client;
beforeAll(async () => {
  ({ fairway } = await open());
});

describe('HEAD is safe: it reads, and never acts in the place of a GET', () => {
  const search =
    '/api/v5/teetimes?facilityIds=1001&fromDate=15-06-2026&toDate=15-06-2026&players=2&holes=18&callbackUrl=http://127.0.0.1:9/';
  const table: [string, number, string | null][] = [
    ['/api/v3/countries', 200, null],
    ['/api/v4/bookings', 200, null],
    ['/api/v4/bookings/payment/TBX-1-1-000000', 405, 'GET, POST'],
    ['/api/v3/bulkbookings/payment/5001', 405, 'GET, POST'],
    [search, 405, 'GET'],
  ];
  for (const [path, status, allow] of table) {
    rule('versions.method', `HEAD ${path.split('?')[0]} gives ${status} without a body`, async () => {
      const reply = await fairway.send('HEAD', path);
      expect([reply.status, reply.headers.get('allow'), reply.text]).toEqual([status, allow, '']);
      expect(fairway.sandbox.callbacks.deliveries).toEqual([]);
    });
  }
});
