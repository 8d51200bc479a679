import { dayIn } from '../../../support/scenes.js';
import { pricesPath } from '../../../support/views.js';
import { question, type QuestionTable, type Scene } from '../question.js';

/** Three courses with nine products, all open nearly every day. */
const MANY = 1065;
/** Days in which that facility has more than 10,000 records; before the first tee times, so that each is short. */
const LONG = { from: -12_000, to: -10_800 };

const range = (from: number, to: number) => ({
  facilityIds: MANY,
  fromDate: dayIn(from).query,
  toDate: dayIn(to).query,
});

const list = async ({ fairway }: Scene, { from, to }: typeof LONG, paging: Record<string, number> = {}) =>
  (await fairway.get(pricesPath({ ...range(from, to), ...paging }))).body.data as {
    records: { date: string }[];
    total: number;
  };

async function lengthOf(scene: Scene, paging: Record<string, number>): Promise<number | 'all'> {
  const { records, total } = await list(scene, LONG, paging);
  return records.length === total ? 'all' : records.length;
}

export const prices: readonly QuestionTable[] = [
  question('prices.default-limit', {
    rules: ['prices.default-limit'],
    also: { 'prices.max-days': 3660 },
    probe: async (scene) => [await lengthOf(scene, {}), await lengthOf(scene, { limit: 7 })],
    rows: [
      [0, ['all', 7]],
      [1, [1, 7]],
      [10_000, [10_000, 7]],
    ],
  }),

  question('prices.max-limit', {
    rules: ['prices.max-limit'],
    also: { 'prices.max-days': 3660 },
    probe: async (scene) => [
      await lengthOf(scene, { limit: 10_001 }),
      await lengthOf(scene, { limit: 1 }),
      await lengthOf(scene, { limit: 2 }),
    ],
    rows: [
      [0, [10_001, 1, 2]],
      [1, [1, 1, 1]],
      [10_000, [10_000, 1, 2]],
    ],
  }),

  question('prices.over-max-limit', {
    also: { 'prices.max-limit': 3 },
    probe: async ({ fairway }) => {
      const pages = [2, 3, 4].map((limit) => fairway.get(pricesPath({ ...range(1, 5), limit })));
      const unlimited = fairway.get(pricesPath(range(1, 5)));
      return (await Promise.all([...pages, unlimited])).map(({ status, body }) => body.data?.records.length ?? status);
    },
    rows: [
      ['clamped', [2, 3, 3, 3]],
      ['refused', [2, 3, 400, 3]],
    ],
  }),

  question('prices.default-offset', {
    rules: ['prices.default-offset'],
    also: { 'prices.max-days': 3660 },
    probe: async (scene) => {
      const first = async (paging: Record<string, number>) =>
        JSON.stringify((await list(scene, LONG, { ...paging, limit: 1 })).records);
      const [absent, ...explicit] = [
        await first({}),
        await first({ offset: 0 }),
        await first({ offset: 2 }),
        await first({ offset: 10_000 }),
      ];
      return explicit.map((one) => one === absent);
    },
    rows: [
      [0, [true, false, false]],
      [2, [false, true, false]],
      [10_000, [false, false, true]],
    ],
  }),

  question('prices.availability', {
    probe: async ({ fairway }) => {
      const { records } = (await fairway.get(pricesPath(range(-2, 3)))).body.data as {
        records: { date: string; availability?: unknown[] }[];
      };
      const shown = (past: boolean) => {
        const which = records.filter(({ date }) => date < '2026-06-01' === past);
        return [
          ...new Set(which.map(({ availability }) => availability && (availability.length > 0 ? 'some' : 'none'))),
        ].sort();
      };
      return { past: shown(true), coming: shown(false).includes('some'), empty: shown(false).includes('none') };
    },
    rows: [
      ['array', { past: ['none'], coming: true, empty: true }],
      ['absent-when-empty', { past: [undefined], coming: true, empty: false }],
      ['absent', { past: [undefined], coming: false, empty: false }],
    ],
  }),

  question('prices.total-meaning', {
    probe: async (scene) => {
      const pages = [{}, { limit: 7 }, { limit: 7, offset: 7 }, { offset: 10_000 }];
      return Promise.all(pages.map(async (paging) => (await list(scene, { from: 1, to: 2 }, paging)).total));
    },
    rows: [
      ['selection', [18, 18, 18, 18]],
      ['page', [18, 7, 7, 0]],
    ],
  }),

  question('prices.max-days', {
    probe: async ({ fairway }) => {
      const taken: number[] = [];
      for (const days of [1, 2, 366, 367, 3660, 3661]) {
        const { status } = await fairway.get(pricesPath({ ...range(1, days), limit: 1 }));
        if (status === 200) taken.push(days);
      }
      return taken;
    },
    rows: [
      [1, [1]],
      [366, [1, 2, 366]],
      [3660, [1, 2, 366, 367, 3660]],
    ],
  }),
];
