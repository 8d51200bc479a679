import { expect, test } from 'vitest';
import type { CheckOptions } from '../../../src/conformance/run/check-options.js';
import { altering, deploy, type Layer, resultOf } from '../deployment.js';

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
  expect(resultOf(await check({ only: ['versions.scope'], ...options }), 'versions.scope')).toMatchObject(want);
});
