import { expect, test } from 'vitest';
import { fullRun } from './silence.js';

test('twenty runs say the same of the same deployment', async () => {
  const said = new Set<string>();
  for (let run = 0; run < 20; run += 1) {
    const { rules, dialect, counts } = await fullRun();
    const verdicts = rules.map(({ id, verdict, message, missing }) => ({ id, verdict, message, missing }));
    said.add(JSON.stringify({ verdicts, dialect, counts }));
  }
  expect([...said]).toHaveLength(1);
});
