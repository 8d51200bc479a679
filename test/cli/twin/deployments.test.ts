/**
 * Twins of deployments that were written from the API specification alone.
 *
 * @module-tag slow
 */
import { describe, expect, test } from 'vitest';
import { makeTwin, type Twin, type TwinOptions } from '../../../src/cli/twin/make-twin.js';
import { shareOf } from '../../../src/cli/twin/proof.js';
import { worldYaml } from '../../../src/cli/twin/world-yaml.js';
import { LARGE, parseYaml } from '../../../src/cli/yaml.js';
import { webHost } from '../../../src/conformance/client/web-host.js';
import { check } from '../../../src/conformance/run/check.js';
import type { CheckOptions } from '../../../src/conformance/run/check-options.js';
import type { WorldFile } from '../../../src/contract/index.js';
import { createSandbox, type Sandbox } from '../../../src/engine/library.js';
import { deployIndependent, type Trial, trialOf } from '../../conformance/independent/run.js';
import * as arrays from '../../conformance/yardstick/arrays/index.js';
import * as structs from '../../conformance/yardstick/structs/index.js';

const deployments: Readonly<Record<string, () => Trial>> = {
  'the first': deployIndependent,
  'that of arrays': () => trialOf((around) => arrays.deploy(around), arrays.channels),
  'that of structs': () => trialOf((around) => structs.deploy(around), structs.channels),
};
const names = Object.keys(deployments);

const DAY = 86_400_000;
const dateAt = ({ host }: CheckOptions, days: number): string =>
  new Date(host.now() + days * DAY).toISOString().slice(0, 10);

/** A twin of three days, with a weekend. */
async function twinOf({ options }: Trial, more: Partial<TwinOptions> = {}): Promise<Twin> {
  const { second: _, receiver: __, ...first } = options;
  return makeTwin({ ...first, from: dateAt(options, 11), to: dateAt(options, 13), ...more });
}

/** The world file as it comes from the disk. */
const fileOf = ({ world }: Twin): WorldFile => parseYaml(worldYaml(world, ['a twin']), LARGE) as WorldFile;

const serve = (world: WorldFile, { host }: CheckOptions): Promise<Sandbox> =>
  createSandbox({ world, now: host.now(), magic: false });

describe.each(names)('%s', (name) => {
  test('nearly all answers are the same, and reads alone are sent', async () => {
    const trial = deployments[name]!();
    const twin = await twinOf(trial);
    const { read, other, differences } = twin.proof!;
    expect(differences).toEqual([]);
    expect([read.asked, other.asked].every((asked) => asked > 100)).toBe(true);
    expect(shareOf(read)).toBeGreaterThanOrEqual(99);
    expect(shareOf(other)).toBeGreaterThanOrEqual(95);
    expect(trial.sent.filter((one) => !one.startsWith('GET ') || /payment|\/teetimes\?/.test(one))).toEqual([]);
    const text = worldYaml(twin.world, []);
    const { username, password } = trial.options.first.basic!;
    for (const secret of [username, password, 'bookingId', 'contactFirstName']) expect(text).not.toContain(secret);
  });

  test('the same deployment gives the same file, however many requests are under way', async () => {
    const [one, other] = [await twinOf(deployments[name]!()), await twinOf(deployments[name]!(), { parallel: 1 })];
    expect(worldYaml(one.world, [])).toBe(worldYaml(other.world, []));
  });

  test('a check of the served twin has no finding', async () => {
    const { options } = deployments[name]!();
    const sandbox = await serve(fileOf(await twinOf(deployments[name]!())), options);
    const [{ username, password }] = sandbox.channels as [Sandbox['channels'][0]];
    const host = webHost({ now: options.host.now, random: () => 0.4, fetch: (request) => sandbox.fetch(request) });
    const report = await check({ baseUrl: 'http://twin.test', first: { basic: { username, password } }, host });
    const loud = report.rules.filter(({ verdict }) => ['fail', 'warn', 'error'].includes(verdict));
    expect(loud.map(({ id, message }) => `${id}: ${message}`)).toEqual([]);
  });

  test('the same bookings are accepted or refused alike, and leave the same sheets', async () => {
    const trial = deployments[name]!();
    const twin = await twinOf(trial);
    const sandbox = await serve(fileOf(twin), trial.options);
    const [{ username, password }] = sandbox.channels as [Sandbox['channels'][0]];
    const here = sender((request) => sandbox.fetch(request), { username, password });
    const there = sender((request) => Promise.resolve(trial.options.host.fetch(request)), trial.options.first.basic!);
    const { wishes, sheets } = wishesOf(twin.world.file);
    const differing: string[] = [];
    let accepted = 0;
    for (const { path, body, what } of wishes) {
      const [own, other] = [await there('POST', path, body), await here('POST', path, body)];
      if (own.ok) accepted += 1;
      if (own.ok !== other.ok) differing.push(`${what}: ${own.status} there, ${other.status} here`);
    }
    expect([accepted, wishes.length - accepted].every((count) => count > 30)).toBe(true);
    expect(differing.slice(0, 5)).toEqual([]);
    for (const path of sheets) {
      const [own, other] = [await there('GET', path), await here('GET', path)];
      expect(freeIn(other.data), path).toEqual(freeIn(own.data));
    }
  });
});

