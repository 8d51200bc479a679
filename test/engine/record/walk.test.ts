import fc from 'fast-check';
import { beforeAll, describe, expect } from 'vitest';
import type { Capsule } from '../../../src/engine/library.js';
import { playCapsule } from '../../../src/engine/play.js';
import { open } from '../../support/client.js';
import { Model } from '../../support/model-based/model.js';
import { quick, walkOperated } from '../../support/model-based/operated-walk.js';
import { steps } from '../../support/model-based/steps.js';
import { sampled } from '../../support/sampled.js';
import { openAtOnce } from '../../support/views.js';

const SEED = 20260601;

const learned = new Model();
beforeAll(async () => {
  const twins = await openAtOnce();
  await learned.learn([twins.fairway, twins.links, twins.caddie]);
});

async function expectSame(capsule: Capsule): Promise<void> {
  const { differences, requests } = await playCapsule(JSON.parse(JSON.stringify(capsule)));
  expect(differences.slice(0, 3)).toEqual([]);
  expect(requests).toBe(capsule.steps.filter(({ kind }) => kind === 'request').length);
}

describe('a random walk, written as a capsule, plays byte for byte', () => {
  const walked = async (atOnce: number, numRuns: number): Promise<void> => {
    const kinds = new Set<string>();
    const statuses = new Set<number>();
    await fc.assert(
      fc.asyncProperty(steps(80), fc.nat({ max: 1000 }), async (all, seed) => {
        const clients = await open({
          ...quick,
          chaos: { rate: 0.15, seed },
          scenarios: ['slow; delay=uniform(1ms,9ms)'],
        });
        await walkOperated(clients, all, learned.untouched(), atOnce);
        const { sandbox } = clients;
        const capsule = await sandbox.capsule();
        for (const step of capsule.steps) {
          kinds.add(step.kind);
          if (step.kind === 'request') statuses.add(step.response?.status ?? 0);
        }
        await expectSame(capsule);
      }),
      { seed: SEED, numRuns, endOnFailure: true },
    );
    // A walk that met nothing proves nothing.
    for (const kind of ['request', 'clock', 'admin', ...(atOnce > 1 ? ['resume'] : [])]) expect(kinds).toContain(kind);
    expect(statuses.size).toBeGreaterThan(4);
  };
  for (const [how, atOnce] of [
    ['one request after the other', 1],
    ['three requests at once', 3],
  ] as const) {
    sampled(`${how}, among failures and operators`, [2, 3], (count) => walked(atOnce, count));
  }
});
