import { altering } from '../../deployment.js';
import type { Mutant } from '../mutant.js';
import { byVersion, each, listIn, sheets } from './tee-times.js';

let made = 1_000_000;

/** Mistakes about what identifies a tee time, and values that contradict each other in one response. */
export const teeTimeIdentityMutants: readonly Mutant[] = [
  ...byVersion((version) => ({
    rule: 'teetimes.item.unique-id',
    defect: `${version} gives the last two tee times one id`,
    layer: altering(sheets(version), (body) => {
      const name = version < 'v4' ? 'id' : 'teeid';
      const [one, other] = listIn(body).slice(-2);
      if (other) other[name] = one[name];
    }),
  })),
  ...byVersion((version) => ({
    rule: 'teetimes.item.stable-id',
    defect: `${version} makes a new id for a tee time each time`,
    layer: each(version, (one) => (one[version < 'v4' ? 'id' : 'teeid'] = made += 1)),
  })),
  {
    rule: 'teetimes.item.stable-id',
    defect: 'v4 numbers the tee times of a response, and its start moves on',
    layer: altering(sheets('v4'), (body) => {
      made += 1;
      for (const [index, one] of listIn(body).entries()) one.teeid = made + index;
    }),
  },
  {
    rule: 'teetimes.price-step.one-per-quantity',
    defect: 'v4 has two prices for one player',
    layer: each('v4', ({ products }) => {
      for (const { pricing } of products) {
        const [{ price, ...step }] = pricing;
        pricing.push({ ...step, price: { ...price, amount: price.amount + 5 } });
      }
    }),
  },
  {
    rule: 'teetimes.price-step.meaning',
    defect: 'a price step has the price of each player',
    layer: each('v[45]', ({ products }) => {
      for (const { pricing } of products) for (const step of pricing) step.price.amount /= step.quantity;
    }),
  },
  ...(['v2', 'v3'] as const).map((version): Mutant => ({
    rule: 'teetimes.priced',
    defect: `${version} shows no prices`,
    layer: each(version, (one) => (one.pricing = [])),
  })),
  {
    rule: 'teetimes.priced',
    defect: 'the products of v4 have no price steps',
    layer: each('v4', ({ products }) => products.forEach((one: any) => (one.pricing = []))),
  },
  ...(['v3', 'v4', 'v5'] as const).map((version): Mutant => ({
    rule: 'teetimes.cancellation.not-after',
    defect: `${version} counts the hours of a cancellation range from the tee time on`,
    layer: altering(sheets(version), ({ data }) => {
      for (const one of data.facilityCancellationPolicyRange) one.timePeriod *= -1;
    }),
  })),
  {
    rule: 'teetimes.list.v3-form',
    defect: 'v3 returns the form of v4',
    layer: (request, through) => through(new Request(request.url.replace('/v3/teetimes', '/v4/teetimes'), request)),
  },
  ...(['v3', 'v4', 'v5'] as const).map((version): Mutant => ({
    rule: 'teetimes.cancellation.no-overlap',
    defect: `${version} has a second range for one player`,
    layer: altering(sheets(version), ({ data }) => {
      const [one] = data.facilityCancellationPolicyRange;
      const timePeriod = one.timePeriod + 24;
      data.facilityCancellationPolicyRange.push({ minimumPlayer: 1, maximumPlayer: 1, timePeriod });
    }),
  })),
];
