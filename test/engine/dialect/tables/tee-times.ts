import { bookingFor, dayIn, teeTimesOf, teeTimesPath } from '../../../support/scenes.js';
import { pricesOf, resultOf, search, searchQuery } from '../../../support/views.js';
import { question, type QuestionTable, type Scene } from '../question.js';

/** Sells a round of 18 holes on nine, which needs a second tee time. */
const NINE = { facilityId: 1007, holes: 9 };
const LINKED = 'Twice round, 18 holes';
/** In Los Angeles, where it is one o'clock at night. */
const FAR = { facilityId: 1047, days: 0 };

type Product = {
  readonly mid: number;
  readonly name: string;
  readonly pricing: { readonly price: { readonly amount: number } }[];
  readonly players: unknown;
  readonly linkedProducts: unknown[];
};

/** The products of tee times that sell the linked one. */
async function productsOf({ fairway }: Scene): Promise<Product[]> {
  const teeTimes = await teeTimesOf(fairway, NINE);
  const products = teeTimes.map((one) => one.products as Product[]);
  return products.filter((list) => list.some(({ name }) => name === LINKED)).flat();
}

async function kindOfLinks(scene: Scene): Promise<unknown> {
  const products = await productsOf(scene);
  const nine = products.find(({ name }) => name !== LINKED)!;
  const links = products
    .filter(({ name }) => name === LINKED)
    .map(({ linkedProducts }) => JSON.stringify(linkedProducts) ?? 'absent');
  const forms = {
    '[]': 'empty',
    [`[${nine.mid}]`]: 'id',
    [`[{"mid":${nine.mid},"name":"${nine.name}"}]`]: 'object',
    absent: 'absent',
  };
  return [[...new Set(links)].map((text) => forms[text]), nine.linkedProducts];
}

/** Whether tee times before eight, local time, count as still to come, in each place that decides it. */
async function earlyTeeTimes({ sandbox, fairway }: Scene): Promise<unknown> {
  sandbox.clock.set('2026-06-01T00:00:00Z');
  const [early, next] = (await teeTimesOf(fairway, FAR)).filter(({ time }) => time < '2026-06-01T08:00');
  const booking = { facilityId: FAR.facilityId };
  const { bookingId } = (await fairway.post('/api/v5/bookings', bookingFor(early!, booking))).body.data;
  sandbox.clock.set('2026-06-01T08:00:00Z');
  const listed = (await fairway.get('/api/v4/bookings')).body.data as { bookingId: string }[];
  const isEarly = ({ time }: { time: string }): boolean => time.slice(-8) < '08:00:00';
  const prices = await pricesOf(fairway, [FAR.facilityId], 0);
  const [element] = (await resultOf(fairway, { facilityIds: [FAR.facilityId], from: 0 })).data;
  return {
    teeTimes: (await teeTimesOf(fairway, FAR)).some(isEarly),
    prices: prices.some(({ availability }) => availability.some(isEarly)),
    callback: element.teeTimeV3.some(isEarly),
    listed: listed.some((item) => item.bookingId === bookingId),
    booking: (await fairway.post('/api/v5/bookings', bookingFor(next!, booking))).status,
  };
}

