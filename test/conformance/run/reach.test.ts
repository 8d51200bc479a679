import { expect, test } from 'vitest';
import { altering, deploy, type Layer } from '../deployment.js';

const byTeeTimes = 'teetimes.item.unique-id';
const byPrices = 'prices.total';

const neverMetBy = async (only: readonly string[], layer?: Layer): Promise<readonly string[]> => {
  const { check } = await deploy({}, layer);
  return (await check({ depth: 'quick', only })).reach!.never;
};

interface Shown {
  products?: { available: number; pricing: { quantity: number; price: { amount: number } }[] }[];
  extraProducts?: unknown[];
}

/** Alters the tee times of every version. */
const teeTimes = (alter: (teeTime: Shown) => void): Layer =>
  altering(/\/teetimes\/\d+/, ({ data }) => (data.teeTimeV3 ?? data.teeTimeV2 ?? data).forEach(alter));

const products = (alter: (product: NonNullable<Shown['products']>[number]) => void): Layer =>
  teeTimes((one) => one.products?.forEach(alter));

const usual = neverMetBy([byTeeTimes, byPrices]);

test.each<[kind: string, what: string, layer: Layer]>([
  [
    'a product that costs less for more players',
    'each player pays the same',
    products(({ pricing }) => {
      const { amount } = pricing[0]!.price;
      for (const { quantity, price } of pricing) price.amount = amount * quantity;
    }),
  ],
  [
    'a product that costs less for more players',
    'none has a price for one player',
    products((one) => (one.pricing = one.pricing.filter(({ quantity }) => quantity > 1))),
  ],
  ['extra products', 'no tee time has any', teeTimes((one) => (one.extraProducts &&= []))],
  ['a tee time that is booked in part', 'all have four free slots', products((one) => (one.available = 4))],
  [
    'a second currency',
    'all prices are in euros',
    async (request, through) => {
      const response = await through(request);
      const text = await response.text();
      return new Response(text.replace(/"currency":"[A-Z]{3}"/g, '"currency":"EUR"'), response);
    },
  ],
  [
    'a price list of several pages',
    'each is whole',
    altering(/\/price\//, ({ data }) => (data.total = data.records.length)),
  ],
])('a run says that it never met %s where %s', async (kind, _, layer) => {
  expect(await usual).not.toContain(kind);
  expect(await neverMetBy([kind.startsWith('a price list') ? byPrices : byTeeTimes], layer)).toContain(kind);
});
