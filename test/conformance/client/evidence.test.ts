import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { keptBody } from '../../../src/conformance/client/kept-body.js';
import { MemoryReceiver } from '../../../src/conformance/client/receiver.js';
import { JsonMeter, shallowJson } from '../../../src/common/json.js';
import { Recorder } from '../../../src/conformance/report/recorder.js';
import { deploy, type Layer } from '../deployment.js';
import { transportTo } from './transport-to.js';

const nested = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels);
const list = (items: number, item = '0'): string => `[${Array(items).fill(item).join(',')}]`;
const measured = (text: string): JsonMeter => new JsonMeter().addText(text);

test.each<[what: string, text: string, fault: RegExp | undefined]>([
  ['64 levels', nested(64), undefined],
  ['65 levels', nested(65), /deeper than 64 levels/],
  ['5 million levels that nobody closes', '{"a":['.repeat(2_500_000), /deeper than 64 levels/],
  ['brackets in a text', JSON.stringify('['.repeat(100)), undefined],
  ['brackets after an escaped quote', JSON.stringify(`"${'['.repeat(100)}\\`), undefined],
  ['brackets that close nothing', ']'.repeat(100), undefined],
  ['20,000 items', list(20_000), undefined],
  ['20,001 items', list(20_001), /more than 20000 items/],
  ['20,001 members', `{${Array.from({ length: 20_001 }, (_, index) => `"${index}":0`).join(',')}}`, /more than 20000/],
  ['20,001 items at some depth', `{"data":{"records":${list(20_001)}}}`, /more than 20000 items/],
  ['many lists that are short', list(3, list(10_000)), undefined],
])('JSON with %s', (_, text, fault) => {
  const measure = measured(text).fault;
  if (fault) expect(measure).toMatch(fault);
  else expect(measure).toBeUndefined();
  expect(new JsonMeter().add(new TextEncoder().encode(text)).fault).toBe(measure);
});

test('a measure does not depend on where a text is cut', () => {
  fc.assert(
    fc.property(fc.json(), fc.nat(), (text, place) => {
      const bytes = new TextEncoder().encode(text);
      const at = place % (bytes.length + 1);
      const parts = new JsonMeter().add(bytes.subarray(0, at)).add(bytes.subarray(at));
      expect(parts.bytes).toBe(new JsonMeter().add(bytes).bytes);
      expect(measured(text).bytes).toBeGreaterThanOrEqual(text.length);
      expect(shallowJson(text)).toEqual(JSON.parse(text));
    }),
  );
});

test.each<[what: string, bytes: readonly number[], encoding: string, text?: string]>([
  ['UTF-8', [0x22, 0xc3, 0xa9, 0xe2, 0x82, 0xac, 0xf0, 0x9f, 0x8f, 0x8c, 0x22], 'utf-8', '"é€🏌"'],
  ['a byte order mark', [0xef, 0xbb, 0xbf, 0x22, 0xc3, 0xa9, 0x22], 'byte-order-mark', '"é"'],
  ['no UTF-8', [0x22, 0xe9, 0x22, 0x31, 0x22], 'invalid'],
  ['a character that is cut off', [0x22, 0x22, 0xc3], 'invalid'],
])('%s is read the same, wherever the parts of the body meet', async (_, bytes, encoding, text) => {
  for (let at = 0; at <= bytes.length; at += 1) {
    const body = new ReadableStream({
      start(stream) {
        for (const part of [bytes.slice(0, at), bytes.slice(at)]) stream.enqueue(Uint8Array.from(part));
        stream.close();
      },
    });
    const { transport } = transportTo(() => new Response(body));
    const reply = await transport.send({ operation: 'v3.listCountries' });
    expect(reply.encoding).toBe(encoding);
    if (text !== undefined) expect(reply.text).toBe(text);
  }
});

