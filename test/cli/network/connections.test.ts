import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer as createPlain, type RequestListener } from 'node:http';
import { createServer } from 'node:https';
import { type AddressInfo, createServer as createRaw, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createPrivateKey } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTarget } from '../../../src/cli/proxy/wire/target.js';
import { networkFetch } from '../../../src/cli/network/network-fetch.js';
import { trustOf } from '../../../src/cli/commands/reach.js';
import { connectionFault } from '../../../src/common/index.js';
import { check } from '../../../src/conformance/library.js';
import { answersOf } from '../../../src/engine/state/dialect.js';
import { strayLog } from '../../../src/cli/log.js';
import { startProxyServer } from '../../../src/cli/proxy/server.js';
import { serveEarly } from '../../../src/cli/server.js';
import { createSandbox } from '../../../src/engine/library.js';
import { nodeHost } from '../../../src/cli/node-host.js';
import { selfSigned } from '../../support/network/certificate.js';

const answer: RequestListener = (_request, response) => void response.end('{"success":true,"data":["Spain"]}');
const mutual = { ...selfSigned, ca: selfSigned.cert, requestCert: true, rejectUnauthorized: true };
const servers = {
  plain: createPlain(answer),
  secure: createServer(selfSigned, answer),
  mutual: createServer(mutual, answer),
  mutual12: createServer({ ...mutual, maxVersion: 'TLSv1.2' }, answer),
  resets: createRaw((socket) => void socket.once('data', () => socket.resetAndDestroy())),
  closes: createRaw((socket) => void socket.once('data', () => socket.end())),
  speaksSmtp: createRaw((socket) => void socket.write('220 mail.example.com ESMTP\r\n')),
} satisfies Record<string, Server>;
type Name = keyof typeof servers;

const folder = mkdtempSync(join(tmpdir(), 'connections-'));
const file = (name: string, text: string): string => {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
};
const portOf = (name: Name): number => (servers[name].address() as AddressInfo).port;

beforeAll(async () => {
  for (const server of Object.values(servers)) {
    server.on('tlsClientError', () => {}).on('error', () => {});
    await once(server.listen(0, '127.0.0.1'), 'listening');
  }
});
afterAll(() => {
  for (const server of Object.values(servers)) server.close();
  rmSync(folder, { recursive: true, force: true });
});

