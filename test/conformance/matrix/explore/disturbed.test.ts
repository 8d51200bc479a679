import { expect, test } from 'vitest';
import type { Layer } from '../../deployment.js';
import { disturbances, exploreSandbox, storiesOf } from '../../explore/deployments.js';
import { othersBook } from '../../others-book.js';

/**
 * Walks beside each disturbance. `TEEBOX_WALKS=2500 TEEBOX_SEED=1 npx vitest run --config
 * test/conformance/matrix/vitest.config.ts test/conformance/matrix/explore/disturbed.test.ts` takes ten thousand in all.
 */
const WALKS = Number(process.env['TEEBOX_WALKS'] ?? 20);
const FIRST_SEED = Number(process.env['TEEBOX_SEED'] ?? 1);
/** Walks of a sandbox, which has tee times for so many. */
const [EACH, STEPS] = [20, 24];

test.each(Object.entries(disturbances))(
  'walks find nothing wrong with a sandbox, whatever disturbs it: %s',
  async (_, disturbance) => {
    const found: string[] = [];
    const sum = { walks: 0, steps: 0, requests: 0, doubts: 0 };
    for (let seed = FIRST_SEED; sum.walks < WALKS; seed += 1) {
      const { settings, busy } = disturbance(seed);
      const others = busy && othersBook(busy);
      const result = await exploreSandbox({ seed, walks: EACH, steps: STEPS }, settings, others?.layer);
      if (others) expect(others.did.booked).toBeGreaterThan(10);
      found.push(...storiesOf(result).map((story) => `seed ${seed}: ${story}`));
      expect(result.exitCode, `seed ${seed}: ${result.message} ${result.notes.join(' ')}`).toBeLessThan(3);
      sum.walks += result.walks;
      sum.steps += result.steps;
      sum.requests += result.requests;
      sum.doubts += result.findings.length;
    }
    if (process.env['TEEBOX_WALKS']) console.log(JSON.stringify(sum));
    expect(found).toEqual([]);
  },
  Infinity,
);

// Each of these seeds breaks a request from which a run learns.
test.each([15, 18, 20])('a deployment that fails now and then is explored without a finding (%i)', async (seed) => {
  const result = await exploreSandbox({ seed, walks: 3 }, { chaos: { rate: '5%', seed } });
  expect(storiesOf(result)).toEqual([]);
  expect(result).toMatchObject({ verdict: 'no-finding', walks: 3 });
});

/** The first access token that is sent expires early: when eight requests have had one. */
const expiring = (): Layer => {
  const tokens: string[] = [];
  return async (request, through) => {
    const token = request.headers.get('authorization') ?? '';
    if (/^bearer /i.test(token)) tokens.push(token);
    const isOver = tokens.length > 8 && token === tokens[0];
    return isOver
      ? new Response('{"success":false}', { status: 401, headers: { 'content-type': 'application/json' } })
      : through(request);
  };
};

test.each([1, 2, 3])(
  'an access token that expires early is no finding, since the next one is accepted: %i',
  async (seed) => {
    const result = await exploreSandbox({ seed, walks: 6 }, {}, expiring());
    expect(storiesOf(result)).toEqual([]);
  },
);
