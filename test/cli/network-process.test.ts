import { once } from 'node:events';
import { expect, test } from 'vitest';
import { type Effect, scenarios } from '../../src/contract/generated/scenarios.js';
import { startCli } from '../support/network/process.js';
import { callOver } from '../support/network/wire.js';

const faults = scenarios.flatMap(({ id, effect }): [string, Effect & { kind: 'network' }][] =>
  effect.kind === 'network' ? [[id, effect]] : [],
);

test('serve prints nothing of what a network does, goes on, and stops while a request hangs', async () => {
  const server = await startCli(['--now', '2026-06-01T08:00:00Z', '--log-level', 'error']);
  for (const [id] of faults) {
    const headers = { 'teebox-scenario': `${id}; delay=30ms` };
    const wire = callOver(server.baseUrl, 'GET', '/api/v3/countries', { headers });
    await wire.closed;
    expect((await fetch(`${server.baseUrl}/__admin/health`)).status, id).toBe(200);
  }
  const given = callOver(server.baseUrl, 'GET', '/api/v3/countries', { headers: { 'teebox-scenario': 'timeout' } });
  await seen(server.baseUrl, faults.length + 1);
  given.giveUp();
  const hanging = callOver(server.baseUrl, 'GET', '/api/v3/countries', { headers: { 'teebox-scenario': 'timeout' } });
  await seen(server.baseUrl, faults.length + 2);
  expect(await server.stop()).toBe(0);
  await hanging.closed;
  expect([hanging.chunks, server.output().stderr]).toEqual([[], '']);
});

test('a process that does not know the scenario of its caller answers with a problem', async () => {
  const server = await startCli(['--log-level', 'error']);
  const wire = callOver(server.baseUrl, 'GET', '/api/v3/countries', { headers: { 'teebox-scenario': 'time-out' } });
  expect(await wire.closed).toBe('ended');
  expect(Buffer.concat(wire.chunks).toString()).toMatch(/^HTTP\/1\.1 400 [^]*application\/problem\+json/);
  const ended = once(server.child, 'close');
  await server.stop();
  await ended;
  expect(server.output().stderr).toBe('');
});

/** Waits until so many requests are in the journal. */
async function seen(baseUrl: string, atLeast: number): Promise<void> {
  const body = JSON.stringify({ operation: 'listCountries', atLeast, timeoutMs: 5000 });
  const reply = await fetch(`${baseUrl}/__admin/requests/verify`, { method: 'POST', body });
  expect(reply.status, await reply.text()).toBe(200);
}
