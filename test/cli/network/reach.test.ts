import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer as createPlain, type RequestListener } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { selfSigned } from '../../support/network/certificate.js';
import { runCli } from '../../support/network/process.js';
import { type LocalProxy, startProxy } from '../../support/network/proxy.js';

/** A service of which only the list of countries is there, which notes the headers of requests. */
const seen: Record<string, string | undefined>[] = [];
const answer: RequestListener = (request, response) => {
  seen.push(request.headers as Record<string, string | undefined>);
  const body = gzipSync('{"success":true,"data":["Spain"]}');
  response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' }).end(body);
};
const secure = createServer(selfSigned, answer);
const plain = createPlain(answer);
const portOf = (server: typeof secure | typeof plain): number => (server.address() as AddressInfo).port;

let folder: string;
let proxy: LocalProxy;
let plainProxy: LocalProxy;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'reach-'));
  for (const server of [secure, plain]) await once(server.listen(0, '127.0.0.1'), 'listening');
  proxy = await startProxy(portOf(secure));
  plainProxy = await startProxy(portOf(plain));
  await writeFile(join(folder, 'ca.pem'), selfSigned.cert);
  await writeFile(join(folder, 'no.pem'), 'nothing');
});
afterAll(async () => {
  await Promise.all([proxy.close(), plainProxy.close()]);
  for (const server of [secure, plain]) {
    server.closeAllConnections();
    server.close();
  }
  await rm(folder, { recursive: true, force: true });
});

const only = ['--only', 'countries.list'];
const basic = { TEEBOX_BASIC: 'ann:a-password' };
const check = (url: string, args: readonly string[] = [], env: Record<string, string> = {}) =>
  runCli(['check', url, ...only, ...args], { ...basic, ...env });
const here = (): string => `https://127.0.0.1:${portOf(secure)}`;
const ca = (name = 'ca.pem') => ({ TEEBOX_CA: join(folder, name) });

describe('certificates', () => {
  test('an unknown authority ends the run at once, and the message names both settings', async () => {
    let tries = 0;
    const count = () => (tries += 1);
    secure.on('connection', count);
    const { code, stdout } = await check(here());
    expect(code).toBe(3);
    expect(stdout).toMatch(
      /\(DEPTH_ZERO_SELF_SIGNED_CERT\)\)\. Pass the certificate of its authority with --ca FILE, or use --insecure/,
    );
    secure.off('connection', count);
    expect(tries).toBe(1);
  });

  test.each<[string, () => string[], () => Record<string, string>]>([
    ['TEEBOX_CA', () => [], ca],
    ['TEEBOX_INSECURE', () => [], () => ({ TEEBOX_INSECURE: '1' })],
    ['--ca', () => ['--ca', join(folder, 'ca.pem')], () => ({})],
    ['--insecure', () => ['--insecure'], () => ({})],
  ])('trust by %s reaches the deployment', async (_, args, env) => {
    const { code, stdout } = await check(here(), args(), env());
    expect({ code, stdout }).toMatchObject({ code: 0, stdout: expect.stringContaining('1 pass\n') });
  });

  test('an authority does not help against another name', async () => {
    const { code, stdout } = await check(`https://localhost:${portOf(secure)}`, [], ca());
    expect(code).toBe(3);
    expect(stdout).toMatch(/its certificate is for another host name \(ERR_TLS_CERT_ALTNAME_INVALID\)/);
  });

  test.each([
    ['gone.pem', /Failed to read --ca .*gone.pem: the file does not exist/],
    ['no.pem', /Failed to read --ca .*no.pem: it has no certificate in PEM/],
  ])('%s is wrong usage', async (name, words) => {
    const { code, stderr } = await check(here(), [], ca(name));
    expect(code).toBe(2);
    expect(stderr).toMatch(words);
  });
});

