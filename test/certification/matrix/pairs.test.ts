import { expect, test } from 'vitest';
import { pairs } from '../../conformance/full-run.js';
import { complaintsIn } from './complaints.js';

test.each(pairs.map((answers, index) => [index + 1, answers] as const))(
  'the correct client passes in dialect %i of those that hold every two answers',
  async (index, answers) => expect(await complaintsIn(answers, index)).toEqual([]),
);
