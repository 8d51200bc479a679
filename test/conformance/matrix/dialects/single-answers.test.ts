import { expect, test } from 'vitest';
import type { Answers } from '../../../../src/contract/generated/questions.js';
import { alone, complaintsOf, dialectOf, fullRun, told, wrongIn } from '../../full-run.js';

/** Answers that cannot be told where all others are the defaults, and why. */
const hidden: readonly (readonly [question: keyof Answers, answer: unknown, why: string])[] = [
  ['prices.over-max-limit', 'refused', 'there is no maximum to go over'],
  ['payment.canceled', 'success', 'a run pays only its own bookings, and none of them is cancelled'],
  ['body.max-bytes', 16_777_216, 'it takes a body so large that no run sends it'],
];

const isHidden = (id: string, answer: unknown): boolean =>
  hidden.some(([question, other]) => question === id && other === answer);

test.each(alone)('$name: $answer is told, and is no reason to complain', async ({ id, answer, given }) => {
  const report = await fullRun(dialectOf(given));
  const { answers } = report.dialect;
  expect(complaintsOf(report)).toEqual([]);
  expect(wrongIn(given, answers)).toEqual({});
  if (told.includes(id) && !isHidden(id, answer)) expect(answers).toMatchObject(given);
});
