import { describe, expect, test } from 'vitest';
import { adminOf } from '../../../support/admin.js';
import { open } from '../../../support/client.js';
import { startReceiver } from '../../../support/network/receiver.js';
import { rule } from '../../../support/rule.js';
import { dayIn, type Json, teeTimesOf } from '../../../support/scenes.js';
import { openAtOnce, resultOf, search, searchQuery } from '../../../support/views.js';

describe('delivery', () => {
  rule(
    ['callback.method', 'callback.content-type', 'search.asynchronous'],
    'a POST of JSON to the very address of the request',
    async () => {
      const receiver = await startReceiver();
      const { sandbox, fairway } = await open();
      const callbackUrl = `${receiver.url}/of/partner?ticket=4%2F5&lang=nl`;
      await search(fairway, searchQuery({ callbackUrl }));
      await sandbox.callbacks.settled();
      expect(receiver.posted).toHaveLength(1);
      const [{ method, path, headers, body }] = receiver.posted as [(typeof receiver.posted)[0]];
      expect({ method, path }).toEqual({ method: 'POST', path: '/results/of/partner?ticket=4%2F5&lang=nl' });
      expect(headers['content-type']).toMatch(/^application\/json\b/);
      expect(Number(headers['content-length'])).toBe(Buffer.byteLength(body));
      expect(JSON.parse(body).success).toBe(true);
    },
  );

  rule('callback.after-ack', 'the acknowledgement comes first', async () => {
    const order: string[] = [];
    const receiver = await startReceiver((response) => {
      order.push('posted');
      response.writeHead(200).end('thanks');
    });
    const { sandbox, fairway } = await open();
    const { body } = await search(fairway, searchQuery({ callbackUrl: receiver.url }));
    order.push('acknowledged');
    expect(body).toEqual({ success: true, data: null });
    await sandbox.callbacks.settled();
    expect(order).toEqual(['acknowledged', 'posted']);
  });

  rule('callback.after-ack', 'nothing is posted or even made before the answer is out', async () => {
    const held: (() => void)[] = [];
    const posted: string[] = [];
    const { sandbox, fairway } = await open({
      schedule: (work) => (held.push(work), () => {}),
      fetch: async (url) => (posted.push(url), new Response(null, { status: 204 })),
    });
    expect((await search(fairway, searchQuery())).status).toBe(200);
    expect({ held: held.length, posted }).toEqual({ held: 1, posted: [] });
    expect(sandbox.callbacks.deliveries[0]).toMatchObject({ state: 'pending', body: null, attempts: [] });
    held[0]!();
    await sandbox.callbacks.settled();
    expect(posted).toHaveLength(1);
  });

  rule('callback.trigger', 'each accepted search leads to one delivery of its own, a refused one to none', async () => {
    const receiver = await startReceiver();
    const { sandbox, fairway, links } = await open();
    const wishes = [{ players: 1 }, { players: 4 }, { facilityIds: [1007, 1016] }];
    for (const [index, wish] of wishes.entries()) {
      const callbackUrl = `${receiver.url}/${index}`;
      await search(index === 2 ? links : fairway, searchQuery({ ...wish, callbackUrl }));
      await search(fairway, { ...searchQuery({ ...wish, callbackUrl }), holes: '12' });
    }
    await sandbox.callbacks.settled();
    expect(receiver.posted.map(({ path }) => path).sort()).toEqual(['/results/0', '/results/1', '/results/2']);
    const sizes = receiver.posted.map(({ body }) => JSON.parse(body).data.length);
    expect(sizes.sort()).toEqual([1, 1, 2]);
    const records = sandbox.callbacks.deliveries;
    expect(records.map(({ channel }) => channel)).toEqual(['fairway', 'fairway', 'links']);
    expect(new Set(records.map(({ id }) => id)).size).toBe(3);
    for (const { state, attempts } of records) {
      expect({ state, attempts: attempts.length }).toEqual({ state: 'delivered', attempts: 1 });
    }
  });

  test('the record of a delivery names its search, its target, what was sent and what came back', async () => {
    const receiver = await startReceiver((response) => response.writeHead(201).end());
    const { sandbox, fairway } = await open();
    const { headers } = await search(fairway, searchQuery({ callbackUrl: receiver.url }));
    await sandbox.callbacks.settled();
    expect(sandbox.callbacks.deliveries).toEqual([
      {
        id: expect.any(String),
        requestId: headers.get('teebox-request-id'),
        channel: 'fairway',
        url: receiver.url,
        state: 'delivered',
        body: receiver.posted[0]!.body,
        attempts: [{ at: '2026-06-01T08:00:00.000Z', status: 201 }],
      },
    ]);
  });

  test('a reset drops what was on its way', async () => {
    const receiver = await startReceiver();
    const { sandbox, fairway } = await open();
    await search(fairway, searchQuery({ callbackUrl: receiver.url }));
    await sandbox.reset();
    await search(fairway, searchQuery({ callbackUrl: `${receiver.url}/after` }));
    await sandbox.callbacks.settled();
    expect(receiver.posted.map(({ path }) => path)).toEqual(['/results/after']);
    expect(sandbox.callbacks.deliveries).toHaveLength(1);
  });
});

test('a reset hangs up on a receiver that has not answered', async () => {
  let hungUp = () => {};
  const closed = new Promise<void>((resolve) => (hungUp = resolve));
  let arrived = () => {};
  const came = new Promise<void>((resolve) => (arrived = resolve));
  const receiver = await startReceiver((response) => {
    response.on('close', hungUp);
    arrived();
  });
  const { sandbox, fairway } = await open();
  await search(fairway, searchQuery({ callbackUrl: receiver.url }));
  await came;
  await sandbox.reset();
  await closed;
  expect(sandbox.callbacks.deliveries).toEqual([]);
});