describe('proxies', () => {
  test('HTTPS_PROXY is asked to connect, and sees no request', async () => {
    const { code } = await check('https://deployment.test', [], { ...ca(), HTTPS_PROXY: proxy.url });
    expect(code).toBe(0);
    expect(new Set(proxy.asked)).toEqual(new Set(['CONNECT deployment.test:443']));
  });

  test('HTTP_PROXY gets whole URLs, and its own credentials', async () => {
    const url = plainProxy.url.replace('//', '//ann:se%40cret@');
    expect((await check('http://deployment.test', [], { HTTP_PROXY: url })).code).toBe(0);
    expect(plainProxy.asked[0]).toBe('GET http://deployment.test/api/v3/countries');
    expect(plainProxy.logins[0]).toBe(`Basic ${btoa('ann:se@cret')}`);
    expect(seen.at(-1)).toMatchObject({ host: 'deployment.test' });
  });

  test('NO_PROXY goes past it', async () => {
    const before = proxy.asked.length;
    const env = { ...ca(), HTTPS_PROXY: proxy.url, NO_PROXY: 'deployment.test' };
    expect((await check('https://deployment.test', [], env)).code).toBe(3);
    expect(proxy.asked.length).toBe(before);
  });

  test.each([
    ['https://deployment.test', 'HTTPS_PROXY'],
    ['http://deployment.test', 'HTTP_PROXY'],
  ])('a proxy that refuses %s is named, with its variable', async (url, variable) => {
    const refusing = await startProxy(1, 407);
    try {
      const { code, stdout } = await check(url, [], { [variable]: refusing.url });
      expect(code).toBe(3);
      expect(stdout).toMatch(
        new RegExp(`the proxy 127.0.0.1:\\d+ answers 407.*; it is set by ${variable}, and NO_PROXY`),
      );
    } finally {
      await refusing.close();
    }
  });

  test('a proxy that is not there is named, with its variable', async () => {
    const { code, stdout } = await check('https://deployment.test', [], { https_proxy: 'http://127.0.0.1:1' });
    expect(code).toBe(3);
    expect(stdout).toMatch(/the proxy 127.0.0.1:1 cannot be reached \(ECONNREFUSED\); it is set by https_proxy/);
  });

  test('a proxy that is no URL is wrong usage', async () => {
    const { code, stderr } = await check('https://deployment.test', [], { HTTPS_PROXY: 'socks5://a.test' });
    expect(code).toBe(2);
    expect(stderr).toContain('HTTPS_PROXY must be the http or https URL of a proxy');
  });
});

describe('headers', () => {
  const deployment = (): string => `http://127.0.0.1:${portOf(plain)}`;

  test('--header is sent with every request, and no report has its value', async () => {
    const names = ['json', 'junit', 'html', 'sarif', 'markdown', 'har'];
    const reports = names.flatMap((name) => ['--report', `${name}=${join(folder, name)}`]);
    const args = ['--header', 'X-Gateway-Key: k-e-y', '--header', 'x-team: golf', ...reports];
    const { code, stdout } = await check(deployment(), args);
    expect(code).toBe(0);
    expect(seen.at(-1)).toMatchObject({ 'x-gateway-key': 'k-e-y', 'x-team': 'golf' });
    expect(seen.at(-1)!['user-agent']).toMatch(/^teebox\/\d+\.\d+\.\d+ \(check \w{6}\)$/);
    for (const name of names) expect(await readFile(join(folder, name), 'utf8')).not.toContain('k-e-y');
    expect(stdout).not.toContain('k-e-y');
    expect(await readFile(join(folder, 'har'), 'utf8')).toMatch(/"name":"x-team","value":"\*\*\*"/);
  });

  test.each<[what: string, args: string[], words: RegExp]>([
    ['a header without a value', ['--header', 'X-Key'], /--header must be a name and a value/],
    [
      'the header of the token',
      ['--header', 'authorization: Basic x'],
      /--header Authorization needs the setting bearer-header/,
    ],
    ['another one of the run', ['--header', 'Content-Type: x'], /--header cannot set Content-Type/],
  ])('%s is wrong usage', async (_, args, words) => {
    const { code, stderr } = await check(deployment(), args);
    expect(code).toBe(2);
    expect(stderr).toMatch(words);
    expect(stderr).not.toContain('Basic x');
  });

  test.each<[what: string, settings: object, words: RegExp]>([
    ['in the header of the token', {}, /gateway-basic needs the setting bearer-header/],
    ['beside Basic', { 'bearer-header': 'X-Token' }, /gateway-basic cannot be combined with --basic/],
  ])('a gateway %s is wrong usage, and its credentials need a target', async (_, settings, words) => {
    const config = join(folder, 'teebox.config.yaml');
    const defaults = { 'gateway-basic': 'a:b', ...settings };
    await writeFile(config, JSON.stringify({ defaults, targets: { gate: { url: deployment() } } }));
    const target = await runCli(['check', 'gate', '--config', config, ...only], basic);
    expect(target).toMatchObject({ code: 2, stderr: expect.stringMatching(words) });
    expect(await check(deployment(), ['--config', config])).toMatchObject({ stderr: expect.not.stringMatching(words) });
  });
});
