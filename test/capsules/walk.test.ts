import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Capsule, SandboxOptions } from '../../src/index.js';
import { playCapsule } from '../../src/play.js';
import { scenarios } from '../../src/generated/scenarios.js';
import { adminOf } from '../support/admin.js';
import { open } from '../support/client.js';
import { doers } from '../support/model-based/deeds.js';
import { Model } from '../support/model-based/model.js';
import { type Step, steps } from '../support/model-based/steps.js';
import { openAtOnce } from '../support/views.js';

const SEED = 20260601;

const learned = new Model();
beforeAll(async () => {
  const twins = await openAtOnce();
  await learned.learn([twins.fairway, twins.links, twins.caddie]);
});

const quick: SandboxOptions = {
  schedule: (work) => {
    const timer = setTimeout(work, 0);
    return () => clearTimeout(timer);
  },
  fetch: async () => new Response(null, { status: 204 }),
};

type Clients = Awaited<ReturnType<typeof open>>;

/** What an operator does between two batches of requests, by the library and by the admin API. */
async function operate({ sandbox }: Clients, { a, b, c }: Step): Promise<void> {
  const admin = adminOf(sandbox);
  const scenario = scenarios[b % scenarios.length]!.id;
  const [booking] = sandbox.snapshot().store.bookings.slice(c % 20);
  const acts: readonly (() => unknown)[] = [
    () => sandbox.scenarios.arm(scenario, { times: 1 + (c % 3) }),
    () => admin('POST', 'plans', { scenario, after: c % 2 }),
    () => sandbox.scenarios.disarm(),
    () => sandbox.scenarios.chaos({ rate: 0.2, seed: c }),
    () => sandbox.scenarios.chaos(null),
    () => admin('POST', 'rivals', { rate: 20, seed: c }),
    () => booking && admin('POST', `bookings/${booking.bookingId}/cancel?force=true`),
    () => sandbox.clock.set(sandbox.clock.now() - c * 1000),
    () => admin('POST', 'clock', { advance: 'PT1H' }),
    () => admin('PUT', 'dialect', { answers: { 'error.code': c % 2 ? 'code' : 'none' } }),
  ];
  await acts[a % acts.length]!();
}

/** Walks in batches of requests that are under way together; each client may be lost, struck or refused. */
async function walk(all: readonly Step[], atOnce: number, options: SandboxOptions): Promise<Clients> {
  const clients = await open({ ...quick, ...options });
  const model = learned.untouched();
  for (let from = 0; from < all.length; from += atOnce) {
    const batch = all.slice(from, from + atOnce);
    await Promise.all(
      batch.map((step) => step.does !== 'wait' && doers[step.does](clients[step.channel], step, model).catch(() => {})),
    );
    for (const step of batch) if (step.does === 'wait') await operate(clients, step);
  }
  return clients;
}

async function expectSame(capsule: Capsule): Promise<void> {
  const { differences, requests } = await playCapsule(JSON.parse(JSON.stringify(capsule)));
  expect(differences.slice(0, 3)).toEqual([]);
  expect(requests).toBe(capsule.steps.filter(({ kind }) => kind === 'request').length);
}

describe('a random walk, written as a capsule, plays byte for byte', () => {
  test.each([
    ['one request after the other', 1],
    ['three requests at once', 3],
  ])('%s, among failures, rivals and operators', async (_, atOnce) => {
    const kinds = new Set<string>();
    const statuses = new Set<number>();
    await fc.assert(
      fc.asyncProperty(steps(80), fc.nat({ max: 1000 }), async (all, seed) => {
        const { sandbox } = await walk(all, atOnce, {
          chaos: { rate: 0.15, seed },
          rivals: { rate: 10, seed },
          scenarios: ['slow; delay=uniform(1,9)'],
        });
        const capsule = await sandbox.capsule();
        for (const step of capsule.steps) {
          kinds.add(step.kind);
          if (step.kind === 'request') statuses.add(step.response?.status ?? 0);
        }
        await expectSame(capsule);
      }),
      { seed: SEED, numRuns: 3, endOnFailure: true },
    );
    // A walk that met nothing proves nothing.
    for (const kind of ['request', 'clock', 'admin', ...(atOnce > 1 ? ['resume'] : [])]) expect(kinds).toContain(kind);
    expect(statuses.size).toBeGreaterThan(4);
  });
});
