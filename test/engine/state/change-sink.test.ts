import { describe, expect, test } from 'vitest';
import { applyChanges, createSandbox, createWorlds, type SandboxOptions } from '../../../src/engine/library.js';
import { adminOf } from '../../support/admin.js';
import { NOW, open, ORIGIN, readReply } from '../../support/client.js';
import { refreshWith } from '../../support/credentials.js';
import { KeptChanges } from '../../support/kept-changes.js';
import { bookingFor, findTeeTime, teeTimesPath } from '../../support/scenes.js';

/** A sink that keeps nothing until it is told to, or fails to. */
class HeldSink extends KeptChanges {
  #end: { resolve(): void; reject(error: Error): void } | undefined;
  #held: Promise<void> | undefined;
  #failure: Error | undefined;

  hold(): void {
    this.#held = new Promise((resolve, reject) => (this.#end = { resolve, reject }));
    this.#held.catch(() => {});
  }

  release(error?: Error): void {
    if (error) this.#end!.reject(error);
    else this.#end!.resolve();
    this.#held = undefined;
  }

  /** From now on everything fails, until it no longer does. */
  fail(error: Error | undefined): void {
    this.#failure = error;
  }

  override kept(): Promise<void> | undefined {
    if (this.#failure) return Promise.reject(this.#failure);
    return this.#held;
  }
}

async function openHeld(options: SandboxOptions = {}) {
  const sink = new HeldSink();
  const opened = await open({ ...options, changes: sink });
  return { ...opened, sink, admin: adminOf(opened.sandbox) };
}

const soon = () => new Promise((resolve) => setTimeout(resolve, 20));
const full = () => new Error('no space left on the disk');

/** Whether a promise is settled after a moment. */
async function isOver(promise: Promise<unknown>): Promise<boolean> {
  let over = false;
  void promise.then(() => (over = true));
  await soon();
  return over;
}

describe('a response waits until the changes are kept', () => {
  test('that of a booking, and of a read that saw it', async () => {
    const { fairway, sandbox, sink } = await openHeld();
    const body = bookingFor(await findTeeTime(fairway));
    sink.hold();
    const booked = fairway.post('/api/v5/bookings', body);
    const listed = fairway.get('/api/v4/bookings');
    expect([await isOver(booked), await isOver(listed)]).toEqual([false, false]);
    expect(sandbox.journal.entries.at(-1)).toMatchObject({ state: 'open', status: 0 });
    sink.release();
    expect([(await booked).status, (await listed).status]).toEqual([200, 200]);
    expect(sandbox.journal.entries.map(({ state }) => state)).not.toContain('open');
  });

  test('that of the admin API, but not a stream or a health check', async () => {
    const { admin, sandbox, sink } = await openHeld();
    sink.hold();
    const moved = admin('POST', 'clock', { advance: 'PT1H' });
    expect(await isOver(moved)).toBe(false);
    const stop = new AbortController();
    const events = await sandbox.fetch(`${ORIGIN}/__admin/events`, { signal: stop.signal });
    expect(events.status).toBe(200);
    await events.body!.cancel();
    expect((await admin('GET', 'health')).status).toBe(200);
    sink.release();
    expect((await moved).status).toBe(200);
  });

  test.each([
    ['without a sink', {}],
    ['with one that has kept everything', { changes: new KeptChanges() }],
  ])('a read stays synchronous %s', async (_, options) => {
    const { sandbox } = await open(options);
    const { username, password } = sandbox.channels[0]!;
    const headers = { authorization: `Basic ${btoa(`${username}:${password}`)}` };
    const path = teeTimesPath('v4', { facilityId: 1001 });
    expect(sandbox.handle(new Request(ORIGIN + path, { headers }))).toBeInstanceOf(Response);
  });
});

describe('a state that cannot be kept', () => {
  const table: readonly { readonly answers: object; readonly like: object }[] = [
    {
      answers: {},
      like: { success: false, data: null, message: expect.stringContaining('no space left on the disk') },
    },
    { answers: { 'error.body': 'errors', 'error.code': 'code' }, like: { code: 'not-kept', errors: [{}] } },
  ];
  test.each(table)('is a 503 in the envelope of the dialect: $answers', async ({ answers, like }) => {
    const { fairway, sandbox, sink } = await openHeld({ dialect: { answers } });
    const body = bookingFor(await findTeeTime(fairway));
    const before = sandbox.snapshot().store.bookings.length;
    sink.hold();
    const booked = fairway.post('/api/v5/bookings', body);
    await soon();
    sink.release(full());
    const reply = await booked;
    expect(reply.status).toBe(503);
    expect(reply.body).toMatchObject(like);
    expect(reply.headers.get('teebox-request-id')).toMatch(/^req-/);
    expect(reply.rule).toBeUndefined();
    const entry = sandbox.journal.entries.at(-1)!;
    expect(entry).toMatchObject({ status: 503, state: 'answered', rule: 'not-kept' });
    await sandbox.journal.verify({ rule: 'not-kept', atLeast: 1, atMost: 1 });
    const { rules } = await sandbox.journal.explain(entry.requestId);
    expect(rules.find(({ rule }) => rule === 'not-kept')).toMatchObject({ outcome: 'failed' });
    // The sandbox goes on with what it has in memory.
    expect(sandbox.snapshot().store.bookings).toHaveLength(before + 1);
    expect((await fairway.get('/api/v4/bookings')).status).toBe(200);
  });

  test('is a 503 of the health check for as long as it lasts', async () => {
    const { admin, sink } = await openHeld();
    sink.fail(full());
    expect(await admin('GET', 'health')).toMatchObject({
      status: 503,
      body: { detail: expect.stringContaining('no space left') },
    });
    sink.fail(undefined);
    expect((await admin('GET', 'health')).status).toBe(200);
  });

  test('is a problem in the admin API', async () => {
    const { admin, sandbox, sink } = await openHeld();
    sink.hold();
    const moved = admin('POST', 'clock', { set: '2026-07-01T08:00:00Z' });
    await soon();
    sink.release(full());
    expect((await moved).body).toMatchObject({ status: 503, detail: expect.stringContaining('no space left') });
    expect(sandbox.clock.now()).toBe(Date.parse('2026-07-01T08:00:00Z'));
  });
});

describe('changes', () => {
  test('a request that changes nothing makes none, and its number can be kept', async () => {
    const { fairway, sink } = await openHeld();
    await fairway.get('/api/v3/countries');
    await fairway.get('/api/v9/nowhere');
    expect([sink.kinds, sink.requests]).toEqual([[], 2]);
  });

  test('are enough to go on from an earlier state', async () => {
    const { fairway, sandbox, sink } = await openHeld();
    const before = sandbox.snapshot();
    await fairway.post('/api/v5/bookings', bookingFor(await findTeeTime(fairway)));
    const twin = await createSandbox({ state: await applyChanges(before, sink.changes) });
    const { username, password } = sandbox.channels[0]!;
    const headers = { authorization: `Basic ${btoa(`${username}:${password}`)}` };
    const [one, other] = await Promise.all(
      [sandbox, twin].map(async ({ fetch }) => readReply(await fetch(`${ORIGIN}/api/v4/bookings`, { headers }))),
    );
    expect(other!.text).toBe(one!.text);
    expect(other!.headers.get('teebox-request-id')).toBe(one!.headers.get('teebox-request-id'));
  });

  test('are told of the main world alone', async () => {
    const kept = new KeptChanges();
    const { main, fetch } = await createWorlds({ now: NOW, changes: kept });
    const post = async (prefix: string) =>
      readReply(await fetch(`${ORIGIN}${prefix}/__admin/clock`, { method: 'POST', body: '{"advance":"PT1H"}' }));
    await post('/w/other');
    expect(kept.kinds).toEqual([]);
    await post('');
    expect(kept.kinds).toContain('clock');
    expect(main.clock.now()).toBe(Date.parse(NOW) + 3_600_000);
  });

  test('are as small after many as after few', async () => {
    const { fairway, sandbox, sink } = await openHeld({ expiresIn: 60 });
    const sizes: number[] = [];
    for (let turn = 0; turn < 40; turn += 1) {
      sink.take();
      await refreshWith(fairway, sandbox.credentials()[0]!.refreshToken);
      sizes.push(JSON.stringify(sink.changes).length);
    }
    expect(Math.max(...sizes)).toBeLessThan(200);
  });
});
