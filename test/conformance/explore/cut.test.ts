import { expect, test } from 'vitest';
import { exploreDeployment } from '../../../src/conformance/explore/explore.js';
import type { Exploration, ExploreOptions, Progress } from '../../../src/conformance/explore/options.js';
import { deploy } from '../deployment.js';

/** Walks that only read, on a clock that each look moves by a millisecond. */
async function exploring(changes: Partial<ExploreOptions>): Promise<Exploration> {
  const { options } = await deploy();
  let looks = 0;
  const host = { ...options.host, now: () => options.host.now() + (looks += 1) };
  const walks = changes.duration === undefined ? { walks: 5 } : {};
  return exploreDeployment({ ...options, host, seed: 1, steps: 2, parallel: 1, ...walks, ...changes });
}

const seen: Progress[] = [];
await exploring({ onProgress: (progress) => void seen.push(progress) });

/** What so many walks take. */
const requestsOf = (walks: number) => ({ maxRequests: seen[walks - 1]!.requests });
const stoppedAfter = (walks: number): Partial<ExploreOptions> => {
  const stop = new AbortController();
  return { signal: stop.signal, onProgress: (progress) => void (progress.walks >= walks && stop.abort()) };
};
const timeOf = (walks: number) => ({ duration: seen[walks - 1]!.milliseconds });

const whole = { verdict: 'no-finding', exitCode: 0 } as const;
const most = { verdict: 'no-finding-as-far-as-it-went', exitCode: 0 } as const;
const little = { verdict: 'too-little-explored', exitCode: 4 } as const;

test.each<[name: string, changes: Partial<ExploreOptions>, want: Partial<Exploration>, says: RegExp]>([
  ['enough requests', { maxRequests: seen.at(-1)!.requests + 100 }, whole, /^No fact/],
  ['requests for 4 of 5 walks', requestsOf(4), most, /^As far as it went: No fact.* after 4 of 5 .*\(--max-requests\)/],
  [
    'requests for 2 of 5 walks',
    requestsOf(2),
    little,
    /after 2 of 5 whole walks\. Missing: .*\(--max-requests\)\. Such/,
  ],
  ['hardly a request', { maxRequests: 3 }, little, /^No walk got further .*\(--max-requests\)/],
  ['few bookings', { allow: ['bookings'], maxBookings: 3, steps: 20 }, little, /\(--max-bookings/],
  ['a signal early', stoppedAfter(2), little, /after 2 of 5 whole walks/],
  ['a signal late', stoppedAfter(4), most, /after 4 of 5 whole walks/],
  ['time for walks', timeOf(4), whole, /^No fact/],
  ['no time for a walk', { duration: 1 }, little, /^No walk got further .*\(--for\)/],
  ['time for 2 of 5 walks', { ...timeOf(2), walks: 5 }, little, /Missing: time .*\(--for\)/],
])('a run with %s says how far it went', async (_, changes, want, says) => {
  const { findings, verdict, exitCode, message } = await exploring(changes);
  const said = expect.stringMatching(says) as unknown as string;
  expect({ findings, verdict, exitCode, message }).toEqual({ findings: [], ...want, message: said });
});
