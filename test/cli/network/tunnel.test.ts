import { afterAll, expect, test } from 'vitest';
import { createSandbox } from '../../../src/engine/library.js';
import { serve } from '../../../src/cli/server.js';
import { basic } from '../../support/credentials.js';
import { forwardingHeaders, startTunnel } from '../../support/network/tunnel.js';
import { queryText } from '../../support/scenes.js';
import { searchQuery } from '../../support/views.js';

const server = await serve(await createSandbox(), { port: 0 });
const tunnel = await startTunnel(server.url);
afterAll(async () => {
  tunnel.close();
  await server.close();
});

const headers = basic('fairway', 'not-a-secret-fairway');
const query = queryText(searchQuery({ callbackUrl: 'http://127.0.0.1:9/results' }));
/** What a caller gets who comes through the tunnel. */
async function through(added: Readonly<Record<string, string>>) {
  tunnel.add(added);
  const ask = async (method: string, path: string) => {
    const response = await fetch(tunnel.url + path, { method, headers });
    return { status: response.status, text: await response.text() };
  };
  return {
    admin: [
      await ask('GET', '/__admin/state'),
      await ask('POST', '/__admin/reset'),
      await ask('GET', '/__admin/clock'),
    ],
    search: await ask('GET', `/api/v5/teetimes?${query}`),
    countries: await ask('GET', '/api/v3/countries'),
  };
}

test.each(forwardingHeaders)('a caller through a tunnel that adds %s: %s is a stranger', async (name, value) => {
  const { admin, search, countries } = await through({ [name]: value });
  const refused = {
    status: 403,
    text: expect.stringContaining(`the header \`${name}\` says that a proxy or a tunnel`),
  };
  expect(admin).toEqual([refused, refused, refused]);
  const why = expect.stringContaining('names this machine, which only callers and pages on this machine may reach');
  expect(search).toEqual({ status: 400, text: why });
  expect(countries.status).toBe(200);
});

test('a caller through a proxy on this machine that names only this machine is none', async () => {
  const { admin, search } = await through({ 'x-forwarded-for': '127.0.0.1', 'x-forwarded-host': 'localhost:5173' });
  expect([...admin, search].map(({ status }) => status)).toEqual([200, 200, 200, 200]);
});
