import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createSandbox } from '../../src/engine/library.js';
import { NOW } from '../support/client.js';
import { basic } from '../support/credentials.js';
import { grown, hostileServer, hostilities, MOST_MEMORY } from '../conformance/matrix/targets/hostile-server.js';
import { bookingFor, teeTimesPath } from '../support/scenes.js';
import { peakIn, runMeasured, startCli } from '../support/network/process.js';

const MIB = 1_048_576;
const token = 'correct-horse-battery';
const manifest = readFileSync(new URL('../../deploy/kubernetes/teebox.yaml', import.meta.url), 'utf8');
const [, MOST] = /limits: \{ memory: (\d+)Mi \}/.exec(manifest)!.map(Number);

/** A server with the heap that Node chooses for the memory of the manifest: half of it. */
async function start(args: readonly string[] = []) {
  const heap = { NODE_OPTIONS: `--max-old-space-size=${MOST! / 2}` };
  const server = await startCli(['--log-level', 'silent', '--admin-token', token, ...args], heap);
  onTestFinished(async () => void (await server.stop('SIGKILL')));
  const peak = () => peakIn(readFileSync(`/proc/${server.child.pid}/status`, 'utf8')) / 1024;
  const post = async (path: string, body: BodyInit, headers = {}) => {
    const init = { method: 'POST', body, headers: { 'content-type': 'application/json', ...headers } };
    const response = await fetch(`${server.baseUrl}${path}`, init).catch(({ cause }: Error) => {
      throw new Error(`No answer to a POST to ${path}; exit code ${server.child.exitCode}; ${String(cause)}`);
    });
    await response.text();
    return { status: response.status, again: response.headers.get('retry-after') };
  };
  return { ...server, peak, post };
}

/** A text that a program keeps with two bytes for each character. */
const large = Buffer.from(`€${'x'.repeat(64 * MIB - 10)}`);
const authorization = `Bearer ${token}`;

describe('the memory of a server stays below the limit of deploy/kubernetes', () => {
  test.each([
    ['callers without the token', {}, [413]],
    ['callers with the token', { authorization }, [204, 413]],
  ])('when 12 bodies of 64 MiB come at once from %s', async (_, headers, statuses) => {
    const { post, peak, baseUrl } = await start();
    const got = await Promise.all(Array.from({ length: 12 }, () => post('/__admin/inbox/x', large, headers)));
    expect([...new Set(got.map(({ status }) => status))].sort()).toEqual(statuses);
    expect((await post('/__admin/inbox/x', large, { authorization })).status).toBe(204);
    expect((await fetch(`${baseUrl}/__admin/health`)).status).toBe(200);
    expect(peak()).toBeLessThan(MOST!);
  });

  test('when strangers fill worlds, bodies of the service and journals', async () => {
    const { post, peak, baseUrl } = await start();
    const fairway = basic('fairway', 'not-a-secret-fairway');
    const message = 'x'.repeat(MIB);
    const booking = JSON.stringify({ comments: 'x'.repeat(MIB - 100) });
    const fill = async (world: number) => {
      const path = `/w/w${world}`;
      await fetch(`${baseUrl}${path}/api/v3/countries`, { headers: fairway });
      for (let count = 0; count < 48; count += 1) await post(`${path}/__admin/inbox/x`, message);
      for (let count = 0; count < 8; count += 1) await post(`${path}/api/v5/bookings`, booking, fairway);
    };
    for (let world = 0; world < 8; world += 4) await Promise.all([0, 1, 2, 3].map((more) => fill(world + more)));
    const many = await Promise.all(Array.from({ length: 200 }, () => post('/api/v5/bookings', booking, fairway)));
    expect(many.filter(({ status, again }) => status !== 400 && again !== '1')).toEqual([]);
    expect((await fetch(`${baseUrl}/__admin/health`)).status).toBe(200);
    expect(peak()).toBeLessThan(MOST!);
  });
});

test('the memory of a server stays below the limit when strangers book with long names and read no list', async () => {
  const { post, peak, baseUrl, child } = await start(['--now', NOW]);
  const fairway = basic('fairway', 'not-a-secret-fairway');
  const seen = new Set<number>();
  for (let days = 3; days < 8; days += 1) {
    const { data } = await (await fetch(`${baseUrl}${teeTimesPath('v4', { days })}`, { headers: fairway })).json();
    for (const teeTime of data.teeTimeV3) {
      const body = JSON.stringify(bookingFor(teeTime, { contactLastName: 'x'.repeat(MIB - 1000) }));
      seen.add((await post('/api/v5/bookings', body, fairway)).status);
    }
  }
  expect([...seen].sort()).toEqual([200, 507]);
  const sockets = Array.from({ length: 24 }, (_, nth) => {
    const socket = connect(Number(new URL(baseUrl).port), '127.0.0.1')
      .on('error', () => {})
      .pause();
    const path = `/api/v4/bookings?toDate=${String(nth + 1).padStart(2, '0')}-12-2026`;
    socket.write(`GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: ${fairway.authorization}\r\n\r\n`);
    return socket;
  });
  onTestFinished(() => sockets.forEach((socket) => socket.destroy()));
  const get = async (path: string) => {
    const response = await fetch(`${baseUrl}${path}`, { headers: fairway });
    return [response.status, response.headers.get('retry-after')];
  };
  await expect.poll(() => get('/api/v3/countries'), { timeout: 30_000 }).toEqual([503, '1']);
  expect(await get('/__admin/health')).toEqual([200, null]);
  // Who reads nothing for ten seconds is cut off.
  await expect.poll(() => get('/api/v3/countries'), { timeout: 60_000 }).toEqual([200, null]);
  expect(child.exitCode).toBeNull();
  expect(peak()).toBeLessThan(MOST!);
}, 120_000);

