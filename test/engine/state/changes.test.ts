import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Change, SandboxOptions, State } from '../../../src/engine/library.js';
import { adminOf } from '../../support/admin.js';
import { open } from '../../support/client.js';
import { bearer, refreshWith } from '../../support/credentials.js';
import { expectKept, KeptChanges } from '../../support/kept-changes.js';
import { Model } from '../../support/model-based/model.js';
import { operate, quick, type Walkers, walkOperated } from '../../support/model-based/operated-walk.js';
import { type Step, steps } from '../../support/model-based/steps.js';
import { ownScenario } from '../../support/scenarios/own-scenario.js';
import { bookingFor, findTeeTime } from '../../support/scenes.js';
import { openAtOnce } from '../../support/views.js';

const SEED = 20261122;
/** `TEEBOX_WALKS=500 npx vitest run --config test/vitest.config.ts test/engine/state/changes.test.ts` walks longer. */
const WALKS = Number(process.env['TEEBOX_WALKS'] ?? 1);

const learned = new Model();
beforeAll(async () => {
  const twins = await openAtOnce();
  await learned.learn([twins.fairway, twins.links, twins.caddie]);
});

const dialects: readonly object[] = [
  { answers: { 'token.old-access': 'revoked', 'token.reuse': 'family-revoked' } },
  { answers: { 'booking.group-failure': 'earlier-stay' }, scenarios: ['slow; delay=uniform(1ms,9ms)'] },
  {},
];

const asked = (text: string) => ({ headers: { 'teebox-scenario': text } });

/** What changes a state beside the requests of a walk and its operator: each in a way of its own. */
function actsOn(
  { sandbox, fairway, links }: Walkers,
  saved: State,
  which = 0,
): Readonly<Record<string, () => unknown>> {
  const admin = adminOf(sandbox);
  const book = async (changes: object, text?: string) =>
    links.post('/api/v5/bookings', bookingFor(await findTeeTime(links), { ...changes }), text ? asked(text) : {});
  const own = () => sandbox.credentials()[0]!.refreshToken;
  return {
    'a refresh': () => refreshWith(fairway, own()),
    'a token that expires early': async () => {
      const { body } = await refreshWith(fairway, own());
      const headers = { ...bearer(body.data.access_token), ...asked('token-expired').headers };
      await fairway.get('/api/v3/countries', { headers });
    },
    'tokens that revoke others': async () => {
      await admin('PUT', 'dialect', dialects[0]);
      for (let turn = 0; turn < 2; turn += 1) await refreshWith(fairway, own());
    },
    'a used token': () => refreshWith(fairway, sandbox.channels[0]!.refreshToken),
    'revoked credentials': () => links.get('/api/v3/countries', asked('credentials-revoked')),
    'a booking lost by its header': () => book({}, 'connection-reset; phase=after-commit'),
    'a booking refused by its comment': () => book({ comments: '#teebox payment-pi-failed; phase=after-commit' }),
    'a rival, then slowly': () => book({}, 'rival, slow; delay=uniform(1ms,9ms)'),
    'a withdrawn tee time': () => book({}, 'tee-time-withdrawn'),
    'a day sold out': () =>
      admin('POST', 'tee-sheets/1022/changes', { change: 'sold-out', courseId: 10221, date: '2026-06-21' }),
    'changes undone': () => admin('DELETE', 'tee-sheets/1022/changes'),
    'another dialect': () => admin('PUT', 'dialect', dialects[which % dialects.length]),
    'a plan of chance': () => sandbox.scenarios.arm('server-error', { probability: 0.5, times: 'always' }),
    'all plans gone': () => {
      sandbox.scenarios.arm('slow');
      sandbox.scenarios.disarm();
    },
    'chaos after chaos': async () => {
      for (const seed of [1, 2]) {
        sandbox.scenarios.chaos({ rate: 0, seed });
        await fairway.get('/api/v3/countries');
      }
    },
    'a plan gone': () => sandbox.scenarios.disarm(sandbox.scenarios.plans[0]?.id ?? 'plan-1'),
    'a clock set back': () => sandbox.clock.reset(),
    'a path that is unknown': () => fairway.get('/api/v9/nowhere'),
    'a lost connection': () => fairway.get('/api/v3/countries', asked('connection-reset')),
    'a reset': () => (which % 2 ? sandbox.reset() : admin('POST', 'reset')),
    'a restore': () => (which % 2 ? sandbox.restore(saved) : admin('PUT', 'state', saved)),
    'a restore of now': () => sandbox.restore(sandbox.snapshot()),
  };
}

