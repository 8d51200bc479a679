import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Client, open } from '../../../support/client.js';
import { rule } from '../../../support/rule.js';
import { sampledRule } from '../../../support/sampled.js';
import { dayIn, type Json, teeTimesOf, teeTimesPath } from '../../../support/scenes.js';
import { openAtOnce, pricesOf, resultOf, viewsOf } from '../../../support/views.js';

/** One course and several, 9 and 18 holes, Europe and far from it. */
const facilityId = fc.constantFrom(1001, 1002, 1004, 1007, 1010, 1016, 1031, 1043, 1049, 1065);
const days = fc.integer({ min: 0, max: 90 });
const players = fc.integer({ min: 1, max: 4 });
const holes = fc.constantFrom(9, 18);
const runs = [10, 25] as const;

const listOf = async (client: Client, version: 'v2' | 'v3' | 'v4', wanted: Parameters<typeof teeTimesPath>[1]) => {
  const { data } = (await client.get(teeTimesPath(version, wanted))).body;
  return data.teeTimeV2 ?? data.teeTimeV3 ?? data;
};

/** Tee times of `part` that `whole` does not have, or has with other values. */
const missingFrom = (whole: readonly unknown[], part: readonly unknown[]): unknown[] => {
  const texts = new Set(whole.map((teeTime) => JSON.stringify(teeTime)));
  return part.filter((teeTime) => !texts.has(JSON.stringify(teeTime)));
};

describe('filters', () => {
  sampledRule(
    ['teetimes.filter.players', 'teetimes.filter.holes', 'teetimes.filter.bookingDate'],
    'every tee time of every window has the places, the holes and the day asked for',
    runs,
    async (numRuns) => {
      const { fairway } = await openAtOnce();
      let seen = 0;
      const property = fc.asyncProperty(facilityId, days, players, holes, async (id, day, places, round) => {
        const views = await viewsOf(fairway, { facilityId: id, days: day, players: places, holes: round });
        for (const teeTime of [...views.v2, ...views.v3, ...views.v4, ...views.v5, ...views.callback]) {
          const free = teeTime.players ?? Math.min(...teeTime.products.map(({ available }: Json) => available));
          if (free < places || free > 4 || teeTime.holes !== round || !teeTime.time.startsWith(dayIn(day).iso)) {
            expect.fail(`${JSON.stringify(teeTime)} does not fit`);
          }
          seen += 1;
        }
      });
      await fc.assert(property, { numRuns });
      expect(seen).toBeGreaterThan(0);
    },
  );

  const part = 'more players find a part of what fewer find';
  sampledRule('teetimes.filter.players-subset', part, runs, async (numRuns) => {
    const { fairway } = await open();
    let dropped = 0;
    const property = fc.asyncProperty(facilityId, days, holes, async (id, day, round) => {
      for (const version of ['v2', 'v3', 'v4'] as const) {
        const found = [];
        for (const places of [1, 2, 3, 4]) {
          found.push(await listOf(fairway, version, { facilityId: id, days: day, players: places, holes: round }));
        }
        for (const [index, more] of found.slice(1).entries()) {
          expect(missingFrom(found[index], more)).toEqual([]);
          dropped += found[index].length - more.length;
        }
      }
    });
    await fc.assert(property, { numRuns });
    expect(dropped).toBeGreaterThan(0);
  });

  rule('teetimes.filter.players-subset', 'a search for four is a part of a search for one', async () => {
    const { fairway } = await openAtOnce();
    const wish = { facilityIds: [1001, 1007, 1016], from: 5, to: 8 };
    const one = (await resultOf(fairway, { ...wish, players: 1 })).data;
    const four = (await resultOf(fairway, { ...wish, players: 4 })).data;
    for (const [index, { facilityId: id, teeTimeV3 }] of four.entries()) {
      expect(one[index].facilityId).toBe(id);
      expect(missingFrom(one[index].teeTimeV3, teeTimeV3)).toEqual([]);
      expect(one[index].teeTimeV3.length).toBeGreaterThan(teeTimeV3.length);
    }
  });

  rule('teetimes.filter.holes', 'a course of 18 holes sells 9 in the evening, in another list', async () => {
    const { fairway } = await open();
    const long = await teeTimesOf(fairway, { holes: 18 });
    const short = await teeTimesOf(fairway, { holes: 9 });
    expect(long.length).toBeGreaterThan(0);
    expect(short.length).toBeGreaterThan(0);
    const ids = new Set(long.map(({ teeid }) => teeid));
    expect(short.filter(({ teeid }) => ids.has(teeid))).toEqual([]);
  });
});

describe('courses', () => {
  const coursesOf = async (client: Client, id: number): Promise<Map<number, string>> => {
    const records = await pricesOf(client, [id], 12);
    return new Map(records.map(({ courseId, courseName }) => [courseId, courseName]));
  };

  rule(['teetimes.filter.course', 'teetimes.courses-union'], 'v4 is the union of the courses of v5', async () => {
    const { fairway } = await open();
    for (const id of [1001, 1007, 1010, 1043, 1065]) {
      for (const round of [9, 18]) {
        const wanted = { facilityId: id, days: 12, holes: round };
        const union = [];
        for (const [course, name] of await coursesOf(fairway, id)) {
          const path = teeTimesPath('v4', wanted).replace(`/v4/teetimes/${id}`, `/v5/teetimes/${id}/${course}`);
          const { teeTimeV3 } = (await fairway.get(path)).body.data;
          expect(teeTimeV3.every((teeTime: { course: string }) => teeTime.course === name)).toBe(true);
          union.push(...teeTimeV3);
        }
        const all = await teeTimesOf(fairway, wanted);
        expect(union).toHaveLength(all.length);
        expect(missingFrom(union, all)).toEqual([]);
        const times = all.map(({ time }) => time);
        expect(times).toEqual([...times].sort());
      }
    }
  });

  rule(['teetimes.filter.facility', 'teetimes.filter.course'], 'what does not exist has no tee times', async () => {
    const { fairway } = await open();
    for (const version of ['v2', 'v3', 'v4']) {
      const path = teeTimesPath('v4', { facilityId: 2_147_483_646 }).replace('v4', version);
      expect((await fairway.get(path)).status).toBe(404);
    }
    const path = teeTimesPath('v4', { facilityId: 1001 }).replace('/v4/teetimes/1001', '/v5/teetimes/1001/2147483646');
    expect((await fairway.get(path)).status).toBe(404);
  });

  rule('teetimes.filter.course', 'a facility of three courses shows each under its own name', async () => {
    const { fairway } = await open();
    const courses = await coursesOf(fairway, 1043);
    expect(courses.size).toBe(3);
    expect(new Set(courses.values()).size).toBe(3);
    const shown = [9, 18].map(async (round) => teeTimesOf(fairway, { facilityId: 1043, days: 12, holes: round }));
    const names = (await Promise.all(shown)).flat().map(({ course }) => course);
    expect(new Set(names)).toEqual(new Set(courses.values()));
  });
});

describe('ids', () => {
  test('no two tee times share one, and each is a signed 32-bit integer', async () => {
    const { fairway } = await open();
    const ids = [];
    for (const id of [1001, 1007, 1016, 1067]) {
      for (const day of [1, 2, 30, 400]) {
        for (const round of [9, 18]) {
          ids.push(...(await teeTimesOf(fairway, { facilityId: id, days: day, holes: round })));
        }
      }
    }
    const numbers = ids.map(({ teeid }) => teeid);
    expect(new Set(numbers).size).toBe(numbers.length);
    for (const number of numbers) expect(number).toBe(number | 0);
  });
});
