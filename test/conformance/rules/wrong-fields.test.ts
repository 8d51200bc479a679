import { describe, expect, test } from 'vitest';
import { altering, deploy, idsWith, type Layer, loudIn, resultOf } from '../deployment.js';

describe('a field that is wrong breaks its own rule, whatever else is wrong', () => {
  const list = /\/v3\/facilities$/;
  const teeTimes = /\/v4\/teetimes\//;
  const rows: readonly (readonly [what: string, layer: Layer, broken: readonly [string, ...string[]]])[] = [
    [
      'an id as text',
      altering(list, ({ data }) => data.forEach((one: any) => (one.email = 7))),
      ['facilities.item.email'],
    ],
    [
      'two fields of one record',
      altering(/v3\/facilities\/details/, ({ data }) => {
        data.services.wifi = 'Y';
        data.logo = 7;
      }),
      ['facilities.details.logo', 'facilities.services.wifi'],
    ],
    [
      'a field deep inside',
      altering(teeTimes, ({ data }) =>
        data.teeTimeV3.forEach(
          ({
            products: [
              {
                pricing: [{ price }],
              },
            ],
          }: any) => (price.amount = `${price.amount}`),
        ),
      ),
      ['teetimes.money.amount'],
    ],
    [
      'a field of an entry without a schema of its own',
      altering(/insideDateRange/, ({ data }) =>
        data.records.forEach((one: any) => one.availability.forEach((slot: any) => (slot.time = '9:00'))),
      ),
      ['prices.item.availability.time'],
    ],
    [
      'a field of one version',
      altering(/\/v1\/bookings/, ({ data }) => data.forEach((one: any) => (one.round = 1))),
      ['bookings.item.round', 'bookings.list.same-across-versions'],
    ],
    [
      'an answer of another form',
      altering(/\/v2\/teetimes\//, (body) => (body.data = { teeTimes: [] })),
      ['teetimes.list'],
    ],
  ];
  const breaks = async (layer: Layer, broken: readonly string[], only: readonly string[]): Promise<void> => {
    const { check } = await deploy({}, layer);
    const report = await check({ depth: 'quick', only });
    expect(idsWith(report, 'fail').sort()).toEqual(broken);
    expect(idsWith(report, 'error')).toEqual([]);
    expect(report.exitCode).toBe(1);
    for (const id of broken) expect(resultOf(report, id).exchanges).not.toEqual([]);
  };

  test.each(rows)('%s, among the rules of its list', (_, layer, broken) =>
    breaks(layer, broken, [...broken, `${broken[0].split('.')[0]}.list*`]),
  );

  test.each(rows)('%s, among all rules', { tags: ['slow'] }, (_, layer, broken) => breaks(layer, broken, ['*']));
});

test('a property that the contract does not know is listed and not judged', async () => {
  const { check } = await deploy(
    {},
    altering(/\/v3\/facilities$/, ({ data }) => data.forEach((one: any) => (one.rating = 5))),
  );
  const report = await check({ only: ['facilities.*'], depth: 'quick' });
  expect(report.unknownProperties).toMatchObject([{ place: 'FacilityItem.rating', operation: 'v3.listFacilities' }]);
  expect([...idsWith(report, 'fail'), ...idsWith(report, 'warn')]).toEqual([]);
});

test('a deployment without data is inconclusive, with what is missing', async () => {
  const { check } = await deploy(
    {},
    altering(/facilities$|countries$|bookings$/, (body) => (body.data = [])),
  );
  const report = await check();
  expect(loudIn(report)).toEqual([]);
  expect(resultOf(report, 'teetimes.item.teeid')).toMatchObject({
    verdict: 'inconclusive',
    reason: 'no-data',
    missing: 'a connected facility',
  });
});
