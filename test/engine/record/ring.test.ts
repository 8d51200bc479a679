import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createSandbox } from '../../../src/engine/library.js';
import { JOURNAL_BYTES, OpenEntry, Ring } from '../../../src/engine/record/journal.js';
import { adminOf } from '../../support/admin.js';
import { open, ORIGIN } from '../../support/client.js';

const LIMIT = 40_000;
const entry = (url = `${ORIGIN}/`, headers: Record<string, string> = {}) =>
  new OpenEntry('req-1', 'POST', url, 0, undefined, headers);

/** What the entries hold: 1,024 bytes each, two for each character, and shared bodies one time. */
function held(ring: Ring): number {
  const shared = new Set<Uint8Array>();
  const texts = ring.all.map(({ url, requestHeaders, bodyText = '', responseBody = '' }) => {
    if (typeof responseBody !== 'string') shared.add(responseBody);
    const headers = Object.entries(requestHeaders).flat().join('');
    const response = typeof responseBody === 'string' ? responseBody : '';
    return 1024 + 2 * (url.length + headers.length + bodyText.length + response.length);
  });
  return [...texts, ...[...shared].map(({ byteLength }) => byteLength)].reduce((sum, one) => sum + one, 0);
}

const pages = [100, 5000, 9000].map((size) => new Uint8Array(size));
const step = fc.oneof(
  fc.record({ do: fc.constant('add' as const), url: fc.nat(300), header: fc.nat(300) }),
  fc.record({ do: fc.constant('request' as const), of: fc.nat(12), size: fc.nat(12_000) }),
  fc.record({ do: fc.constant('response' as const), of: fc.nat(12), size: fc.nat(12_000) }),
  fc.record({ do: fc.constant('page' as const), of: fc.nat(12), page: fc.nat(2) }),
  fc.record({ do: fc.constant('clear' as const) }),
);

describe('the entries of a journal', () => {
  test('hold what is counted, and at most the limit', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const ring = new Ring(LIMIT);
        const all: OpenEntry[] = [];
        for (const one of steps) {
          if (one.do === 'clear') ring.clear();
          else if (one.do === 'add')
            ring.add((all[all.length] = entry('x'.repeat(one.url), { a: 'x'.repeat(one.header) })));
          else {
            // Also entries of before the last `clear`, which nobody counts any more.
            const to = all.at(-1 - one.of);
            if (!to) continue;
            if (one.do === 'request' && to.bodyLength === undefined) ring.keepRequest(to, ' '.repeat(one.size));
            if (one.do === 'response' && to.responseLength === undefined) ring.keepResponse(to, ' '.repeat(one.size));
            if (one.do === 'page' && to.responseLength === undefined) ring.keepResponse(to, pages[one.page]!);
          }
          expect(ring.bytes).toBe(held(ring));
          if (ring.all.some(({ bodyText, responseBody }) => bodyText ?? responseBody))
            expect(ring.bytes).toBeLessThanOrEqual(LIMIT);
        }
      }),
    );
  });

  test('drop their bodies in the order of their arrival, and say so', () => {
    const ring = new Ring(LIMIT);
    const entries = [entry(), entry(), entry()];
    for (const one of entries) ring.add(one);
    ring.keepRequest(entries[1]!, '1'.repeat(9000));
    ring.keepResponse(entries[2]!, '2'.repeat(9000));
    expect(entries.map(({ bodyDropped }) => bodyDropped)).toEqual([undefined, undefined, undefined]);
    ring.keepRequest(entries[2]!, '3'.repeat(9000));
    expect(entries[1]).toMatchObject({ body: undefined, bodyLength: 9000, bodyDropped: 'evicted' });
    // An older one is not kept after that.
    ring.keepResponse(entries[0]!, 'late');
    expect(entries[0]).toMatchObject({ responseLength: 4, responseDropped: 'evicted' });
    expect(entries[2]!.body).toBe(Number('3'.repeat(9000)));
  });

  test('are a thousand, and the bodies of those before are not counted', () => {
    const ring = new Ring();
    for (let count = 0; count < 2500; count += 1) {
      const one = entry(`${ORIGIN}/${count}`);
      ring.add(one);
      ring.keepRequest(one, '{"a":1}');
    }
    expect(ring.all.map(({ url }) => url.slice(ORIGIN.length + 1))).toEqual(
      Array.from({ length: 1000 }, (_, index) => String(1500 + index)),
    );
    expect(ring.bytes).toBe(held(ring));
  });
});

test('bodies that no one has credentials for give way to newer ones', async () => {
  const { sandbox } = await open();
  const body = `{"refresh_token":"${'x'.repeat(60_000)}"}`;
  const headers = { 'content-type': 'application/json' };
  const count = 2 + Math.floor(JOURNAL_BYTES / (2 * body.length));
  for (let turn = 0; turn < count; turn += 1)
    await sandbox.fetch(`${ORIGIN}/api/v5/token/refreshToken`, { method: 'POST', headers, body });
  const admin = adminOf(sandbox);
  const first = (await admin('GET', 'requests/req-1')).body;
  expect(first.request).toMatchObject({ length: body.length, dropped: 'evicted' });
  expect(first.request).not.toHaveProperty('body');
  expect(first.response.dropped).toBe('evicted');
  const last = (await admin('GET', `requests/req-${count}`)).body;
  expect(last.request).toEqual({ headers: expect.anything(), body: { refresh_token: '***' }, length: body.length });
  const { log } = (await admin('GET', 'requests?format=har&limit=1000')).body;
  expect(log.entries[0].request).toMatchObject({ bodySize: body.length });
});

test('a long body shows its length alone, and no `match` meets it', async () => {
  const { sandbox, fairway } = await open();
  await fairway.post('/api/v5/bookings', { comments: 'x'.repeat(65_536) });
  const admin = adminOf(sandbox);
  expect((await admin('GET', 'requests/req-1')).body.request).toMatchObject({ length: 65_551, dropped: 'too-long' });
  const reply = await admin('POST', 'requests/verify', { operation: 'createBooking', match: { players: 1 } });
  expect(reply.status).toBe(409);
  expect(reply.body.nearest[0].differs.got).toBe('unknown, as the body is not kept (too-long)');
});

/** What a value of the caller adds to the messages of an entry must not keep the value itself. */
test.each<[what: string, body: string]>([
  ['malformed', 'x'.repeat(1_000_000)],
  ['of another type', JSON.stringify({ refresh_token: ['x'.repeat(1_000_000)] })],
  ['of a long name', JSON.stringify({ ['x'.repeat(1_000_000)]: 1 })],
])('of a long body that is %s, an entry has a short message', async (_, body) => {
  const sandbox = await createSandbox();
  const headers = { 'content-type': 'application/json' };
  await sandbox.fetch(`${ORIGIN}/api/v5/token/refreshToken`, { method: 'POST', headers, body });
  const { detail, responseLength, bodyDropped } = sandbox.journal.entries[0]!;
  expect(detail!.length).toBeLessThan(200);
  expect(responseLength).toBeLessThan(300);
  expect(bodyDropped).toBe(body.startsWith('{') ? 'too-long' : undefined);
});