interface Walked {
  readonly kinds: Set<string>;
  readonly count: number;
}

/** Compares after each act, and at the end with the start. */
async function walk(all: readonly Step[], atOnce: number, options: SandboxOptions): Promise<Walked> {
  const kept = new KeptChanges();
  const clients = await open({ ...quick, ...options, changes: kept });
  const { sandbox } = clients;
  const start = sandbox.snapshot();
  let before = start;
  const everything: Change[] = [];
  const compare = (): void => {
    const changes = kept.take();
    everything.push(...changes);
    expectKept(before, changes, kept, sandbox);
    before = sandbox.snapshot();
  };
  await walkOperated(clients, all, learned.untouched(), atOnce, async (walkers, step) => {
    const acts = Object.values(actsOn(walkers, start, step.c));
    if (step.b % 2) await operate(walkers, step);
    else await Promise.resolve(acts[step.a % acts.length]!()).catch(() => {});
    compare();
  });
  compare();
  expectKept(start, everything, kept, sandbox);
  return { kinds: new Set(everything.map(({ kind }) => kind)), count: everything.length };
}

const kinds = ['booked', 'canceled', 'paid', 'refreshed', 'expired', 'revoked', 'amended', 'plans', 'chaos'];
const all = [...kinds, 'counts', 'clock', 'dialect', 'requests', 'state'];

describe('an earlier state and the changes since make the state of now', () => {
  test.each([1, 3])('on a random walk among failures and operators, %i at once', async (atOnce) => {
    await fc.assert(
      fc.asyncProperty(steps(80), fc.nat({ max: 1000 }), async (walked, seed) => {
        const { count } = await walk(walked, atOnce, {
          chaos: { rate: 0.15, seed },
          scenarios: ['slow; delay=uniform(1ms,9ms)'],
          ownScenarios: [ownScenario()],
        });
        // A walk that met nothing proves nothing.
        expect(count).toBeGreaterThan(30);
      }),
      { seed: SEED, numRuns: WALKS, endOnFailure: true },
    );
  });

  test('after each act, in an order that meets each kind of change', async () => {
    const kept = new KeptChanges();
    const clients = await open({ ...quick, changes: kept });
    const { sandbox, fairway } = clients;
    const admin = adminOf(sandbox);
    const start = sandbox.snapshot();
    const made = await fairway.post('/api/v5/bookings', bookingFor(await findTeeTime(fairway)));
    await fairway.post(`/api/v4/bookings/payment/${made.body.data.bookingId}`, undefined);
    await admin('POST', 'clock', { advance: 'PT2H' });
    sandbox.scenarios.chaos({ rate: 1, seed: 3, only: ['slow'] });
    await admin('POST', `bookings/${made.body.data.bookingId}/cancel?force=true`);
    const met = new Set<string>();
    for (const [name, act] of Object.entries(actsOn(clients, start))) {
      const before = sandbox.snapshot();
      for (const kind of kept.kinds) met.add(kind);
      kept.take();
      await Promise.resolve(act()).catch(() => {});
      try {
        expectKept(before, kept.changes, kept, sandbox);
      } catch (error) {
        throw new Error(`after ${name}: ${(error as Error).message}`, { cause: error });
      }
    }
    for (const kind of kept.kinds) met.add(kind);
    expect([...met].sort()).toEqual([...all].sort());
  });
});