describe('memory', () => {
  test('the last thousand deliveries are remembered', async () => {
    const { sandbox, fairway } = await openAtOnce();
    for (let count = 1; count <= 1003; count += 1) await search(fairway, searchQuery({ facilityIds: [4] }));
    await sandbox.callbacks.settled();
    const { deliveries } = sandbox.callbacks;
    expect(deliveries).toHaveLength(1000);
    expect(deliveries.at(-1)!.id).toBe('callback-1003');
  });

  test(
    'bodies push older ones out, the largest are not kept, and all of them can be posted again',
    { tags: ['slow'] },
    async () => {
      const posted: number[] = [];
      const { sandbox, fairway } = await openAtOnce({
        fetch: async (_, { body }) => (posted.push((body as string).length), new Response()),
      });
      const large = { facilityIds: [1010, 1043, 1065, 1054], from: 1, to: 14 };
      for (const wish of [{}, large, large, large, { ...large, to: 40 }, {}]) await resultOf(fairway, wish);
      const { deliveries } = sandbox.callbacks;
      const kept = deliveries.map(({ body }) => body?.length ?? 0);
      expect(kept.map((length) => length > 0)).toEqual([false, false, true, true, false, true]);
      const sum = kept.reduce((a, b) => a + b);
      expect(sum).toBeGreaterThan(10_000_000);
      expect(sum).toBeLessThan(16_000_000);
      for (const id of [1, 5]) {
        await adminOf(sandbox)('POST', `callbacks/callback-${id}/redeliver`);
        expect(posted.at(-1)).toBe(posted[id - 1]);
      }
    },
  );
});

describe('body', () => {
  rule(
    ['callback.body', 'callback.item.facilityId', 'callback.item.teeTimeV3', 'callback.one-per-facility'],
    'one element a facility in the order asked for, empty where there is nothing',
    async () => {
      const receiver = await startReceiver();
      const { sandbox, fairway } = await open();
      // An open course, one that only another channel may see, one that does not exist, one closed on Mondays.
      const facilityIds = [1016, 1006, 4, 1063, 1001];
      await search(fairway, searchQuery({ facilityIds, from: 7, callbackUrl: receiver.url }));
      await sandbox.callbacks.settled();
      const body = JSON.parse(receiver.posted[0]!.body);
      expect(Object.keys(body)).toEqual(['success', 'data']);
      expect(body.success).toBe(true);
      for (const element of body.data) expect(Object.keys(element)).toEqual(['facilityId', 'teeTimeV3']);
      expect(body.data.map(({ facilityId }: Json) => facilityId)).toEqual(facilityIds);
      const full = body.data.filter(({ teeTimeV3 }: Json) => teeTimeV3.length > 0);
      expect(full.map(({ facilityId }: Json) => facilityId)).toEqual([1016, 1001]);
    },
  );

  rule('callback.one-per-facility', 'a facility named twice has one element', async () => {
    const { fairway } = await openAtOnce();
    const { data } = await resultOf(fairway, { facilityIds: [1001, 1007, 1001] });
    expect(data.map(({ facilityId }: { facilityId: number }) => facilityId)).toEqual([1001, 1007]);
  });

  rule('callback.filter', 'the days with both ends, the holes, and at least the places asked for', async () => {
    const { fairway } = await openAtOnce();
    for (const { players, holes, from, to } of [
      { players: 1, holes: 18, from: 5, to: 9 },
      { players: 4, holes: 18, from: 5, to: 5 },
      { players: 3, holes: 9, from: 28, to: 32 },
    ]) {
      const { data } = await resultOf(fairway, { facilityIds: [1001, 1010], from, to, players, holes });
      const found = data.flatMap(({ teeTimeV3 }: { teeTimeV3: unknown[] }) => teeTimeV3);
      const days = [];
      for (let day = from; day <= to; day += 1) days.push(dayIn(day).iso);
      expect([...new Set(found.map(({ time }: { time: string }) => time.slice(0, 10)))].sort()).toEqual(days);
      for (const teeTime of found) {
        expect(teeTime.holes).toBe(holes);
        for (const { available } of teeTime.products) expect(available).toBeGreaterThanOrEqual(players);
      }
    }
  });

  rule('callback.tee-time-shape', 'the tee times are those of v4, letter by letter', async () => {
    const receiver = await startReceiver();
    const { sandbox, fairway } = await open();
    await search(fairway, searchQuery({ facilityIds: [1009], callbackUrl: receiver.url, holes: 9 }));
    await sandbox.callbacks.settled();
    const shown = await teeTimesOf(fairway, { facilityId: 1009, holes: 9 });
    expect(shown.length).toBeGreaterThan(0);
    const want = JSON.stringify({ success: true, data: [{ facilityId: 1009, teeTimeV3: shown }] });
    expect(receiver.posted[0]!.body).toBe(want);
  });

  test('an unconnected facility is shown where the dialect opens it, and stays empty otherwise', async () => {
    const table = [
      { option: 'empty', shown: false },
      { option: 'refused', shown: false },
      { option: 'open', shown: true },
    ] as const;
    for (const { option, shown } of table) {
      const { fairway } = await openAtOnce({ dialect: { answers: { 'facility.unconnected': option } } });
      const { success, data } = await resultOf(fairway, { facilityIds: [1006, 1001] });
      expect(success).toBe(true);
      expect({ option, shown: data[0].teeTimeV3.length > 0 }).toEqual({ option, shown });
      expect(data[1].teeTimeV3.length).toBeGreaterThan(0);
    }
  });
});
