import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { replay } from '../../../src/conformance/replay/replay.js';
import { createSandbox } from '../../../src/engine/library.js';
import { CheckerThread } from '../../../src/cli/proxy/check/checker-thread.js';
import { TrafficChecker, type TrafficCheckerOptions } from '../../../src/cli/proxy/check/traffic-checker.js';
import type { PassedExchange } from '../../../src/cli/proxy/wire/passed.js';
import { serve } from '../../../src/cli/server.js';
import { NOW } from '../../support/client.js';
import { harFaults } from '../../support/network/har.js';
import { exchanges } from './exchanges.js';
import { startProxied } from './proxied.js';

const authorization = `Basic ${btoa('fairway:not-a-secret-fairway')}`;
const baseUrl = 'http://deployment.test';

interface Har {
  readonly log: {
    readonly comment?: string;
    readonly entries: readonly {
      readonly _id: string;
      readonly comment?: string;
      readonly response: { readonly content: { readonly size: number; readonly text?: string } };
    }[];
  };
}

/** Lets a checker take exchanges that come at once in its thread, and reads its recording. */
async function recorded(passed: readonly PassedExchange[], most?: number) {
  const folder = await mkdtemp(join(tmpdir(), 'proxy-overload-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const har = join(folder, 'traffic.har');
  const options: TrafficCheckerOptions = { baseUrl, deployment: { only: ['countries.*'] }, obligations: [], har };
  const checker = new CheckerThread(options, () => {}, most);
  let released = 0;
  for (const one of passed) checker.take(one, () => (released += 1));
  const { outcome } = await checker.end([]);
  const archive = JSON.parse(await readFile(har, 'utf8')) as Har;
  expect(harFaults(archive)).toEqual([]);
  expect(released).toBe(passed.length);
  return { outcome, archive, log: archive.log };
}

describe('a proxy with more traffic than it can judge', () => {
  test('records every exchange, and says how many were not judged', { tags: ['slow'] }, async () => {
    const passed = exchanges(4400);
    const { outcome, log } = await recorded(passed);
    expect(log.entries.map(({ _id }) => _id)).toEqual(passed.map(({ id }) => id));
    expect(log.comment).toBeUndefined();
    expect(outcome.traffic).toMatchObject({ exchanges: 4400, unrecorded: 0, withoutBody: 0 });
    expect(outcome.traffic.missed).toBeGreaterThan(0);
    expect(outcome.deployment.requests + outcome.traffic.missed).toBe(4400);
  });

  test('says in the summary and in the recording how many could not be recorded', async () => {
    const { outcome, log } = await recorded(exchanges(30), 20);
    expect(log.entries).toHaveLength(20);
    expect(log.comment).toMatch(/^10 exchanges are missing/);
    expect(outcome.traffic).toMatchObject({ exchanges: 30, missed: 10, unrecorded: 10 });
  });

  test('counts an answer for which a client has waited in vain, however much of it came', async () => {
    const left = (turn: number, more: object): PassedExchange => {
      const [one] = exchanges(1);
      const answer = { ...one!.answer!, isWhole: false };
      return { ...one!, id: `x${turn + 1}`, turn, answer, clientLeft: true, durationMs: 20_000, ...more };
    };
    const injected = { scenarios: ['truncated-body'], wasSent: true, changed: true };
    const passed = [left(0, {}), left(1, { durationMs: 100 }), left(2, { injected }), left(3, {})];
    const { outcome } = await recorded(passed);
    expect(outcome.traffic).toMatchObject({ exchanges: 4, unanswered: 2 });
  });

  test('blames no client for what it could not see', () => {
    // Between a booking with a server error and its repetition, the look into the list may be among the lost.
    const contact = { contactFirstName: 'A', contactLastName: 'B', contactPhone: '1', contactEmail: 'a@example.com' };
    const wish = { facilityId: 1001, teetime: '2030-06-11 10:00:00', course: 'Old', players: 2, teeId: 7, holes: 18 };
    const body = JSON.stringify({ ...wish, productId: 1, ...contact });
    const booking = (turn: number, status: number): PassedExchange => {
      const [one] = exchanges(1, { method: 'POST', path: '/api/v5/bookings', body });
      return { ...one!, id: `x${turn}`, turn, at: Date.parse(NOW) + turn * 1000, answer: { ...one!.answer!, status } };
    };
    const told = (lost: number): string[] => {
      const found: string[] = [];
      const checker = new TrafficChecker(
        { baseUrl, deployment: {}, obligations: ['bookings.looks-before-retry'] },
        (event) => {
          if (event.type === 'finding' && event.side === 'client') found.push(event.breach.id);
        },
      );
      checker.take([booking(1, 500)]);
      checker.take(exchanges(1), lost);
      checker.take([booking(3, 200)], lost);
      return found;
    };
    expect(told(0)).toEqual(['bookings.looks-before-retry']);
    expect(told(1)).toEqual([]);
  });

  test('counts an exchange whose body found no room as not judged, and records the rest of it', async () => {
    const server = await serve(await createSandbox({ now: NOW }), { port: 0 });
    onTestFinished(() => server.close());
    const passed: PassedExchange[] = [];
    // Nothing gives its room back.
    const proxied = await startProxied(server.url, { maxMemory: 5000, onExchange: (one) => void passed.push(one) });
    const sizes: number[] = [];
    while (!passed.some(({ answer }) => answer?.foundNoRoom)) {
      const response = await fetch(`${proxied.url}/api/v3/countries`, { headers: { authorization } });
      sizes.push((await response.arrayBuffer()).byteLength);
      while (passed.length < sizes.length) await new Promise((resolve) => setImmediate(resolve));
    }
    const { outcome, archive, log } = await recorded(passed);
    expect(log.entries).toHaveLength(sizes.length);
    expect(log.entries.at(-1)).toMatchObject({
      comment: expect.stringContaining('not kept'),
      response: { content: { size: sizes.at(-1) } },
    });
    expect(log.entries.at(-1)!.response.content.text).toBeUndefined();
    expect(log.comment).toMatch(/^1 exchange is without a body/);
    expect(outcome.traffic).toMatchObject({ exchanges: sizes.length, missed: 1, unrecorded: 0, withoutBody: 1 });
    const again = await replay({ archive, host: { now: () => Date.parse(NOW) } });
    expect(again.counts.fail).toBe(0);
  });
});
