import { expect, test } from 'vitest';
import { memoryJournal } from '../../../../src/conformance/client/credentials.js';
import type { CheckOptions } from '../../../../src/conformance/run/check-options.js';
import type { Report } from '../../../../src/conformance/client/types.js';
import { deploy } from '../../deployment.js';
import { everything, fullRun } from '../../full-run.js';
import { all, deployIndependent } from '../../independent/run.js';
import { poorWorld, poorWorlds } from '../../poor-worlds.js';

type Check = (options: Partial<CheckOptions>) => Promise<Report>;

const verdictsOf = ({ rules }: Report): string => JSON.stringify(rules.map(({ id, verdict }) => [id, verdict]));

test('four runs say the same of the same deployment', async () => {
  const said = new Set<string>();
  for (let run = 0; run < 4; run += 1) {
    const { rules, dialect, counts } = await fullRun();
    const verdicts = rules.map(({ id, verdict, message, missing }) => ({ id, verdict, message, missing }));
    said.add(JSON.stringify({ verdicts, dialect, counts }));
  }
  expect([...said]).toHaveLength(1);
});

/** A deployment that keeps what each run leaves behind, tokens too. */
async function lasting(check: Check, { first, second }: Partial<CheckOptions>): Promise<() => Promise<Report>> {
  const kept = ({ basic, refreshToken }: CheckOptions['first']): CheckOptions['first'] => {
    return { ...(basic ? { basic } : {}), journal: memoryJournal(refreshToken) };
  };
  const channels = { first: kept(first!), second: kept(second!) };
  return () => check({ ...all, ...channels });
}

const poor = poorWorlds.find(([what]) => what.startsWith('7 facilities with about 3'))!;

test.each<[what: string, make: () => Promise<() => Promise<Report>>]>([
  [
    'the sandbox',
    async () => {
      const { sandbox, check } = await deploy();
      return lasting(check, everything(sandbox));
    },
  ],
  [
    poor[0],
    async () => {
      const { sandbox, check } = await deploy(await poorWorld(poor[1]));
      return lasting(check, everything(sandbox));
    },
  ],
  ['an independent deployment', async () => lasting(deployIndependent().check, all)],
])('runs one after the other say the same, with the bookings of those before: %s', async (_, make) => {
  const run = await make();
  const said = new Set<string>();
  for (let count = 0; count < 3; count += 1) {
    const report = await run();
    said.add(verdictsOf(report));
    expect(report.counts.inconclusive).toBeLessThanOrEqual(5);
  }
  expect([...said]).toHaveLength(1);
});
