import { afterAll, expect, test } from 'vitest';
import { findingOf, half, MOST_CALLS, mostMissed } from '../../explore/planted.js';

const missed: string[] = [];

test.each(half(1))('finds and makes small: %s', async (name) => {
  const finding = await findingOf(name);
  if (!finding || finding.calls > MOST_CALLS) missed.push(`${name}: ${finding?.story ?? 'nothing'}`);
  if (process.env['TEEBOX_SHOW']) console.log(`${name}\n${finding?.story}`);
});

// Chance decides when a rare sequence comes, so that single defects may be missed.
afterAll(() => expect(missed.length, missed.join('\n\n')).toBeLessThanOrEqual(mostMissed));
