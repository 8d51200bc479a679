import { expect, test } from 'vitest';
import type { SandboxOptions } from '../../../../src/engine/library.js';
import { connectedTo, soldOut, unbooked } from './worlds-without-data.js';
import { resultOf } from '../../deployment.js';
import { complaintsOf, fullRun } from '../../full-run.js';

/** What rules lack in a world, by their ids. */
type Missing = Readonly<Record<string, string>>;

const FACILITY = 'a connected facility';
const searched = (facilities: string): string => `(searched: ${facilities}, 2 to 92 days ahead)`;
const ONE = searched('the one connected facility');
const ALL = searched('58 connected facilities');
const linkedIn = (place: string): string => `a product that spans several linked tee times ${place}`;
const onSaleIn = (place: string): string => `tee times on sale ${place}`;

test.each<[world: string, settings: () => Promise<SandboxOptions> | SandboxOptions, missing: Missing]>([
  [
    'no facility of the channel',
    async () => ({ state: await connectedTo(0) }),
    {
      'countries.connected-only': 'a country with connected facilities',
      'facilities.find': FACILITY,
      'prices.range-inclusive': FACILITY,
      'callback.trigger': FACILITY,
      'bookings.create.single': FACILITY,
    },
  ],
  [
    'one facility of the channel',
    async () => ({ state: await connectedTo(1) }),
    {
      'prices.facility-ids-limit': 'six facilities that the channel is connected to',
      'bookings.linked.when': linkedIn(ONE),
    },
  ],
  [
    'one course in all',
    () => ({ facilities: 1 }),
    {
      'facilities.connected-scope': 'a facility that the channel is not connected to',
      'facilities.optional-fields': 'a facility with an empty field',
    },
  ],
  [
    'nothing left for three months',
    async () => ({ state: await soldOut(95) }),
    {
      'teetimes.query.players': onSaleIn(ALL),
      'bookings.create.single': onSaleIn(ALL),
      'bookings.linked.when': linkedIn(ALL),
    },
  ],
  ['nothing left for two months', async () => ({ state: await soldOut(60) }), {}],
  ['nothing left at the first facility', async () => ({ state: await soldOut(400, (id) => id === 1019) }), {}],
  [
    'no bookings from before the run',
    async () => ({ state: await unbooked() }),
    {
      'bookings.list.to-date-narrows': 'a booking of the channel',
      'bookings.list.from-date-past': 'a past booking of the channel',
      'bookings.list.canceled-included': 'a cancelled booking of the channel',
    },
  ],
])('a world with %s is no reason to complain: what is missing is told', async (_, settings, missing) => {
  for (const allow of [undefined, []]) {
    const report = await fullRun(await settings(), allow ? { allow } : {});
    expect(complaintsOf(report)).toEqual([]);
    const lacking = report.rules.filter(({ verdict }) => verdict === 'inconclusive').map(({ missing }) => missing);
    expect(lacking.filter((text) => text === undefined || text.includes('found no case'))).toEqual([]);
    const told = Object.keys(missing).filter((id) => resultOf(report, id as never).verdict !== 'not-run');
    expect(told.map((id) => [id, resultOf(report, id as never).missing])).toEqual(told.map((id) => [id, missing[id]]));
  }
});

test.each([
  ['the bookings of the run', {}, { verdict: 'pass' }],
  ['no booking, which is told', { allow: [] }, { verdict: 'inconclusive', missing: 'a booking of the channel' }],
])('without bookings from before the run, the versions are compared on %s', async (_, changes, outcome) => {
  const report = await fullRun({ state: await unbooked() }, changes);
  expect(resultOf(report, 'bookings.list.same-across-versions')).toMatchObject(outcome);
});
