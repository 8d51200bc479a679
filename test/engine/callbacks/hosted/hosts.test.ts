import { describe, expect, test } from 'vitest';
import { createSandboxAt } from '../../../../src/engine/sandbox.js';
import { withDatabase } from '../../../../src/engine/store/collections.js';
import { HostedCallbacks } from '../../../../src/hosted/callbacks/hosted-callbacks.js';
import type { VerifiedHost } from '../../../../src/hosted/callbacks/host-book.js';
import { Client, NOW } from '../../../support/client.js';
import { search, searchQuery } from '../../../support/views.js';

const DAY = 86_400_000;
const RESOLVER = 'https://resolver.example/dns-query';

type Respond = (init: RequestInit) => Response | Promise<Response>;

/** An internet of names and pages, in which a world has its callbacks. */
async function internet(options: { readonly allow?: string; readonly limit?: number } = {}) {
  const names: Record<string, readonly string[] | number> = { 'partner.example': ['93.184.215.14'] };
  const pages: Record<string, Respond> = {};
  const asked: string[] = [];
  let now = Date.parse(NOW);
  let taken = 0;
  let kept: readonly VerifiedHost[] = [];
  const resolve = (url: URL): Response => {
    const found = names[url.searchParams.get('name')!];
    const type = url.searchParams.get('type') === 'AAAA' ? 28 : 1;
    if (typeof found === 'number') return Response.json({ Status: found });
    const fits = (found ?? []).filter((one) => one.includes(':') === (type === 28));
    const alias = { name: 'x', type: 5, data: 'elsewhere.example.' };
    return Response.json({
      Status: found ? 0 : 3,
      Answer: [alias, ...fits.map((data) => ({ name: 'x', type, data }))],
    });
  };
  const hosted = new HostedCallbacks({
    name: 'one',
    env: { RESOLVER, ...(options.allow === undefined ? {} : { ALLOW_CALLBACK: options.allow }) },
    store: { loadHosts: () => kept, saveHosts: (hosts) => void (kept = hosts) },
    secret: () => 'hash',
    take: () => (++taken > (options.limit ?? Infinity) ? 'The world has used its callbacks of today' : undefined),
    send: async (address, init) => {
      const url = new URL(address);
      if (url.origin === new URL(RESOLVER).origin) return resolve(url);
      asked.push(`${init.method ?? 'GET'} ${address}`);
      const page = pages[address];
      if (!page) throw new TypeError('Network connection lost');
      return page(init);
    },
    now: () => now,
  });
  const sandbox = await createSandboxAt(
    { prefix: '/w/one', callbacks: hosted },
    { now: NOW, fetch: hosted.post, allowCallback: 'any' },
  );
  const client = new (class extends Client {
    override deliver(request: Request) {
      return super.deliver(new Request(request.url.replace('/api/', '/w/one/api/'), request));
    }
  })(withDatabase(sandbox), 'fairway');
  return {
    names,
    pages,
    asked,
    hosted,
    pass: (milliseconds: number) => (now += milliseconds),
    /** Lets a host show its line, and verifies it. */
    async verify(host: string) {
      const first = await hosted.verify(host);
      const { challenge } = first as Extract<typeof first, { status: number }>;
      pages[challenge!.url] = () => new Response(`# hello\r\n${challenge!.line}\r\n`);
      return hosted.verify(host);
    },
    search: (callbackUrl: string) => search(client, searchQuery({ callbackUrl })),
    /** Searches, and gives back the delivery when it is over. */
    async delivery(callbackUrl: string) {
      expect((await search(client, searchQuery({ callbackUrl }))).status).toBe(200);
      await sandbox.callbacks.settled();
      return sandbox.callbacks.deliveries.at(-1)!;
    },
  };
}

test('a host that shows its line gets callbacks, until it is removed or 90 days are over', async () => {
  const { hosted, verify, pages, asked, search, delivery, pass } = await internet();
  const address = 'https://partner.example/results';
  expect((await search(address)).body.message).toBe(
    '`callbackUrl` names the host `partner.example`, which is not verified for this world. `POST /worlds/one/hosts` with ' +
      '`{"host":"partner.example"}` and the token of the world says how to verify it. Or use the inbox of this world.',
  );
  const until = '2026-08-30T08:00:00.000Z';
  const host = { host: 'partner.example', verifiedAt: '2026-06-01T08:00:00.000Z', expiresAt: until };
  expect(await verify('partner.example')).toEqual({ host });
  expect(hosted.hosts).toEqual([host]);
  pages[address] = () => new Response(null, { status: 204 });
  expect(await delivery(address)).toMatchObject({ state: 'delivered' });
  expect(asked.at(-1)).toBe(`POST ${address}`);
  pass(90 * DAY);
  expect((await search(address)).body.message).toContain('whose verification has expired');
  expect(await hosted.verify('partner.example')).toHaveProperty('host');
  expect((await search(address)).status).toBe(200);
  expect([hosted.remove('partner.example'), hosted.remove('partner.example')]).toEqual([true, false]);
  expect((await search(address)).status).toBe(400);
});

