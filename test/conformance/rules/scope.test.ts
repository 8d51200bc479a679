import { expect, test } from 'vitest';
import type { CheckOptions } from '../../../src/conformance/run/check-options.js';
import { operations } from '../../../src/contract/generated/operations.js';
import { altering, deploy, type Layer, resultOf } from '../deployment.js';
import { everything } from '../full-run.js';

const soldOut = altering(/\/v\d\/(?:booking\/)?teetimes\//i, ({ data }) => {
  for (const name of ['teeTimeV2', 'teeTimeV3']) if (name in data) data[name] = [];
  if (Array.isArray(data)) data.splice(0);
});
const through: Layer = (request, go) => go(request);

test.each<[what: string, layer: Layer, options: Partial<CheckOptions>, want: object]>([
  ['all resources', through, {}, { verdict: 'pass' }],
  [
    'resources that need a tee time, of which there is none',
    soldOut,
    {},
    { verdict: 'inconclusive', reason: 'no-data' },
  ],
  ['resources outside the scope of the run', through, { versions: ['v1'] }, { verdict: 'pass' }],
])('versions.scope: %s', async (_, layer, options, want) => {
  const { check } = await deploy({}, layer);
  expect(
    resultOf(await check({ only: ['versions.scope'], depth: 'quick', ...options }), 'versions.scope'),
  ).toMatchObject(want);
});

test('no method of a path outside the scope is sent', async () => {
  const left = ['v2.listCountries', 'v5.createBooking'];
  const ids = operations.map(({ id }) => id as string);
  const { sandbox, sent, check } = await deploy();
  const named = { operations: ids.filter((id) => !left.includes(id)), only: ['versions.*'] };
  const report = await check({ ...everything(sandbox), ...named, depth: 'quick' });
  expect(report.coverage.judged).toBeGreaterThan(3);
  expect(sent.filter((one) => / \/api\/(v2\/countries|v5\/bookings)(\?|$)/.test(one))).toEqual([]);
});
