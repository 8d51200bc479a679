import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createSandbox, type DialectCard, ValidationError } from '../../../src/engine/library.js';
import { checkNesting, extentOf, MOST_LEVELS } from '../../../src/common/nesting.js';
import { adminOf, expectedProblem } from '../../support/admin.js';
import { open, ORIGIN, readReply } from '../../support/client.js';
import { basic } from '../../support/credentials.js';

/** A value within so many arrays. */
function within(levels: number, value: unknown = 1): unknown {
  let nested = value;
  for (let level = 0; level < levels; level += 1) nested = [nested];
  return nested;
}

const deepText = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`;

/** Levels and values of parsed JSON, counted by recursion. */
function measured(value: unknown): { levels: number; values: number } {
  if (typeof value !== 'object' || value === null) return { levels: 0, values: 1 };
  const items = Object.values(value).map(measured);
  return {
    levels: 1 + Math.max(0, ...items.map(({ levels }) => levels)),
    values: 1 + items.reduce((sum, one) => sum + one.values, 0),
  };
}

test('the extent of a text is that of its value', () => {
  const json = fc.jsonValue({ maxDepth: 6 });
  const texts = fc
    .tuple(json, fc.constantFrom(undefined, 2))
    .map(([value, space]) => JSON.stringify(value, null, space));
  fc.assert(
    fc.property(texts, (text) => {
      const { levels, values } = measured(JSON.parse(text));
      const extent = extentOf(text);
      expect(extent.levels).toBe(levels);
      expect(extent.values).toBeGreaterThanOrEqual(values);
      expect(extent.values).toBeLessThanOrEqual(2 * values);
    }),
  );
});

describe('a value', () => {
  const circular: unknown[] = [];
  circular.push(circular, circular);

  test.each<[what: string, value: unknown, says: RegExp | undefined]>([
    ['of the most levels', within(MOST_LEVELS), undefined],
    ['of one more', within(MOST_LEVELS + 1), /^It must have at most 64 levels of arrays and objects\.$/],
    ['of a million levels', within(1_000_000), /64 levels/],
    ['of the most values', Array.from({ length: 1000 }, () => 1), undefined],
    ['of one more value', Array.from({ length: 1001 }, () => 1), /^It must have at most 1000 values\.$/],
    ['that contains itself twice', circular, /at most 1000 values/],
  ])('%s', (_, value, says) => {
    const check = () => checkNesting(value, 'It', MOST_LEVELS, 1000);
    if (says) expect(check).toThrow(says);
    else check();
  });
});

test.each([
  [MOST_LEVELS, false],
  [MOST_LEVELS + 1, true],
])('a request body of %i levels has too many: %s', async (levels, isTooDeep) => {
  const { fairway } = await open();
  const wide = Array.from({ length: MOST_LEVELS }, () => []);
  const { status, text } = await fairway.post('/api/v5/bookings', { comments: within(levels - 1), more: wide });
  expect([status, text.includes('levels of arrays')]).toEqual([400, isTooDeep]);
});

const plan = (match: unknown) => ({ scenario: 'rate-limited', match: { comments: match } });

describe('what cannot be saved cannot be armed', () => {
  test.each<[what: string, body: string, says: RegExp]>([
    ['5,000 levels', `{"scenario":"rate-limited","match":{"a":${deepText(5000)}}}`, /at most 64 levels.*got 5002/],
    [
      '100,000 levels',
      `{"scenario":"rate-limited","match":{"a":${deepText(100_000)}}}`,
      /at most 64 levels.*got 100002/,
    ],
    ['more levels than a plan may have', JSON.stringify(plan(within(31))), /A plan must have at most 32 levels/],
    ['too many values', JSON.stringify(plan(Array.from({ length: 2000 }, () => 1))), /at most 2000 values/],
    ['a long value', JSON.stringify(plan('x'.repeat(65_536))), /at most 65536 characters of JSON; got 655/],
  ])('a plan with %s', async (_, body, says) => {
    const { sandbox } = await open();
    const admin = adminOf(sandbox);
    const { fits, ...problem } = (await admin('POST', 'plans', body)).body;
    expect(problem).toEqual(expectedProblem(400, expect.stringMatching(says)));
    expect(fits).toHaveLength(1);
    expect((await admin('GET', 'plans')).body.count).toBe(0);
  });

  test('a plan of the most levels is armed, saved and loaded, over and over', async () => {
    const { sandbox } = await open();
    const admin = adminOf(sandbox);
    expect((await admin('POST', 'plans', plan(within(30)))).status).toBe(200);
    expect((await admin('PUT', 'snapshots/deep', '')).status).toBe(200);
    const state = (await admin('GET', 'state')).text;
    expect((await admin('PUT', 'state', state)).status).toBe(200);
    expect((await admin('GET', 'state')).text).toBe(state);
    await createSandbox({ state: JSON.parse(state) });
  });

  test.each<[what: string, match: unknown, says: RegExp]>([
    ['of too many levels', { a: within(5000) }, /A plan must have at most 32 levels/],
    ['that is no JSON', { a: 1n }, /The options of a plan must be JSON/],
  ])('a call with a `match` %s', async (_, match, says) => {
    const { scenarios } = await createSandbox();
    expect(() => scenarios.arm('rate-limited', { match: match as Record<string, unknown> })).toThrow(says);
    expect(scenarios.plans).toEqual([]);
  });

  test('a plan keeps its options if the caller changes his', async () => {
    const { scenarios } = await createSandbox();
    const match: Record<string, unknown> = { comments: 'a' };
    scenarios.arm('rate-limited', { match });
    match['comments'] = within(100);
    expect(scenarios.plans[0]!.match).toEqual({ comments: 'a' });
  });
});

test('all plans together have a maximum, and finished ones make room', async () => {
  const { scenarios } = await createSandbox({ now: '2026-06-01T08:00:00Z' });
  const arm = (ttl?: number) =>
    scenarios.arm('rate-limited', { match: { a: 'x'.repeat(65_000) }, ...(ttl ? { ttl } : {}) });
  for (let count = 0; count < 16; count += 1) arm();
  expect(() => arm()).toThrow('The plans of a sandbox have at most 1048576 characters of JSON.');
  scenarios.disarm('plan-1');
  arm();
  expect(scenarios.plans).toHaveLength(16);
});

test('a dialect card with too many scenarios changes nothing', async () => {
  const { sandbox } = await open();
  const scenarios = Array.from({ length: 51 }, () => 'slow, slow');
  const reply = await adminOf(sandbox)('PUT', 'dialect', { name: 'crowded', scenarios });
  expect(reply).toMatchObject({
    status: 400,
    body: { detail: expect.stringMatching(/must be at most 100 scenarios; got 102/) },
  });
  expect(sandbox.dialect.name).toBeUndefined();
  await expect(createSandbox({ dialect: { scenarios } })).rejects.toThrow('at most 100 scenarios');
});

test.each<[what: string, options: object]>([
  ['a dialect', { dialect: { answers: within(5000) } as DialectCard }],
  ['a state', { state: { scenarios: within(5000) } }],
])('`createSandbox` refuses %s of thousands of levels', async (_, options) => {
  await expect(createSandbox(options)).rejects.toThrow(ValidationError);
});

test.each(['clock', 'dialect', 'state', 'requests/verify', 'chaos'])(
  'a body of a hundred thousand levels for `%s` is refused, with the limit',
  async (path) => {
    const { sandbox } = await open();
    const method = path === 'dialect' || path === 'state' ? 'PUT' : 'POST';
    const reply = await adminOf(sandbox)(method, path, deepText(100_000));
    // A state is refused at the first level too many, not measured.
    const got = path === 'state' ? '' : '; got 100000';
    expect(reply.body.detail).toBe(`The body must have at most 64 levels of arrays and objects${got}.`);
  },
);

describe('a text that asks for scenarios', () => {
  const long = Array.from({ length: 500_000 }, () => 'slow').join();

  test('in a comment is refused if it is long, without credentials too', async () => {
    const { sandbox } = await open();
    for (const headers of [{}, basic('fairway', 'not-a-secret-fairway')]) {
      const body = JSON.stringify({ comments: `#teebox ${long.slice(0, 900_000)}` });
      const init = { method: 'POST', body, headers: { ...headers, 'content-type': 'application/json' } };
      const reply = await readReply(await sandbox.fetch(`${ORIGIN}/api/v5/bookings`, init));
      expect(reply).toMatchObject({
        status: 400,
        body: { detail: expect.stringMatching(/must have at most 2048 characters; got 90000/) },
      });
    }
  });

  test('in a header too', async () => {
    const { sandbox } = await open();
    const headers = { 'teebox-scenario': long.slice(0, 2049) };
    const reply = await readReply(await sandbox.fetch(`${ORIGIN}/api/v3/countries`, { headers }));
    expect(reply).toMatchObject({
      status: 400,
      body: { detail: expect.stringMatching(/at most 2048 characters; got 2049/) },
    });
  });
});

test('a body of very many values is too large, whatever its length', async () => {
  const { sandbox } = await open();
  const init = (count: number) => ({
    method: 'POST',
    body: `[${'{},'.repeat(count - 1)}{}]`,
    headers: { 'content-type': 'application/json' },
  });
  const path = `${ORIGIN}/api/v5/token/refreshToken`;
  const refused = await readReply(await sandbox.fetch(path, init(300_000)));
  expect(refused).toMatchObject({
    status: 413,
    rule: 'limits.body-size',
    body: { message: expect.stringMatching(/more than 50000 values/) },
  });
  expect((await readReply(await sandbox.fetch(path, init(10_000)))).rule).toBe('tokens.refresh.body');
});