test('a large result of the sandbox itself arrives at its inbox, although its poster has no token', async () => {
  const { baseUrl } = await start(['--now', '2026-06-01T08:00:00Z']);
  const query = new URLSearchParams({
    facilityIds: Array.from({ length: 40 }, (_, index) => 1001 + index).join(),
    fromDate: '11-06-2026',
    toDate: '12-06-2026',
    players: '1',
    holes: '18',
    callbackUrl: `${baseUrl}/__admin/inbox/results`,
  });
  const search = await fetch(`${baseUrl}/api/v5/teetimes?${query}`, {
    headers: basic('fairway', 'not-a-secret-fairway'),
  });
  expect(search.status).toBe(200);
  const shown = async (path: string) =>
    (await fetch(`${baseUrl}/__admin/${path}`, { headers: { authorization } })).json();
  await expect.poll(async () => (await shown('callbacks')).callbacks[0].state).not.toBe('pending');
  expect((await shown('callbacks')).callbacks[0]).toMatchObject({ state: 'delivered' });
  expect(JSON.stringify(await shown('inbox/results')).length).toBeGreaterThan(MIB);
});

describe('the memory of explore stays below 300 MB', () => {
  test.each([
    [
      'a text of 5 MB instead of each 20th answer',
      () => hostileServer((response, turn) => void (turn > 100 && turn % 20 === 0 && hostilities.longText(response))),
    ],
    ['identifiers of 5 MB', () => hostileServer(() => {}, 1, grown(200, { texts: 1, by: 5_000_000 }))],
  ])('%s', async (_, serve) => {
    const server = await serve();
    const folder = mkdtempSync(join(tmpdir(), 'teebox-memory-'));
    onTestFinished(async () => {
      rmSync(folder, { recursive: true });
      await server.close();
    });
    const page = join(folder, 'page.html');
    const limits = ['--walks', '2', '--deadline', '20s', '--seed', '1', '--report', `html=${page}`];
    const target = [server.baseUrl, '--basic', server.basic, '--allow', 'all'];
    const { code, stdout, stderr, peak } = await runMeasured(['explore', ...target, ...limits]);
    expect({ code, stderr }).toMatchObject({ code: expect.toSatisfy((one) => one === 0 || one === 4) });
    expect(peak).toBeLessThan(MOST_MEMORY);
    expect(readFileSync(page, 'utf8').length).toBeLessThan(MIB);
    for (const line of stdout.split('\n')) expect(line.length).toBeLessThan(10_000);
  });
});

describe('the memory of check --replay stays below 300 MB', () => {
  const BASE_URL = 'http://recorded.test';
  const entryOf = (path: string, text: string, count = 1): string => {
    const headers = Array.from({ length: count }, (_, index) => ({ name: `x-${index}`, value: 'x'.repeat(30) }));
    const request = { method: 'GET', url: BASE_URL + path, headers };
    const response = { status: 200, headers, content: { text } };
    return JSON.stringify({ startedDateTime: '2026-06-01T08:00:00.000Z', time: 3, request, response });
  };
  /** Real tee sheets; a program keeps a text with a sign beyond Latin-1 with two bytes for each character. */
  const recorded = async (): Promise<readonly string[]> => {
    const sandbox = await createSandbox({ now: '2026-06-01T08:00:00Z' });
    const headers = basic('fairway', 'not-a-secret-fairway');
    const paths = Array.from({ length: 40 }, (_, index) => {
      const query = 'bookingDate=11-06-2026&players=1&holes=18';
      return `/api/v4/teetimes/${1001 + index}?${query}`;
    });
    const answers = paths.map(async (path) => {
      const text = await (await sandbox.fetch(new Request(`http://x.test${path}`, { headers }))).text();
      return entryOf(path, text.replace('"name":"', '"name":"€ '));
    });
    return Promise.all(answers);
  };
  const text = (size: number): string => entryOf('/api/v3/countries', `€${'x'.repeat(size)}`);

  test.each<[what: string, entries: (real: readonly string[]) => Iterable<string>, code: number]>([
    ['52 MB of real exchanges', (real) => repeated(real, 52), 0],
    ['answers with 30 headers each', () => repeated([entryOf('/api/v3/countries', '{}', 30)], 52), 1],
    ['an answer of 40 MB', (real) => [text(40e6), ...real], 0],
    [
      'an exchange with three million empty objects',
      (real) => [`{"_x":[${'{},'.repeat(9)}${`[${'{},'.repeat(9999)}0],`.repeat(300)}0]}`, ...real],
      2,
    ],
    ['300,000 exchanges, which are too many', () => Array.from({ length: 300_000 }, () => text(0)), 2],
  ])('for a recording of %s', { tags: ['slow'] }, async (_, entries, code) => {
    const folder = mkdtempSync(join(tmpdir(), 'teebox-memory-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const file = join(folder, 'recorded.har');
    writeFileSync(file, `{"log":{"pages":[],"entries":[${[...entries(await recorded())].join()}]}}`);
    const finished = await runMeasured(['check', '--replay', file]);
    expect(finished).toMatchObject({ code, peak: expect.toSatisfy((peak) => peak < MOST_MEMORY) });
  });
});

/** Texts again and again, up to so many MB. */
function* repeated(texts: readonly string[], most: number): Generator<string> {
  for (let [at, size] = [0, 0]; size < most * 1e6; at += 1) {
    const text = texts[at % texts.length]!;
    size += text.length;
    yield text;
  }
}
