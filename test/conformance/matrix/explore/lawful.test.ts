import { expect, test } from 'vitest';
import { exploreDeployment } from '../../../../src/conformance/explore/explore.js';
import type { GivenAnswers } from '../../../../src/contract/index.js';
import { inCompany } from '../../../support/in-company.js';
import { pairs } from '../../full-run.js';
import { exploreSandbox, storiesOf } from '../../explore/deployments.js';
import { access } from '../../independent/lawful/access.js';
import { lawful } from '../../independent/lawful/index.js';
import { all, deployIndependent } from '../../independent/run.js';
import type { Variation } from '../../independent/vary.js';

/** Variations of which a deployment can have only one. */
const alternatives: readonly RegExp[] = [/paused payment/, /^payments/, /booking id/, /searches take/, /contact/];
const isOfOne = (one: Variation): string =>
  access.includes(one) ? 'access' : (alternatives.find((words) => words.test(one.name))?.source ?? one.name);

/** Walks are chosen by it: `TEEBOX_SEED=100` takes others. */
const SEED = Number(process.env['TEEBOX_SEED'] ?? 0);

const groups = inCompany(lawful, { size: 6, orders: 1, kindOf: isOfOne });

test.each(groups.map((some, at) => [some.map(({ name }) => name).join(' + '), some, at] as const))(
  'nothing is wrong with what the API specification permits: %s',
  async (_, some, at) => {
    const { service, options } = deployIndependent();
    for (const { change } of some) change(service);
    const given = Object.assign({}, ...some.map((one) => one.options));
    const result = await exploreDeployment({
      ...options,
      ...all,
      ...given,
      seed: SEED + at,
      walks: 2,
      maxBookings: 5000,
    });
    expect(storiesOf(result)).toEqual([]);
  },
);

test.each(pairs.filter((_, at) => at % 6 === 0).map((answers, at) => [at, answers] as const))(
  'nothing is wrong with dialect %i of the sandbox',
  async (at, answers) => {
    const bearerHeader = answers['auth.bearer-header'];
    const given = bearerHeader === undefined ? {} : { bearerHeader };
    expect(storiesOf(await exploreSandbox({ seed: SEED + at, walks: 3, ...given }, { dialect: { answers } }))).toEqual(
      [],
    );
  },
);

test.each<[what: string, seed: number, answers: GivenAnswers]>([
  ['cancellations', 3, { 'booking.cancel': 'delete' }],
  [
    'groups that stay in part, and ids of versions',
    4,
    { 'booking.group-failure': 'earlier-stay', 'booking.id-form': 'short' },
  ],
  ['payments that are refused when repeated', 5, { 'payment.repeat': 'refused', 'payment.method': { v4: 'get' } }],
])('nothing is wrong with the sandbox: %s', async (_, at, answers) => {
  const result = await exploreSandbox({ seed: SEED + at, walks: 5 }, { dialect: { answers } });
  expect(storiesOf(result)).toEqual([]);
  expect(result).toMatchObject({ verdict: 'no-finding', exitCode: 0, walks: 5, findings: [] });
  expect(result.steps).toBeGreaterThan(150);
});
