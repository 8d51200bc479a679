import { describe, expect, test } from 'vitest';
import { ArchiveReader } from '../../../../src/conformance/replay/archive.js';
import { replay, replayExchanges, type ReplayOptions } from '../../../../src/conformance/replay/replay.js';
import { Callers } from '../../../../src/conformance/replay/callers.js';
import type { Report, RuleResult } from '../../../../src/conformance/client/types.js';
import { mutants } from '../../mutants/index.js';
import { NOW } from '../../../support/client.js';
import { archivedRun } from '../../recorded.js';
import { altering, BASE_URL, type Delivery, deploy, type Layer, loudIn, resultOf } from '../../deployment.js';

const everything = ['tokens', 'bookings', 'callbacks', 'payments'] as const;

interface Entry {
  startedDateTime: string;
  time: number;
  request: { method: string; url: string; headers: object[]; postData?: { mimeType: string; text: string } };
  response: { status: number; headers: object[]; content: Record<string, unknown> };
}
interface Archive {
  log: { entries: Entry[] };
}

const pairs = (headers: Headers): object[] => [...headers].map(([name, value]) => ({ name, value }));

/** What an HTTP client sees of a whole run, as browsers and proxies write it. */
async function recorded(layer?: Layer, changes: object = {}): Promise<Archive> {
  const entries: Entry[] = [];
  const { sandbox, check } = await deploy({}, async (request, through) => {
    const { method, url, headers } = request;
    const text = await request.clone().text();
    const response = await (layer ? layer(request, through) : through(request));
    const content = { text: await response.clone().text(), mimeType: 'application/json' };
    entries.push({
      startedDateTime: NOW,
      time: 3,
      request: { method, url, headers: pairs(headers), ...(text ? { postData: { mimeType: '', text } } : {}) },
      response: { status: response.status, headers: pairs(response.headers), content },
    });
    return response;
  });
  const { username, password, refreshToken } = sandbox.channels[0]!;
  await check({ first: { basic: { username, password }, refreshToken }, ...changes });
  return { log: { entries } };
}

const host = { now: () => Date.parse(NOW) };
const judged = (archive: unknown, options: Partial<ReplayOptions> = {}): Promise<Report> =>
  replay({ archive, host, ...options });

const findings = (report: Report): string[] => loudIn(report).sort();

describe('a recording of a deployment', () => {
  test('that is correct has nothing to hear', async () => {
    const archive = await recorded(undefined, { allow: everything });
    const report = await judged(archive);
    expect(findings(report)).toEqual([]);
    expect(report).toMatchObject({ verdict: 'conformant', exitCode: 0, requests: expect.any(Number) });
    expect(report.target.baseUrl).toBe(BASE_URL);
    expect(report.counts.pass).toBeGreaterThan(150);
    for (const { url, why } of report.unjudged!) expect(`${url} ${why}`).toMatch(/no operation of the contract/);
    const reader = new ArchiveReader();
    const taken = reader.end({ log: { entries: archive.log.entries.map(reader.take) } });
    expect(await replayExchanges(taken, { host })).toEqual(report);
    expect(taken).toEqual([]);
  });

  test.each<[what: string, layer: Layer, broken: string]>([
    [
      'a price as text',
      altering(/\/v4\/teetimes\//, ({ data }) =>
        data.teeTimeV3.forEach(
          ({ products: [{ pricing }] }: any) => (pricing[0].price.amount = `${pricing[0].price.amount}`),
        ),
      ),
      'teetimes.money.amount',
    ],
    [
      'a failure that says it succeeded',
      async (request, through) => {
        const response = await through(request);
        if (response.status !== 404) return response;
        return Response.json({ success: true, data: null }, { status: 404 });
      },
      'envelope.failure-false',
    ],
  ])('with %s is found out', async (_, layer, broken) => {
    const report = await judged(await recorded(layer));
    expect(findings(report)).toEqual([broken]);
    expect(report.exitCode).toBe(report.counts.fail);
    expect(resultOf(report, broken).exchanges).not.toEqual([]);
  });

  test('tells what it could not judge, and why', async () => {
    const report = await judged(await recorded());
    expect(resultOf(report, 'bookings.create.atomic')).toMatchObject({ verdict: 'not-run', reason: 'replayed' });
    const want = { verdict: 'inconclusive', missing: 'a recorded result of a search' };
    expect(resultOf(report, 'callback.item.facilityId')).toMatchObject(want);
    expect((await judged(await recorded(), { minConclusive: 100 })).exitCode).toBe(4);
  });
});

/** The recording that the sandbox itself writes, masked. */
async function journalled(): Promise<Archive> {
  const { sandbox, check } = await deploy({ pure: false });
  const { username, password, refreshToken } = sandbox.channels[0]!;
  await check({ first: { basic: { username, password }, refreshToken }, allow: everything });
  return sandbox.journal.har() as unknown as Archive;
}

