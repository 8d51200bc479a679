import { describe, expect, test } from 'vitest';
import { complaintsOf } from '../../full-run.js';
import { hash } from '../../independent/civil.js';
import { access } from '../../independent/lawful/access.js';
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

/** So many at a time, in an order that looks like chance and is always the same. */
function combined(size: number, count: number): readonly (readonly Variation[])[] {
  const sorted = (turn: number): readonly Variation[] =>
    lawful.toSorted((one, other) => hash(size, turn, one.name) - hash(size, turn, other.name));
  return Array.from({ length: count }, (_, turn) => {
    const kinds = new Map(sorted(turn).map((one) => [isOfOne(one), one]));
    return [...kinds.values()].slice(0, size);
  });
}

describe('a deployment conforms with what the document permits', () => {
  test.each(lawful.map((one) => [one.name, one] as const))('%s', async (_, one) => {
    expect(await complaintsAbout(one)).toEqual([]);
  });

  const several = [...combined(2, 20), ...combined(3, 20)];
  test.each(several.map((some) => [some.map(({ name }) => name).join(' + '), some] as const))('%s', async (_, some) => {
    expect(await complaintsAbout(...some)).toEqual([]);
  });
});
