import { expect, test } from 'vitest';
import type { Report } from '../../../src/conformance/client/types.js';
import { deploy } from '../deployment.js';

/** A run whose clock is so many milliseconds before its deadline after 112 requests. */
async function endingAt(milliseconds: number): Promise<Report> {
  const { options, sent, check } = await deploy();
  const { host } = options;
  const start = host.now();
  const now = (): number => (sent.length < 112 ? start : start + 60_000 - milliseconds);
  return check({ host: { ...host, now }, deadline: 60_000 });
}

test('in the last seconds what was received is judged, and nothing more is asked', async () => {
  const { counts, exitCode } = await endingAt(8000);
  expect(counts.pass).toBeGreaterThan(60);
  expect(exitCode).toBe(4);
});

test('then the reports are written, and what is left was not run', async () => {
  const [soon, late] = [await endingAt(8000), await endingAt(4000)];
  const envelope = ({ rules }: Report) => rules.find(({ id }) => id === 'envelope.shape')!;
  expect(envelope(soon).verdict).toBe('pass');
  const missing = 'more time than 60 s (--deadline)';
  expect(envelope(late)).toMatchObject({ verdict: 'not-run', reason: 'deadline', missing });
  expect(late.hints).toEqual([
    expect.stringMatching(
      /^The time of the run ended before \d+ of \d+ rules .*: \d+ about \w+, .*--deadline, .*--parallel/,
    ),
  ]);
  const compared = ({ rules }: Report): number => rules.filter(({ reach }) => reach).length;
  expect([compared(soon) > 0, compared(late)]).toEqual([true, 0]);
});
