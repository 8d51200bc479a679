import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { MAX_BOOKINGS } from '../../../src/conformance/run/check-options.js';
import type { Depth } from '../../../src/conformance/client/types.js';
import type { RuleId, WorldFile } from '../../../src/contract/index.js';
import { altering, deploy, loudIn, resultOf } from '../deployment.js';
import { quickReading, recorded, type Recorded } from '../recorded.js';

interface Sheet {
  readonly teeTimeV3: { products: { available: number }[] }[];
}

describe('a correct deployment', () => {
  const onlyRead = async (read: Promise<Recorded>): Promise<void> => {
    const { report, sent } = await read;
    expect(loudIn(report)).toEqual([]);
    expect(report).toMatchObject({ verdict: 'conformant', exitCode: 0, litter: [], unknownProperties: [] });
    expect(report.requests).toBe(sent.length);
    expect(report.requests).toBeLessThan(1200);
    expect(report.counts.pass).toBeGreaterThan(150);
    expect(sent.filter((line) => !line.startsWith('GET '))).toEqual([]);
  };

  test('has nothing to hear but what was observed, when it is only read', () => onlyRead(quickReading()));

  test('has nothing to hear when it is read at the usual depth', { tags: ['slow'] }, () => onlyRead(recorded()));

  const allAllowed = async (depth: Depth): Promise<void> => {
    const { sandbox, check } = await deploy();
    const { refreshToken } = sandbox.channels[0]!;
    const { username, password } = sandbox.channels[0]!;
    const first = { basic: { username, password }, refreshToken };
    const report = await check({ first, depth, allow: ['tokens', 'bookings', 'callbacks', 'payments'] });
    expect(loudIn(report)).toEqual([]);
    expect(report.counts['not-run']).toBe(0);
    expect(resultOf(report, 'callback.body').verdict).toBe('pass');
    expect(resultOf(report, 'tokens.item.expires-in').verdict).toBe('pass');
    const bookings = report.litter.filter(({ kind }) => kind !== 'payment');
    const comments = bookings.map(({ kind, bookingId }) => {
      expect(kind).toBe('booking');
      return sandbox.db.bookings.findFirst((q) => q.where({ bookingId: bookingId! }))!.comments;
    });
    // Two bookings show that a booking needs no comments.
    expect(comments.filter((text) => text === null)).toHaveLength(2);
    expect(comments.filter((text) => text !== null && !text.includes(report.target.runId))).toEqual([]);
    // The budget of a run, by default.
    expect(bookings.length).toBeLessThanOrEqual(MAX_BOOKINGS);
  };

  test('has nothing to hear either when everything is allowed', { tags: ['slow'] }, () => allAllowed('quick'));

  test('has nothing to hear when everything is allowed at the usual depth', { tags: ['slow'] }, () =>
    allAllowed('standard'),
  );

  test('has nothing to hear in the world of a file', { tags: ['slow'] }, async () => {
    const page = readFileSync(new URL('../../../docs/own-facilities.md', import.meta.url), 'utf8');
    const files = [...page.matchAll(/^```yaml\n(.*?)^```$/gms)].map(([, text]) => parse(text!) as WorldFile);
    expect(files).toHaveLength(2);
    for (const world of files) {
      const { sandbox, check } = await deploy({ world });
      const [first, second] = sandbox.channels.map(({ username, password }) => ({ basic: { username, password } }));
      const allow = ['bookings', 'callbacks', 'payments'] as const;
      const report = await check({ first: first!, second: second!, allow, depth: 'quick' });
      expect(loudIn(report)).toEqual([]);
      expect(report.counts.pass).toBeGreaterThan(250);
    }
  });

  test('says so twice in the same words', { tags: ['slow'] }, async () => {
    const only = ['facilities.*', 'bookings.*'];
    const [once, again] = [await recorded({ only, depth: 'quick' }), await recorded({ only, depth: 'quick' })];
    expect(again.report.rules).toEqual(once.report.rules);
  });

  test.each(['links', 'caddie'])(
    'has something to show to the channel %s as well',
    { tags: ['slow'] },
    async (name) => {
      const { sandbox, check } = await deploy();
      const { username, password } = sandbox.channels.find((channel) => channel.name === name)!;
      const report = await check({ first: { basic: { username, password } }, depth: 'quick' });
      expect(loudIn(report)).toEqual([]);
      expect(report.counts.pass).toBeGreaterThan(150);
    },
  );

  test('tells the bookings of a group apart where two courses start at the same time', async () => {
    const ofTwoCourses = altering(/^\/api\/v4\/teetimes\//, ({ data }: { data: { teeTimeV3: { time: string }[] } }) => {
      const all = data.teeTimeV3;
      const last = all.findLastIndex(({ time }, index) => time === all[index - 1]?.time);
      data.teeTimeV3 = last < 0 ? [] : all.slice(0, last + 2);
    });
    const { check } = await deploy({}, ofTwoCourses);
    const report = await check({ allow: ['bookings'], only: ['bookings.status.booked'], depth: 'quick' });
    expect(resultOf(report, 'bookings.status.booked')).toMatchObject({ verdict: 'pass' });
  });

  test.each<[what: string, rule: RuleId, alter: (teeTime: { id: number; players: number | string }) => void]>([
    ['number tee times anew in v2 and v3', 'teetimes.item.stable-id', (one) => (one.id += 300_000_000)],
    ['show the capacity as the players of v2 and v3', 'teetimes.same-across-versions', (one) => (one.players = 4)],
  ])('may %s', async (_, id, alter) => {
    const layer = altering(/^\/api\/v[23]\/teetimes\//, ({ data }) => (data.teeTimeV2 ?? data).forEach(alter));
    const { check } = await deploy({}, layer);
    expect(resultOf(await check({ only: [id], depth: 'quick' }), id)).toMatchObject({ verdict: 'pass' });
  });

  test('may sell a product to two players at most', async () => {
    const ofTwo = altering(/^\/api\/v[45]\/teetimes\//, ({ data }: { data: Sheet }, { searchParams }) => {
      for (const one of data.teeTimeV3) {
        for (const [index, product] of one.products.entries())
          if (index > 0) product.available = Math.min(2, product.available);
        if (Number(searchParams.get('players')) > 2) one.products = one.products.slice(0, 1);
      }
    });
    const { check } = await deploy({}, ofTwo);
    const id = 'teetimes.price-across-versions';
    const report = await check({ only: [id, 'teetimes.filter.players'], depth: 'quick' });
    expect(resultOf(report, id)).toMatchObject({ verdict: 'pass' });
  });

  test('may show the times of some price records only', async () => {
    type Page = { data: { records: { productId: number; availability: unknown[] }[] } };
    const some = altering(/\/price\/insideDateRange$/, ({ data }: Page) => {
      for (const one of data.records) if (one.productId % 2 === 0) one.availability = [];
    });
    const { check } = await deploy({}, some);
    const id = 'prices.agrees-availability';
    expect(resultOf(await check({ only: [id], depth: 'quick' }), id)).toMatchObject({ verdict: 'pass' });
  });

  test('may take two equal requests for one that was sent twice', async () => {
    const known = new Map<string, Promise<Response>>();
    const { check } = await deploy({}, async (request, go) => {
      if (request.method !== 'POST' || !request.url.endsWith('bookings')) return go(request);
      const key = `${request.url} ${await request.clone().text()}`;
      if (!known.has(key)) known.set(key, go(request));
      return (await known.get(key)!).clone();
    });
    const id = 'bookings.effect.no-overbooking';
    expect(resultOf(await check({ allow: ['bookings'], only: [id] }), id)).toMatchObject({ verdict: 'pass' });
  });

  test('may answer a method that it does not take in a form of its own', async () => {
    const { check } = await deploy({}, async (request, go) =>
      request.method === 'POST' && /bookings\/payment\//.test(request.url)
        ? Response.json({ status: 405, error: 'Method Not Allowed' }, { status: 405 })
        : go(request),
    );
    const report = await check({ allow: ['bookings', 'payments'], only: ['envelope.*', 'payments.confirm*'] });
    expect(loudIn(report)).toEqual([]);
    expect(resultOf(report, 'payments.confirm.v4')).toMatchObject({ verdict: 'pass' });
  });

  test('may list a cancellation in its older versions two seconds later', async () => {
    const late = new Set<string>();
    const { later, check } = await deploy(
      { dialect: { answers: { 'booking.cancel': 'delete' } } },
      async (request, go) => {
        const { pathname } = new URL(request.url);
        const response = await go(request);
        const bookingId = pathname.split('/').at(-1)!;
        if (request.method === 'DELETE' && response.ok) {
          late.add(bookingId);
          later(() => late.delete(bookingId), 2000);
        }
        if (request.method !== 'GET' || !/v[12]\/bookings$/.test(pathname)) return response;
        const { data, ...rest } = (await response.json()) as { data: { bookingId: string; status: string }[] };
        const listed = data.map((one) => (late.has(one.bookingId) ? { ...one, status: 'BOOKED' } : one));
        return Response.json({ ...rest, data: listed });
      },
    );
    const report = await check({ allow: ['bookings'], only: ['bookings.status.canceled-stays'] });
    expect(resultOf(report, 'bookings.status.canceled-stays')).toMatchObject({ verdict: 'pass' });
  });
});