test('the journal of a sandbox is judged too, and what is masked in it breaks no rule', async () => {
  const archive = await journalled();
  expect(JSON.stringify(archive)).toContain('***');
  const report = await judged(archive);
  expect(findings(report)).toEqual([]);
  expect(report.counts.pass).toBeGreaterThan(150);
});

describe('an entry', () => {
  const countries = (change: (entry: Entry) => void = () => {}): Archive => {
    const entry: Entry = {
      startedDateTime: NOW,
      time: 1,
      request: { method: 'GET', url: `${BASE_URL}/api/v3/countries`, headers: [{ name: ':authority', value: 'x' }] },
      response: { status: 200, headers: [], content: { text: '{"success":true,"data":["Spain"]}' } },
    };
    change(entry);
    return { log: { entries: [entry] } };
  };
  const reasons = ({ unjudged }: Report): string[] => unjudged!.map(({ why }) => why);

  test('may have its body in base64', async () => {
    const text = btoa('{"success":true,"data":["Espa\u00c3\u00b1a"]}');
    const report = await judged(countries(({ response }) => (response.content = { text, encoding: 'base64' })));
    expect(resultOf(report, 'countries.response')).toMatchObject({ verdict: 'pass', exchanges: ['x1'] });
    expect(report.exitCode).toBe(0);
  });

  test('may have addresses with more than the contract lists', async () => {
    const archive = await recorded();
    const plain = await judged(archive);
    for (const [index, { request }] of archive.log.entries.entries()) {
      request.url += `${request.url.includes('?') ? '&' : '?'}_=${index}`;
    }
    const report = await judged(archive);
    expect(report.counts).toEqual(plain.counts);
    expect(report.rules.map(({ verdict }) => verdict)).toEqual(plain.rules.map(({ verdict }) => verdict));
  });

  test('may lie below a path of the deployment', async () => {
    const report = await judged(countries(({ request }) => (request.url = 'https://x.example/w/a/api/v3/countries')));
    expect(report.target.baseUrl).toBe('https://x.example/w/a');
    expect(report.counts.pass).toBeGreaterThan(0);
  });

  test.each<[what: string, change: (entry: Entry) => void, why: RegExp]>([
    ['another path', ({ request }) => (request.url = `${BASE_URL}/api/v9/countries`), /no operation of the contract/],
    ['another method', ({ request }) => (request.method = 'OPTIONS'), /no operation of the contract/],
    ['another site', ({ request }) => (request.url = 'http://other.test/api/v3/countries'), /not below/],
    ['no answer', ({ response }) => (response.status = 0), /no answer was recorded/],
    ['no body', ({ response }) => (response.content = { size: 33 }), /its body was not kept$/],
    ['half a body', ({ response }) => (response.content = { text: '{"succ', size: 33 }), /not kept whole/],
    ['a masked body', ({ response }) => (response.content = { text: '***' }), /not kept whole/],
    ['a body of a cache', ({ response }) => (response.status = 304), /cache/],
    ['bad base64', ({ response }) => (response.content = { text: '%', encoding: 'base64' }), /not kept$/],
  ])('with %s is listed and not judged', async (_, change, why) => {
    const report = await judged(countries(change), { baseUrl: BASE_URL });
    expect(reasons(report)).toEqual([expect.stringMatching(why)]);
    expect(report).toMatchObject({ verdict: 'too-little-judged', exitCode: 4 });
  });

  test('that broke the contract is no evidence of a form', async () => {
    const report = await judged(countries(({ request }) => (request.url += '?connected=perhaps')));
    expect(resultOf(report, 'countries.response').verdict).toBe('inconclusive');
    expect(resultOf(report, 'envelope.json').verdict).toBe('pass');
  });

  test.each<[archive: unknown, message: string]>([
    [null, 'an HTTP Archive is'],
    [{ log: { entries: {} } }, 'an HTTP Archive is'],
    [{ log: { entries: [{}] } }, 'entry 1 has no `request`.'],
    [countries(({ request }) => (request.url = '/api')), 'entry 1: `request.url` is no URL.'],
    [countries(({ response }) => (response.status = 'x' as never)), 'entry 1 has no `response.status`.'],
  ])('that is none is refused: %j', async (archive, message) => {
    await expect(judged(archive)).rejects.toThrow(message);
  });
});

