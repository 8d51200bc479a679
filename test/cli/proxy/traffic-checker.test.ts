import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { replay } from '../../../src/conformance/replay/replay.js';
import type { ReportFormat } from '../../../src/conformance/report/index.js';
import type { Report } from '../../../src/conformance/client/types.js';
import { createSandbox, type Sandbox } from '../../../src/engine/library.js';
import type { TrafficEvent } from '../../../src/cli/proxy/check/events.js';
import { TrafficChecker, type TrafficCheckerOptions } from '../../../src/cli/proxy/check/traffic-checker.js';
import { Injector } from '../../../src/cli/proxy/inject/injector.js';
import { serve } from '../../../src/cli/server.js';
import { NOW } from '../../support/client.js';
import { harFaults } from '../../support/network/har.js';
import { dayIn } from '../../support/scenes.js';
import { type Proxied, startProxied } from './proxied.js';

const authorization = `Basic ${btoa('fairway:not-a-secret-fairway')}`;
const headers = { authorization };
const sheet = `/api/v4/teetimes/1001?bookingDate=${dayIn(9).query}&players=1&holes=18`;

/** What a deployment does to its own answers. */
type Alter = (path: string, body: string) => string;

async function startDeployment(alter: Alter): Promise<string> {
  const sandbox: Sandbox = await createSandbox({ now: NOW });
  const handle: Sandbox['handle'] = async (request, hints) => {
    const response = await sandbox.handle(request, hints);
    return new Response(alter(new URL(request.url).pathname, await response.text()), response);
  };
  const server = await serve({ handle }, { port: 0 });
  onTestFinished(() => server.close());
  return server.url;
}

interface CheckedTraffic extends Proxied {
  readonly events: readonly TrafficEvent[];
  /** Evaluates what has passed, of which there is so much. */
  take(count: number): Promise<void>;
  end(count: number, reports?: readonly ReportFormat[]): ReturnType<TrafficChecker['end']>;
}

async function checked(
  alter: Alter = (_, body) => body,
  options: Partial<TrafficCheckerOptions> = {},
  injector?: Injector,
): Promise<CheckedTraffic> {
  const baseUrl = await startDeployment(alter);
  const events: TrafficEvent[] = [];
  const checker = new TrafficChecker(
    { baseUrl, deployment: {}, obligations: ['requests.content-type'], ...options },
    (event) => void events.push(event),
  );
  const proxied = await startProxied(baseUrl, injector ? { injector } : {});
  let taken = 0;
  const take: CheckedTraffic['take'] = async (count) => {
    checker.take((await proxied.seen(count)).slice(taken));
    taken = count;
    await checker.evaluate();
  };
  const end: CheckedTraffic['end'] = async (count, reports = []) => {
    await take(count);
    return checker.end({ unreachable: 0, unanswered: 0, lost: 0 }, reports);
  };
  return { ...proxied, events, take, end };
}

/** Reads as an ordinary client does. */
async function browse(
  url: string,
  paths = ['/api/v3/countries', sheet, '/api/v4/bookings', '/api/v3/facilities?country=Portugal'],
) {
  for (const path of paths) await (await fetch(url + path, { headers })).text();
  return paths.length;
}

const forPeople: readonly ReportFormat[] = ['json', 'junit', 'html', 'sarif', 'markdown'];
const verdictsOf = ({ rules }: Report) => Object.fromEntries(rules.map(({ id, verdict }) => [id, verdict]));

