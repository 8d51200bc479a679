import { expect, test } from 'vitest';
import { given, runWith } from '../limited-run.js';

test.for([
  ['a few requests', { maxRequests: 50 }, 4, /^--max-requests ended the run before \d+ of \d+ rules .* needs 60%/],
  [
    'a few requests, which are enough',
    { maxRequests: 50, minConclusive: 1 },
    0,
    /^As far as it went: .* --max-requests ended/,
  ],
] as const)('a run that ends after %s', async ([, changes, exitCode, message]) => {
  const { report } = await runWith(given, { depth: 'quick', ...changes });
  expect(report).toMatchObject({
    exitCode,
    verdict: exitCode === 0 ? 'conformant-as-far-as-it-went' : 'too-little-judged',
    message: expect.stringMatching(message) as string,
    hints: [
      expect.stringMatching(
        /^The limit of requests ended the run before \d+ of \d+ rules were evaluated: \d+ about \w+, .*--max-requests/,
      ),
    ],
  });
});
