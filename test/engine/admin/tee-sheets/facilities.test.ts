import { expect, test } from 'vitest';
import type { Facility } from '../../../../src/engine/model/world.js';
import { createWorld } from '../../../../src/engine/store/world.js';
import { adminOf } from '../../../support/admin.js';
import { open } from '../../../support/client.js';
import type { Json } from '../../../support/scenes.js';

const shared = open();
const all = [...createWorld().facilities()];
const linked = ({ courses }: Facility) =>
  courses.some(({ products }) => products.some(({ holes, teeTimeHoles }) => holes > teeTimeHoles));

test.each<[query: string, want: (facility: Facility) => boolean]>([
  ['', () => true],
  ['&goodFor=linked-tee-times', linked],
  ['&goodFor=two-courses', ({ courses }) => courses.length > 1],
  ['&goodFor=nine-holes', ({ courses }) => courses.some(({ holes }) => holes === 9)],
  ['&goodFor=unconnected', ({ channels }) => channels.length === 0],
  ['&goodFor=several-channels', ({ channels }) => channels.length > 1],
  ['&goodFor=closed-days', ({ courses }) => courses.some(({ closedWeekdays }) => closedWeekdays.length > 0)],
  ['&goodFor=closed-season', ({ courses }) => courses.some(({ closedMonths }) => closedMonths.length > 0)],
  ['&goodFor=extra-products', ({ extraProducts }) => extraProducts.length > 0],
  ['&goodFor=cancellation-by-players', ({ cancellation }) => cancellation.length > 1],
  ['&goodFor=payment-at-booking', ({ paymentRule }) => paymentRule.name === 'Prepaid'],
  ['&goodFor=payment-in-parts', ({ paymentRule }) => /Deposit|Two halves/.test(paymentRule.name)],
  ['&goodFor=payment-at-club', ({ paymentRule }) => paymentRule.name === 'Pay and play'],
  ['&goodFor=fails-on-purpose', ({ scenario }) => scenario !== undefined],
  ['&channel=caddie', ({ channels }) => channels.includes('caddie')],
  ['&text=WASSENAAR', ({ address }) => address.place === 'Wassenaar'],
  ['&text=golf%20morocco', ({ name, address }) => /golf/i.test(name) && address.country === 'Morocco'],
  ['&text=payment-pi', ({ scenario }) => scenario === 'payment-pi-failed'],
  ['&text=1013', ({ id }) => id === 1013],
  [
    '&goodFor=two-courses&channel=links&text=france',
    ({ courses, channels, address }) =>
      courses.length > 1 && channels.includes('links') && address.country === 'France',
  ],
])('facilities?limit=100%s', async (query, want) => {
  const { sandbox } = await shared;
  const { body } = await adminOf(sandbox)('GET', `facilities?limit=100${query}`);
  const wanted = all.filter(want).map(({ id }) => id);
  expect(wanted.length).toBeGreaterThan(0);
  expect(body.facilities.map(({ facilityId }: Json) => facilityId)).toEqual(wanted);
  expect({ total: body.total, next: body.next }).toEqual({ total: all.length, next: null });
});

test('a facility is shown with what it is good for', async () => {
  const { sandbox } = await shared;
  const { facilities } = (await adminOf(sandbox)('GET', 'facilities?text=1071')).body;
  expect(facilities).toEqual([
    expect.objectContaining({
      facilityId: 1071,
      name: 'First Payment Failed Golf Club',
      currency: 'GBP',
      channels: ['fairway', 'links', 'caddie'],
      scenario: 'payment-pi-failed',
      goodFor: expect.arrayContaining(['fails-on-purpose', 'payment-at-booking', 'several-channels']),
    }),
  ]);
});

test('10,000 are listed page by page, and a page derives no others', async () => {
  const { sandbox } = await open({ facilities: 10_000 });
  const admin = adminOf(sandbox);
  const ids: number[] = [];
  let next: number | null = 1001;
  let calls = 0;
  for (; next !== null; calls += 1) {
    const { body }: Json = await admin('GET', `facilities?goodFor=fails-on-purpose&limit=5&from=${next}`);
    ids.push(...body.facilities.map(({ facilityId }: Json) => facilityId));
    ({ next } = body);
  }
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids.length).toBe(all.filter(({ scenario }) => scenario !== undefined).length);
  expect(calls).toBeLessThan(8);
  const first = (await admin('GET', 'facilities')).body;
  expect({ count: first.facilities.length, next: first.next, total: first.total }).toEqual({
    count: 50,
    next: 1051,
    total: 10_000,
  });
});

test.each(['goodFor=nothing', 'channel=nobody', 'limit=0', 'from=0', `text=${'x'.repeat(201)}`, 'colour=red'])(
  'facilities?%s is refused',
  async (query) => {
    const { sandbox } = await shared;
    expect((await adminOf(sandbox)('GET', `facilities?${query}`)).status).toBe(400);
  },
);
