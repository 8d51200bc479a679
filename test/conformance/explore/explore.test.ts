import { describe, expect, test } from 'vitest';
import { explore } from '../../../src/conformance/explore/explore.js';
import { createSandbox } from '../../../src/engine/library.js';
import { sampled } from '../../support/sampled.js';
import { BASE_URL, deploy, type Layer } from '../deployment.js';
import { exploreSandbox, storiesOf } from './deployments.js';

const json = { 'content-type': 'application/json' };

test('nothing is wrong with the sandbox in a walk', async () => {
  const result = await exploreSandbox({ seed: 1, walks: 1 });
  expect(storiesOf(result)).toEqual([]);
  expect(result).toMatchObject({ verdict: 'no-finding', exitCode: 0, walks: 1, findings: [] });
  expect(result.steps).toBeGreaterThan(25);
});

test('nothing is wrong with the sandbox, and many pairs of steps are seen', { tags: ['slow'] }, async () => {
  const result = await exploreSandbox({ seed: 1, walks: 5 });
  expect(storiesOf(result)).toEqual([]);
  expect(result).toMatchObject({ verdict: 'no-finding', exitCode: 0, walks: 5, findings: [] });
  expect(result.steps).toBeGreaterThan(150);
  expect(Object.keys(result.pairs).length).toBeGreaterThan(80);
  expect(Object.keys(result.triples).length).toBeGreaterThan(80);
  expect(result.pairs).toMatchObject(
    Object.fromEntries(Object.keys(result.triples).map((pair) => [pair, expect.any(Number)])),
  );
});

test('the same seed takes the same walks one after the other', { tags: ['slow'] }, async () => {
  const run = async () => {
    const { pairs, requests, bookings } = await exploreSandbox({ seed: 6, walks: 3, parallel: 1 });
    return { pairs, requests, bookings };
  };
  expect(await run()).toEqual(await run());
});

test('a booking that a list lost is not told again by later walks', { tags: ['slow'] }, async () => {
  const made: string[] = [];
  const layer: Layer = async (request, through) => {
    const response = await through(request);
    const { pathname } = new URL(request.url);
    const isList = request.method === 'GET' && pathname === '/api/v2/bookings';
    if (!response.ok || !pathname.endsWith('bookings') || (request.method === 'GET' && !isList)) return response;
    const body = await response.clone().json();
    if (!isList) made.push(...(body.data.bookingIds ?? [body.data]).map((one: any) => one.bookingId));
    else body.data = body.data.filter((one: any) => one.bookingId !== made[7]);
    return isList ? Response.json(body) : response;
  };
  const { findings } = await exploreSandbox({ seed: 1, walks: 4 }, {}, layer);
  expect(findings.map(({ fact }) => fact)).toEqual(['missing']);
});

test('without a permission, a run only reads', async () => {
  const { sandbox, options, sent } = await deploy();
  const { exploreDeployment } = await import('../../../src/conformance/explore/explore.js');
  const result = await exploreDeployment({ ...options, walks: 3, seed: 1 });
  expect(result).toMatchObject({ verdict: 'no-finding', bookings: 0, litter: [] });
  expect(sent.filter((one) => !one.startsWith('GET '))).toEqual([]);
  expect(sent.filter((one) => /payment|v5\/teetimes\?/.test(one))).toEqual([]);
  expect(sandbox.callbacks.deliveries).toEqual([]);
});

test('a run makes no more bookings than it may, and lists those that it leaves', async () => {
  const result = await exploreSandbox({ seed: 1, walks: 50, maxBookings: 10 });
  expect(result.bookings).toBeLessThanOrEqual(10);
  expect(result.litter.filter(({ kind }) => kind === 'booking')).toHaveLength(result.bookings);
  expect(result.walks).toBeLessThan(50);
});

