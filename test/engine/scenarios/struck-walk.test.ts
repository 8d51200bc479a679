import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import type { SandboxOptions } from '../../../src/engine/library.js';
import { open } from '../../support/client.js';
import { doers } from '../../support/model-based/deeds.js';
import { Model } from '../../support/model-based/model.js';
import { quick } from '../../support/model-based/operated-walk.js';
import { type Step, steps } from '../../support/model-based/steps.js';
import { openAtOnce } from '../../support/views.js';

const SEED = 20260601;

const learned = new Model();
beforeAll(async () => {
  const twins = await openAtOnce();
  await learned.learn([twins.fairway, twins.links, twins.caddie]);
});

/** Walks through a sandbox in which anything may fail, and gives back all that can be seen of it afterwards. */
async function walkStruck(all: readonly Step[], options: SandboxOptions) {
  const clients = await open({ ...quick, ...options });
  const { sandbox } = clients;
  const model = learned.untouched();
  for (const step of all) {
    if (step.does === 'wait') sandbox.clock.advance((step.a % 120) * 60_000);
    // An answer that was lost, broken or refused tells the doer nothing; the journal has it.
    else await doers[step.does](clients[step.channel], step, model).catch(() => {});
  }
  await sandbox.callbacks.settled();
  return { sandbox, entries: [...sandbox.journal.entries], state: sandbox.snapshot() };
}

type Walked = Awaited<ReturnType<typeof walkStruck>>;

function digest({ entries, state }: Walked): string {
  const seen = entries.map(({ requestId, status, rule, scenario, state: end }) => [
    requestId,
    status,
    rule,
    scenario,
    end,
  ]);
  // The deeds count the references of linked groups on, over all walks.
  const text = JSON.stringify([seen, state]).replaceAll(/"linkedTeeTimeRef":"[^"]*"/g, '');
  return createHash('sha256').update(text).digest('hex');
}

/** No tee time has more players than slots, whoever books. */
function expectNoneOverbooked({ state }: Walked): void {
  const taken = new Map<number, number>();
  for (const { teeId, players, status } of state.store.bookings) {
    if (status === 'BOOKED') taken.set(teeId, (taken.get(teeId) ?? 0) + players);
  }
  expect([...taken].filter(([, players]) => players > 4)).toEqual([]);
}

test('a walk among failures is the same each time, and leaves nothing half done', async () => {
  const met = new Set<string>();
  await fc.assert(
    fc.asyncProperty(steps(250), fc.nat({ max: 1000 }), async (all, seed) => {
      const options: SandboxOptions = {
        chaos: { rate: 0.3, seed },
        scenarios: ['slow; delay=uniform(1ms,9ms)'],
      };
      const walked = await walkStruck(all, options);
      expect(digest(await walkStruck(all, options))).toBe(digest(walked));
      expectNoneOverbooked(walked);
      for (const { status, rule, scenario, state, method, body, operation } of walked.entries) {
        for (const id of scenario ? [scenario.id, ...(scenario.also ?? [])] : []) met.add(id);
        expect(state).not.toBe('open');
        // A failure that nobody asked for would have no scenario.
        if (status >= 500) expect([rule, scenario?.struck]).toEqual(['errors.service-status', true]);
        if (method === 'POST' && operation?.includes('create')) expect(body).toBeDefined();
      }
    }),
    { seed: SEED, numRuns: 6, endOnFailure: true },
  );
  // A walk that met nothing proves nothing.
  expect(met.size).toBeGreaterThan(20);
});
