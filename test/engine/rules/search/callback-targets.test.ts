import { describe, expect, test } from 'vitest';
import type { SandboxOptions } from '../../../../src/engine/library.js';
import { basicCredentials } from '../../../../src/engine/model/world.js';
import { ORIGIN, readReply } from '../../../support/client.js';
import { startReceiver } from '../../../support/network/receiver.js';
import { rule } from '../../../support/rule.js';
import { openAtOnce, search, searchQuery } from '../../../support/views.js';

/** Where a search was posted, and how it was answered. */
async function tried(callbackUrl: string, options: SandboxOptions = {}) {
  const reached: string[] = [];
  const fetch = async (url: string) => (reached.push(url), new Response(null, { status: 204 }));
  const { sandbox, fairway } = await openAtOnce({ fetch, ...options });
  const reply = await search(fairway, searchQuery({ callbackUrl }));
  await sandbox.callbacks.settled();
  return { reply, reached, deliveries: sandbox.callbacks.deliveries };
}

describe('this machine, however it is spelled', () => {
  test.each([
    'http://127.0.0.1:4000/results',
    'https://127.0.0.1/results',
    'http://localhost:4000/results',
    'http://LOCALHOST/results',
    'http://[::1]:4000/results',
    'http://[0:0:0:0:0:0:0:1]/results',
    'http://127.8.9.10/results',
    'http://0x7f.1/results',
    'http://2130706433/results',
    'http://017700000001/results',
  ])('%s is reached', async (url) => {
    const { reply, reached } = await tried(url);
    expect(reply.status).toBe(200);
    expect(reached).toEqual([url]);
  });
});

test.each(['http://${HOST}:8080/results', 'http://{{host}}/results', 'https://$%7BHOST%7D/'])(
  '%s has a placeholder, which no flag allows',
  async (url) => {
    const { reply, reached } = await tried(url);
    expect(reply.body.message).toContain('has a placeholder that nothing has replaced');
    expect([reply.status, reached]).toEqual([400, []]);
  },
);

describe('other hosts', () => {
  test.each([
    ['http://partner.example/results', 'partner.example'],
    ['https://partner.example:8443/results', 'partner.example'],
    ['http://localhost.evil.example/results', 'localhost.evil.example'],
    ['http://127.0.0.1.nip.example/results', '127.0.0.1.nip.example'],
    ['http://127.0.0.1@evil.example/results', 'evil.example'],
    ['http://evil.example#@127.0.0.1/', 'evil.example'],
    ['http://evil.example\\@127.0.0.1/', 'evil.example'],
    ['http://evil.example?x=@127.0.0.1', 'evil.example'],
    ['http://notlocalhost/results', 'notlocalhost'],
    ['http://10.0.0.1/results', '10.0.0.1'],
    ['http://169.254.169.254/latest/meta-data', '169.254.169.254'],
    ['http://0.0.0.0/results', '0.0.0.0'],
    ['http://128.0.0.1/results', '128.0.0.1'],
    ['http://[::]/results', '[::]'],
    ['http://[fe80::1]/results', '[fe80::1]'],
    ['http://[::ffff:10.0.0.1]/results', '[::ffff:a00:1]'],
  ])('%s is refused, and the flag is named', async (url, host) => {
    const { reply, reached, deliveries } = await tried(url);
    expect({ status: reply.status, rule: reply.rule }).toEqual({ status: 400, rule: 'search.query.callbackUrl' });
    expect(reply.body).toMatchObject({ success: false, data: null });
    expect(reply.body.message).toContain('`callbackUrl`');
    expect(reply.body.message).toContain(`--allow-callback ${host}`);
    expect({ reached, deliveries }).toEqual({ reached: [], deliveries: [] });
  });
});

describe('what is no web address', () => {
  const otherSchemes = [
    'ftp://127.0.0.1/results',
    'javascript:alert(1)',
    'file:///etc/passwd',
    'data:text/plain,x',
    'ws://localhost/',
  ];
  for (const url of [...otherSchemes, '127.0.0.1/results', 'http://', 'http://[::1/', 'results']) {
    rule('search.query.callbackUrl', `${url} is refused`, async () => {
      // Not even where every host is allowed.
      for (const options of [{}, { allowCallback: 'any' }] as const) {
        const { reply, reached } = await tried(url, options);
        expect({ status: reply.status, rule: reply.rule }).toEqual({ status: 400, rule: 'search.query.callbackUrl' });
        expect(reached).toEqual([]);
        expect(reply.body.message).toContain('`callbackUrl` must be an absolute http or https address');
      }
    });
  }
});

describe('hosts that are allowed', () => {
  test.each([
    { allowCallback: ['partner.example'], url: 'https://partner.example/a', status: 200 },
    { allowCallback: ['partner.example'], url: 'http://PARTNER.example:8080/a', status: 200 },
    { allowCallback: ['Partner.Example'], url: 'https://partner.example/a', status: 200 },
    { allowCallback: ['partner.example:8443'], url: 'https://partner.example:8443/a', status: 200 },
    { allowCallback: ['partner.example:8443'], url: 'https://partner.example/a', status: 400 },
    { allowCallback: ['partner.example'], url: 'https://api.partner.example/a', status: 400 },
    { allowCallback: ['partner.example'], url: 'https://partner.example.evil.example/a', status: 400 },
    { allowCallback: ['one.example', 'two.example'], url: 'https://two.example/a', status: 200 },
    { allowCallback: [], url: 'https://partner.example/a', status: 400 },
    { allowCallback: 'any', url: 'https://partner.example/a', status: 200 },
  ] as const)('$allowCallback: $url gives $status', async ({ allowCallback, url, status }) => {
    const { reply, reached } = await tried(url, { allowCallback });
    expect(reply.status).toBe(status);
    expect(reached).toEqual(status === 200 ? [url] : []);
  });

  test('a host program may let one request reach any address', async () => {
    const reached: string[] = [];
    const { sandbox } = await openAtOnce({ fetch: async (url) => (reached.push(url), new Response()) });
    const request = () => {
      const query = new URLSearchParams(searchQuery({ callbackUrl: 'https://partner.example/a' }));
      const headers = { authorization: basicCredentials(sandbox.channels[0]!) };
      return new Request(`${ORIGIN}/api/v5/teetimes?${query}`, { headers });
    };
    expect((await readReply(await sandbox.fetch(request()))).status).toBe(400);
    expect((await readReply(await sandbox.handle(request(), { anyCallbackTarget: true }))).status).toBe(200);
    await sandbox.callbacks.settled();
    expect(reached).toEqual(['https://partner.example/a']);
  });
});

test('an odd spelling of this machine arrives over a real socket', async () => {
  const receiver = await startReceiver();
  const { sandbox, fairway } = await openAtOnce({ fetch: (url, init) => fetch(url, init) });
  await search(fairway, searchQuery({ callbackUrl: receiver.url.replace('127.0.0.1', '0x7f.1') }));
  await sandbox.callbacks.settled();
  expect(sandbox.callbacks.deliveries[0]!.state).toBe('delivered');
  expect(receiver.posted).toHaveLength(1);
});
