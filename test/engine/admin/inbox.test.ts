import { describe, expect, test } from 'vitest';
import { Inbox, INBOX_SIZE } from '../../../src/engine/callbacks/inbox.js';
import { adminOf, expectedProblem } from '../../support/admin.js';
import { open } from '../../support/client.js';
import { basic } from '../../support/credentials.js';
import { hurriedTimers } from '../../support/network/receiver.js';
import type { Json } from '../../support/scenes.js';
import { search, searchQuery } from '../../support/views.js';

const json = { 'content-type': 'application/json' };
const bodies = (reply: { readonly body: Json }) => reply.body.messages.map(({ body }: Json) => body);

describe('what is posted', () => {
  test.each([
    ['POST', { a: 1 }, json, { a: 1 }],
    ['PUT', { a: 1 }, { 'content-type': 'application/problem+json; charset=utf-8' }, { a: 1 }],
    ['PATCH', '[1,', json, '[1,'],
    ['POST', '{"a":1}', { 'content-type': 'text/plain' }, '{"a":1}'],
    ['POST', undefined, {}, ''],
    ['POST', 'Grüße "an" \u{1f3cc}', { 'content-type': 'text/plain; charset=utf-8' }, 'Grüße "an" \u{1f3cc}'],
  ])('%s %j is kept as it came', async (method, sent, headers: Record<string, string>, want) => {
    const { sandbox } = await open();
    const admin = adminOf(sandbox);
    expect(await admin(method, 'inbox/tests', sent, headers)).toMatchObject({ status: 204, text: '' });
    const { status, body } = await admin('GET', 'inbox/tests');
    const contentType = sent === undefined ? null : headers['content-type'];
    const message = { at: '2026-06-01T08:00:00.000Z', method, headers: expect.anything(), contentType, body: want };
    expect({ status, body }).toEqual({ status: 200, body: { name: 'tests', count: 1, messages: [message] } });
    expect((await admin('GET', 'inbox')).body).toEqual({ count: 1, names: [{ name: 'tests', count: 1 }] });
  });

  test('shows no credentials, but the signature that a receiver checks', async () => {
    const { sandbox } = await open();
    const admin = adminOf(sandbox);
    await admin('POST', 'inbox/tests', '', {
      ...basic('ada', 's3cret'),
      'x-signature': 'sha256=00',
      cookie: 'a=s3cret',
    });
    const { text, body } = await admin('GET', 'inbox/tests');
    expect(body.messages[0].headers).toMatchObject({ authorization: 'Basic ***', 'x-signature': 'sha256=00' });
    expect(text).not.toMatch(/s3cret|YWRhOnMzY3JldA/);
  });

  test('JSON too deep or too exact to be written anew comes back all the same', async () => {
    const { sandbox } = await open();
    const admin = adminOf(sandbox);
    const deep = `${'['.repeat(20_000)}12345678901234567890.10${']'.repeat(20_000)}`;
    await admin('POST', 'inbox/tests', deep, json);
    expect((await admin('GET', 'inbox/tests')).text).toContain(`"body":${deep}}]}`);
  });

  test('an unused inbox is empty, and DELETE and reset empty it', async () => {
    const { sandbox } = await open();
    const admin = adminOf(sandbox);
    const fill = async () => {
      for (const name of ['a', 'b', 'a']) await admin('POST', `inbox/${name}`, 'x');
    };
    const names = async () => (await admin('GET', 'inbox')).body.names;
    expect((await admin('GET', 'inbox/a')).body).toEqual({ name: 'a', count: 0, messages: [] });
    await fill();
    expect(await names()).toEqual([
      { name: 'b', count: 1 },
      { name: 'a', count: 2 },
    ]);
    expect((await admin('DELETE', 'inbox/a')).body).toEqual({ status: 'emptied' });
    expect(await names()).toEqual([{ name: 'b', count: 1 }]);
    await fill();
    await admin('DELETE', 'inbox');
    expect(await names()).toEqual([]);
    await fill();
    await sandbox.reset();
    expect(await names()).toEqual([]);
  });
});

describe('a receiver that misbehaves', () => {
  test.each([
    ['', 204, []],
    ['?status=503', 503, []],
    ['?status=200&delay=0s', 200, []],
    ['?delay=2s', 204, [2000]],
    ['?status=301&delay=9s', 301, [9000]],
  ])('%s', async (query, status, want) => {
    const { schedule, delays } = hurriedTimers();
    const { sandbox } = await open({ schedule });
    const reply = await adminOf(sandbox)('POST', `inbox/tests${query}`, {});
    expect({ status: reply.status, delays }).toEqual({ status, delays: want });
  });

  test.each([
    ['POST', 'inbox/tests?status=199', 400, 'from 200 to 599'],
    ['POST', 'inbox/tests?status=600', 400, 'from 200 to 599'],
    ['POST', 'inbox/tests?status=ok', 400, 'from 200 to 599'],
    ['POST', 'inbox/tests?delay=121s', 400, 'a duration of at most 2m with its unit, such as 250ms'],
    ['POST', 'inbox/tests?delay=2000', 400, '`delay` must be a duration of at most 2m with its unit'],
    ['POST', 'inbox/tests?delay=1s&delay=2s', 400, 'is in the query twice'],
    ['POST', 'inbox/tests?late=1', 400, 'the known names are status, delay.'],
    ['POST', 'inbox/-tests', 400, 'must begin with a letter or digit'],
    ['GET', 'inbox/a%20b', 400, 'must begin with a letter or digit'],
    ['DELETE', `inbox/${'a'.repeat(65)}`, 400, 'up to 64'],
    ['POST', 'inbox', 405, 'takes GET and DELETE'],
    ['OPTIONS', 'inbox/tests', 405, 'takes GET and POST and PUT and PATCH and DELETE'],
  ])('%s %s is a %i, and nothing is kept', async (method, path, status, detail) => {
    const { sandbox } = await open();
    const admin = adminOf(sandbox);
    const body = method === 'POST' ? 'x' : undefined;
    const { fits = ['something'], ...problem } = (await admin(method, path, body)).body;
    expect(problem).toEqual(expectedProblem(status, expect.stringContaining(detail)));
    expect(fits).not.toEqual([]);
    expect((await admin('GET', 'inbox')).body).toEqual({ count: 0, names: [] });
  });
});

