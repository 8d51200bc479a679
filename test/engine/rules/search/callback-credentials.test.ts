import { describe, expect, test } from 'vitest';
import type { CallbackDelivery, SandboxOptions } from '../../../../src/engine/library.js';
import { callbackLog, exchangeLog, type LogLevel } from '../../../../src/cli/log.js';
import { adminOf } from '../../../support/admin.js';
import { open, ORIGIN } from '../../../support/client.js';
import { EventReader } from '../../../support/network/sse.js';
import { startReceiver } from '../../../support/network/receiver.js';
import { rule } from '../../../support/rule.js';
import { openAtOnce, search, searchQuery } from '../../../support/views.js';

const SECRET = 's3cret';

describe('credentials in `callbackUrl`', () => {
  const rows: readonly [userInfo: string, sent: string][] = [
    [`me:${SECRET}`, `me:${SECRET}`],
    ['me', 'me:'],
    [`:${SECRET}`, `:${SECRET}`],
    ['m%40e:s%3Acr%2Fet', 'm@e:s:cr/et'],
    ['j%C3%BCrgen:%E2%82%AC', 'jürgen:€'],
    ['50%:100%zz', '50%:100%zz'],
  ];
  for (const [userInfo, sent] of rows) {
    rule('search.query.callbackUrl', `${userInfo}: sent as Basic credentials`, async () => {
      const receiver = await startReceiver();
      const { sandbox, fairway } = await open();
      const callbackUrl = `${receiver.url.replace('//', `//${userInfo}@`)}?a=1`;
      expect((await search(fairway, searchQuery({ callbackUrl }))).status).toBe(200);
      await sandbox.callbacks.settled();
      expect(sandbox.callbacks.deliveries).toMatchObject([{ state: 'delivered', attempts: [{ status: 204 }] }]);
      const [posted] = receiver.posted;
      expect(posted!.path).toBe('/results?a=1');
      expect(posted!.headers.authorization).toBe(`Basic ${Buffer.from(sent).toString('base64')}`);
    });
  }

  test.each([
    ['of the address', `me:${SECRET}@`, `me:${SECRET}`],
    ['of the channel', '', 'fairway:not-a-secret-fairway'],
  ])('where the dialect sends its own: those %s', async (_, userInfo, sent) => {
    const receiver = await startReceiver();
    const { sandbox, fairway } = await open({ dialect: { answers: { 'callback.auth': 'basic' } } });
    await search(fairway, searchQuery({ callbackUrl: receiver.url.replace('//', `//${userInfo}`) }));
    await sandbox.callbacks.settled();
    expect(receiver.posted[0]!.headers.authorization).toBe(`Basic ${btoa(sent)}`);
  });

  test('with each attempt, and when it is posted again', async () => {
    const seen: (string | null)[] = [];
    const { sandbox, fairway } = await openAtOnce({
      dialect: { answers: { 'callback.retries': 1 } },
      fetch: async (url, { headers }) => {
        expect(url).toBe('http://127.0.0.1:9/results');
        seen.push(new Headers(headers).get('authorization'));
        return new Response(null, { status: 500 });
      },
    });
    await search(fairway, searchQuery({ callbackUrl: `http://me:${SECRET}@127.0.0.1:9/results` }));
    sandbox.clock.advance(1000);
    await sandbox.callbacks.settled();
    await adminOf(sandbox)('POST', 'callbacks/callback-1/redeliver');
    expect(seen).toEqual(Array(3).fill(`Basic ${btoa(`me:${SECRET}`)}`));
  });
});

/** Addresses that the parser of URLs takes, and one that is refused. */
const spellings = [
  `http://me:${SECRET}@127.0.0.1:9/results`,
  `http://${SECRET}@127.0.0.1:9/results`,
  `http:/me:${SECRET}@127.0.0.1:9/results`,
  `http:me:${SECRET}@127.0.0.1:9/results`,
  `http:\\\\me:${SECRET}@127.0.0.1:9\\results`,
  `  http://me:${SECRET}@127.0.0.1:9/results`,
  `http://me:a ${SECRET}@127.0.0.1:9/results`,
  `http://me:"${SECRET}@127.0.0.1:9/results`,
  `ht\ntp://me:${SECRET}@127.0.0.1:9/results`,
  `http://127.0.0.1:9/results?token=${SECRET}`,
  `http://127.0.0.1:9/results?a=1&KEY=${SECRET}&b=2`,
  `http://127.0.0.1:9/results?client_secret=${SECRET}`,
  `http://127.0.0.1:9/results?X-Amz-Signature=${SECRET}&X-Amz-Credential=${SECRET}`,
  `http://127.0.0.1:9/results?sig=${SECRET}&pwd=${SECRET}&passwd=${SECRET}&auth=${SECRET}`,
  `http://127.0.0.1:9/results?%74oken=${SECRET}`,
  `http://127.0.0.1:9/results?a=1;token=${SECRET}`,
  `http://127.0.0.1:9/results;token=${SECRET}`,
  `http://127.0.0.1:9/results#access_token=${SECRET}`,
  `http://127.0.0.1:9/results?next=${encodeURIComponent(`http://me:${SECRET}@a.example/?key=${SECRET}`)}`,
  `http://127.0.0.1:9/?next=${encodeURIComponent(`/?next=${encodeURIComponent(`http://me:${SECRET}@a.example/`)}`)}`,
  `ftp:/me:${SECRET}@127.0.0.1/results`,
  `ftp://127.0.0.1/results?key=${SECRET}`,
  `127.0.0.1/ftp?signature=${SECRET}`,
  `http://me:${SECRET}@ftp.example/?secret=${SECRET}`,
];

