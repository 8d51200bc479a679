import { describe, expect } from 'vitest';
import { type Client, open } from '../../../support/client.js';
import { rule } from '../../../support/rule.js';
import { bookingFor, findTeeTime, type Json, teeTimesOf, teeTimesPath, type Wanted } from '../../../support/scenes.js';
import { viewsOf } from '../../../support/views.js';

/** Facilities with one to three courses and one to four products each. */
const FACILITIES = [1001, 1002, 1005, 1010];

const listOf = ({ data }: Json): Json[] => data.teeTimeV2 ?? data.teeTimeV3 ?? data;
const idOf = ({ id, teeid }: Json): number => teeid ?? id;

/** The ids of v2, v3 and v4 by what else tells tee times apart. */
async function idsOf(client: Client, version: 'v2' | 'v3' | 'v4', wanted: Wanted): Promise<Map<string, number>> {
  const list = listOf((await client.get(teeTimesPath(version, wanted))).body);
  return new Map(list.map((one) => [`${one.time} ${one.course ?? one.round} ${one.holes}`, idOf(one)]));
}

rule('teetimes.list.v3-form', 'v3 answers with `teeTimeV2`, where v4 has `teeTimeV3`', async () => {
  const { fairway } = await open();
  for (const [version, want, other] of [
    ['v3', 'teeTimeV2', 'teeTimeV3'],
    ['v4', 'teeTimeV3', 'teeTimeV2'],
  ] as const) {
    const { data } = (await fairway.get(teeTimesPath(version))).body;
    expect(data).not.toHaveProperty(other);
    expect(data[want].length).toBeGreaterThan(0);
    expect('teeid' in data[want][0]).toBe(want === 'teeTimeV3');
  }
});

describe('the id of a tee time', () => {
  rule('teetimes.item.unique-id', 'stands once in a response, on all courses of a facility', async () => {
    const { fairway } = await open();
    for (const facilityId of FACILITIES) {
      for (const holes of [9, 18]) {
        const { prices: _, ...views } = await viewsOf(fairway, { facilityId, holes });
        for (const [version, shown] of Object.entries(views)) {
          const ids = shown.map(idOf);
          expect(ids.length, `${version} of ${facilityId}`).toBeGreaterThan(0);
          expect(ids).toEqual([...new Set(ids)]);
        }
      }
    }
  });

  const versions = ['v2', 'v3', 'v4'] as const;
  for (const version of versions) {
    rule('teetimes.item.stable-id', `${version}: stays through other requests and bookings`, async () => {
      const { fairway, links } = await open();
      const first = await idsOf(fairway, version, {});
      expect(first.size).toBeGreaterThan(20);
      const [taken, filled] = await teeTimesOf(fairway, { players: 2 });
      for (const [client, teeTime, players] of [
        [links, taken!, 1],
        [fairway, filled!, filled!.products[0].available],
      ] as const) {
        expect((await client.post('/api/v5/bookings', bookingFor(teeTime, { players }))).status).toBe(200);
      }
      // The one that is full is no longer shown; the others keep their ids, whoever asks.
      const want = [...first].filter(([, id]) => id !== filled!.teeid);
      expect(want).toHaveLength(first.size - 1);
      for (const client of [fairway, links]) expect([...(await idsOf(client, version, {}))]).toEqual(want);
      for (const [key, id] of await idsOf(fairway, version, { players: 4 })) expect(first.get(key)).toBe(id);
    });
  }

  rule('teetimes.item.stable-id', 'is the same after a day is left and asked for again, and books', async () => {
    const { fairway } = await open();
    const { teeid } = await findTeeTime(fairway, { days: 12 });
    for (const days of [13, 40, 12]) await teeTimesOf(fairway, { days });
    const again = await findTeeTime(fairway, { days: 12 });
    expect(again.teeid).toBe(teeid);
    expect((await fairway.post('/api/v5/bookings', bookingFor(again, { teeId: teeid }))).status).toBe(200);
  });
});

rule('teetimes.priced', 'whatever is on sale has a price in each version', async () => {
  const { prices: _, ...views } = await viewsOf((await open()).fairway, { facilityId: 1001 });
  for (const [version, shown] of Object.entries(views)) {
    expect(shown.length, version).toBeGreaterThan(0);
    for (const { pricing, products = [{ pricing }] } of shown) {
      for (const product of products) expect(product.pricing.length, version).toBeGreaterThan(0);
    }
  }
});

describe('the price steps of a product', () => {
  const productsOf = async (facilityId: number): Promise<Json[]> => {
    const { v4, v5, callback } = await viewsOf((await open()).fairway, { facilityId });
    return [...v4, ...v5, ...callback].flatMap(({ products }) => products);
  };

  for (const facilityId of FACILITIES) {
    rule('teetimes.product.once', `facility ${facilityId}: no product twice in a tee time`, async () => {
      const { v4, v5, callback } = await viewsOf((await open()).fairway, { facilityId });
      for (const { products, extraProducts } of [...v4, ...v5, ...callback]) {
        for (const list of [products, extraProducts]) {
          const ids = list.map(({ mid }: Json) => mid);
          expect(new Set(ids).size).toBe(ids.length);
        }
      }
    });

    rule('teetimes.price-step.one-per-quantity', `facility ${facilityId}: one step for each quantity`, async () => {
      const products = await productsOf(facilityId);
      expect(products.length).toBeGreaterThan(0);
      for (const { pricing } of products) {
        expect(pricing.map(({ quantity }: Json) => quantity)).toEqual([1, 2, 3, 4]);
      }
    });

    rule('teetimes.price-step.meaning', `facility ${facilityId}: the price is that of all players`, async () => {
      const products = await productsOf(facilityId);
      expect(products.length).toBeGreaterThan(0);
      for (const { pricing } of products) {
        const alone = pricing[0].price.amount;
        for (const { quantity, price } of pricing) {
          // A group may be a little cheaper or dearer for each player.
          const players = price.amount / alone;
          expect(Math.abs(players - quantity), `${players} for ${quantity}`).toBeLessThan(0.5);
        }
      }
    });
  }
});

for (const version of ['v3', 'v4', 'v5'] as const) {
  rule(
    ['teetimes.cancellation.no-overlap', 'teetimes.cancellation.not-after'],
    `${version}: one period for each number of players`,
    async () => {
      const { fairway } = await open();
      const counts = new Set<number>();
      for (const facilityId of [1001, 1002, 1004, 1005, 1007, 1009, 1010, 1016]) {
        const path = teeTimesPath('v4', { facilityId }).replace('v4', version);
        const own = version === 'v5' ? path.replace(`/${facilityId}?`, `/${facilityId}/${facilityId}1?`) : path;
        const ranges: Json[] = (await fairway.get(own)).body.data.facilityCancellationPolicyRange;
        counts.add(ranges.length);
        for (const players of [1, 2, 3, 4]) {
          const found = ranges.filter((one) => one.minimumPlayer <= players && players <= one.maximumPlayer);
          expect(new Set(found.map(({ timePeriod }) => timePeriod)).size, `${facilityId}: ${players}`).toBe(1);
          expect(found[0]!.timePeriod, `${facilityId}: ${players}`).toBeGreaterThanOrEqual(0);
        }
      }
      expect(Math.max(...counts)).toBeGreaterThan(1);
    },
  );
}
