import { once } from 'node:events';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { openTarget } from '../../../src/cli/proxy/wire/target.js';
import { selfSigned } from '../../support/network/certificate.js';
import { startProxy } from '../../support/network/proxy.js';
import { startProxied, startTarget } from './proxied.js';

async function startSecure(): Promise<number> {
  const server = createServer(selfSigned, ({ headers }, response) => response.end(`hello ${headers.host}`));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

const ask = async (url: string): Promise<readonly [number, string]> => {
  const response = await fetch(`${url}/api/v3/countries`);
  return [response.status, await response.text()];
};

test.for([
  ['is refused', {}, 502, /no known authority has signed its certificate.*with --ca FILE, or use --insecure/],
  ['is trusted with ca', { ca: selfSigned.cert }, 200, /^hello 127.0.0.1:\d+$/],
  ['passes with insecure', { insecure: true }, 200, /^hello 127.0.0.1:\d+$/],
] as const)('a certificate of an unknown authority %s', async ([, trust, status, due]) => {
  const baseUrl = `https://127.0.0.1:${await startSecure()}`;
  const { url } = await startProxied(baseUrl, { target: openTarget({ baseUrl, ...trust }) });
  for (let turn = 0; turn < 2; turn += 1) expect(await ask(url)).toEqual([status, expect.stringMatching(due)]);
});

test('a proxy of the environment is on the way, by CONNECT to a secure target', async () => {
  const between = await startProxy(await startSecure());
  onTestFinished(() => between.close());
  const baseUrl = 'https://deployment.test';
  const env = { HTTPS_PROXY: between.url };
  const { url } = await startProxied(baseUrl, { target: openTarget({ baseUrl, env, ca: selfSigned.cert }) });
  expect(await ask(url)).toEqual([200, 'hello deployment.test']);
  expect(between.asked).toEqual(['CONNECT deployment.test:443']);
});

test('a proxy of the environment is on the way to a plain target too, with its login', async () => {
  const target = await startTarget(({ headers, url }, response) => response.end(`${url} of ${headers.host}`));
  const between = await startProxy(Number(new URL(target).port));
  onTestFinished(() => between.close());
  const baseUrl = 'http://deployment.test/golf';
  const env = { http_proxy: between.url.replace('//', '//ann:pass@') };
  const { url } = await startProxied(baseUrl, { target: openTarget({ baseUrl, env }) });
  expect(await ask(url)).toEqual([200, '/golf/api/v3/countries of deployment.test']);
  expect(between.asked).toEqual(['GET http://deployment.test/golf/api/v3/countries']);
  expect(between.logins).toEqual([`Basic ${btoa('ann:pass')}`]);
});
