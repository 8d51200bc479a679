import { expect, test } from 'vitest';
import type { Report } from '../../../src/conformance/client/types.js';
import { deploy } from '../deployment.js';

/** A run whose clock is so many milliseconds beyond its deadline after 112 requests. */
async function lateBy(milliseconds: number): Promise<Report> {
  const { options, sent, check } = await deploy();
  const { host } = options;
  const start = host.now();
  const now = (): number => (sent.length < 112 ? start : start + 60_000 + milliseconds);
  return check({ host: { ...host, now }, deadline: 60_000 });
}

test('what was received is judged for five seconds after the deadline', async () => {
  const { counts, exitCode } = await lateBy(2000);
  expect(counts.pass).toBeGreaterThan(60);
  expect(exitCode).toBe(4);
});

test('and no longer: what is left then was not run', async () => {
  const [soon, late] = [await lateBy(2000), await lateBy(6000)];
  const envelope = ({ rules }: Report) => rules.find(({ id }) => id === 'envelope.shape')!;
  expect(envelope(soon).verdict).toBe('pass');
  const missing = 'more time than 60 s (--deadline)';
  expect(envelope(late)).toMatchObject({ verdict: 'not-run', reason: 'deadline', missing });
  const compared = ({ rules }: Report): number => rules.filter(({ reach }) => reach).length;
  expect([compared(soon) > 0, compared(late)]).toEqual([true, 0]);
});
