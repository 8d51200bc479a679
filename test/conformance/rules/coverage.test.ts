import { expect, test } from 'vitest';
import { allRules } from '../../../src/conformance/run/check.js';
import { answerSources } from '../answer-sources.js';
import { rules as catalogue } from '../../../src/contract/generated/built/catalogue.js';

/** Rules of the catalogue that are still to be written in the suite. */
const pending: readonly string[] = [];
const written = new Set<string>(
  allRules(() => {
    throw new Error('No rule is run here.');
  }).map(({ id }) => id),
);
const observable = catalogue.filter((rule) => rule.observable).map(({ id }) => id);

test('every rule that can be seen from outside is written in the suite, or is listed as pending', () => {
  expect(observable.filter((id) => !written.has(id)).sort()).toEqual(pending);
});

test('the rule that observes the answer to a question can be seen from outside', () => {
  const by = Object.values(answerSources).flatMap((source) => ('by' in source ? [source.by] : []));
  expect(by.filter((id) => !observable.includes(id))).toEqual([]);
});
