import { afterAll, expect, test } from 'vitest';
import { findingOf, half, MOST_MISSED } from '../../explore/planted.js';

const missed: string[] = [];

test.each(half(0))('finds and makes small, in the deployment %s: %s', async (...planted) => {
  const { isSmall, text } = await findingOf(planted);
  if (!isSmall) missed.push(text);
  if (process.env['TEEBOX_SHOW']) console.log(text);
});

// Chance decides when a rare sequence comes, so that single defects may be missed.
afterAll(() => expect(missed.length, missed.join('\n\n')).toBeLessThanOrEqual(half(0).length * MOST_MISSED));