describe('bounds', () => {
  const big = 'x'.repeat(INBOX_SIZE / 2 - 1000);
  type Row = [what: string, posts: [name: string, body: string][], left: Record<string, number>];
  const many: Row = ['100 messages a name', Array.from({ length: 103 }, (_, index) => ['a', `${index}`]), { a: 100 }];
  const large: Row[] = [
    [
      'the size of all',
      [
        ['a', big],
        ['b', 'x'],
        ['a', big],
        ['c', big],
      ],
      { b: 1, a: 1, c: 1 },
    ],
    [
      'what alone is as large as all',
      [
        ['a', 'x'],
        ['b', 'x'.repeat(INBOX_SIZE)],
      ],
      { b: 1 },
    ],
  ];
  test.each(large)('%s: the oldest goes from the memory', (_what, posts, left) => {
    const inbox = new Inbox();
    for (const [name, text] of posts) inbox.take(name, { at: '', method: 'POST', headers: {}, text });
    expect(Object.fromEntries(inbox.names.map(({ name, count }) => [name, count]))).toEqual(left);
    expect(inbox.size).toBeLessThanOrEqual(INBOX_SIZE + JSON.stringify({}).length);
  });

  const posted = async (posts: Row[1], left: Row[2]): Promise<void> => {
    const { sandbox } = await open();
    const admin = adminOf(sandbox);
    for (const [name, body] of posts) await admin('POST', `inbox/${name}`, body);
    const { names } = (await admin('GET', 'inbox')).body;
    expect(Object.fromEntries(names.map(({ name, count }: Json) => [name, count]))).toEqual(left);
    const last = await admin('GET', `inbox/${posts.at(-1)![0]}`);
    expect(bodies(last).at(-1) === posts.at(-1)![1]).toBe(true);
  };
  test.each([many])('%s: the oldest goes', (_what, posts, left) => posted(posts, left));
  test.each(large)('%s: the oldest goes', { tags: ['slow'] }, (_what, posts, left) => posted(posts, left));

  test('100 names: the one that was written to least lately goes', async () => {
    const { sandbox } = await open();
    const admin = adminOf(sandbox);
    for (let index = 0; index < 100; index++) await admin('POST', `inbox/n${index}`, 'x');
    await admin('POST', 'inbox/n0', 'x');
    await admin('POST', 'inbox/more', 'x');
    const names: string[] = (await admin('GET', 'inbox')).body.names.map(({ name }: Json) => name);
    expect([names.length, names.includes('n0'), names.includes('n1'), names.at(-1)]).toEqual([
      100,
      true,
      false,
      'more',
    ]);
  });

  test('a body larger than all is refused', async () => {
    const { sandbox } = await open();
    const headers = { 'content-length': String(INBOX_SIZE + 1) };
    const { body } = await adminOf(sandbox)('POST', 'inbox/a', 'x', headers);
    expect(body).toEqual(expectedProblem(413, expect.stringContaining(`${INBOX_SIZE} bytes`)));
  });
});

test('in process, `fetch` brings results to the sandbox itself', async () => {
  const { sandbox, fairway } = await open({ fetch: async (url, init) => sandbox.fetch(new Request(url, init)) });
  await search(fairway, searchQuery({ callbackUrl: 'http://localhost/__admin/inbox/tests' }));
  await sandbox.callbacks.settled();
  const { body } = await adminOf(sandbox)('GET', 'inbox/tests');
  expect(JSON.stringify(body.messages[0].body)).toBe(sandbox.callbacks.deliveries[0]!.body);
});

describe('an answer that the query asks for', () => {
  const asked = (status: number) => `The message is stored. The query of this address asks for the status ${status}.`;
  test.each([
    [200, ''],
    [302, ''],
    [400, 'Bad Request'],
    [418, 'Client Error'],
    [429, 'Too Many Requests'],
    [503, 'Service Unavailable'],
    [599, 'Server Error'],
  ])('%i', async (status, title) => {
    const { sandbox } = await open();
    const admin = adminOf(sandbox);
    const reply = await admin('POST', `inbox/tests?status=${status}`, { a: 1 });
    expect(reply.status).toBe(status);
    if (title === '') expect(reply.text).toBe('');
    else expect(reply.body).toEqual({ type: 'about:blank', title, status, detail: asked(status) });
    expect((await admin('GET', 'inbox/tests')).body.count).toBe(1);
  });
});
