import { once } from 'node:events';
import http, { type IncomingMessage } from 'node:http';
import axios, { type AxiosRequestConfig } from 'axios';
import { got, type Method } from 'got';
import { expect, test } from 'vitest';
import { Client, open, ORIGIN, type Reply, readReply } from '../../support/client.js';
import { openIntercepted } from '../../support/msw/intercept.js';
import { bookingFor, findTeeTime } from '../../support/scenes.js';

type Send = (request: Request) => Promise<Response>;

const untouched = (data: unknown) => data;
const asItIs = { transformRequest: untouched, transformResponse: untouched };

function byAxios(adapter: 'http' | 'fetch'): Send {
  return async (request) => {
    const { method, url } = request;
    const body = method === 'GET' || method === 'HEAD' ? {} : { data: await request.text() };
    const config: AxiosRequestConfig = { method, url, headers: Object.fromEntries(request.headers), ...body };
    const transport = { adapter, ...asItIs, validateStatus: () => true };
    const { status, headers, data } = await axios.request<string>({ ...config, ...transport });
    return new Response(data, { status, headers: headers as Record<string, string> });
  };
}

async function byNodeHttp(request: Request): Promise<Response> {
  const { method, url } = request;
  const outgoing = http.request(url, { method, headers: Object.fromEntries(request.headers) });
  outgoing.end(await request.text());
  const [incoming] = (await once(outgoing, 'response')) as [IncomingMessage];
  let text = '';
  for await (const chunk of incoming.setEncoding('utf8')) text += chunk;
  return new Response(text, { status: incoming.statusCode!, headers: incoming.headers as Record<string, string> });
}

async function byGot(request: Request): Promise<Response> {
  const { method, url } = request;
  const body = method === 'GET' ? {} : { body: await request.text() };
  const manner = { throwHttpErrors: false, retry: { limit: 0 } };
  const init = { method: method as Method, headers: Object.fromEntries(request.headers), ...body, ...manner };
  const { statusCode, headers, body: text } = await got(url, init);
  return new Response(text, { status: statusCode, headers: headers as Record<string, string> });
}

const clients: Readonly<Record<string, Send>> = {
  fetch: (request) => fetch(request),
  'axios over node:http': byAxios('http'),
  'axios over fetch': byAxios('fetch'),
  'node:http': byNodeHttp,
  got: byGot,
};

class Through extends Client {
  constructor(
    base: Client,
    readonly sendBy: Send,
  ) {
    super(base.sandbox, base.channel);
  }

  override async deliver(request: Request): Promise<Reply> {
    return readReply(await this.sendBy(request));
  }
}

const seen = ({ status, text, headers }: Reply) => ({
  status,
  text,
  told: ['content-type', 'www-authenticate', 'teebox-rule', 'teebox-request-id'].map((name) => headers.get(name)),
});

/** A search, a booking and its list; what is refused; a scenario. */
async function day(client: Client): Promise<unknown[]> {
  const teeTime = await findTeeTime(client);
  const struck = { headers: { 'teebox-scenario': 'payment-pi-failed' } };
  const replies = [
    await client.get('/api/v3/countries?connected=true'),
    await client.post('/api/v5/bookings', bookingFor(teeTime)),
    await client.get('/api/v4/bookings'),
    await client.get('/api/v3/countries', { headers: { authorization: 'Bearer nobody' } }),
    await client.get('/api/v3/nowhere'),
    await client.post('/api/v5/bookings', '{'),
    await client.post('/api/v5/bookings', bookingFor(teeTime), struck),
    await client.get('/__admin/health'),
  ];
  return replies.map(seen);
}

test.each(Object.keys(clients))('%s gets what the sandbox answers', async (name) => {
  const { fairway } = await open();
  const want = await day(fairway);
  const { fairway: intercepted, sandbox } = await openIntercepted();
  expect(await day(new Through(intercepted, clients[name]!))).toEqual(want);
  expect(sandbox.db.bookings.findMany((q) => q.where({ contactLastName: 'Lovelace' }))).toHaveLength(1);
});

test('the day is one in which something happens', async () => {
  const statuses = (await day((await open()).fairway)).map((one) => (one as Reply).status);
  expect(statuses).toEqual([200, 200, 200, 401, 404, 400, 400, 200]);
  expect(ORIGIN).not.toMatch(/localhost|127/);
});