describe('what is not verified by another proof', () => {
  const rows: readonly (readonly [callbackUrl: string, verified: string, why: string])[] = [
    ['https://partner.example:8443/', 'partner.example', 'the host `partner.example:8443`, which is not verified'],
    ['https://partner.example/', 'partner.example:8443', 'the host `partner.example`, which is not verified'],
    ['https://sub.partner.example/', 'partner.example', 'the host `sub.partner.example`, which is not verified'],
    ['https://partner.example:25/', 'partner.example', 'has the port 25; it must be 80, 443 or from 1024 to 65535'],
    ['http://127.0.0.1:8080/', 'partner.example', 'the host `127.0.0.1:8080`, which is not verified'],
    [
      'http://sandbox.test/w/other/__admin/inbox/a',
      'partner.example',
      'the host `sandbox.test`, which is not verified',
    ],
  ];
  test.each(rows)('%s by %s', async (callbackUrl, verified, why) => {
    const { verify, search } = await internet();
    expect(await verify(verified)).toHaveProperty('host');
    const { status, body } = await search(callbackUrl);
    expect([status, body.message]).toEqual([400, expect.stringContaining(why)]);
  });
});

describe('a challenge that is not met', () => {
  const line = 'teebox-callbacks=';
  const rows: readonly (readonly [what: string, page: Respond | undefined, why: string])[] = [
    ['no server', undefined, 'cannot be read: Network connection lost.'],
    ['404', () => new Response(line, { status: 404 }), 'answers 404; it must answer 200'],
    [
      'a redirect',
      () => Response.redirect('https://other.example/'),
      'answers 302; it must answer 200, without a redirect',
    ],
    ['another line', () => new Response(`${line}${'0'.repeat(40)}`), 'answers without the line of this world.'],
    [
      'an endless answer',
      () => new Response('x'.repeat(20_000)),
      'cannot be read: the answer has more than 16384 bytes.',
    ],
  ];
  test.each(rows)('%s', async (_, page, why) => {
    const { hosted, pages } = await internet();
    if (page) pages['https://partner.example/.well-known/teebox-callbacks'] = page;
    const result = await hosted.verify('partner.example');
    expect(result).toMatchObject({ status: 422, detail: expect.stringContaining(why) });
    expect(result).toMatchObject({ challenge: { line: expect.stringMatching(/^teebox-callbacks=[\da-f]{40}$/) } });
    expect(hosted.hosts).toEqual([]);
  });
});

describe('a host whose name leads astray', () => {
  const rows: readonly (readonly [addresses: readonly string[] | number, why: string])[] = [
    [[], 'partner.example does not resolve to an address'],
    [3, 'partner.example does not resolve to an address'],
    [2, 'partner.example cannot be resolved: the resolver has the status 2'],
    [['10.0.0.1'], 'partner.example resolves to 10.0.0.1, which is a private address; callbacks go to public'],
    [['93.184.215.14', '::1'], 'partner.example resolves to ::1, which is a loopback address'],
    [['169.254.169.254'], 'partner.example resolves to 169.254.169.254, which is a link-local address'],
    [['what is this'], 'which is no IP address'],
  ];
  test.each(rows)('%j', async (addresses, why) => {
    const { names, verify, hosted, asked, delivery } = await internet();
    await verify('partner.example');
    names['partner.example'] = addresses;
    asked.length = 0;
    // It changed after it was verified: nothing is sent, and the delivery says why.
    const failed = await delivery('https://partner.example/results');
    expect(failed).toMatchObject({
      state: 'failed',
      attempts: [{ status: null, error: expect.stringContaining(why) }],
    });
    expect(await hosted.verify('partner.example')).toMatchObject({ status: 422, detail: expect.stringContaining(why) });
    expect(asked).toEqual([]);
  });

  test('or which is an address itself', async () => {
    const { hosted, asked } = await internet();
    for (const host of ['127.0.0.1', '[::1]', '2130706433', '[::ffff:10.0.0.1]', '192.168.0.1:8080']) {
      expect(await hosted.verify(host), host).toMatchObject({ status: 422 });
    }
    expect(asked).toEqual([]);
  });
});

test('the operator may allow hosts, also with private addresses', async () => {
  const { hosted, pages, search, delivery } = await internet({ allow: 'intra.example, 127.0.0.1:9000' });
  pages['http://127.0.0.1:9000/results'] = () => new Response(null, { status: 200 });
  expect(await delivery('http://127.0.0.1:9000/results')).toMatchObject({ state: 'delivered' });
  expect((await search('http://127.0.0.1:9001/results')).status).toBe(400);
  expect(await hosted.verify('intra.example')).toMatchObject({ status: 409 });
});

test('a limit of callbacks ends posts and verifications', async () => {
  const { hosted, verify, pages, delivery } = await internet({ limit: 3 });
  await verify('partner.example');
  const address = 'https://partner.example/results';
  pages[address] = () => new Response(null, { status: 200 });
  expect(await delivery(address)).toMatchObject({ state: 'delivered' });
  const error = 'The world has used its callbacks of today';
  expect(await delivery(address)).toMatchObject({ state: 'failed', attempts: [{ status: null, error }] });
  expect(await hosted.verify('partner.example')).toMatchObject({ status: 429 });
});

test('the line differs for each world and host', async () => {
  const { hosted } = await internet();
  const line = async (one: HostedCallbacks, host: string) => {
    const result = await one.verify(host);
    return 'challenge' in result ? result.challenge!.line : undefined;
  };
  const other = new HostedCallbacks({ ...hosted.ground, secret: () => 'another' });
  const lines = [await line(hosted, 'partner.example'), await line(hosted, 'partner.example:8443')];
  expect(new Set([...lines, await line(other, 'partner.example')]).size).toBe(3);
  expect(await line(hosted, 'partner.example')).toBe(lines[0]);
});
