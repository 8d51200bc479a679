import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { NotAllowed, SuiteError } from '../../../src/conformance/client/outcome.js';
import { effectOf } from '../../../src/conformance/client/permission.js';
import type { RequestCall } from '../../../src/conformance/client/request.js';
import { type Permission, permissions } from '../../../src/conformance/client/types.js';
import { ok, transportTo, unlisted } from './transport-to.js';
import { operations } from '../../../src/contract/generated/operations.js';

/** What an operation does, by its name: the oracle of the properties below. */
const effects: Readonly<Record<string, Permission>> = {
  refreshToken: 'tokens',
  searchTeeTimes: 'callbacks',
  createBooking: 'bookings',
  createBulkBooking: 'bookings',
  confirmPayment: 'payments',
  confirmBulkPayment: 'payments',
};

const leave = fc.subarray([...permissions]).map((allowed) => new Set(allowed));
const values: Readonly<Record<string, string>> = {
  version: 'v4',
  country: 'Spain',
  holes: '9',
  serviceBookingId: 'no-such-booking',
  bulkBookingId: '2147483646',
};
const callOf = (operation: (typeof operations)[number], breaking = true): RequestCall => ({
  operation: operation.id,
  params: Object.fromEntries(operation.parameters.map(({ name }) => [name, values[name] ?? '1'])),
  ...('bodies' in operation ? { body: { any: 1 } } : {}),
  ...(breaking ? { breaking: 'versions.method' as const } : {}),
});

describe('nothing leaves without leave', () => {
  test('for any operation', async () => {
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...operations), leave, async (operation, allow) => {
        const { transport, sent } = transportTo(ok, { allow, ...(operation.name === 'listBookings' ? {} : unlisted) });
        const effect = effects[operation.name];
        const sending = transport.send(callOf(operation));
        if (effect === undefined || allow.has(effect)) await sending;
        else await expect(sending).rejects.toThrow(NotAllowed);
        expect(sent).toHaveLength(effect === undefined || allow.has(effect) ? 1 : 0);
      }),
    );
  });

  const spelled = fc.record({
    version: fc.constantFrom('v1', 'v2', 'v5', 'V5', 'v9', 'latest'),
    before: fc.constantFrom('/', '//', '/./', '/x/../', '/%2e/'),
    after: fc.constantFrom('', '/', '//', '?a=b', ';x=y', '#f', '.json', '%2f'),
    letters: fc.func(fc.constantFrom('lower', 'upper', 'escaped')),
  });
  const spell = (path: string, letters: (index: number) => string): string =>
    [...path]
      .map((letter, index) => {
        if (letter === '/') return letter;
        const escaped = `%${letter.charCodeAt(0).toString(16)}`;
        return { lower: letter, upper: letter.toUpperCase(), escaped }[letters(index)]!;
      })
      .join('');

  test.each<[path: string, effect: Permission]>([
    ['token/refreshToken', 'tokens'],
    ['bookings/payment/b', 'payments'],
    ['bulkbookings/payment/1', 'payments'],
    ['bulkbookings', 'bookings'],
    ['bookings/b', 'bookings'],
    ['teetimes', 'callbacks'],
  ])('however %s is spelled, by any method', async (path, effect) => {
    await fc.assert(
      fc.asyncProperty(spelled, fc.constantFrom('GET', 'POST', 'DELETE'), async (how, method) => {
        const { version, before, after, letters } = how;
        const { transport, sent } = transportTo(ok, { allow: new Set(permissions.filter((one) => one !== effect)) });
        const whole = `${before}api/${version}/${spell(path, letters)}${after}`;
        await expect(transport.send({ method, path: whole, breaking: 'versions.path' })).rejects.toThrow(NotAllowed);
        expect(sent).toEqual([]);
      }),
    );
  });

  test.each(['bookings/payment/theirs', 'bulkbookings/payment/9', 'bookings/theirs', 'bulkbookings/9'])(
    'however %s is spelled, with every permission: the run has not made it',
    async (path) => {
      await fc.assert(
        fc.asyncProperty(spelled, fc.constantFrom('GET', 'POST', 'DELETE', 'PUT'), async (how, method) => {
          const { version, before, after, letters } = how;
          const { transport, sent } = transportTo(ok, { allow: new Set(permissions) });
          const whole = `${before}api/${version}/${spell(path, letters)}${after}`;
          const sending = transport.send({ method, path: whole, breaking: 'versions.path' });
          await expect(sending).rejects.toThrow(SuiteError);
          expect(sent).toEqual([]);
        }),
      );
    },
  );

  test.each([
    ['GET', '/api/v3/countries', 'read'],
    ['GET', '/api/v5/teetimes/1/2?players=1', 'read'],
    ['GET', '/api/v4/bookings?fromDate=01-01-2026', 'read'],
    ['HEAD', '/api/v9/anything', 'read'],
    ['POST', '/api/v3/countries', 'bookings'],
    ['PUT', '/api/v4/bookings', 'bookings'],
  ])('%s %s needs: %s', (method, path, effect) => {
    expect(effectOf(method, path)).toBe(effect);
  });
});

