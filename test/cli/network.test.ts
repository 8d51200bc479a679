import { describe, expect, onTestFinished, test } from 'vitest';
import { createSandbox, type Sandbox } from '../../src/engine/library.js';
import { type Effect, type Phase, type Scenario, scenarios } from '../../src/contract/generated/scenarios.js';
import { serve } from '../../src/cli/server.js';
import { listedIds } from '../support/booking-list.js';
import { Client, NOW, ORIGIN, readReply } from '../support/client.js';
import { basic, initialTokenOf, refreshWith } from '../support/credentials.js';
import { heldTimers, type HeldTimers } from '../support/scenarios/held-timers.js';
import { bookingFor, findTeeTime } from '../support/scenes.js';
import { isMade, seenOf } from '../support/scenarios/struck.js';
import { type Answered, answerIn, callOver, type Wire } from '../support/network/wire.js';
import { everyStrike } from '../support/scenarios/ways-to-arm.js';

type Fault = Extract<Effect, { kind: 'network' }>['fault'];
const faultOf = ({ effect }: Scenario): Fault => (effect as { fault: Fault }).fault;
const rows = everyStrike(scenarios.filter(({ effect }) => effect.kind === 'network'));
const cutting = rows.filter(([, { effect }]) => seenOf(effect) === 'cut');

interface Scene {
  readonly sandbox: Sandbox;
  readonly fairway: Client;
  readonly url: string;
  readonly timers: HeldTimers;
  close(): Promise<void>;
}

/** A sandbox behind a socket, whose long waits last until the test ends them. */
async function open(): Promise<Scene> {
  const timers = heldTimers();
  const sandbox = await createSandbox({ now: NOW, schedule: timers.schedule });
  const server = await serve(sandbox, { port: 0 });
  onTestFinished(() => server.close());
  return { sandbox, fairway: new Client(sandbox, 'fairway'), url: server.url, timers, close: () => server.close() };
}

/** Posts a booking; what the server holds back is let go once another request was answered. */
async function bookStruck({ url, fairway, timers }: Scene, scenario: Scenario, spec: string): Promise<Wire> {
  const body = bookingFor(await findTeeTime(fairway));
  const wire = callOver(url, 'POST', '/api/v5/bookings', { headers: { 'teebox-scenario': spec }, body });
  if (!['slow', 'timeout'].includes(faultOf(scenario))) return wire;
  await timers.held();
  const other = callOver(url, 'GET', '/api/v3/countries');
  expect(await other.closed).toBe('ended');
  expect([answerIn(other).status, wire.chunks]).toEqual([200, []]);
  timers.release();
  return wire;
}

/** The text of the answer to the same booking when nothing strikes. */
async function wholeAnswer(): Promise<string> {
  const fairway = new Client(await createSandbox({ now: NOW }), 'fairway');
  return (await fairway.post('/api/v5/bookings', bookingFor(await findTeeTime(fairway)))).text;
}

function expectWhole({ status, body }: Answered, whole: string): void {
  expect([status, body]).toEqual([200, whole]);
}

/** What arrives at the socket. */
const arrives: Readonly<Record<Fault, (wire: Wire, how: string, whole: string) => void>> = {
  'connection-reset': ({ chunks }, how) => expect([chunks, how]).toEqual([[], 'ECONNRESET']),
  'empty-response': ({ chunks }, how) => expect([chunks, how]).toEqual([[], 'ended']),
  timeout: ({ chunks }, how) => expect([chunks, how]).toEqual([[], 'ECONNRESET']),
  slow: (wire, how, whole) => {
    expect(how).toBe('ended');
    expectWhole(answerIn(wire), whole);
  },
  'slow-body': (wire, how, whole) => {
    expect(how).toBe('ended');
    expectWhole(answerIn(wire), whole);
    expect(answerIn(wire).pieces.length).toBeGreaterThan(5);
  },
  'truncated-body': (wire, _, whole) => {
    const { status, headers, body } = answerIn(wire);
    expect([status, Number(headers.get('content-length'))]).toEqual([200, whole.length]);
    expect(body).toBe(whole.slice(0, whole.length >> 1));
  },
  'malformed-json': (wire, how, whole) => {
    const { status, headers, body } = answerIn(wire);
    expect([status, how, Number(headers.get('content-length'))]).toEqual([200, 'ended', body.length]);
    expect(whole.startsWith(body)).toBe(true);
    expect(() => JSON.parse(body)).toThrow(SyntaxError);
  },
};

async function expectJournal({ sandbox }: Scene, scenario: Scenario, phase: Phase): Promise<void> {
  const entry = sandbox.journal.entries.find(({ method }) => method === 'POST')!;
  const cut = seenOf(scenario.effect) === 'cut';
  expect(entry).toMatchObject({ channel: 'fairway', state: cut ? 'cut' : 'answered', status: cut ? 0 : 200 });
  expect(entry.scenario).toEqual({ id: scenario.id, source: 'header', struck: true, phase });
}

