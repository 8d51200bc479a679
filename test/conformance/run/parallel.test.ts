import { expect, test } from 'vitest';
import type { RunOptions } from '../../../src/conformance/run/check-options.js';
import type { Report } from '../../../src/conformance/client/types.js';
import { deploy, type Layer } from '../deployment.js';
import { everything } from '../full-run.js';
import type { Sandbox } from '../../../src/engine/library.js';

/** Milliseconds that each answer takes: enough for a run to read ahead. */
const LATENCY = 25;

/** A run against a deployment that takes its time, and what was under way there. */
async function runAt(
  parallel: number,
  options: (sandbox: Sandbox) => Partial<RunOptions> = () => ({}),
  layer: Layer = (request, go) => go(request),
) {
  const seen = { most: 0, withWrites: 0, sent: [] as string[] };
  const underWay = new Set<Request>();
  const start = performance.now();
  const since = (): number => performance.now() - start;
  const deployment = await deploy({}, async (request, go) => {
    underWay.add(request);
    seen.sent.push(`${request.method} ${request.url}`);
    seen.most = Math.max(seen.most, underWay.size);
    // A search and a payment may be a GET.
    if (/payment|\/teetimes\?|POST|DELETE/.test(`${request.method} ${request.url}`))
      seen.withWrites = Math.max(seen.withWrites, underWay.size);
    await new Promise((resolve) => setTimeout(resolve, LATENCY));
    try {
      return await layer(request, go);
    } finally {
      underWay.delete(request);
    }
  });
  const { host } = deployment.options;
  const startedAt = host.now();
  const report = await deployment.check({
    depth: 'quick',
    parallel,
    ...options(deployment.sandbox),
    host: { ...host, now: () => host.now() + since() },
  });
  return { report, ...seen, elapsed: host.now() + since() - startedAt };
}

/** All that a report says, but for times and for the bookings and tokens that a sandbox makes by chance. */
const saidIn = ({ rules, dialect, findings, counts, reach, verdict, message }: Report): object => ({
  rules: rules.map(({ id, verdict, reason, message, missing, exchanges }) => [
    id,
    verdict,
    reason,
    message,
    missing,
    exchanges,
  ]),
  dialect,
  findings,
  counts,
  reach,
  verdict,
  message,
});

const some = ['countries.*'];
const more = [...some, 'facilities.list*'];

test('a run finds the same with one read at a time and with several', async () => {
  const only = (): Partial<RunOptions> => ({ only: some });
  const [alone, together] = [await runAt(1, only), await runAt(4, only)];
  expect(saidIn(together.report)).toEqual(saidIn(alone.report));
  expect([alone.most, together.most]).toEqual([1, 4]);
  expect(together.report.requests).toBe(together.sent.length);
  expect(together.sent.length - alone.sent.length).toBeLessThan(alone.sent.length * 0.03);
});

test('nothing else is under way while a request changes something', { tags: ['slow'] }, async () => {
  const only = ['countries.*', 'bookings.list.*', 'search.acknowledgement*', 'tokens.refresh.*'];
  const all = (sandbox: Sandbox): Partial<RunOptions> => ({ ...everything(sandbox), only });
  const [alone, together] = [await runAt(1, all), await runAt(4, all)];
  expect(alone.withWrites).toBeGreaterThan(0);
  expect(together.withWrites).toBe(alone.withWrites);
  expect(together.most).toBe(4);
  expect(together.report.counts).toEqual(alone.report.counts);
});

test.each([0, 40, 110])(
  'a limit of %i requests holds with several reads at a time',
  { tags: ['slow'] },
  async (maxRequests) => {
    const { report, sent } = await runAt(4, () => ({ maxRequests, only: more }));
    expect(report.requests).toBe(sent.length);
    if (maxRequests > 0) expect(sent.length).toBe(maxRequests);
    const { report: alone } = await runAt(1, () => ({ maxRequests, only: more }));
    expect(saidIn(report)).toEqual(saidIn(alone));
  },
);

test.each([
  [
    'limits the rate',
    () => new Response(null, { status: 429, headers: { 'retry-after': '0' } }),
    /\(429\)[^]*--parallel 1/,
  ],
  ['drops connections', () => Promise.reject(new TypeError('fetch failed')), /A read failed[^]*--parallel 1/],
] as const)(
  'a deployment that %s gets one request at a time from then on',
  { tags: ['slow'] },
  async (_, refuse, hint) => {
    let [active, after] = [0, 0];
    let refusedAt = Infinity;
    const { report, sent } = await runAt(
      4,
      () => ({ only: some }),
      async (request, go) => {
        active += 1;
        try {
          if (active > 2 && refusedAt === Infinity) {
            refusedAt = performance.now();
            return await refuse();
          }
          // What was under way at that moment comes to its end.
          if (performance.now() > refusedAt + 20 * LATENCY) after = Math.max(after, active);
          await new Promise((resolve) => setTimeout(resolve, 5));
          return await go(request);
        } finally {
          active -= 1;
        }
      },
    );
    expect(refusedAt).toBeLessThan(Infinity);
    expect(after).toBe(1);
    expect(report.hints.join('\n')).toMatch(hint);
    expect(report.exitCode).toBe(0);
    expect(report.requests).toBe(sent.length);
  },
);

test('a rate is kept with several reads at a time', { tags: ['slow'] }, async () => {
  const { sent, elapsed } = await runAt(4, () => ({ rps: 20, only: ['countries.*'] }));
  expect((sent.length - 1) / (elapsed / 1000)).toBeLessThanOrEqual(20.1);
});
