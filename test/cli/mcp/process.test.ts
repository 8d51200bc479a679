import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startAgent } from '../../support/network/mcp.js';
import { CLI, runCli, startCli } from '../../support/network/process.js';

/** Speaks the protocol by hand, so that every byte on stdout is seen. */
function start(args: readonly string[]): {
  child: ChildProcessWithoutNullStreams;
  send(message: object): void;
  seen(): { stdout: string; stderr: string };
} {
  const child = spawn(process.execPath, [CLI, 'mcp', ...args]);
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', (chunk) => (stdout += chunk));
  child.stderr.on('data', (chunk) => (stderr += chunk));
  return {
    child,
    send: (message) => void child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`),
    seen: () => ({ stdout, stderr }),
  };
}

const hello = {
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'hand', version: '1' } },
};
const callOf = (id: number, name: string, input: object = {}) => ({
  id,
  method: 'tools/call',
  params: { name, arguments: input },
});

test('stdout carries the protocol alone, and the process ends with stdin', { tags: ['always'] }, async () => {
  const { child, send, seen } = start(['--now', '2030-06-01T08:00:00Z']);
  send(hello);
  send({ method: 'notifications/initialized' });
  send(callOf(2, 'check', { only: ['countries.*'] }));
  child.stdin.write('this is no JSON\n');
  send(callOf(3, 'no_such_tool'));
  await expect.poll(() => seen().stdout).toContain('"id":3');
  // The check is still to come, or has come: nothing of it may be written after the end.
  child.stdin.end();
  const [code] = await once(child, 'close');
  expect(code).toBe(0);
  const messages = seen()
    .stdout.trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(messages.every(({ jsonrpc }) => jsonrpc === '2.0')).toBe(true);
  expect(messages.find(({ id }) => id === 1).result.serverInfo.name).toBe('teebox');
  expect(messages.find(({ id }) => id === 3).result.isError).toBe(true);
  expect(seen().stderr).toBe('');
});

test('the process ends with a signal, too', async () => {
  const { child, send, seen } = start([]);
  send(hello);
  await expect.poll(() => seen().stdout).toContain('serverInfo');
  child.kill('SIGTERM');
  expect(await once(child, 'close')).toEqual([0, null]);
});

test('--state keeps what was booked from session to session', async () => {
  const state = join(mkdtempSync(join(tmpdir(), 'teebox-mcp-')), 'state.json');
  const first = await startAgent(['--state', state]);
  await first.call('move_clock', { set: '2031-01-01T00:00:00Z' });
  await first.close();
  expect(JSON.parse(readFileSync(state, 'utf8'))).toHaveProperty('clock');
  const second = await startAgent(['--state', state]);
  expect((await second.call('sandbox_status')).data.clock.now).toMatch(/^2031-01-01T/);
  await second.close();
});

test('--attach works with the sandbox that runs there', async () => {
  const { baseUrl, stop } = await startCli([
    '--now',
    '2030-06-01T08:00:00Z',
    '--log-level',
    'silent',
    '--admin-token',
    'a-token-of-the-test',
  ]);
  const agent = await startAgent(['--attach', `${baseUrl}/w/agent`], { TEEBOX_ADMIN_TOKEN: 'a-token-of-the-test' });
  const { data } = await agent.call('sandbox_status');
  expect(data).toMatchObject({ baseUrl: `${baseUrl}/w/agent`, clock: { now: '2030-06-01T08:00:00.000Z' } });
  expect((await agent.call('call_operation', { operation: 'v3.listCountries' })).data).toMatchObject({ status: 200 });
  expect((await agent.call('list_requests')).data.requests).toHaveLength(1);
  await agent.close();
  expect((await fetch(`${baseUrl}/__admin/health`)).status).toBe(200);
  await stop();
});

test.for([
  [['--attach', 'http://127.0.0.1:1'], '--attach http://127.0.0.1:1: Failed to reach the admin API'],
  [['--attach', 'http://127.0.0.1:1', '--seed', '7'], '--seed is for a sandbox that this command starts.'],
  [['--allow', 'everything'], '--allow must be a list of'],
  [['--scenario', 'no-such'], '--scenario: '],
] as const)('teebox mcp %j is a usage error', async ([args, message]) => {
  const { code, stdout, stderr } = await runCli(['mcp', ...args]);
  expect({ code, stdout, stderr }).toEqual({ code: 2, stdout: '', stderr: expect.stringContaining(message) });
});

test('a line that is too long is refused while it is read', async () => {
  const { child, seen } = start([]);
  const closed = once(child, 'close');
  child.stdin.on('error', () => {});
  child.stdin.write(`{"jsonrpc":"2.0","id":1,"method":"${'x'.repeat(5 * 1_048_576)}`);
  expect(await closed).toEqual([1, null]);
  expect(seen()).toEqual({
    stdout: '',
    stderr: 'teebox: A line on stdin is longer than 4 MiB. Send a shorter request.\n',
  });
});
