import { describe, expect, test } from 'vitest';
import { answerSources } from '../../answer-sources.js';
import type { Answers } from '../../../../src/contract/generated/questions.js';
import { inCompany } from '../../../support/in-company.js';
import { alone, complaintsOf, dialectOf, fullRun, runIn, told, wrongIn } from '../../full-run.js';

/** Answers that cannot be told where all others are the defaults, and why. */
const hidden: readonly (readonly [question: keyof Answers, answer: unknown, why: string])[] = [
  ['prices.over-max-limit', 'refused', 'there is no maximum to go over'],
  ['payment.canceled', 'success', 'a run pays only its own bookings, and none of them is cancelled'],
  ['body.max-bytes', 16_777_216, 'it takes a body so large that no run sends it'],
];

const isHidden = (id: string, answer: unknown): boolean =>
  hidden.some(([question, other]) => question === id && other === answer);

describe('one answer that is not the default is told by its rule', () => {
  test.each(alone.filter(({ id, answer }) => told.includes(id) && !isHidden(id, answer)))(
    '$name: $answer',
    async ({ id, given }) => {
      const source = answerSources[id];
      const only = 'by' in source ? [source.by] : [];
      const { dialect } = await fullRun(dialectOf(given), { only });
      expect(dialect.answers).toMatchObject(given);
    },
  );
});

/** A rate makes a run stop early. */
const isSlow = ({ id }: (typeof alone)[number]): boolean => id === 'rate-limit.per-minute';
const groups = [
  ...alone.filter(isSlow).map((one) => [one]),
  ...inCompany(
    alone.filter((one) => !isSlow(one)),
    { size: 5, orders: 1, kindOf: ({ id }) => id },
  ),
].map((some) => ({
  names: some.map(({ name, answer }) => `${name}: ${JSON.stringify(answer)}`).join(', '),
  given: Object.assign({}, ...some.map(({ given }) => given)) as (typeof alone)[number]['given'],
}));

test.each(groups)('a whole run has no reason to complain, and tells nothing else, of $names', async ({ given }) => {
  const report = await runIn(given);
  expect(complaintsOf(report)).toEqual([]);
  expect(wrongIn(given, report.dialect.answers)).toEqual({});
});