interface Sent {
  readonly status: number;
  readonly ok: boolean;
  readonly data: any;
}

function sender(fetch: (request: Request) => Promise<Response>, login: { username: string; password: string }) {
  const authorization = `Basic ${btoa(`${login.username}:${login.password}`)}`;
  return async (method: string, path: string, body?: unknown): Promise<Sent> => {
    const headers = { authorization, 'content-type': 'application/json' };
    const sent = body === undefined ? {} : { body: JSON.stringify(body) };
    const response = await fetch(new Request(`http://deployment.test${path}`, { method, headers, ...sent }));
    const json = (await response.json().catch(() => ({}))) as { success?: boolean; data?: unknown };
    return { status: response.status, ok: response.status < 300 && json.success === true, data: json.data };
  };
}

const freeIn = ({ teeTimeV3 }: { teeTimeV3: readonly any[] }): Record<string, number> =>
  Object.fromEntries(teeTimeV3.map(({ teeid, products }) => [teeid, products[0].available]));

/** Right bookings until tee times are sold out, and wrong ones, in the shapes of several versions. */
function wishesOf({ facilities }: WorldFile) {
  const wishes: { path: string; body: unknown; what: string }[] = [];
  const sheets: string[] = [];
  const contact = {
    contactFirstName: 'Robin',
    contactLastName: 'Marsh',
    contactPhone: '+44 20 5550 0100',
    contactEmail: 'robin@mail.example',
  };
  for (const { id: facilityId, courses, extras = [] } of facilities) {
    for (const { name: course, holes: ofCourse = 18, days = {}, products: sold } of courses) {
      const [date, teeTimes] = Object.entries(days).find(([, list]) => list.length > 2) ?? [];
      if (!date || !teeTimes) continue;
      const query = date.split('-').reverse().join('-');
      sheets.push(`/api/v4/teetimes/${facilityId}?bookingDate=${query}&players=1&holes=${ofCourse}`);
      const plain = sold.filter((one) => (one.holes ?? ofCourse) <= ofCourse);
      for (const { id: teeId, time, holes = ofCourse, products = [] } of teeTimes.slice(0, 3)) {
        const ids = products.map((one) => (typeof one === 'number' ? one : one.id));
        const productId = ids.find((one) => plain.some(({ id }) => id === one));
        if (productId === undefined) continue;
        const teetime = `${date} ${time}:00`;
        const one = { facilityId, teetime, course, players: 2, teeId, holes, productId, ...contact };
        const v2 = { facilityId, teetime, round: course, players: 1, teeId, holes, ...contact };
        const add = (path: string, body: unknown, what: string) =>
          wishes.push({ path, body, what: `${what} of ${teeId}` });
        add('/api/v5/bookings', { ...one, players: 5 }, 'five players');
        add('/api/v5/bookings', { ...one, course: 'Nowhere' }, 'another course');
        add('/api/v5/bookings', { ...one, productId: 1 }, 'an unknown product');
        add('/api/v5/bookings', { ...one, teetime: `${date} 03:03:00` }, 'another time');
        add('/api/v5/bookings', { ...one, contactEmail: undefined }, 'no e-mail');
        if (extras[0]) add('/api/v5/bookings', { ...one, players: 1, extraProduct: [{ mid: extras[0].id, quantity: 1 }] }, 'an extra product'); // oxfmt-ignore
        add('/api/v5/bookings', one, 'two players');
        add('/api/v2/bookings', v2, 'one player in v2');
        add('/api/v5/bookings', [one], 'a list of one');
        add('/api/v5/bookings', { ...one, players: 4 }, 'four players');
        add('/api/v2/bookings', v2, 'one more in v2');
        add('/api/v2/bookings', v2, 'and one more in v2');
      }
    }
  }
  return { wishes, sheets };
}

/** The first deployment, with another way to answer some requests. */
function deployedWith(
  answer: (url: URL, at: number, usual: () => Promise<Response>) => Promise<Response> | Response,
): Trial {
  let count = 0;
  return deployIndependent((service) => {
    const usual = service.handle.bind(service);
    service.handle = async (request) => answer(new URL(request.url), (count += 1), () => usual(request));
  });
}

const json = (data: unknown, status = 200): Response => Response.json({ success: status < 400, data }, { status });
const absent = (): Response => json(null, 404);

