import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createWorlds } from '../../../src/engine/library.js';
import { type RunningServer, serve } from '../../../src/cli/server.js';
import { parseAnswer, raw } from '../../support/network/raw.js';

let server: RunningServer;
beforeAll(async () => {
  server = await serve(await createWorlds(), { port: 0 });
});
afterAll(() => server.close());

const ask = async (target: string, host: string) =>
  parseAnswer(await raw(server.url, `GET ${target} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`));

describe('a host that is no host is refused', () => {
  test.each([
    'xn--a',
    'XN--A',
    '1.2.3.4.5',
    '256.1.1.1',
    '0x100000000',
    'xn--\u00e4',
    '127.0.0.1:99999',
    '[::1',
    'a b',
  ])('%s', async (host) => {
    // Newer versions of Node take `xn--a` for a name.
    const [api, admin, health] = URL.canParse(`http://${host}/`) ? [401, 403, 200] : [400, 400, 400];
    expect(await ask('/api/v3/countries', host)).toMatchObject({ status: api, body: { success: false, data: null } });
    expect(await ask('/__admin/clock', host)).toMatchObject({ status: admin });
    expect(await ask('/__admin/health', host)).toMatchObject({ status: health });
  });

  test('with the reason', async () => {
    const message = 'The `Host` header names no valid host. Send the host of the URL, such as `Host: 127.0.0.1:4653`.';
    expect(await ask('/api/v3/countries', '1.2.3.4.5')).toEqual({
      status: 400,
      body: { success: false, data: null, message },
    });
  });

  test('also after a request with a host that is one', async () => {
    expect((await ask('/__admin/health', '127.0.0.1')).status).toBe(200);
    expect((await ask('/__admin/health', '1.2.3.4.5')).status).toBe(400);
    expect((await ask('/__admin/health', '127.0.0.1')).status).toBe(200);
  });
});

test('no `Host` gives a 5xx or an answer without a body', async () => {
  const part = fc.constantFrom(
    'xn--',
    'a',
    '1',
    '.',
    ':',
    '[',
    ']',
    '%',
    '@',
    '-',
    '_',
    '0x',
    '::1',
    '\u00ff',
    '/',
    '\\',
    '#',
    '?',
    ' ',
    '{',
    '4653',
  );
  const host = fc.oneof(
    fc.array(part, { maxLength: 8 }).map((parts) => parts.join('')),
    fc.domain().map((name) => `${name}:4653`),
    fc.ipV4Extended(),
    fc.ipV6().map((address) => `[${address}]`),
  );
  const target = fc.constantFrom('/api/v3/countries', '/__admin/clock', '/w/a/__admin/health', '/x');
  await fc.assert(
    fc.asyncProperty(target, host, async (path, name) => {
      const { status, body } = await ask(path, name);
      expect(status).toBeLessThan(500);
      expect(status).toBeGreaterThanOrEqual(200);
      if (status !== 200)
        expect(Object.keys(body as object)).toContain('status' in (body as object) ? 'detail' : 'message');
    }),
    { numRuns: 100 },
  );
});
