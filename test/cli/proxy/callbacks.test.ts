import { once } from 'node:events';
import { request } from 'node:http';
import { expect, test } from 'vitest';
import { clientCallOf, deliveryOf } from '../../../src/cli/proxy/check/traffic-checker.js';
import { CallbackRelay } from '../../../src/cli/proxy/wire/callbacks.js';
import { startProxied, startTarget, textOf } from './proxied.js';

const RESULT = JSON.stringify({ success: true, data: [{ facilityId: 1001, teeTimeV3: [] }] });
const search = (callbackUrl: string): string =>
  `/api/v5/teetimes?facilityIds=1001&callbackUrl=${encodeURIComponent(callbackUrl)}&players=1`;

/** A deployment that notes the searches that it gets. */
async function startDeployment(): Promise<{ readonly url: string; readonly asked: string[] }> {
  const asked: string[] = [];
  const url = await startTarget((message, response) => {
    asked.push(message.url!);
    response.end('{"success":true,"data":null}');
  });
  return { url, asked };
}

test('a search passes with the address of its client, byte for byte', async () => {
  const { url: target, asked } = await startDeployment();
  const { url } = await startProxied(target);
  const path = search('http://client.example/hook?a=%20b');
  await (await fetch(url + path)).text();
  expect(asked).toEqual([path]);
});

test('with --callbacks, the result passes through the proxy, with headers, body and answer as they are', async () => {
  const got: unknown[] = [];
  const client = await startTarget(async (message, response) => {
    got.push([message.method, message.url, message.headers['x-own'], await textOf(message)]);
    response.writeHead(202, { 'x-client': 'yes' }).end('thanks');
  });
  const { url: target, asked } = await startDeployment();
  const callbacks = new CallbackRelay('https://tunnel.example/');
  const { url, seen } = await startProxied(target, { callbacks });
  await (await fetch(url + search(`${client}/hook?of=1`))).text();
  const [, address] = /callbackUrl=([^&]+)&players=1$/.exec(asked[0]!)!;
  const posted = new URL(decodeURIComponent(address!));
  expect(posted.origin).toBe('https://tunnel.example');
  const sent = request(url + posted.pathname, { method: 'POST', headers: { 'X-Own': '1' } }).end(RESULT);
  const [answer] = await once(sent, 'response');
  expect([answer.statusCode, answer.headers['x-client'], await textOf(answer)]).toEqual([202, 'yes', 'thanks']);
  expect(got).toEqual([['POST', '/hook?of=1', '1', RESULT]]);
  const [call, delivery] = await seen(2);
  // The client's own request is checked, not what the proxy has made of it.
  expect(clientCallOf(call!).params['callbackUrl']).toBe(`${client}/hook?of=1`);
  expect(deliveryOf(delivery!)).toMatchObject({ search: 'x1', url: `${client}/hook?of=1`, body: RESULT, status: 202 });
});

test.for([['javascript:alert(1)'], ['/relative'], ['']])(
  'an address that is no URL of HTTP stays as it is: %j',
  async ([address]) => {
    const { url: target, asked } = await startDeployment();
    const { url } = await startProxied(target, { callbacks: new CallbackRelay('http://proxy.example') });
    await (await fetch(url + search(address!))).text();
    expect(asked).toEqual([search(address!)]);
  },
);

test('an address that nobody was given goes to the deployment like any other', async () => {
  const { url: target, asked } = await startDeployment();
  const { url } = await startProxied(target, { callbacks: new CallbackRelay('http://proxy.example') });
  await (await fetch(`${url}/__teebox-proxy/callbacks/unknown`, { method: 'POST' })).text();
  expect(asked).toEqual(['/__teebox-proxy/callbacks/unknown']);
});