const faults: readonly (readonly [what: string, url: () => string, why: RegExp, hint: RegExp])[] = [
  ['a closed port', () => 'http://127.0.0.1:2', /^nothing listens at that address \(ECONNREFUSED\)$/, /Start the dep/],
  [
    'an unknown host',
    () => 'http://nowhere.invalid',
    /host name .*\((ENOTFOUND|EAI_AGAIN)\)$/,
    /host name|name server/,
  ],
  ['plain HTTP called by TLS', () => `https://127.0.0.1:${portOf('plain')}`, /does not answer with TLS/, /http:\/\//],
  [
    'another protocol by TLS',
    () => `https://127.0.0.1:${portOf('speaksSmtp')}`,
    /does not answer with TLS/,
    /plain HTTP/,
  ],
  ['TLS called by HTTP', () => `http://127.0.0.1:${portOf('secure')}`, /\((HPE_\w+|ECONNRESET)\)$/, /https:\/\//],
  ['another protocol', () => `http://127.0.0.1:${portOf('speaksSmtp')}`, /did not answer with HTTP \(HPE_/, /https:/],
  ['a reset', () => `http://127.0.0.1:${portOf('resets')}`, /closed without an answer \(ECONNRESET\)/, /https:/],
  ['a closed connection', () => `http://127.0.0.1:${portOf('closes')}`, /closed without an answer/, /https:/],
  [
    'a client certificate, TLS 1.3',
    () => `https://127.0.0.1:${portOf('mutual')}`,
    /client certificate|closed without/,
    /--cert/,
  ],
  [
    'a client certificate, TLS 1.2',
    () => `https://127.0.0.1:${portOf('mutual12')}`,
    /TLS handshake|client certificate|closed without/,
    /--cert/,
  ],
];

describe('a connection that fails says why, and what to try', () => {
  test.each(faults)('%s', async (_, url, why, hint) => {
    const send = async () => networkFetch({ insecure: true, env: {} })(new Request(url()));
    const error = await send().catch((reason: unknown) => reason);
    const fault = connectionFault(error, url().startsWith('https:'));
    expect(fault.why).toMatch(why);
    expect(fault.hint).toMatch(hint);
  });

  // The certificates are not trusted by `fetch`, which says so before it says anything else.
  test.each(faults.filter(([what]) => !what.includes('client')))(
    '%s, by the fetch of Node',
    async (_, url, why, hint) => {
      const error = await fetch(url()).catch((reason: unknown) => reason);
      const fault = connectionFault(error, url().startsWith('https:'));
      expect(fault.why).toMatch(url().startsWith('https:') || !/HPE/.test(String(why)) ? why : /HTTP|closed/);
      expect(fault.hint).toMatch(hint);
    },
  );

  test.each<[what: string, error: unknown, want: RegExp]>([
    ['a name server', { code: 'EAI_AGAIN' }, /cannot be resolved now \(EAI_AGAIN\)/],
    ['several addresses', { errors: [{ code: 'ECONNREFUSED' }, { code: 'ETIMEDOUT' }] }, /nothing listens/],
    ['a certificate that expired', { cause: { code: 'CERT_HAS_EXPIRED' } }, /not valid \(CERT_HAS_EXPIRED\)/],
    [
      'a name that the server does not know',
      { code: 'ERR_SSL_TLSV1_UNRECOGNIZED_NAME' },
      /no certificate for this host/,
    ],
    ['what nobody has heard of', { message: 'odd', code: 'EODD' }, /^odd \(EODD\)$/],
    ['no code', new Error('odd'), /^odd$/],
    ['no error', 'odd', /^odd$/],
  ])('%s', (_, error, want) => {
    expect(connectionFault(error, true).why).toMatch(want);
  });

  test.each<[what: string, url: () => string, words: RegExp]>([
    ['a closed port', () => 'http://127.0.0.1:2', /nothing listens .*ECONNREFUSED.*Start the deployment/],
    ['plain HTTP', () => `https://127.0.0.1:${portOf('plain')}`, /does not answer with TLS.* http:\/\/\.$/],
  ])('%s in the message of a run, which does not blame the whole base URL', async (_, baseUrl, words) => {
    const first = { basic: { username: 'ann', password: 'secret' } };
    const host = { ...nodeHost, fetch: networkFetch({ env: {} }), sleep: async () => {} };
    const { message, exitCode } = await check({ baseUrl: baseUrl(), first, host });
    expect(message).toMatch(words);
    expect(message).not.toContain('Check the base URL');
    expect(exitCode).toBe(3);
  });
});

describe('a TLS handshake at a port of plain HTTP is told', () => {
  const handshake = async (url: string): Promise<unknown> =>
    fetch(url.replace('http:', 'https:')).catch(() => undefined);

  test('by the server, and in the log in both formats', async () => {
    const told: string[] = [];
    const sandbox = await createSandbox();
    const server = await serveEarly(sandbox, { port: 0, onStray: (what) => void told.push(what) });
    await handshake(server.url);
    await server.close();
    expect(told).toEqual([expect.stringMatching(/^a TLS handshake arrived, .* http:\/\/$/)]);
    for (const format of ['pretty', 'json'] as const) {
      const lines: string[] = [];
      strayLog({ level: 'warn', format, colour: false, write: (line) => void lines.push(line) })?.(told[0]!);
      expect(lines).toEqual([expect.stringContaining('a TLS handshake arrived')]);
    }
    expect(strayLog({ level: 'error', format: 'json', colour: false, write: () => {} })).toBeUndefined();
  });

  test('by the proxy', async () => {
    const told: string[] = [];
    const target = openTarget({ baseUrl: 'http://127.0.0.1:2' });
    const onStray = (what: string) => void told.push(what);
    const proxy = await startProxyServer({
      target,
      port: 0,
      hostname: '127.0.0.1',
      answers: answersOf({}),
      onStray,
      now: Date.now,
    });
    await handshake(proxy.url);
    await proxy.close();
    expect(told).toEqual([expect.stringContaining('a TLS handshake arrived')]);
  });
});

const encrypted = createPrivateKey(selfSigned.key)
  .export({ type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase: 'open' })
  .toString();
const other = `-----BEGIN PRIVATE KEY-----
MC4CAQAwBQYDK2VwBCIEIJ1hsZ3v/VpguoRK9JLsLMREScVpezJpGXA7rAMcrn9g
-----END PRIVATE KEY-----
`;

describe('a client certificate', () => {
  const cert = file('cert.pem', selfSigned.cert);
  const key = file('key.pem', selfSigned.key);
  const both = file('both.pem', selfSigned.cert + selfSigned.key);
  const locked = file('locked.pem', encrypted);
  const passphrase = { TEEBOX_KEY_PASSPHRASE: 'open' };
  const good: readonly (readonly [string, Parameters<typeof trustOf>[0], Record<string, string>])[] = [
    ['two files', { cert, key }, {}],
    ['one file with both', { cert: both }, {}],
    ['an encrypted key', { cert, key: locked }, passphrase],
  ];
  for (const name of ['mutual', 'mutual12'] as const) {
    test.each(good)(`in %s opens ${name} for check`, async (_, flags, env) => {
      const send = networkFetch({ ...(await trustOf({ ...flags, insecure: true }, env)), env: {} });
      expect((await send(new Request(`https://127.0.0.1:${portOf(name)}`))).status).toBe(200);
    });
  }

  test('opens the target of the proxy', async () => {
    const baseUrl = `https://127.0.0.1:${portOf('mutual')}`;
    const target = openTarget({ baseUrl, ...(await trustOf({ cert, key, insecure: true }, {})) });
    for (const fresh of [true, false]) {
      const sent = target.request('GET', '/', ['Host', target.host], fresh).end();
      const [message] = await once(sent, 'response');
      expect(message.resume().statusCode).toBe(200);
      await once(message, 'end');
    }
    target.close();
  });

  test.each<[what: string, flags: Parameters<typeof trustOf>[0], env: Record<string, string>, why: RegExp]>([
    ['no certificate', { key }, {}, /^--key needs --cert FILE/],
    ['no key', { cert }, {}, /^Failed to read --key .*cert\.pem: it has no private key in PEM\.$/],
    ['a key in place of it', { cert: key }, {}, /^Failed to read --cert .*key\.pem: it has no certificate in PEM\.$/],
    ['a key of another', { cert, key: file('other.pem', other) }, {}, /the key belongs to another certificate\.$/],
    ['an encrypted key alone', { cert, key: locked }, {}, /the key is encrypted: set TEEBOX_KEY_PASSPHRASE\.$/],
    ['a wrong passphrase', { cert, key: locked }, { TEEBOX_KEY_PASSPHRASE: 'no' }, /cannot be decrypted: check TEE/],
    [
      'a broken one',
      { cert: file('bad.pem', '-----BEGIN CERTIFICATE-----\nx'), key },
      {},
      /they cannot be read as PEM/,
    ],
    ['a file that is gone', { cert: join(folder, 'gone') }, {}, /cert .*gone: the file does not exist\.$/],
  ])('with %s is wrong usage', async (_, flags, env, why) => {
    const refused = trustOf(flags, env);
    await expect(refused).rejects.toMatchObject({ name: 'UsageError', message: expect.stringMatching(why) });
  });
});