test('an app in this process, which is reset between walks', { tags: ['slow'] }, async () => {
  const sandbox = await createSandbox({ now: '2026-06-01T10:00:00Z' });
  const [{ username, password }] = sandbox.channels as unknown as readonly [{ username: string; password: string }];
  let resets = 0;
  const result = await explore((request) => sandbox.fetch(request), {
    first: { basic: { username, password } },
    now: () => Date.parse('2026-06-01T10:00:00Z'),
    allow: ['bookings', 'payments'],
    walks: 2,
    seed: 9,
    reset() {
      resets += 1;
      sandbox.reset();
    },
  });
  expect(storiesOf(result)).toEqual([]);
  expect(result).toMatchObject({ verdict: 'no-finding', walks: 2 });
  expect(resets).toBe(2);
});

/** Asks for a pause of so many seconds, each time after some requests. */
const limiting = (every: number, seconds: number): Layer => {
  let turn = 0;
  return async (request, through) => {
    turn += 1;
    if (turn % every > 0) return through(request);
    return new Response('{"success":false}', { status: 429, headers: { 'retry-after': String(seconds) } });
  };
};

describe('a deployment that limits the rate', () => {
  test('gets the pauses that it asks for, and loses no walk by them', async () => {
    const result = await exploreSandbox({ seed: 1, walks: 1, parallel: 1 }, {}, limiting(20, 7));
    expect(result).toMatchObject({ verdict: 'no-finding', walks: 1, notes: [] });
    const pauses = Math.floor(result.requests / 20);
    expect(result.durationMs).toBeGreaterThanOrEqual(pauses * 7000);
  });

  test.each([20, 50])('does not make a run longer than it is to be: %i seconds', async (seconds) => {
    const result = await exploreSandbox({ seed: 1, duration: 30_000 }, {}, limiting(40, seconds));
    // After each such response the requests keep a distance of up to two seconds.
    expect(result.durationMs).toBeLessThanOrEqual(32_000);
    expect(result.notes.join(' ')).toMatch(`time for a pause of ${seconds} s that the deployment asks for (--for)`);
  });
});

const garbage = (text: string, status = 200): Response => new Response(text, { status, headers: json });
const hostilities: Readonly<Record<string, (turn: number) => Response | undefined>> = {
  'errors of the server': (turn) => (turn % 7 === 0 ? garbage('{"success":false}', 500) : undefined),
  'no JSON': (turn) => (turn > 60 ? garbage('<html>') : undefined),
  'lists of numbers': (turn) => (turn > 60 ? garbage('{"success":true,"data":[1,2,3]}') : undefined),
  'a success for everything': (turn) => (turn > 60 ? garbage('{"success":true,"data":null}') : undefined),
  'a booking for everything': (turn) =>
    turn > 60 ? garbage('{"success":true,"data":{"bookingId":"same","teeTimeV3":[]}}') : undefined,
  'a busy service': (turn) => (turn % 3 === 0 ? garbage('{}', 503) : undefined),
};

describe.each(Object.entries(hostilities))(
  'a hostile deployment cannot make a run hang or book on: %s',
  (_, answer) => {
    sampled('in some walks', [1, 2], async (walks) => {
      let turn = 0;
      const layer: Layer = async (request, through) => answer((turn += 1)) ?? through(request);
      const run = { seed: 1, walks, maxBookings: 60, deadline: 600_000, maxErrors: 100 };
      const result = await exploreSandbox(run, {}, layer);
      expect(result.bookings).toBeLessThanOrEqual(60);
      expect(result.findings.length).toBeLessThan(25);
      expect(turn).toBeLessThan(12_000);
    });
  },
);

test('a deployment that is not there', async () => {
  const layer: Layer = async () => {
    throw new TypeError('refused');
  };
  expect(await exploreSandbox({ walks: 1 }, {}, layer)).toMatchObject({
    exitCode: 3,
    verdict: 'unreachable',
    walks: 0,
  });
  expect(BASE_URL).toContain('http');
});