describe('a text is made again from its JSON', () => {
  const ways: Readonly<Record<string, (value: unknown) => string>> = {
    'in one line': (value) => JSON.stringify(value),
    'in one line with its end': (value) => `${JSON.stringify(value)}\r\n`,
    'with an indentation of 2': (value) => JSON.stringify(value, null, 2),
    'with an indentation of 4': (value) => JSON.stringify(value, null, 4),
    'with spaces after commas and colons': (value) => spaced(value),
    'with escapes': (value) =>
      JSON.stringify(value)
        .replaceAll('/', '\\/')
        .replace(/[\u0080-\uffff]/g, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`),
  };

  function spaced(value: unknown): string {
    if (Array.isArray(value)) return `[${value.map(spaced).join(', ')}]`;
    if (typeof value !== 'object' || value === null) return JSON.stringify(value);
    const members = Object.entries(value).map(([name, one]) => `${JSON.stringify(name)}: ${spaced(one)}`);
    return `{${members.join(', ')}}`;
  }

  const teeTime = {
    success: true,
    data: [{ time: '2026-07-01 09:00:00', course: 'Éire / Süd', holes: 18, extras: [] }],
  };

  test.each(Object.keys(ways))('%s, and is not kept', (way) => {
    const text = ways[way]!(teeTime);
    const kept = keptBody(200, text);
    expect(kept.text()).toBe(text);
    expect(kept).toMatchObject({ isRemade: true, length: text.length, json: teeTime });
  });

  test('or kept, whatever it is', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom(...Object.values(ways)), fc.nat(20), (value, way, at) => {
        const text = way({ success: true, data: value });
        const cut = `${text.slice(0, at)} ${text.slice(at)}`;
        for (const one of [text, cut, text.slice(at)]) expect(keptBody(200, one).text()).toBe(one);
      }),
    );
  });
});

describe('a request whose answer is too much', () => {
  const answering = (text: string) => () => new Response(text, { headers: { 'content-type': 'application/json' } });
  test.each<[what: string, text: string, why: RegExp]>([
    ['deep', nested(65), /nested deeper than 64 levels/],
    ['wide', list(20_001), /more than 20000 items/],
    ['full', list(15_000, '{}'), /takes more than 0\.5 MiB to read \(max-evidence\)/],
  ])('%s: is not read', async (_, text, why) => {
    const { transport, exchanges } = transportTo(answering(text), { maxBody: 1_000_000, maxEvidence: 512 * 1024 });
    const read = transport.send({ operation: 'v3.listCountries' });
    await expect(read).rejects.toMatchObject({ reason: 'too-large', missing: expect.stringMatching(why) });
    expect(exchanges[0]!.failure).toMatch(why);
    expect(exchanges[0]!.response!.body.length).toBeLessThanOrEqual(2000);
    expect(transport.replies).toEqual([]);
  });

  test('many: no further one is sent after the one for which there is no room', async () => {
    const { transport, sent } = transportTo(answering(list(1300)), { maxBody: 1_000_000, maxEvidence: 75_000 });
    const read = (country: string) => transport.send({ operation: 'v3.listFacilities', params: { country } });
    for (const country of ['A', 'B', 'C']) await read(country);
    for (const country of ['D', 'E']) {
      await expect(read(country)).rejects.toMatchObject({ name: 'NotAllowed', reason: 'evidence' });
    }
    expect(sent).toHaveLength(4);
    expect(transport.health.health()).toMatchObject({ healthy: true, failed: 0 });
  });

  test('the same again and again: is kept once', async () => {
    const { transport } = transportTo(answering(list(1300)), { maxBody: 1_000_000, maxEvidence: 90_000 });
    const read = () => transport.send({ operation: 'v3.listCountries' });
    const { json } = await read();
    const before = transport.evidence.mark.used;
    for (let times = 0; times < 50; times += 1) expect((await read()).json).toBe(json);
    expect(transport.evidence.mark.used).toBeLessThan(1.6 * before);
  });

  test('values that need a very long address: is not sent', async () => {
    const { transport, sent } = transportTo(answering('[]'));
    const read = transport.send({ operation: 'v3.listFacilities', params: { country: 'x'.repeat(4000) } });
    await expect(read).rejects.toMatchObject({ reason: 'too-large' });
    expect(sent).toEqual([]);
  });
});

test('a run for whose answers there is no room has judged too little, and says so', async () => {
  const { check } = await deploy();
  const report = await check({ maxEvidence: 1024 * 1024, only: ['countries.*', 'teetimes.*', 'facilities.*'] });
  const message = /more room than the setting max-evidence permits: \d+ of \d+ rules were not evaluated/;
  expect(report).toMatchObject({ exitCode: 4, verdict: 'too-little-judged', message: expect.stringMatching(message) });
  expect(report.rules.filter(({ reason }) => reason === 'evidence').length).toBeGreaterThan(0);
  expect(report.counts).toMatchObject({ fail: 0, error: 0 });
});

describe('a broken answer', () => {
  const always =
    (text: string): Layer =>
    async () =>
      new Response(text, { headers: { 'content-type': 'application/json' } });
  test.each<[what: string, text: string]>([
    ['8,000 empty objects', `{"success":true,"data":${list(8000, '{}')}}`],
    ['a name of 20,000 letters', `{"success":true,"data":["${'w'.repeat(20_000)}",7]}`],
    ['a name of 20,000 backslashes', `{"success":true,"data":["bookingId${'\\\\'.repeat(20_000)}",7]}`],
    ['5,000 properties', `{"success":true,"data":[{${Array.from({ length: 5000 }, (_, at) => `"k${at}":1`)}}]}`],
  ])('%s: ends in findings with short words', async (_, text) => {
    const { check } = await deploy({}, always(text));
    const recorder = new Recorder();
    const report = await check({ only: ['countries.*', 'facilities.*'], onEvent: (event) => recorder.onEvent(event) });
    expect(report.exitCode).toBe(1);
    expect(report.counts.error).toBe(0);
    for (const { message = '', missing = '' } of report.rules) {
      expect(`${message}${missing}`.length).toBeLessThan(4100);
    }
    expect(report.unknownProperties.length).toBeLessThanOrEqual(400);
    expect(JSON.stringify(report).length).toBeLessThan(500_000);
  });
});

test('an address keeps 100 deliveries', async () => {
  const receiver = new MemoryReceiver('http://here', { now: () => 0, sleep: async () => {} });
  const { url, deliveries } = await receiver.address();
  const post = () => receiver.accept(new URL(url).pathname, { method: 'POST', headers: new Headers(), text: '' });
  const statuses = Array.from({ length: 103 }, post);
  expect(statuses.filter((status) => status === 429)).toHaveLength(3);
  expect(deliveries).toHaveLength(100);
});

test('an address with a folder shows it as it arrived', async () => {
  const receiver = new MemoryReceiver('http://here', { now: () => 0, sleep: async () => {} });
  const { url, deliveries } = await receiver.address(200, 'A%26b');
  const [, name] = new URL(url).pathname.split('/').slice(1);
  for (const path of [`/A%26b/${name}?q=1`, `/proxy/a&b/${name}`, `/${name}`]) {
    receiver.accept(path, { method: 'POST', headers: new Headers(), text: '' });
  }
  expect(url).toBe(`http://here/A%26b/${name}`);
  expect(deliveries.map((one) => one.url)).toEqual([`${url}?q=1`, `http://here/a&b/${name}`, `http://here/${name}`]);
});
