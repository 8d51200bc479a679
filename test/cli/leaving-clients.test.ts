import { describe, expect, onTestFinished, test } from 'vitest';
import { createSandbox, type JournalEntry, type SandboxOptions } from '../../src/engine/library.js';
import { serve } from '../../src/cli/server.js';
import { listedIds } from '../support/booking-list.js';
import { Client, NOW } from '../support/client.js';
import { connectTo } from '../support/network/raw.js';
import { callOver } from '../support/network/wire.js';
import { heldTimers } from '../support/scenarios/held-timers.js';
import { bookingFor, findTeeTime } from '../support/scenes.js';
import { searchQuery } from '../support/views.js';

/** A sandbox behind a socket whose waits of a second and more last until the test ends them, and what its log is told. */
async function open(options: SandboxOptions = {}) {
  const timers = heldTimers();
  const logged: string[] = [];
  const onExchange = ({ state, status }: JournalEntry) => void logged.push(`${state} ${status}`);
  const sandbox = await createSandbox({ now: NOW, schedule: timers.schedule, onExchange, ...options });
  const server = await serve(sandbox, { port: 0 });
  onTestFinished(() => server.close());
  const fairway = new Client(sandbox, 'fairway');
  const newest = () => {
    const { state, status, rule } = sandbox.journal.entries.at(-1)!;
    return { state, status, rule };
  };
  const until = (state: JournalEntry['state']) => expect.poll(() => newest()).toMatchObject({ state });
  return { sandbox, fairway, url: server.url, timers, logged, newest, until };
}

const slowly = (scenario: string) => ({ headers: { 'teebox-scenario': scenario } });
const OPEN = { state: 'open', status: 0, rule: undefined };

describe('a client that leaves', () => {
  test.each(['after-commit', 'before-commit'])(
    'while a slow response waits, %s: the booking is made',
    async (phase) => {
      const { fairway, url, timers, logged, newest, until } = await open();
      const before = await listedIds(fairway, 'v4');
      const body = bookingFor(await findTeeTime(fairway));
      logged.length = 0;
      const wire = callOver(url, 'POST', '/api/v5/bookings', { ...slowly(`slow; phase=${phase}`), body });
      await timers.held();
      expect([newest(), logged]).toEqual([OPEN, []]);
      wire.giveUp();
      await until('cut');
      await expect.poll(() => newest().rule).toBe('bookings.create');
      expect(newest()).toMatchObject({ state: 'cut', status: 0 });
      // Nothing waits for somebody who has gone.
      expect([timers.count, logged]).toEqual([0, ['cut 0']]);
      expect((await listedIds(fairway, 'v4')).length).toBe(before.length + 1);
    },
  );

  test('in the middle of a stream', async () => {
    const { url, timers, logged, newest, until } = await open();
    const wire = callOver(url, 'GET', '/api/v3/countries', slowly('slow-body; delay=20000ms'));
    await wire.started;
    await timers.held();
    expect([newest(), logged]).toEqual([OPEN, []]);
    wire.giveUp();
    await until('cut');
    expect([newest(), timers.count, logged]).toEqual([
      { state: 'cut', status: 200, rule: 'countries.response' },
      0,
      ['cut 200'],
    ]);
  });

  test('in the middle of its own body', async () => {
    const { url, logged, newest, until } = await open();
    const socket = connectTo(url);
    const head = ['POST /api/v5/token/refreshToken HTTP/1.1', 'host: 127.0.0.1', 'content-type: application/json'];
    socket.write(`${head.join('\r\n')}\r\ncontent-length: 100\r\n\r\n{"refresh`);
    await until('open');
    socket.destroy();
    await until('cut');
    expect([newest().status, logged]).toEqual([0, ['cut 0']]);
  });

  test('while its callback is posted before its response', async () => {
    const { url, newest, until } = await open({ fetch: () => new Promise(() => {}) });
    const query = new URLSearchParams(searchQuery()).toString();
    const wire = callOver(url, 'GET', `/api/v5/teetimes?${query}`, slowly('callback-before-response'));
    await expect.poll(() => newest()).toEqual(OPEN);
    wire.giveUp();
    await until('cut');
    expect(newest().status).toBe(0);
  });

  test('in process', async () => {
    const { sandbox, timers, newest, until } = await open();
    const patience = new AbortController();
    const { username, password } = sandbox.channels[0]!;
    const headers = { authorization: `Basic ${btoa(`${username}:${password}`)}`, 'teebox-scenario': 'slow' };
    const answer = sandbox.fetch('http://sandbox.test/api/v3/countries', { headers, signal: patience.signal });
    answer.catch(() => {});
    await timers.held();
    expect(newest()).toEqual(OPEN);
    patience.abort();
    await expect(answer).rejects.toThrow(/abort/);
    await until('cut');
    expect([newest().status, timers.count]).toEqual([0, 0]);
  });
});

describe('a client that stays', () => {
  test('a slow response is answered when it is sent', async () => {
    const { url, timers, logged, newest } = await open();
    const wire = callOver(url, 'GET', '/api/v3/countries', slowly('slow'));
    await timers.held();
    expect(newest()).toEqual(OPEN);
    timers.release();
    await wire.closed;
    expect([newest(), logged]).toEqual([
      { state: 'answered', status: 200, rule: 'countries.response' },
      ['answered 200'],
    ]);
  });

  test('a stream is answered at its end', async () => {
    const { url, timers, logged, newest } = await open();
    const wire = callOver(url, 'GET', '/api/v3/countries', slowly('slow-body; delay=10000ms'));
    for (let piece = 1; piece < 10; piece += 1) {
      await timers.held();
      expect(newest().state).toBe('open');
      timers.release();
    }
    await wire.closed;
    expect([newest().state, logged]).toEqual(['answered', ['answered 200']]);
  });

  test('a request that hangs is open until it is cut', async () => {
    const { url, timers, logged, newest } = await open();
    const wire = callOver(url, 'GET', '/api/v3/countries', slowly('timeout'));
    await timers.held();
    expect(newest()).toEqual(OPEN);
    timers.release();
    await wire.closed;
    expect([newest().state, logged]).toEqual(['cut', ['cut 0']]);
  });
});
