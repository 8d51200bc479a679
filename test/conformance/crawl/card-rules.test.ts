import { expect, test } from 'vitest';
import { cardRules } from '../../../src/conformance/crawl/card-rules.js';
import { handWritten } from '../../../src/conformance/rules/index.js';
import { answerSources } from '../answer-sources.js';

test('the rules of a card are those that answer a question by reading alone', () => {
  const answering = new Set(Object.values(answerSources).flatMap((one) => ('by' in one ? [one.by] : [])));
  const reading = handWritten.filter(({ id, needs }) => answering.has(id) && needs.length === 0).map(({ id }) => id);
  expect([...cardRules].sort()).toEqual(reading.sort());
});