describe('the judge of a proxy', () => {
  test('finds nothing in right traffic, and says how much it has judged', async () => {
    const { url, end, events } = await checked();
    const { outcome } = await end(await browse(url));
    expect(outcome).toMatchObject({ exitCode: 0, message: expect.stringMatching(/^Nothing is wrong: \d\d+ rules/) });
    expect(events).toEqual([]);
  });

  test('tells each finding of the deployment one time, by its rule', async () => {
    const { url, end, events, take } = await checked((_, body) => body.replaceAll('"Greenfee"', '7'));
    await take(await browse(url, [sheet]));
    const found = events.flatMap((event) =>
      event.type === 'finding' && event.side === 'deployment' ? [event.result] : [],
    );
    expect(found.map(({ id }) => id)).toEqual(['teetimes.product.category']);
    expect(found[0]).toMatchObject({ verdict: 'fail', operations: ['v4.listTeeTimes'], shownBy: 'x1' });
    await browse(url, [sheet]);
    const { outcome, texts } = await end(2, forPeople);
    expect(events).toHaveLength(1);
    expect(outcome).toMatchObject({ exitCode: 1, message: expect.stringContaining('1 rule is broken') });
    for (const text of texts) expect(text).toContain('teetimes.product.category');
  });

  test('tells what the client does wrong, with its request, and reports both sides', async () => {
    const { url, end, events } = await checked();
    await fetch(`${url}/api/v5/bookings`, {
      method: 'POST',
      body: '{}',
      headers: { ...headers, 'content-type': 'text/plain' },
    });
    const { outcome, texts } = await end(1, forPeople);
    expect(events).toMatchObject([{ side: 'client', breach: { id: 'requests.content-type', evidence: ['x1'] } }]);
    expect(outcome).toMatchObject({ exitCode: 1, message: 'Client: 1 obligation is violated.' });
    for (const text of texts) expect(text).toContain('requests.content-type');
  });

  test('keeps a bounded window, says what fell out, and keeps findings', async () => {
    let isBroken = true;
    const window = { deployment: { window: 10 } };
    const { url, end, seen } = await checked(
      (_, body) => (isBroken ? body.replace('"success":true', '"success":"yes"') : body),
      window,
    );
    await browse(url, ['/api/v3/countries']);
    await seen(1);
    isBroken = false;
    for (let turn = 0; turn < 6; turn += 1) await browse(url);
    const { outcome, texts } = await end(25, ['har']);
    expect(outcome.dropped).toBe(15);
    expect(outcome.exitCode).toBe(1);
    const har = JSON.parse(texts[0]!) as { log: { entries: { _id: string }[] } };
    expect(har.log.entries.map(({ _id }) => _id)).toContain('x1');
    expect(har.log.entries.length).toBeLessThan(25);
  });

  test('does not blame the deployment for what was injected', async () => {
    const { url, end } = await checked(undefined, {}, new Injector({ inject: ['malformed-json, slow; delay=1ms'] }));
    const { outcome } = await end(await browse(url));
    expect(outcome.deployment).toMatchObject({ verdict: 'conformant' });
    expect(outcome.traffic.injected).toBe(4);
  });
});

describe('the recording', () => {
  test('is a HAR file without secrets and personal data, complete at each moment, which replay judges alike', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'proxy-har-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const har = join(folder, 'traffic.har');
    const { url, end } = await checked(
      (path, body) => (path.includes('countries') ? body.replace('true', '1') : body),
      {
        har,
      },
    );
    const read = async (): Promise<unknown> => JSON.parse(await readFile(har, 'utf8'));
    expect(await read()).toMatchObject({ log: { entries: [] } });
    const [teeTime] = ((await (await fetch(url + sheet, { headers })).json()) as { data: { teeTimeV3: any[] } }).data
      .teeTimeV3;
    const booking = {
      facilityId: 1001,
      teetime: teeTime.time.replace('T', ' '),
      course: teeTime.course,
      players: 1,
      teeId: teeTime.teeid,
      holes: teeTime.holes,
      productId: teeTime.products[0].mid,
      contactFirstName: 'Wilhelmina',
      contactLastName: 'Quackenbush',
      contactPhone: '+31 6 12345678',
      contactEmail: 'w@q.example',
    };
    const json = { ...headers, 'content-type': 'application/json' };
    await (
      await fetch(`${url}/api/v5/bookings`, { method: 'POST', headers: json, body: JSON.stringify(booking) })
    ).text();
    await browse(url);
    const { outcome } = await end(6);
    const text = await readFile(har, 'utf8');
    expect(harFaults(await read())).toEqual([]);
    for (const secret of [
      'not-a-secret-fairway',
      btoa('fairway:'),
      'Wilhelmina',
      'Quackenbush',
      '12345678',
      'w@q.example',
    ]) {
      expect(text).not.toContain(secret);
    }
    const again = await replay({ archive: await read(), host: { now: () => Date.parse(NOW) } });
    expect(verdictsOf(again)).toEqual(verdictsOf(outcome.deployment));
    expect(again.counts.fail).toBeGreaterThan(0);
  });
});