describe('the suite checks its own requests', () => {
  const params = { facilityId: 1, bookingDate: '01-07-2026', players: 1, holes: 18 };
  test.each<[params: object, fault: RegExp]>([
    [{ players: 5 }, /`players` is no integer that fits: 5/],
    [{ holes: 12 }, /`holes`/],
    [{ bookingDate: '2026-07-01' }, /`bookingDate`/],
    [{ bookingDate: undefined }, /`bookingDate` is missing/],
    [{ stray: 1 }, /`stray` is no parameter/],
  ])('%j', async (change, fault) => {
    const { transport, sent } = transportTo(ok);
    const call: RequestCall = { operation: 'v4.listTeeTimes', params: { ...params, ...change } };
    await expect(transport.send(call)).rejects.toThrow(SuiteError);
    await expect(transport.send(call)).rejects.toThrow(fault);
    expect(sent).toEqual([]);
    await transport.send({ ...call, breaking: 'limits.players' });
    expect(sent).toHaveLength(1);
  });

  test('bodies too', async () => {
    const { transport } = transportTo(ok, { allow: new Set(permissions) });
    await expect(transport.send({ operation: 'v5.createBooking', body: { players: 1 } })).rejects.toThrow(SuiteError);
  });
});

test('the pace is kept', async () => {
  const { transport, waits } = transportTo(ok, { rps: 4 });
  for (let count = 0; count < 3; count += 1) await transport.send({ operation: 'v3.listCountries' });
  expect(waits).toEqual([250, 250]);
});

describe('at the time limit', () => {
  const limited = (answer: (request: Request) => Promise<Response>) =>
    transportTo(answer, {}, (work) => (setTimeout(work), () => {})).transport;
  const call: RequestCall = { operation: 'v3.listCountries' };

  test('a request that is under way is given up', async () => {
    const signals: AbortSignal[] = [];
    const transport = limited((request) => (signals.push(request.signal), new Promise(() => {})));
    await expect(transport.send(call)).rejects.toThrow('an answer to GET');
    expect(signals.map(({ aborted }) => aborted)).toEqual([true, true]);
  });

  test('a body that does not end is given up', async () => {
    let left = 0;
    const endless = (): ReadableStream => new ReadableStream({ cancel: () => void (left += 1) });
    await expect(limited(async () => new Response(endless())).send(call)).rejects.toThrow('an answer to GET');
    expect(left).toBe(2);
  });
});

describe('the write budget', () => {
  const item = { facilityId: 1, teetime: '2026-07-01 09:00:00', players: 1 };
  const create = (body: unknown): RequestCall => ({ operation: 'v5.createBooking', body, breaking: 'bookings.create' });
  const made = () => Response.json({ success: true, data: { bookingId: 'b1' } });
  const refusal = () => Response.json({ success: false, data: null }, { status: 400 });
  const allow = new Set(permissions);

  test('counts what was made, and what may have been made', async () => {
    const { transport } = transportTo(made, { allow });
    await transport.send(create(item));
    expect(transport.budget.left).toBe(2);
    expect(transport.budget.leftovers).toMatchObject([{ kind: 'booking', bookingId: 'b1', channel: 'first' }]);
    const other = transportTo(refusal, { allow });
    await other.transport.send(create([item, item]));
    expect(other.transport.budget.left).toBe(1);
    expect(other.transport.budget.leftovers).toMatchObject([{ kind: 'perhaps' }, { kind: 'perhaps' }]);
  });

  test.each([
    ['an array', [item, item, item, item]],
    ['details', { details: [item, item, item, item] }],
    ['text', JSON.stringify([item, item, item, item])],
  ])('holds back %s that is too much', async (_, body) => {
    const { transport, sent } = transportTo(made, { allow });
    await expect(transport.send(create(body))).rejects.toMatchObject({ reason: 'budget' });
    expect(sent).toEqual([]);
  });
});

test('no secret is recorded', async () => {
  const token = '6f1c7a5e-0d2b-4c3d-8e4f-5a6b7c8d9e0f';
  const { transport, exchanges } = transportTo(
    () => Response.json({ success: true, data: { echo: `a-password ${token}` } }),
    {
      allow: new Set(permissions),
      first: { basic: { username: 'ann', password: 'a-password' }, refreshToken: token },
    },
  );
  await transport.send({ operation: 'v3.listCountries', headers: { 'x-echo': token } });
  await transport.send({ operation: 'refreshToken', params: { version: 'v1' }, body: { refresh_token: token } });
  const text = JSON.stringify(exchanges);
  expect(text).toContain('***');
  for (const secret of [token, 'a-password', btoa('ann:a-password')]) expect(text).not.toContain(secret);
});

describe('the latest answer to a read', () => {
  const list = { operation: 'v3.listFacilities', params: { country: 'Spain', connected: true } } as const;
  const book = { operation: 'v2.createBooking', body: {}, breaking: 'bookings.create.v2' } as const;

  test.each<[what: string, between: readonly RequestCall[], asked: number]>([
    ['is taken again', [], 1],
    ['is taken again after another read', [{ ...list, params: { country: 'Spain' } }], 1],
    ['is asked for anew after a write', [book], 2],
  ])('%s', async (_, between, asked) => {
    const empty = () => Response.json({ success: true, data: [] });
    const { transport, sent } = transportTo(empty, { allow: new Set(['bookings']), ...unlisted });
    const since = await transport.send(book);
    await transport.latest(list, since);
    for (const call of between) await transport.send(call);
    const { id } = await transport.latest(list, since);
    expect(sent.filter(({ url }) => url.includes('connected'))).toHaveLength(asked);
    expect(transport.replies.findLast(({ asked }) => asked?.params['connected'])?.id).toBe(id);
  });

  test('is none of before another answer', async () => {
    const { transport, sent } = transportTo(() => Response.json({ success: true, data: [] }), unlisted);
    await transport.send(list);
    const since = await transport.send({ ...list, params: { country: 'Spain' } });
    await transport.latest(list, since);
    expect(sent).toHaveLength(3);
  });
});
