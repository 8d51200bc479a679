import { expect, test } from 'vitest';
import type { Inconclusive, NotAllowed } from '../../../src/conformance/client/outcome.js';
import type { Transport } from '../../../src/conformance/client/transport.js';
import type { OperationId } from '../../../src/contract/index.js';
import { deploy } from '../deployment.js';
import { ok, transportTo } from './transport-to.js';

const limited = (after?: number) =>
  new Response('{}', { status: 429, headers: after === undefined ? {} : { 'retry-after': String(after) } });

type Now = () => number;
/** Whether a request is permitted. */
type Limiter = (now: Now) => () => boolean;

const share = (refused: number): Limiter => {
  return () => {
    let count = 0;
    return () => (count += 1) % refused !== 0;
  };
};
const bucket =
  (perSecond: number, size: number): Limiter =>
  (now) => {
    let [tokens, at] = [size, 0];
    return () => {
      tokens = Math.min(size, tokens + ((now() - at) / 1000) * perSecond);
      at = now();
      if (tokens < 1) return false;
      tokens -= 1;
      return true;
    };
  };
const minute =
  (most: number): Limiter =>
  (now) => {
    const counts = new Map<number, number>();
    return () => {
      const window = Math.floor(now() / 60_000);
      counts.set(window, (counts.get(window) ?? 0) + 1);
      return counts.get(window)! <= most;
    };
  };

const sumOf = (waits: readonly number[]): number => waits.reduce((sum, one) => sum + one, 0);
const REQUESTS = 300;

// The least time is what a client needs that knows the limit.
test.each<[what: string, limiter: Limiter, least: number, most: number, refused: number]>([
  ['every seventh request is refused', share(7), 0, 60, 51],
  ['every third', share(3), 0, 150, 151],
  ['ten a second are permitted', bucket(10, 20), 28, 40, 40],
  ['one a second', bucket(1, 60), 240, 320, 30],
  ['60 a minute', minute(60), 240, 420, 50],
])('300 reads where %s', async (_, limiter, least, most, refused) => {
  const permits = limiter(() => sumOf(waits));
  let count = 0;
  const { transport, waits } = transportTo(() => {
    if (permits()) return ok();
    count += 1;
    return limited();
  });
  for (let times = 0; times < REQUESTS; times += 1) await transport.send({ operation: 'v3.listCountries' });
  const seconds = sumOf(waits) / 1000;
  expect(seconds).toBeGreaterThanOrEqual(least);
  expect(seconds).toBeLessThanOrEqual(most);
  expect(count).toBeLessThanOrEqual(refused);
  expect(transport.slowdown).toMatchObject({ limited: count, failed: 0 });
  expect(transport.slowdown.milliseconds / 1000).toBeCloseTo(seconds);
});

/** Why reads of some operations got no answer, in turn. */
async function reasonsOf(transport: Transport, operations: readonly OperationId[]): Promise<string[]> {
  const reasons: string[] = [];
  for (const operation of operations) {
    const sending = transport.send({ operation } as never);
    reasons.push(
      await sending.then(
        () => 'ok',
        (error: Inconclusive | NotAllowed) => `${error.name} ${error.reason}`,
      ),
    );
  }
  return reasons;
}

const [A, B, C] = ['v2.listCountries', 'v3.listCountries', 'v4.listBookings'] as const;
const [LIMITED, OVER] = ['Inconclusive rate-limited', 'NotAllowed rate-limited'];

test.each([
  ['without a word', undefined, [A, A, B, C, A], [LIMITED, LIMITED, LIMITED, OVER, OVER], 20, 150],
  ['for half a minute', 30, [A, B, C, A], [LIMITED, LIMITED, LIMITED, OVER], 15, 600],
  ['for an hour', 3600, [A, A, B, C, A], [LIMITED, LIMITED, LIMITED, LIMITED, OVER], 3, 0],
])('a deployment that refuses everything, %s, ends the run', async (_, after, operations, reasons, requests, most) => {
  const { transport, sent, waits } = transportTo(() => limited(after));
  expect(await reasonsOf(transport, operations)).toEqual(reasons);
  expect(sent.length).toBeLessThanOrEqual(requests);
  expect(sumOf(waits) / 1000).toBeLessThanOrEqual(most);
});

test.each([
  ['without a word', undefined, 90],
  ['for an hour', 3600, 0],
])('an operation that is refused for ever, %s, hides no other, and is waited for once', async (_, after, most) => {
  const { transport, waits } = transportTo(({ url }) => (url.includes('/v2/') ? limited(after) : ok()));
  const operations = [A, B, A, C, A, B, A, A, A, A, C];
  const want = operations.map((one) => (one === A ? LIMITED : 'ok'));
  expect(await reasonsOf(transport, operations)).toEqual(want);
  expect(sumOf(waits) / 1000).toBeLessThanOrEqual(most);
});

test('an operation that is permitted again is asked again', async () => {
  let isFull = true;
  const { transport, sent } = transportTo(() => (isFull ? limited() : ok()));
  expect(await reasonsOf(transport, [A, A])).toEqual([LIMITED, LIMITED]);
  isFull = false;
  const before = sent.length;
  expect(await reasonsOf(transport, [A, A])).toEqual(['ok', 'ok']);
  expect(sent.length - before).toBe(2);
});

test('the report says for how long the deployment slowed the run down, and by what', async () => {
  let count = 0;
  const { check } = await deploy({}, async (request, through) =>
    (count += 1) % 7 === 0 ? limited(1) : through(request),
  );
  const { exitCode, hints } = await check({ only: ['countries.*', 'facilities.list*', 'auth.*'] });
  expect(exitCode).toBe(0);
  expect(hints).toContainEqual(
    expect.stringMatching(
      /^The deployment slowed the run down by \d+ seconds: it limited the rate of \d+ requests \(429\)\./,
    ),
  );
});
