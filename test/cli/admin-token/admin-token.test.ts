import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isAdminToken } from '../../../src/cli/admin-token.js';
import { adminTokenCheck, makeAdminToken } from '../../../src/cli/admin-token-check.js';
import { type RunningServer, serve } from '../../../src/cli/server.js';
import { createWorlds } from '../../../src/engine/library.js';
import { expectedProblem } from '../../support/admin.js';
import { runCli, startCli } from '../../support/network/process.js';
import { parseAnswer, raw } from '../../support/network/raw.js';

const TOKEN = 'correct-horse-battery';
const worlds = await createWorlds();

describe('who may reset', () => {
  const servers = new Map<string, RunningServer>();
  beforeAll(async () => {
    const start = (hostname: string, adminToken?: string) =>
      serve(worlds, { port: 0, hostname, ...(adminToken === undefined ? {} : { adminToken }) });
    servers.set('wide, token', await start('0.0.0.0', TOKEN));
    servers.set('wide, none', await start('0.0.0.0'));
    servers.set('local, token', await start('127.0.0.1', TOKEN));
    servers.set('local, none', await start('127.0.0.1'));
  });
  afterAll(async () => {
    await Promise.all([...servers.values()].map((server) => server.close()));
  });

  const right = `Bearer ${TOKEN}`;
  const callers: Record<string, Record<string, string>> = {
    'no token': {},
    'a wrong token of the right length': { Authorization: 'Bearer correct-horse-batterx' },
    'the beginning of the token': { Authorization: 'Bearer correct-horse' },
    'the token and more': { Authorization: `${right}y` },
    'nothing after Bearer': { Authorization: 'Bearer ' },
    'the token by Basic': { Authorization: `Basic ${btoa(`admin:${TOKEN}`)}` },
    'the token': { Authorization: right },
    'the token, scheme in small letters': { Authorization: `bearer ${TOKEN}` },
    'the token and a foreign Origin': { Authorization: right, Origin: 'http://elsewhere.example' },
    'the token and a foreign Host': { Authorization: right, Host: 'rebound.example' },
    'no token and a foreign Host': { Host: 'rebound.example' },
  };
  const rows: [server: string, caller: string, status: number][] = [
    ['wide, token', 'no token', 401],
    ['wide, token', 'a wrong token of the right length', 401],
    ['wide, token', 'the beginning of the token', 401],
    ['wide, token', 'the token and more', 401],
    ['wide, token', 'nothing after Bearer', 401],
    ['wide, token', 'the token by Basic', 401],
    ['wide, token', 'the token', 200],
    ['wide, token', 'the token, scheme in small letters', 200],
    ['wide, token', 'the token and a foreign Origin', 403],
    ['wide, token', 'the token and a foreign Host', 200],
    ['wide, token', 'no token and a foreign Host', 401],
    ['wide, none', 'no token', 403],
    ['wide, none', 'the token', 403],
    ['local, token', 'no token', 401],
    ['local, token', 'a wrong token of the right length', 401],
    ['local, token', 'the token by Basic', 401],
    ['local, token', 'the token', 200],
    ['local, token', 'the token and a foreign Origin', 403],
    ['local, token', 'the token and a foreign Host', 403],
    ['local, none', 'no token', 200],
    ['local, none', 'the token', 200],
    ['local, none', 'no token and a foreign Host', 403],
  ];

  const ask = (name: string, method: string, path: string, headers: Record<string, string>): Promise<string> => {
    const { port } = servers.get(name)!;
    const lines = Object.entries({ Host: `127.0.0.1:${port}`, Connection: 'close', ...headers });
    const text = lines.map(([header, value]) => `${header}: ${value}\r\n`).join('');
    return raw(`http://127.0.0.1:${port}`, `${method} ${path} HTTP/1.1\r\n${text}Content-Length: 0\r\n\r\n`);
  };

  test.each(rows)('%s: %s gets %i', async (name, caller, status) => {
    for (const path of ['/__admin/reset', '/w/run-7/__admin/reset', '/%5f_admin/reset']) {
      expect({ path, ...parseAnswer(await ask(name, 'POST', path, callers[caller]!)) }).toMatchObject({ path, status });
    }
  });

  test('a refusal names the scheme and where the token comes from', async () => {
    const text = await ask('wide, token', 'GET', '/__admin/clock', {});
    expect(text).toMatch(/\r\nwww-authenticate: Bearer realm="teebox admin"\r\n/i);
    expect(text).toContain('application/problem+json');
    expect(parseAnswer(text).body).toEqual(expectedProblem(401, expect.stringContaining('TEEBOX_ADMIN_TOKEN')));
  });

  test('without a token, a server that listens wider names the option that opens it', async () => {
    const { body } = parseAnswer(await ask('wide, none', 'GET', '/__admin/clock', {}));
    expect(body).toEqual(expectedProblem(403, expect.stringContaining('`adminToken`')));
  });

  test.each(['wide, token', 'wide, none', 'local, token'])('%s: health is open', async (name) => {
    expect(await ask(name, 'GET', '/__admin/health', { Host: 'any.example' })).toMatch(/^HTTP\/1.1 200 /);
  });
});

