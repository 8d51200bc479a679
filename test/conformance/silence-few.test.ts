import { expect, test } from 'vitest';
import type { Answers } from '../../src/generated/questions.js';
import { alone, complaintsOf, fewRequests, pairs, runIn, wrongIn } from './silence.js';

const dialects: readonly (readonly [what: string, answers: Partial<Answers>])[] = [
  ...alone.map(([id, answer]) => [`${id}: ${JSON.stringify(answer)}`, { [id]: answer }] as const),
  ...pairs.map((answers, index) => [`pairs ${index + 1}`, answers] as const),
];

test.each(dialects)('%s is no reason to complain where requests are few either', async (_, answers) => {
  const report = await runIn(answers, fewRequests);
  expect(complaintsOf(report)).toEqual([]);
  expect(wrongIn(answers, report.dialect.answers)).toEqual({});
  expect(report.rules.filter(({ reason }) => reason === 'budget')).toEqual([]);
});
