import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createSandbox } from '../../../src/engine/library.js';
import { type CommandModule, runCommand } from '../../../src/cli/commands/command.js';
import { command } from '../../../src/cli/proxy/command.js';
import { UsageError } from '../../../src/cli/usage-error.js';
import { serve } from '../../../src/cli/server.js';
import { processTerminal } from '../../../src/cli/terminal.js';
import { harFaults } from '../../support/network/har.js';
import { startCommand } from '../../support/network/process.js';

const authorization = `Basic ${btoa('fairway:not-a-secret-fairway')}`;

async function startSandbox(): Promise<string> {
  const server = await serve(await createSandbox(), { port: 0 });
  onTestFinished(() => server.close());
  return server.url;
}

type Line = Record<string, unknown> & { readonly event: string };

/** Starts the proxy with `--json`, lets a client use it, and ends it with a signal. */
async function proxied(target: string, flags: readonly string[], use: (url: string) => Promise<void>) {
  const { child, line, closed } = await startCommand(['proxy', target, '--port', '0', '--json', ...flags]);
  let text = '';
  child.stdout!.on('data', (chunk) => (text += chunk));
  await use((JSON.parse(line) as { baseUrl: string }).baseUrl);
  child.kill('SIGINT');
  const code = await closed;
  return {
    code,
    lines: text
      .split('\n')
      .filter((one) => one !== '')
      .map((one) => JSON.parse(one) as Line),
  };
}

describe('teebox proxy', () => {
  test('passes traffic, tells findings as events, writes its files, and exits with 1', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'proxy-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const [har, json] = [join(folder, 'a.har'), join(folder, 'a.json')];
    const { code, lines } = await proxied(
      await startSandbox(),
      ['--har', har, '--report', `json=${json}`, '--only', 'requests.content-type', '--only', 'countries.*'],
      async (url) => {
        const headers = { authorization, 'content-type': 'text/plain' };
        await (await fetch(`${url}/api/v3/countries`, { headers: { authorization } })).text();
        await (await fetch(`${url}/api/v5/bookings`, { method: 'POST', body: '{}', headers })).text();
      },
    );
    expect(code).toBe(1);
    expect(new Set(lines.map(({ event }) => event))).toEqual(new Set(['exchange', 'finding', 'summary']));
    expect(lines.find(({ event }) => event === 'finding')).toMatchObject({
      side: 'client',
      id: 'requests.content-type',
    });
    expect(lines.at(-1)).toMatchObject({ event: 'summary', exitCode: 1, traffic: { exchanges: 2, missed: 0 } });
    expect(JSON.stringify(lines)).not.toContain('not-a-secret');
    expect(harFaults(JSON.parse(await readFile(har, 'utf8')))).toEqual([]);
    expect(JSON.parse(await readFile(json, 'utf8'))).toMatchObject({
      exitCode: 1,
      deployment: { verdict: 'conformant' },
    });
  });

  test('exits with 3 where the target is never reached', async () => {
    const { code, lines } = await proxied('http://127.0.0.1:1', [], async (url) => {
      await (await fetch(`${url}/api/v3/countries`)).text();
    });
    expect([code, lines.at(-1)]).toEqual([3, expect.objectContaining({ event: 'summary', exitCode: 3 })]);
  });

  test('exits with 4 where no request came', async () => {
    const { code, lines } = await proxied('http://127.0.0.1:1', [], async () => {});
    expect([code, lines]).toEqual([
      4,
      [expect.objectContaining({ event: 'summary', exitCode: 4, message: 'No request came.' })],
    ]);
  });

  test.for([
    [[], /needs the base URL/],
    [['ftp://a.example'], /starting with http/],
    [['http://u:p@a.example'], /must not contain a user name/],
    [['http://a.example?x=1'], /must not have a query/],
    [['http://a.example', '--inject', 'rival'], /--inject: .*needs the sandbox/],
    [['http://a.example', '--chaos', 'rate=most'], /--chaos: /],
    [['http://a.example', '--allow', 'all'], /--allow is about --inject/],
    [['http://a.example', '--only', 'nothing.*'], /--only must be the id of a rule or an obligation/],
    [['http://a.example', '--har', '/nowhere/a.har'], /Failed to write \/nowhere\/a.har/],
    [['http://a.example', '--har', '-'], /--har needs a file/],
    [['http://a.example', '--json', '--report', 'json=-'], /--json prints events on stdout/],
    [['http://a.example', '--port', '0', '--host', 'nowhere.invalid'], /Failed to listen on nowhere.invalid:0/],
  ] as const)('refuses %j', async ([args, due]) => {
    const terminal = { ...processTerminal(process), out: () => expect.unreachable(), err: () => {} };
    const run = runCommand(command as unknown as CommandModule, args, { terminal, env: {}, commands: {} });
    await expect(run).rejects.toThrow(due);
    await expect(run).rejects.toBeInstanceOf(UsageError);
  });
});