test('the result of a search is recognised by its callback URL', async () => {
  const url = 'http://partner.test/results';
  const query = `facilityIds=1001&fromDate=11-06-2026&toDate=11-06-2026&players=2&holes=18&callbackUrl=${encodeURIComponent(url)}`;
  const entry = (method: string, address: string, text: string, sent?: string): Entry => ({
    startedDateTime: NOW,
    time: 1,
    request: { method, url: address, headers: [], ...(sent ? { postData: { mimeType: '', text: sent } } : {}) },
    response: { status: 200, headers: [], content: { text } },
  });
  const accepted = '{"success":true,"data":{"message":"Search accepted"}}';
  const result = (data: unknown): string => JSON.stringify({ success: true, data });
  const entries = (data: unknown): Entry[] => [
    entry('GET', `${BASE_URL}/api/v5/teetimes?${query}`, accepted),
    entry('POST', url, '', result(data)),
  ];
  const right = await judged({ log: { entries: entries([{ facilityId: 1001, teeTimeV3: [] }]) } });
  expect(resultOf(right, 'callback.item.facilityId').verdict).toBe('pass');
  const wrong = await judged({ log: { entries: entries([{ facilityId: 'x', teeTimeV3: [] }]) } });
  expect(resultOf(wrong, 'callback.item.facilityId').verdict).toBe('fail');
  const [search, large] = entries('x'.repeat(10_000)) as [Entry, Entry];
  const tight = await judged({ log: { entries: [search, large, large] } }, { maxEvidence: 30_000 });
  expect(tight.unjudged).toEqual([{ method: 'POST', url, why: 'there is no room for it (max-evidence)' }]);
});

const evaluated = ({ rules }: Report): readonly RuleResult[] =>
  rules.filter(({ verdict }) => !['not-run', 'inconclusive'].includes(verdict));

describe('the recording of a run', () => {
  test('comes to the same verdicts, but for what it does not show', async () => {
    const { report, archive } = await archivedRun();
    const again = await judged(archive);
    const lost = evaluated(report).filter(({ id, verdict }) => resultOf(again, id).verdict !== verdict);
    expect(lost.map(({ id }) => id).sort()).toEqual([
      // Its texts are no bytes, and it has no tokens.
      'envelope.encoding',
      'errors.token-status',
      // The comment of megabytes is masked.
      'limits.body-size',
      'tokens.expires-in',
      'tokens.item.access-token',
      'tokens.item.refresh-token',
      'tokens.latest-refresh',
      'tokens.old-access',
      'tokens.old-refresh-invalid',
      'tokens.own-channel',
      'tokens.refresh',
      'tokens.refresh.body',
      'tokens.refresh.refused',
      'tokens.refresh.without-access',
      'tokens.reuse',
      'tokens.rotation',
      'tokens.short-lived',
      'tokens.single-use',
      'tokens.version',
    ]);
    expect(again.counts).toMatchObject({ fail: 0, warn: 0 });
  });

  test('is judged by the clock of the deployment', async () => {
    const { report, archive } = await archivedRun({}, undefined, { settings: { now: '2031-03-01T08:00:00Z' } });
    const again = await judged(archive);
    expect(again.counts).toMatchObject({ fail: 0, warn: 0 });
    expect(evaluated(again).length).toBeGreaterThan(0.9 * evaluated(report).length);
  });

  /** One in so many of the planted defects, without those of tokens and of what is masked. */
  const ONE_IN = 40;
  const seen = mutants.filter(({ rule }) => !/^tokens\.|^auth\.basic|token-status|body-size|\.contact/.test(rule));
  test.each(seen.filter((_, index) => index % ONE_IN === 0))(
    'shows that $defect ($rule)',
    async ({ rule, layer, delivery, posting, settings, options }) => {
      const post: Delivery = (posted, deliver) => {
        if (delivery) posted.text = JSON.stringify(delivery(JSON.parse(posted.text)));
        return posting ? posting(posted, deliver) : deliver(posted);
      };
      const only = { depth: 'quick', ...options, only: [rule] } as const;
      const { report, archive } = await archivedRun(only, layer, { settings, post });
      const again = await judged(archive, { only: [rule] });
      expect(resultOf(again, rule)).toMatchObject({ verdict: resultOf(report, rule).verdict });
    },
  );
});

describe('the recording of other clients', () => {
  test('has no finding where only time could explain a difference', async () => {
    let calls = 0;
    const archive = await recorded(
      altering(/countries$/, ({ data }) => ((calls += 1) % 2 === 0 ? data.pop() : undefined)),
      { only: ['countries.*'] },
    );
    const report = await judged(archive);
    expect(findings(report)).toEqual([]);
    expect(resultOf(report, 'countries.same-across-versions')).toMatchObject({
      verdict: 'not-run',
      reason: 'replayed',
      missing: expect.stringContaining('a second look'),
    });
  });

  test('tells channels apart', async () => {
    const callers = new Callers();
    const by = (authorization: string | undefined, status = 200): string =>
      callers.callerOf({
        method: 'GET',
        url: `${BASE_URL}/api/v3/countries`,
        requestHeaders: new Headers(authorization === undefined ? {} : { authorization }),
        status,
        headers: new Headers(),
        text: '',
        size: 0,
        startedAt: 0,
        durationMs: 0,
      });
    expect([
      by(undefined),
      by('Basic wrong', 401),
      by('Basic one'),
      by('Basic two'),
      by('Basic one', 400),
      by('Basic wrong', 401),
      by('Bearer three'),
    ]).toEqual(['nobody', 'nobody', 'first', 'second', 'first', 'nobody', 'first']);
  });
});
