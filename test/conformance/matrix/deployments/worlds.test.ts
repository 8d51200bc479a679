import { expect, test } from 'vitest';
import { check } from '../../../../src/conformance/run/check.js';
import { permissions } from '../../../../src/conformance/client/types.js';
import type { SandboxOptions } from '../../../../src/engine/library.js';
import { deploy } from '../../deployment.js';
import { complaintsOf, everything, fullRun } from '../../full-run.js';

test.each<[world: string, settings: SandboxOptions]>([
  ['another seed', { seed: 2 }],
  ['a third seed', { seed: 90210 }],
  ['three facilities', { facilities: 3 }],
  ['one facility', { facilities: 1 }],
  ['few facilities of another seed', { seed: 7, facilities: 12 }],
  ['many facilities', { facilities: 300 }],
  ['midwinter', { now: '2026-12-24T23:30:00Z' }],
  ['the night of a change of the clocks', { now: '2027-03-28T00:59:00Z' }],
  ['a leap day', { now: '2028-02-29T12:00:00Z' }],
])('a world with %s is no reason to complain', async (_, settings) => {
  expect(complaintsOf(await fullRun(settings))).toEqual([]);
  expect(complaintsOf(await fullRun(settings, { allow: [] }))).toEqual([]);
});

test.each(['links', 'caddie'])('the channel %s has no reason to complain', async (name) => {
  const { sandbox, check } = await deploy();
  const [first, second] = [name, 'fairway'].map((wanted) => {
    const { username, password, refreshToken } = sandbox.channels.find((channel) => channel.name === wanted)!;
    return { basic: { username, password }, refreshToken };
  });
  expect(complaintsOf(await check({ first: first!, second: second!, allow: permissions }))).toEqual([]);
});

test.each(['basic', 'refreshToken'] as const)('a run with %s alone has no reason to complain', async (kind) => {
  for (const allow of [[], ['bookings']] as const) {
    const { sandbox, check } = await deploy();
    const { username, password, refreshToken } = sandbox.channels[0]!;
    const first = kind === 'basic' ? { basic: { username, password } } : { refreshToken };
    expect(complaintsOf(await check({ first, second: undefined, allow } as object))).toEqual([]);
  }
});

const DAY = 86_400_000;

test.each([-170, -3, 40, 400])(
  'a deployment whose clock stands %i days from that of the run is no reason to complain',
  async (days) => {
    for (const allow of [[], permissions]) {
      const { sandbox, options } = await deploy();
      const { host } = options;
      const shifted = { ...host, now: () => host.now() - days * DAY };
      const report = await check({ ...options, ...everything(sandbox), allow, host: shifted });
      expect(complaintsOf(report)).toEqual([]);
    }
  },
);
