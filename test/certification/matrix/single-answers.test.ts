import { expect, test } from 'vitest';
import { alone } from '../../conformance/full-run.js';
import { complaintsIn } from './complaints.js';

test.each(alone.map((one, index) => ({ ...one, index })))(
  'the correct client passes where $name is $answer',
  async ({ given, index }) => expect(await complaintsIn(given, index)).toEqual([]),
);