export const teeTimes: readonly QuestionTable[] = [
  question('teetimes.players-field', {
    rules: ['teetimes.item-v3.players-meaning'],
    probe: async ({ fairway }) => {
      const shown = async (version: 'v2' | 'v3', players: number): Promise<Map<number, number>> => {
        const { data } = (await fairway.get(teeTimesPath(version, { players }))).body;
        const list: { id: number; players: number }[] = version === 'v2' ? data : data.teeTimeV2;
        return new Map(list.map((item) => [item.id, item.players]));
      };
      const seen = new Set<string>();
      for (const version of ['v2', 'v3'] as const) {
        const [one, two] = [await shown(version, 1), await shown(version, 2)];
        seen.add([...two].every(([id, players]) => players === one.get(id)) ? 'equal' : 'different');
        seen.add([...two.values()].every((players) => players === 2) ? 'all 2' : 'more than 2 too');
      }
      return [...seen];
    },
    rows: [
      ['available', ['equal', 'more than 2 too']],
      ['requested', ['different', 'all 2']],
    ],
  }),

  question('teetimes.price-meaning', {
    rules: ['teetimes.price-step.meaning'],
    probe: async (scene) => {
      const products = await productsOf(scene);
      const times = products.flatMap(({ pricing }) => {
        const [one, ...more] = pricing.map(({ price }) => price.amount);
        return more.map((amount) => Math.round(amount / one!));
      });
      return [...new Set(times)].sort();
    },
    rows: [
      ['all', [2, 3, 4]],
      ['each', [1]],
    ],
  }),

  question('teetimes.product-players', {
    rules: ['teetimes.product.players'],
    probe: async (scene) => [...new Set((await productsOf(scene)).map(({ players = 'absent' }) => players))],
    rows: [
      ['none', [null]],
      ['absent', ['absent']],
      ['maximum', [4]],
    ],
  }),

  question('teetimes.linked-products', {
    rules: ['teetimes.product.linked-elements'],
    probe: kindOfLinks,
    rows: [
      ['empty', [['empty'], []]],
      ['ids', [['id'], []]],
      ['objects', [['object'], []]],
      ['absent', [['absent'], undefined]],
    ],
  }),

  question('search.date-format', {
    rules: ['search.date-format'],
    probe: async (scene) => {
      const { query, iso } = dayIn(10);
      const seen: unknown[] = [];
      for (const [fromDate, toDate] of [
        [query, query],
        [iso, iso],
        [query, iso],
      ] as const) {
        const { status } = await search(scene.fairway, { ...searchQuery(), fromDate, toDate });
        await scene.sandbox.callbacks.settled();
        const days = scene.posts
          .splice(0)
          .flatMap(({ body }) =>
            JSON.parse(body).data[0].teeTimeV3.map(({ time }: { time: string }) => time.slice(0, 10)),
          );
        seen.push([status, [...new Set(days)]]);
      }
      return seen;
    },
    rows: [
      [
        'both',
        [
          [200, ['2026-06-11']],
          [200, ['2026-06-11']],
          [200, ['2026-06-11']],
        ],
      ],
      [
        'dd-mm-yyyy',
        [
          [200, ['2026-06-11']],
          [400, []],
          [400, []],
        ],
      ],
      [
        'yyyy-mm-dd',
        [
          [400, []],
          [200, ['2026-06-11']],
          [400, []],
        ],
      ],
    ],
  }),

  question('search.unknown-facility', {
    rules: ['search.unknown-facility'],
    probe: async (scene) => {
      const { status, body } = await search(scene.fairway, searchQuery({ facilityIds: [1001, 2147483646] }));
      await scene.sandbox.callbacks.settled();
      const posted = scene.posts.map((post) =>
        JSON.parse(post.body).data.map((one: { teeTimeV3: unknown[] }) => one.teeTimeV3.length > 0),
      );
      return [status, body.success, posted];
    },
    rows: [
      ['empty', [200, true, [[true, false]]]],
      ['refused', [404, false, []]],
    ],
  }),

  question('search.max-facility-days', {
    probe: async ({ fairway }) => {
      const taken: number[] = [];
      for (const [facilities, days] of [
        [1, 1],
        [1, 2],
        [2, 1],
        [2, 250],
        [3, 167],
        [5, 1000],
        [1, 5001],
      ] as const) {
        // Facilities that do not exist cost nothing to search.
        const facilityIds = Array.from({ length: facilities }, (_, n) => 2_147_483_640 + n);
        const { status } = await search(fairway, searchQuery({ facilityIds, from: 1, to: days }));
        if (status === 200) taken.push(facilities * days);
      }
      return taken;
    },
    rows: [
      [1, [1]],
      [2, [1, 2, 2]],
      [500, [1, 2, 2, 500]],
      [5000, [1, 2, 2, 500, 501, 5000]],
    ],
  }),

  question('time.borders', {
    rules: ['bookings.time-borders'],
    probe: earlyTeeTimes,
    rows: [
      ['facility', { teeTimes: true, prices: true, callback: true, listed: true, booking: 200 }],
      ['utc', { teeTimes: false, prices: false, callback: false, listed: false, booking: 400 }],
    ],
  }),
];
