import { describe, expect, test } from 'vitest';
import { Inconclusive } from '../../../src/conformance/client/outcome.js';
import { permissions } from '../../../src/conformance/client/types.js';
import { ok, transportTo, unlisted } from './transport-to.js';

describe('an answer that does not come', () => {
  const failing = (times: number) => () => {
    if ((times -= 1) >= 0) throw new TypeError('fetch failed', { cause: { code: 'ECONNRESET' } });
    return ok();
  };
  test('is asked for again, where that only reads', async () => {
    const { transport, exchanges } = transportTo(failing(1));
    expect((await transport.send({ operation: 'v3.listCountries' })).ok).toBe(true);
    expect(exchanges.map(({ failure }) => failure)).toEqual([expect.stringContaining('(ECONNRESET)'), undefined]);
  });

  test('is inconclusive in the end', async () => {
    const { transport, sent, waits } = transportTo(failing(5));
    await expect(transport.send({ operation: 'v3.listCountries' })).rejects.toMatchObject({ reason: 'network' });
    expect(sent).toHaveLength(5);
    expect(waits).toEqual([250, 500, 1000, 2000]);
  });

  test('of a booking is not asked for again, and may have left one behind', async () => {
    const { transport, sent } = transportTo(failing(1), { allow: new Set(permissions), ...unlisted });
    const body = { facilityId: 1, teetime: '2026-07-01 09:00:00', players: 1 };
    const sending = transport.send({ operation: 'v5.createBooking', body, breaking: 'bookings.create' });
    await expect(sending).rejects.toThrow(Inconclusive);
    expect(sent).toHaveLength(1);
    expect(transport.budget.leftovers).toMatchObject([{ kind: 'perhaps' }]);
    expect(transport.budget.left).toBe(2);
  });

  test('and a 429 is waited for as long as it says', async () => {
    let first = true;
    const { transport, waits } = transportTo(() => {
      if (!first) return ok();
      first = false;
      return new Response('{}', { status: 429, headers: { 'retry-after': '2' } });
    });
    expect((await transport.send({ operation: 'v3.listCountries' })).ok).toBe(true);
    expect(waits).toEqual([2000]);
  });

  const DATE = new Date(3000).toUTCString();
  const busy = (status: number, retryAfter?: string) => () =>
    new Response('{}', { status, headers: retryAfter === undefined ? {} : { 'retry-after': retryAfter } });
  test.each<[what: string, answer: () => Response, changes: object, waits: number[]]>([
    ['a 503', busy(503), {}, [250, 500, 1000, 2000]],
    ['a 503 that asks for seconds', busy(503, '3'), {}, [3000, 3000, 3000, 3000]],
    ['a 429 that asks for seconds', busy(429, '7'), {}, [7000, 7000, 7000, 7000]],
    ['a 429 until a date', busy(429, DATE), {}, [3000]],
    ['a 429 that asks for too long', busy(429, '61'), {}, []],
    ['a 429 that asks for more than the run has', busy(429, '7'), { deadline: 25_000 }, [7000, 7000]],
    ['a 500', busy(500), {}, []],
    ['a 404', busy(404), {}, []],
  ])('%s is retried after the pause that is asked for', async (_, answer, changes, wanted) => {
    const { transport, waits } = transportTo(answer, changes);
    await transport.send({ operation: 'v3.listCountries' }).catch(() => {});
    expect(waits.slice(0, wanted.length)).toEqual(wanted);
    if (wanted.length !== 1) expect(waits).toHaveLength(wanted.length);
  });

  test.each([503, 429, 502, 504])('a %i to what is no read is not retried', async (status) => {
    const { transport, sent } = transportTo(busy(status), { allow: new Set(permissions), ...unlisted });
    const body = { facilityId: 1, teetime: '2026-07-01 09:00:00', players: 1 };
    await transport.send({ operation: 'v5.createBooking', body, breaking: 'bookings.create' }).catch(() => {});
    expect(sent).toHaveLength(1);
  });

  test('the pace is slower after a 429, and recovers', async () => {
    let count = 0;
    const { transport, waits } = transportTo(() => ((count += 1) === 1 ? busy(429, '1')() : ok()));
    for (let times = 0; times < 60; times += 1) await transport.send({ operation: 'v3.listCountries' });
    expect(waits[0]).toBe(1000);
    expect(waits[1]).toBeGreaterThan(20);
    expect(waits.at(-1)).toBeLessThan(waits[1]!);
    expect(waits.length).toBeLessThan(60);
  });
});