describe('a deployment that', () => {
  test('fails in the middle gives a file of what was read, and a sentence', async () => {
    const trial = deployedWith((_, at, usual) => (at > 180 ? new Response('down', { status: 503 }) : usual()));
    const twin = await twinOf(trial);
    expect(twin.summary.cut).toMatch(/^It ended early\. Missing: /);
    expect(twin.world.file.facilities.length).toBeGreaterThan(5);
    await serve(fileOf(twin), trial.options);
  });

  test('refuses one tee sheet says so in the summary, and the file has the others', async () => {
    const trial = deployedWith((url, _, usual) =>
      /v4\/teetimes\/101/.test(url.pathname) && url.searchParams.get('bookingDate')?.startsWith('13')
        ? json(null, 403)
        : usual(),
    );
    const { summary, world } = await twinOf(trial);
    expect(summary.cut).toBeUndefined();
    expect(summary.unread).toEqual(
      [18, 9].map(
        (holes) => `v4.listTeeTimes facilityId=101 bookingDate=13-06-2026 players=1 holes=${holes}: the status was 403`,
      ),
    );
    expect(Object.keys(world.file.facilities[0]!.courses[0]!.days!)).toEqual(['2026-06-12', '2026-06-14']);
  });

  test('changes while it is read shows where', async () => {
    const trial = deployIndependent();
    const { service } = trial;
    const usual = service.teeTimes.bind(service);
    service.teeTimes = (ask) => {
      const answer = usual(ask);
      const isLast = ask.version === 4 && ask.args[0] === '171' && ask.query.get('bookingDate') === '14-06-2026';
      const sold = service.clubs.flatMap((club) =>
        club.courses.flatMap((one) => service.sheet(club, one, '2026-06-13')),
      );
      if (isLast) for (const { id } of sold) service.held.set(id, 4);
      return answer;
    };
    const { proof } = await twinOf(trial);
    expect(shareOf(proof!.read)).toBe(100);
    expect(proof!.differences.map(({ field }) => field).join()).toMatch(/teeTime|data\[\]|availability/);
  });

  test.each<[what: string, gone: RegExp, least: number]>([
    ['v3', /\/v3\//, 95],
    ['v1 and v2', /\/v[12]\//, 100],
    ['v4', /\/v4\//, 80],
    ['v5', /\/v5\//, 80],
  ])('has no %s gives a file that serves', async (_, gone, least) => {
    const trial = deployedWith((url, __, usual) => (gone.test(url.pathname) ? absent() : usual()));
    const versions = ['v1', 'v2', 'v3', 'v4', 'v5'].filter((version) => !gone.test(`/${version}/`));
    const twin = await twinOf(trial, { versions });
    const { options } = trial;
    const sandbox = await serve(fileOf(twin), options);
    expect(sandbox.summary).toMatch(/facilities/);
    expect(shareOf(twin.proof!.read)).toBeGreaterThanOrEqual(least);
    expect(twin.world.file.facilities.filter(({ courses }) => courses.length > 0)).toHaveLength(9);
  });

  test('lists no facility ends in words', async () => {
    const trial = deployedWith((url, _, usual) => (/countries|facilities$/.test(url.pathname) ? json([]) : usual()));
    await expect(twinOf(trial)).rejects.toThrow('Nothing was read of which a world could be made.');
  });

  test('has nothing on sale gives facilities without courses', async () => {
    const empty = (url: URL): unknown =>
      /price/.test(url.pathname)
        ? { records: [], total: 0 }
        : /v2/.test(url.pathname)
          ? []
          : { [/v3/.test(url.pathname) ? 'teeTimeV2' : 'teeTimeV3']: [], facilityCancellationPolicyRange: [] };
    const trial = deployedWith((url, _, usual) => (/teetimes|price/.test(url.pathname) ? json(empty(url)) : usual()));
    const twin = await twinOf(trial);
    expect(twin.world.file.facilities.map(({ courses }) => courses.length)).toEqual(Array(12).fill(0));
    expect(shareOf(twin.proof!.read)).toBe(100);
    await serve(fileOf(twin), trial.options);
  });

  test('has 300 facilities is read in one piece', async () => {
    const trial = deployIndependent((service) => {
      const [first] = service.clubs;
      service.clubs = Array.from({ length: 300 }, (_, at) => ({ ...first!, id: 1000 + at, courses: first!.courses.map((course, index) => ({ ...course, id: 2000 + at * 2 + index })) })); // oxfmt-ignore
      service.isConnected = () => true;
    });
    const { options } = trial;
    const twin = await twinOf(trial, { to: dateAt(options, 11), proves: false });
    expect(twin.world.file.facilities).toHaveLength(300);
    await serve(fileOf(twin), options);
  });
});
