import { describe, expect, test } from 'vitest';
import type { DialectCard } from '../../../../src/engine/state/dialect.js';
import { open, openWith } from '../../../support/client.js';
import { rule } from '../../../support/rule.js';
import { bookingFor, dayIn, findTeeTime, teeTimesOf, teeTimesPath } from '../../../support/scenes.js';

type Answers = NonNullable<DialectCard['answers']>;

const search = `bookingDate=${dayIn(10).query}&players=1&holes=18`;

describe('unknown course', () => {
  const table = [
    { option: undefined, want: { status: 404, success: false } },
    { option: 404, want: { status: 404, success: false } },
    { option: 400, want: { status: 400, success: false } },
    { option: 200, want: { status: 200, success: false } },
    { option: 'empty', want: { status: 200, success: true } },
  ] as const;
  for (const { option, want } of table) {
    rule('teetimes.course-unknown', `course.unknown: ${option ?? 'default'}`, async () => {
      const fairway = await openWith(option === undefined ? {} : { 'course.unknown': option });
      // A number that no course has, and the course of another facility.
      for (const course of [99999, 10021]) {
        const { status, body, rule: decided } = await fairway.get(`/api/v5/teetimes/1001/${course}?${search}`);
        expect({ status, success: body.success }).toEqual(want);
        expect(decided).toBe('teetimes.course-unknown');
        if (!want.success) expect(body.message).toContain(String(course));
        else expect(body.data.teeTimeV3).toEqual([]);
      }
      const { data } = (await fairway.get(`/api/v5/teetimes/1001/10011?${search}`)).body;
      expect(data.teeTimeV3.length).toBeGreaterThan(0);
    });
  }
});

describe('unknown facility', () => {
  const table = [
    { option: 404, status: 404, success: false },
    { option: 400, status: 400, success: false },
    { option: 200, status: 200, success: false },
    { option: 'empty', status: 200, success: true },
  ] as const;
  for (const { option, status, success } of table) {
    rule('facilities.unknown', `facility.unknown: ${option}, in every version of the tee times`, async () => {
      const fairway = await openWith({ 'facility.unknown': option });
      for (const path of ['v2/teetimes/4', 'v3/teetimes/4', 'v4/teetimes/4', 'v5/teetimes/4/41']) {
        const reply = await fairway.get(`/api/${path}?${search}`);
        expect({ path, status: reply.status, success: reply.body.success }).toEqual({ path, status, success });
        if (success) expect(reply.body.data.teeTimeV2 ?? reply.body.data.teeTimeV3 ?? reply.body.data).toEqual([]);
        else expect(reply.body.data).toBeNull();
      }
    });
  }
});

describe('facility of another channel', () => {
  // Facility 1006 is connected to `links` alone.
  const path = teeTimesPath('v4', { facilityId: 1006 });
  const table = [
    { option: 'empty', status: 200, shown: false },
    { option: 'refused', status: 403, shown: false },
    { option: 'open', status: 200, shown: true },
  ] as const;
  for (const { option, status, shown } of table) {
    rule('facilities.connected-scope', `facility.unconnected: ${option}`, async () => {
      const { fairway, links } = await open({ dialect: { answers: { 'facility.unconnected': option } } });
      // Asked by its own channel first, so that a kept answer would leak.
      expect((await links.get(path)).body.data.teeTimeV3.length).toBeGreaterThan(0);
      const reply = await fairway.get(path);
      expect(reply.status).toBe(status);
      expect((reply.body.data?.teeTimeV3 ?? []).length > 0).toBe(shown);
    });
  }
});

describe('fields whose meaning is open', () => {
  rule('teetimes.item-v3.players-meaning', 'teetimes.players-field: available and requested', async () => {
    const wanted = { players: 2 };
    for (const version of ['v2', 'v3'] as const) {
      const list = async (answers: Answers) => {
        const { data } = (await (await openWith(answers)).get(teeTimesPath(version, wanted))).body;
        return (data.teeTimeV2 ?? data).map(({ players }: { players: number }) => players);
      };
      const free = (await teeTimesOf(await openWith({}), wanted)).map(({ products }) => products[0].available);
      expect(new Set(free).size).toBeGreaterThan(1);
      expect(await list({})).toEqual(free);
      expect(await list({ 'teetimes.players-field': 'available' })).toEqual(free);
      expect(await list({ 'teetimes.players-field': 'requested' })).toEqual(free.map(() => 2));
    }
  });

  rule('teetimes.item-v3.players-meaning', 'what is repeated is each request, not the one before', async () => {
    const fairway = await openWith({ 'teetimes.players-field': 'requested' });
    for (const players of [1, 4, 2]) {
      const { data } = (await fairway.get(teeTimesPath('v2', { players }))).body;
      expect(new Set(data.map((teeTime: { players: number }) => teeTime.players))).toEqual(new Set([players]));
    }
  });

  rule('teetimes.product.players', 'teetimes.product-players: null or the most there can be', async () => {
    const products = async (answers: Answers) => {
      const teeTimes = await teeTimesOf(await openWith(answers));
      expect(teeTimes.length).toBeGreaterThan(0);
      return teeTimes.flatMap((teeTime) => teeTime.products);
    };
    for (const { players } of await products({})) expect(players).toBeNull();
    for (const { players } of await products({ 'teetimes.product-players': 'maximum' })) expect(players).toBe(4);
  });

  rule('teetimes.product.linked-elements', 'teetimes.linked-products: empty, ids, objects', async () => {
    // Facility 1058 sells 36 holes on tee times of 18.
    const wanted = { facilityId: 1058 };
    const linked = async (answers: Answers) => {
      const [teeTime] = await teeTimesOf(await openWith(answers), wanted);
      return teeTime!.products.map(({ mid, name, linkedProducts }) => ({ mid, name, linkedProducts }));
    };
    const plain = await linked({});
    expect(plain.map(({ linkedProducts }) => linkedProducts)).toEqual(plain.map(() => []));
    const [single, double] = plain;
    const ids = await linked({ 'teetimes.linked-products': 'ids' });
    expect(ids.map((one) => one.linkedProducts)).toEqual([[], [single!.mid]]);
    const { mid, name } = single!;
    const objects = await linked({ 'teetimes.linked-products': 'objects' });
    expect(objects.find((one) => one.mid === double!.mid)!.linkedProducts).toEqual([{ mid, name }]);
  });
});

describe('other switches', () => {
  test('error.validation: 422 goes for tee times as well', async () => {
    const fairway = await openWith({ 'error.validation': 422 });
    expect((await fairway.get(teeTimesPath('v4', { players: 5 }))).status).toBe(422);
  });

  test('booking.cancel: delete gives the places back', async () => {
    const fairway = await openWith({ 'booking.cancel': 'delete' });
    const before = await findTeeTime(fairway, { players: 2 });
    const { bookingId } = (await fairway.post('/api/v5/bookings', bookingFor(before, { players: 2 }))).body.data;
    expect(await teeTimesOf(fairway)).not.toContainEqual(before);
    expect((await fairway.send('DELETE', `/api/v4/bookings/${bookingId}`)).status).toBe(200);
    expect(await teeTimesOf(fairway)).toContainEqual(before);
  });
});
