import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Sandbox, State } from '../../../src/engine/library.js';
import { listReply, LISTING, LONG_AGO } from '../../support/booking-list.js';
import { type Client, open } from '../../support/client.js';
import { initialTokenOf, refreshWith } from '../../support/credentials.js';
import { sampled } from '../../support/sampled.js';
import { bookingFor, dayIn, findTeeTime, teeTimesPath } from '../../support/scenes.js';
import { openAtOnce, pricesPath } from '../../support/views.js';
import { DAYS, FACILITIES, Model } from '../../support/model-based/model.js';
import { type Step, steps } from '../../support/model-based/steps.js';
import { openWalk } from '../../support/model-based/open-walk.js';
import { type Clients, walk } from '../../support/model-based/walk.js';

type Opened = Awaited<ReturnType<typeof openAtOnce>>;

/** What every channel is shown, byte by byte, and then what is made next: bookings, groups and tokens. */
async function told({ fairway, links, caddie }: Clients, model: Model): Promise<unknown[]> {
  const said: unknown[] = [];
  const hear = async (reply: Promise<{ text: string; headers: Headers }>) => {
    const { text, headers } = await reply;
    said.push(text, [...headers]);
  };
  for (const client of [fairway, links, caddie]) {
    for (const version of LISTING) await hear(listReply(client, version, { fromDate: LONG_AGO }));
    for (const facilityId of FACILITIES) {
      for (const days of DAYS) await hear(client.get(teeTimesPath('v4', { facilityId, days })));
    }
    const query = { facilityIds: FACILITIES.join(), fromDate: dayIn(DAYS[0]!).query, toDate: dayIn(DAYS[1]!).query };
    await hear(client.get(pricesPath(query)));
  }
  for (const client of [fairway, links, caddie]) {
    await hear(refreshWith(client, model.tokens.get(client.channel) ?? initialTokenOf(client)));
    await hear(refreshWith(client, initialTokenOf(client)));
    const wanted = { facilityId: FACILITIES[0]!, days: 22 };
    const one = bookingFor(await findTeeTime(client, wanted), { facilityId: wanted.facilityId });
    await hear(client.post('/api/v5/bookings', one));
    await hear(client.post('/api/v5/bookings', [one, one]));
  }
  return said;
}

/** A copy as a file has it. */
const asJson = (state: State): State => JSON.parse(JSON.stringify(state));

async function learned(): Promise<Model> {
  const { fairway, links, caddie } = await openAtOnce();
  const model = new Model();
  await model.learn([fairway, links, caddie]);
  return model;
}

/** What a model knows of bookings and tokens, at this moment. */
function copyOf(model: Model): Model {
  const copy = new Model();
  copy.made.push(...model.made);
  for (const name of ['taken', 'sheets', 'tokens', 'planted'] as const) {
    for (const [key, value] of model[name]) (copy[name] as Map<unknown, unknown>).set(key, value);
  }
  return copy;
}

const clientsOf = ({ fairway, links, caddie }: Opened): Clients => ({ fairway, links, caddie });

const mirrored = ({ db }: Sandbox) => db.bookings.findMany((query) => query.where({}));

describe('a restore is exact', () => {
  sampled('after any walk, whatever was walked on', [1, 6], async (numRuns) => {
    await fc.assert(
      fc.asyncProperty(steps(120), steps(60), async (before: Step[], after: Step[]) => {
        const [walker, twin] = [await openWalk(), await openWalk()];
        const first = await learned();
        const again = copyOf(first);
        await walk(clientsOf(walker), before, first, 1);
        await walk(clientsOf(twin), before, again, 1);
        const snapshot = walker.sandbox.snapshot();
        const kept = JSON.stringify(snapshot);
        await walk(clientsOf(walker), after, copyOf(first), 1);
        await walker.sandbox.restore(asJson(snapshot));
        expect(JSON.stringify(snapshot), 'the walk changed the snapshot').toBe(kept);
        expect(JSON.stringify(walker.sandbox.snapshot())).toBe(kept);
        expect(mirrored(walker.sandbox).map((one) => ({ ...one }))).toEqual(snapshot.store.bookings);
        expect(await told(clientsOf(walker), first)).toEqual(await told(clientsOf(twin), again));
      }),
      { seed: 20260601, numRuns, endOnFailure: true },
    );
  });

  test('what the library finds is what is cancelled later', async () => {
    const { sandbox, fairway } = await open();
    await sandbox.restore(sandbox.snapshot());
    const { body } = await fairway.post('/api/v5/bookings', bookingFor(await findTeeTime(fairway)));
    await sandbox.restore(sandbox.snapshot());
    const of = () => sandbox.db.bookings.findFirst((query) => query.where({ bookingId: body.data.bookingId }));
    expect(of()?.paymentConfirmedAt).toBeNull();
    await fairway.post(`/api/v4/bookings/payment/${body.data.bookingId}`, undefined);
    expect(of()?.paymentConfirmedAt).toBe('2026-06-01T08:00:00.000');
  });

  test('clock, dialect, plans, tokens, what operators did and the count of requests come back', async () => {
    const { sandbox, fairway } = await open({ clock: () => Date.UTC(2026, 5, 1, 8) });
    const strike = async (scenario: string) => {
      const teeTime = await findTeeTime(fairway);
      return fairway.post('/api/v5/bookings', bookingFor(teeTime), { headers: { 'teebox-scenario': scenario } });
    };
    await strike('tee-time-withdrawn');
    await strike('sold-out');
    sandbox.clock.advance(90_000);
    sandbox.scenarios.arm('slow', { delay: 1, times: 3 });
    await fairway.get('/api/v3/countries');
    const state = asJson(sandbox.snapshot());
    expect(state).toMatchObject({
      clock: { mode: 'running', ahead: 90_000 },
      requests: 5,
      store: { amendments: [{ change: 'tee-time-withdrawn' }, { change: 'sold-out' }] },
      scenarios: { plans: [{ scenario: 'slow', struck: 1 }] },
    });
    const sheet = (client: Client) => client.get(teeTimesPath('v4'));
    const before = await sheet(fairway);
    await sandbox.reset();
    expect(sandbox.snapshot().store.amendments).toEqual([]);
    await sandbox.restore(state);
    expect(asJson(sandbox.snapshot())).toEqual(state);
    expect((await sheet(fairway)).text).toBe(before.text);
    const later = Date.UTC(2027, 0, 1);
    const another = await open({ clock: () => later, state });
    expect(asJson(another.sandbox.snapshot()).store).toEqual(state.store);
    expect(another.sandbox.clock.now()).toBe(later + 90_000);
  });
});