describe('a booking over a socket', () => {
  test.each(rows)('%s', async (spec, scenario, phase) => {
    const scene = await open();
    const before = await listedIds(scene.fairway, 'v4');
    const wire = await bookStruck(scene, scenario, spec);
    const how = await wire.closed;
    arrives[faultOf(scenario)](wire, how, await wholeAnswer());
    await expectJournal(scene, scenario, phase);
    const made = (await listedIds(scene.fairway, 'v4')).length - before.length;
    expect(made).toBe(isMade(scenario, phase) ? 1 : 0);
    const next = callOver(scene.url, 'GET', '/api/v4/bookings');
    expect([await next.closed, answerIn(next).status]).toEqual(['ended', 200]);
  });
});

describe('a refresh of tokens whose answer is lost', () => {
  test.each(cutting)('%s', async (spec, scenario, phase) => {
    const { url, fairway, timers } = await open();
    const body = { refresh_token: initialTokenOf(fairway) };
    const wire = callOver(url, 'POST', '/api/v5/token/refreshToken', { headers: { 'teebox-scenario': spec }, body });
    if (faultOf(scenario) === 'timeout') await timers.held().then(() => timers.release());
    await wire.closed;
    expect(wire.chunks).toEqual([]);
    const again = await refreshWith(fairway, initialTokenOf(fairway));
    const rule = phase === 'after-commit' ? [401, 'tokens.single-use'] : [200, 'tokens.refresh'];
    expect([again.status, again.rule]).toEqual([rule[0], again.status === 200 ? again.rule : rule[1]]);
  });
});

describe('a request that hangs', () => {
  const headers = { 'teebox-scenario': 'timeout' };

  test('ends when its caller gives up', async () => {
    const { url, timers } = await open();
    const wire = callOver(url, 'GET', '/api/v3/countries', { headers });
    await timers.held();
    wire.giveUp();
    await expect.poll(() => timers.count).toBe(0);
    expect(wire.chunks).toEqual([]);
  });

  test('is let go by the server after its delay, whatever the caller does', async () => {
    const { url, timers } = await open();
    const wire = callOver(url, 'GET', '/api/v3/countries', { headers: { 'teebox-scenario': 'timeout; delay=5ms' } });
    expect(await wire.closed).toBe('ECONNRESET');
    expect([timers.delays, wire.chunks]).toEqual([[5], []]);
  });

  test('does not keep the server from closing', async () => {
    const { url, timers, close } = await open();
    const wire = callOver(url, 'GET', '/api/v3/countries', { headers });
    await timers.held();
    await close();
    await wire.closed;
    await expect.poll(() => timers.count).toBe(0);
    expect(wire.chunks).toEqual([]);
  });
});

describe('in process', () => {
  test.each(cutting)('%s is a network error, and the journal says so', async (spec, scenario, phase) => {
    const { sandbox, fairway, timers } = await open();
    const init = { headers: { ...basic('fairway', 'not-a-secret-fairway'), 'teebox-scenario': spec } };
    const answer = sandbox.fetch(new Request(`${ORIGIN}/api/v3/countries`, init));
    answer.catch(() => {});
    if (faultOf(scenario) === 'timeout') await timers.held().then(() => timers.release());
    await expect(answer).rejects.toThrow(TypeError);
    const scenarioMet = { id: scenario.id, source: 'header', struck: true, phase, as: 'network error' };
    expect(fairway.sandbox.journal.entries).toMatchObject([{ state: 'cut', status: 0, scenario: scenarioMet }]);
  });

  test('a body that breaks off fails its reader half way', async () => {
    const { sandbox } = await open();
    const init = { headers: { ...basic('fairway', 'not-a-secret-fairway'), 'teebox-scenario': 'truncated-body' } };
    const answer = await sandbox.fetch(new Request(`${ORIGIN}/api/v3/countries`, init));
    await expect(readReply(answer)).rejects.toThrow(/broke/);
  });

  test('a caller that gives up gets the reason it gave', async () => {
    const { sandbox, timers } = await open();
    const patience = new AbortController();
    const init = { headers: { ...basic('fairway', 'not-a-secret-fairway'), 'teebox-scenario': 'timeout' } };
    const request = new Request(`${ORIGIN}/api/v3/countries`, { ...init, signal: patience.signal });
    const answer = Promise.resolve(sandbox.fetch(request));
    await timers.held();
    patience.abort();
    await expect(answer).rejects.toMatchObject({ name: 'AbortError' });
  });
});
