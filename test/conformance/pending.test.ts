import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { allRules } from '../../src/conformance/check.js';
import { tellers } from '../../src/conformance/dialect.js';
import { rules as catalogue } from '../../src/generated/catalogue.js';

const pending = JSON.parse(readFileSync(new URL('pending.json', import.meta.url), 'utf8')) as string[];
const written = new Set<string>(
  allRules(() => {
    throw new Error('No rule is run here.');
  }).map(({ id }) => id),
);
const observable = catalogue.filter((rule) => rule.observable).map(({ id }) => id);

test('every rule that can be seen from outside has a rule of the suite, or is on the list of those to come', () => {
  expect(observable.filter((id) => !written.has(id)).sort()).toEqual(pending);
});

test('what tells the answer to a question is a rule that can be seen from outside', () => {
  const by = Object.values(tellers).flatMap((teller) => ('by' in teller ? [teller.by] : []));
  expect(by.filter((id) => !observable.includes(id))).toEqual([]);
});