describe('a token', () => {
  test.each([
    ['short-one', false],
    ['0123456789abcde', false],
    ['0123456789abcdef', true],
    ['with a blank in it', false],
    ['sixteen-letters\n', false],
    ['dGhlIG1hdHRlcg/+==', true],
    ['x'.repeat(513), false],
  ])('%j fits: %s', async (token, want) => {
    expect(isAdminToken(token)).toBe(want);
    const starting = serve(worlds, { port: 0, adminToken: token });
    if (want) await (await starting).close();
    else await expect(starting).rejects.toThrow('`adminToken` must be 16 to 512 letters');
  });

  test('that is made is another each time, and fits', () => {
    const made = Array.from({ length: 20 }, makeAdminToken);
    expect(new Set(made).size).toBe(20);
    expect(made.every(isAdminToken)).toBe(true);
    expect(made.map((token) => adminTokenCheck(token)(`Bearer ${made[0]}`))).toEqual([true, ...Array(19).fill(false)]);
  });
});

describe('the command', () => {
  test('makes a token off loopback, tells it once, and keeps it out of the log', async () => {
    const server = await startCli(['--host', '0.0.0.0', '--log-level', 'debug']);
    const { adminToken } = server.ready as unknown as { adminToken: string };
    expect(isAdminToken(adminToken)).toBe(true);
    const headers = { authorization: `Bearer ${adminToken}` };
    const base = `http://127.0.0.1:${new URL(server.baseUrl).port}`;
    const statuses = [
      (await fetch(`${base}/__admin/reset`, { method: 'POST', headers })).status,
      (await fetch(`${base}/__admin/reset`, { method: 'POST' })).status,
      (await fetch(`${base}/api/v3/countries?token=${adminToken}`, { headers })).status,
    ];
    expect(statuses).toEqual([200, 401, 401]);
    const journal = await (await fetch(`${base}/__admin/requests/req-1`, { headers })).text();
    await server.stop();
    const { stderr } = server.output();
    expect(stderr).toContain('/api/v3/countries');
    expect([stderr, journal].filter((text) => text.includes(adminToken))).toEqual([]);
  });

  test.each([
    ['on loopback', [], {}, null],
    ['given by a flag', ['--admin-token', TOKEN], {}, TOKEN],
    ['given by the environment', [], { TEEBOX_ADMIN_TOKEN: TOKEN }, TOKEN],
    ['the flag overrides the environment', ['--admin-token', TOKEN], { TEEBOX_ADMIN_TOKEN: `${TOKEN}-2` }, TOKEN],
    ['turned off', ['--host', '0.0.0.0', '--no-admin', '--admin-token', TOKEN], {}, null],
  ])('%s', async (_title, args, env, want) => {
    const server = await startCli([...args, '--log-level', 'silent'], env);
    expect(server.ready).toMatchObject({ adminToken: want });
    await server.stop();
  });

  test.each([
    ['flag', ['--admin-token', 'too-short'], {}, '--admin-token must be 16 to 512'],
    ['variable', [], { TEEBOX_ADMIN_TOKEN: 'too-short' }, 'variable TEEBOX_ADMIN_TOKEN must be 16 to 512'],
  ])('a %s that does not fit is not repeated', async (_title, args, env, want) => {
    const { code, stderr } = await runCli(args, env);
    expect(code).toBe(2);
    expect(stderr).toContain(want);
    expect(stderr).not.toContain('too-short');
  });

  test.each([
    ['one that was made', [], 1],
    ['not one that was given', ['--admin-token', TOKEN], 0],
  ])('the banner shows %s', async (_title, args, want) => {
    const { spawn } = await import('node:child_process');
    const { CLI } = await import('../../support/network/process.js');
    const child = spawn(process.execPath, [CLI, '--port', '0', '--host', '0.0.0.0', ...args]);
    let text = '';
    child.stdout.on('data', (chunk) => (text += chunk));
    while (!text.includes('teebox list rules')) await once(child.stdout, 'data');
    child.kill();
    await once(child, 'close');
    expect(text.match(/^ {2}admin token [0-9a-f]{48}$/gm) ?? []).toHaveLength(want);
    expect(text).not.toContain(TOKEN);
  });
});
