import type { SandboxOptions } from '../../../src/engine/library.js';
import { scenarios } from '../../../src/contract/generated/scenarios.js';
import { adminOf } from '../admin.js';
import { open } from '../client.js';
import { doers } from './deeds.js';
import type { Model } from './model.js';
import type { Step } from './steps.js';

/** Timers that fire at once, and a receiver that takes everything. */
export const quick = {
  schedule: (work: () => void) => {
    const timer = setTimeout(work, 0);
    return () => clearTimeout(timer);
  },
  fetch: async () => new Response(null, { status: 204 }),
} satisfies SandboxOptions;

export type Walkers = Awaited<ReturnType<typeof open>>;

/** What an operator does between two batches of requests, by the library and by the admin API. */
export async function operate({ sandbox }: Walkers, { a, b, c }: Step): Promise<void> {
  const admin = adminOf(sandbox);
  const scenario = scenarios[b % scenarios.length]!.id;
  const [booking] = sandbox.snapshot().store.bookings.slice(c % 20);
  const acts: readonly (() => unknown)[] = [
    () => sandbox.scenarios.arm(scenario, { times: 1 + (c % 3) }),
    () => admin('POST', 'plans', { scenario, after: c % 2 }),
    () => sandbox.scenarios.disarm(),
    () => sandbox.scenarios.chaos({ rate: 0.2, seed: c }),
    () => sandbox.scenarios.chaos(null),
    () =>
      booking && admin('POST', `tee-sheets/${booking.facilityId}/changes`, { change: 'rival', teeId: booking.teeId }),
    () => booking && admin('POST', `bookings/${booking.bookingId}/cancel?force=true`),
    () => sandbox.clock.set(sandbox.clock.now() - c * 1000),
    () => admin('POST', 'clock', { advance: 'PT1H' }),
    () => admin('PUT', 'dialect', { answers: { 'error.code': c % 2 ? 'code' : 'none' } }),
  ];
  await acts[a % acts.length]!();
}

/** Walks in batches of requests that are under way together; each client may be lost, struck or refused. */
export async function walkOperated(
  clients: Walkers,
  all: readonly Step[],
  model: Model,
  atOnce: number,
  act: (clients: Walkers, step: Step) => Promise<unknown> = operate,
): Promise<void> {
  for (let from = 0; from < all.length; from += atOnce) {
    const batch = all.slice(from, from + atOnce);
    await Promise.all(
      batch.map((step) => step.does !== 'wait' && doers[step.does](clients[step.channel], step, model).catch(() => {})),
    );
    for (const step of batch) if (step.does === 'wait') await act(clients, step);
  }
}
