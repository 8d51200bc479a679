import type { Change } from '../run.js';
import { sending, setting, type Loose } from '../vary.js';
import { each } from './answers.js';
import { type Defect, seen } from './row.js';

const sheets = /teetimes./;
const newest = /v[345].teetimes/;
const rules = /^(teetimes|versions|prices|bookings|limits)/;

const ranges =
  (...all: readonly (readonly [number, number, number])[]): Change =>
  (service) => {
    service.policy = () =>
      all.map(([minimumPlayer, maximumPlayer, timePeriod]) => ({ minimumPlayer, maximumPlayer, timePeriod }));
  };
const steps = (write: (steps: Loose[]) => unknown): Change =>
  each(newest, ({ products = [] }) => {
    for (const product of products) product.pricing = write(product.pricing);
  });

export const teeTimeFields: readonly Defect[] = [
  seen(
    'holes as text',
    rules,
    each(sheets, (one) => (one.holes = String(one.holes))),
  ),
  seen('available as text', rules, setting(newest, 'available', String)),
  seen(
    'amounts as text',
    rules,
    setting(newest, 'amount', (amount: number) => amount.toFixed(2)),
  ),
  seen(
    'amounts in cents in v2',
    rules,
    setting(/v2.teetimes/, 'amount', (amount: number) => amount * 100),
  ),
  seen(
    'more than four places',
    rules,
    setting(/v[45].teetimes/, 'available', (free: number) => free * 2),
  ),
  seen(
    'places below zero',
    rules,
    setting(/v[45].teetimes/, 'available', () => -1),
  ),
  seen(
    'products of a tee time differ in their places',
    rules,
    setting(/v4.teetimes/, 'available', () => 1),
  ),
  seen(
    'steps begin with none',
    rules,
    steps((all) => all.map((step) => ({ ...step, quantity: step.quantity - 1 }))),
  ),
  seen(
    'steps up to five',
    rules,
    steps((all) => [...all, { ...all[3], quantity: 5 }]),
  ),
  seen(
    'steps without a net rate',
    rules,
    steps((all) => all.map(({ quantity, price, publicRate }) => ({ quantity, price, publicRate }))),
  ),
  seen(
    'no steps',
    rules,
    steps(() => []),
  ),
  seen(
    'another currency',
    /^(teetimes|prices|facilities)/,
    setting(/v[45].teetimes/, 'currency', () => 'USD'),
  ),
  seen(
    'products are null',
    rules,
    each(newest, (one) => 'products' in one && (one.products = null)),
  ),
  seen(
    'products by their id',
    rules,
    each(newest, (one) => 'products' in one && (one.products = { 1: one.products[0] })),
  ),
  seen(
    'no extra products',
    rules,
    each(newest, (one) => delete one.extraProducts),
  ),
  seen('ranges overlap', /cancell|policy|range|teetimes/, ranges([1, 3, 24], [3, 4, 48])),
  seen('the same range twice', /cancell|policy|range|teetimes/, ranges([1, 4, 24], [1, 4, 48])),
  seen('a range is turned round', /cancell|policy|range|teetimes/, ranges([4, 1, 24])),
  seen('hours below zero', /cancell|policy|range|teetimes/, ranges([1, 4, -24])),
  seen(
    'hours as text',
    /cancell|policy|range|teetimes/,
    setting(newest, 'timePeriod', (hours: number) => `${hours}h`),
  ),
  seen(
    'v4 and v5 differ in the rules',
    /cancell|policy|range|teetimes|versions/,
    setting(/v5.teetimes/, 'timePeriod', () => 6),
  ),
  seen(
    'no rules in v3',
    /cancell|policy|range|teetimes/,
    sending(/v3.teetimes/, ({ data }) => delete data.facilityCancellationPolicyRange),
  ),
];