describe('nobody is shown the credentials of', () => {
  test.each(spellings)('%j', async (callbackUrl) => {
    const lines: string[] = [];
    const write = (line: string) => void lines.push(line);
    const logs = (['pretty', 'json'] as const).map(
      (format) => ({ level: 'debug', format, colour: false, write }) as const,
    );
    const { sandbox, fairway } = await openAtOnce({
      onExchange: (entry) => logs.forEach((log) => exchangeLog(log)!(entry)),
      onCallback: (delivery) => logs.forEach((log) => callbackLog(log)!(delivery)),
      fetch: async (url) => {
        throw new Error(`Failed to reach ${url}.`);
      },
    });
    const reader = new EventReader(await sandbox.fetch(`${ORIGIN}/__admin/events`));
    await reader.next();
    sandbox.scenarios.arm('callback-never', { match: { callbackUrl: 'another', players: '1' } });
    const reply = await search(fairway, searchQuery({ callbackUrl }));
    await sandbox.callbacks.settled();
    expect(reply.status).toBe(callbackUrl.includes('ftp') ? 400 : 200);
    const admin = adminOf(sandbox);
    const shown: string[] = [...lines, JSON.stringify(await reader.take(2)), JSON.stringify(sandbox.snapshot())];
    const paths = ['plans', 'callbacks', 'callbacks/callback-1', 'requests', 'requests/req-1', 'requests?format=har'];
    for (const path of [...paths, 'requests/req-1/explain']) shown.push((await admin('GET', path)).text);
    const verified = { match: { callbackUrl: 'another' }, operation: 'searchTeeTimes' };
    shown.push((await admin('POST', 'requests/verify', verified)).text);
    expect(lines.length).toBeGreaterThan(1);
    shown.push(JSON.stringify(sandbox.callbacks.deliveries), reply.text);
    for (const text of shown) {
      expect(text).not.toContain(SECRET);
      expect(text).not.toContain(btoa(`me:${SECRET}`));
    }
  });

  test('an inbox that receives them', async () => {
    const { sandbox, fairway } = await openAtOnce({
      fetch: (url, init) => sandbox.fetch(url.replace('http://127.0.0.1:9', ORIGIN), init),
    });
    const callbackUrl = `http://me:${SECRET}@127.0.0.1:9/__admin/inbox/tests`;
    await search(fairway, searchQuery({ callbackUrl }));
    await sandbox.callbacks.settled();
    const { body, text } = await adminOf(sandbox)('GET', 'inbox/tests');
    expect(body.messages[0].headers.authorization).toBe('Basic ***');
    expect(text).not.toContain(btoa(`me:${SECRET}`));
  });
});

describe('the log of callbacks', () => {
  /** The lines about one search, whose receiver answers as told. */
  async function logged(
    statuses: readonly (number | string)[],
    {
      level = 'info' as LogLevel,
      format = 'pretty' as 'pretty' | 'json',
      spec = '',
      options = {} as SandboxOptions,
    } = {},
  ): Promise<string[]> {
    const lines: string[] = [];
    const left = [...statuses];
    const log = callbackLog({ level, format, colour: false, write: (line) => lines.push(line) });
    const { sandbox, fairway } = await openAtOnce({
      ...(log ? { onCallback: log } : {}),
      fetch: async () => {
        const next = left.shift()!;
        if (typeof next === 'string') throw new TypeError('fetch failed', { cause: { code: next } });
        return new Response(null, { status: next });
      },
      ...options,
    });
    const headers: Record<string, string> = spec === '' ? {} : { 'teebox-scenario': spec };
    await fairway.get(`/api/v5/teetimes?${new URLSearchParams(searchQuery())}`, { headers });
    sandbox.clock.advance(60_000);
    await sandbox.callbacks.settled();
    return lines;
  }

  const URL = 'http://127.0.0.1:9/results';
  const about = 'channel=fairway callback=callback-1 id=req-1';
  const retries = { dialect: { answers: { 'callback.retries': 1 } } } as const;
  test.each<[what: string, statuses: (number | string)[], more: Parameters<typeof logged>[1], lines: string[]]>([
    ['delivered', [204], {}, [`callback ${URL} delivered attempts=1 ${about}`]],
    ['refused', [503], {}, [`callback ${URL} failed attempts=1 why="the receiver answered 503" ${about}`]],
    ['unreachable', ['ECONNREFUSED'], {}, [`callback ${URL} failed attempts=1 why="ECONNREFUSED" ${about}`]],
    [
      'retried',
      [500, 204],
      { options: retries },
      [
        `callback ${URL} to be retried attempts=1 why="the receiver answered 500" ${about}`,
        `callback ${URL} delivered attempts=2 ${about}`,
      ],
    ],
    ['withheld', [], { spec: 'callback-never' }, [`callback ${URL} withheld attempts=0 ${about}`]],
    ['a quiet log: only failures', [204], { level: 'warn' }, []],
    ['a quiet log', [503], { level: 'warn' }, [expect.stringContaining('failed')]],
    ['no log of failures', [503], { level: 'error' }, []],
  ])('%s', async (_, statuses, more, lines) => {
    expect(await logged(statuses, more)).toEqual(lines);
  });

  test('as JSON', async () => {
    const [line] = await logged([404], { format: 'json' });
    expect(JSON.parse(line!)).toEqual({
      level: 'warn',
      time: '2026-06-01T08:00:00.000Z',
      msg: `callback ${URL} failed`,
      callbackId: 'callback-1',
      requestId: 'req-1',
      channel: 'fairway',
      url: URL,
      state: 'failed',
      attempts: 1,
      status: 404,
      why: 'the receiver answered 404',
    } satisfies Partial<CallbackDelivery> | object);
  });
});
