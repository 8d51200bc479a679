import { describe, expect, test } from 'vitest';
import type { SandboxOptions } from '../../../../src/engine/library.js';
import { deploy, type Layer, resultOf } from '../../deployment.js';
import { listing } from '../../mutants/layers/booking-lists.js';
import { complaintsOf } from '../../full-run.js';

const prices = /\/price\/insideDateRange$/;
const HOUR = 3_600_000;

/** What a run that only reads complains of. */
async function complaints(layer: Layer, settings: SandboxOptions = {}): Promise<string[]> {
  return complaintsOf(await (await deploy(settings, layer)).check());
}

/** The facilities that a run meets first, in their order. */
async function firstMet(count: number, settings: SandboxOptions): Promise<readonly number[]> {
  const met = new Set<number>();
  const layer: Layer = async (request, through) => {
    const response = await through(request);
    if (/v3\/facilities\?.*connected=true/.test(request.url) && response.ok) {
      const { data } = await response.clone().json();
      for (const { id } of data) met.add(id);
    }
    return response;
  };
  await (await deploy(settings, layer)).check();
  return [...met].slice(0, count);
}

/** Leaves so few tee times to some facilities, in every version and in the price list. */
function poor(facilities: readonly number[], left: number): Layer {
  return async (request, through) => {
    const response = await through(request);
    const { pathname, searchParams } = new URL(request.url);
    const id = Number(/\/teetimes\/(\d+)/.exec(pathname)?.[1]);
    if (!response.ok || !(prices.test(pathname) || facilities.includes(id))) return response;
    const body = await response.json();
    /** The tee times that are left of a facility on a day. */
    const keptOn = async (facility: number, day: string, holes: readonly string[]): Promise<readonly any[]> => {
      const kept: unknown[] = [];
      for (const one of holes) {
        const query = `bookingDate=${day}&players=1&holes=${one}`;
        const url = new URL(`/api/v4/teetimes/${facility}?${query}`, request.url);
        const { data } = await (await through(new Request(url, { headers: request.headers }))).json();
        kept.push(...data.teeTimeV3.slice(0, left));
      }
      return kept;
    };
    if (facilities.includes(id)) {
      const kept = await keptOn(id, searchParams.get('bookingDate')!, [searchParams.get('holes')!]);
      const ids = new Set(kept.map(({ teeid }) => teeid));
      const some = (list: any[] | undefined) => list?.filter((one) => ids.has(one.teeid ?? one.id));
      if (Array.isArray(body.data)) body.data = some(body.data);
      for (const name of ['teeTimeV2', 'teeTimeV3']) body.data[name] = some(body.data[name]);
    }
    const days = new Map<string, readonly any[]>();
    for (const record of body.data.records ?? []) {
      if (!facilities.includes(record.facilityId)) continue;
      const key = `${record.facilityId} ${record.date}`;
      const day = record.date.split('-').reverse().join('-');
      if (!days.has(key)) days.set(key, await keptOn(record.facilityId, day, ['18', '9']));
      const sells = ({ course, products }: any) =>
        course === record.courseName && products.some(({ mid }: any) => mid === record.productId);
      const times = new Set(
        days
          .get(key)!
          .filter(sells)
          .map(({ time }) => time.slice(11)),
      );
      record.availability = record.availability?.filter(({ time }: any) => times.has(time)) ?? [];
    }
    return Response.json(body, { status: response.status });
  };
}

/** Loses the second price record of several facilities for good, from a moment on. */
function losing(moment: number): Layer {
  let [count, lost] = [0, ''];
  const nameOf = (one: any): string => `${one.facilityId} ${one.date} ${one.productId}`;
  return async (request, through) => {
    count += 1;
    const url = new URL(request.url);
    const { searchParams: query } = url;
    const [offset, limit] = [query.get('offset') ?? '0', query.get('limit')];
    if (!prices.test(url.pathname) || Number(offset) < 0 || Number(limit) < 0) return through(request);
    for (const name of ['offset', 'limit']) query.delete(name);
    const now = count;
    const response = await through(new Request(url, { headers: request.headers }));
    if (!response.ok) return response;
    const { data } = await response.json();
    if (lost === '' && query.get('facilityIds')?.includes(',')) lost = nameOf(data.records[1]);
    const left = data.records.filter((one: any) => now < moment || nameOf(one) !== lost);
    const end = limit === null ? undefined : Number(offset) + Number(limit);
    return Response.json({ success: true, data: { records: left.slice(Number(offset), end), total: left.length } });
  };
}

/** Days begin and end as in UTC, for tee times early and late, so many hours ahead of it. */
function byInstant(hours: number): Layer {
  const day = (text: string | null): number => Date.parse(`${text?.split('-').reverse().join('-')}T00:00:00Z`);
  return inAllLists((items, query) => {
    const [from, to] = [day(query.get('fromDate')), day(query.get('toDate')) + 24 * HOUR];
    return items
      .map((item) => ({
        ...item,
        teetime: `${item['teetime'].slice(0, 10)}T${item['teeId'] % 2 ? '06:10' : '19:50'}:00`,
      }))
      .filter(({ teetime }) => {
        const instant = Date.parse(`${teetime}Z`) - hours * HOUR;
        return !(instant < from) && !(instant >= to);
      });
  });
}

/** Alters the booking list of every version. */
function inAllLists(alter: Parameters<typeof listing>[1]): Layer {
  const [v1, v2, v4] = ['v1', 'v2', 'v4'].map((version) => listing(version, alter)) as [Layer, Layer, Layer];
  return (request, through) => v1(request, (one) => v2(one, (next) => v4(next, through)));
}

describe('a run that only reads has no reason to complain of', () => {
  test.each([
    [40, 0],
    [100, 3],
  ])('%i facilities, the first of which have %i tee times a day', async (facilities, left) => {
    const first = await firstMet(5, { facilities });
    expect(first.length).toBe(5);
    expect(await complaints(poor(first, left), { facilities })).toEqual([]);
  });

  test('a price record that is gone of a sudden, whenever', async () => {
    for (let moment = 3; moment <= 59; moment += 4) expect(await complaints(losing(moment))).toEqual([]);
  });

  test.each([-11, -5, 8, 13])('days that begin as in UTC, %i hours from where the tee times are', async (hours) => {
    for (const seed of [1, 2, 3]) expect(await complaints(byInstant(hours), { seed })).toEqual([]);
  });
});

describe('a run that only reads', () => {
  test.each<[id: Parameters<typeof resultOf>[1], what: string, layer: Layer]>([
    [
      'prices.limit-bounds',
      'no page holds anything',
      async (request, through) => {
        const response = await through(request);
        if (!/[?&]limit=/.test(request.url) || !response.ok) return response;
        const body = await response.json();
        return Response.json({ ...body, data: { ...body.data, records: [] } });
      },
    ],
    ['teetimes.filter.course', 'there is one course', async (request, through) => through(request)],
  ])('%s passes nothing that it cannot see: %s', async (id, _, layer) => {
    const report = await (await deploy({ facilities: 1 }, layer)).check();
    expect(resultOf(report, id)).toMatchObject({ verdict: 'inconclusive', reason: 'no-data' });
  });

  test('finds a list that any toDate empties, also with one booking', async () => {
    const layer = inAllLists((items, query) => (query.has('toDate') ? [] : items.slice(0, 1)));
    const report = await (await deploy({}, layer)).check();
    expect(resultOf(report, 'bookings.list.toDate').verdict).toBe('fail');
  });
});
