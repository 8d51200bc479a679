import { expect, test } from 'vitest';
import { inCompany } from '../../../support/in-company.js';
import { complaintsOf } from '../../full-run.js';
import { access } from '../../independent/lawful/access.js';
import { bareProducts, pricesOfEach } from '../../independent/lawful/fields.js';
import { borders, keptInGroup } from '../../independent/lawful/habits.js';
import { lawful } from '../../independent/lawful/index.js';
import { all, deployIndependent } from '../../independent/run.js';
import type { Variation } from '../../independent/vary.js';

async function complaintsAbout(...variations: readonly Variation[]): Promise<string[]> {
  const { service, check } = deployIndependent();
  for (const { change } of variations) change(service);
  return complaintsOf(await check(Object.assign({}, all, ...variations.map(({ options }) => options))));
}

/** Variations of which a deployment can have only one. */
const alternatives: readonly RegExp[] = [/paused payment/, /^payments/, /booking id/, /searches take/, /contact/];
const isOfOne = (one: Variation): string =>
  access.includes(one) ? 'access' : (alternatives.find((words) => words.test(one.name))?.source ?? one.name);

/** What each of some variations is a reason to complain of when it is alone. */
async function blameIn(some: readonly Variation[]): Promise<readonly string[]> {
  const all: string[] = [];
  for (const one of some) all.push(`${one.name}: ${(await complaintsAbout(one)).join('; ') || 'nothing when alone'}`);
  return all;
}

const groups = inCompany(lawful, { size: 6, orders: 2, kindOf: isOfOne });

test.each(groups.map((some) => [some.map(({ name }) => name).join(' + '), some] as const))(
  'a deployment conforms with what the API specification permits: %s',
  async (_, some) => {
    const complaints = await complaintsAbout(...some);
    expect(complaints, complaints.length > 0 ? (await blameIn(some)).join('\n') : '').toEqual([]);
  },
);

test.each([
  ['booking.group-failure', 'earlier-stay', keptInGroup],
  ['time.borders', 'utc', borders],
  ['teetimes.price-meaning', 'each', pricesOfEach],
  ['teetimes.product-players', 'absent', bareProducts],
] as const)('the answer to %s is %s', async (question, answer, variation) => {
  const report = await deployIndependent(variation.change).check(all);
  expect(report.dialect.answers[question]).toBe(answer);
});
