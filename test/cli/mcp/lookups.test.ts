import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { operations } from '../../../src/contract/generated/operations.js';
import { type AgentSession, startAgent } from '../../support/network/mcp.js';

let agent: AgentSession;
beforeAll(async () => {
  agent = await startAgent(['--now', '2030-06-01T08:00:00Z']);
});
afterAll(() => agent.close());

const call = (operation: string, parameters: object = {}, more: object = {}) =>
  agent.call('call_operation', { operation, parameters, ...more });

test('read_callbacks shows the result of a search in the inbox of the sandbox', async () => {
  const { data } = await agent.call('sandbox_status');
  const dates = { fromDate: '11-06-2030', toDate: '11-06-2030', players: 2, holes: 18 };
  await call('v5.searchTeeTimes', { facilityIds: '1001', ...dates, callbackUrl: data.inbox });
  const posted = async () => (await agent.call('read_callbacks')).data.callbacks.at(-1);
  await expect.poll(async () => (await posted())?.state).toBe('delivered');
  const { id } = await posted();
  const one = await agent.call('read_callbacks', { callback: id, at: '/data/0' });
  expect(one.data.body).toMatchObject({ facilityId: 1001, teeTimeV3: expect.any(Array) });
  expect(one.text.length).toBeLessThan(7000);
});

test('find_rules gives an open rule with its question and the answer in force', async () => {
  const { data, text } = await agent.call('find_rules', { ids: ['auth.*'], basis: 'open' });
  const rule = data.rules.find(({ id }: { id: string }) => id === 'auth.basic');
  expect(rule.question).toMatchObject({ id: 'auth.schemes', answer: { v1: 'both', v5: 'both' } });
  expect(text).toContain('auth.basic (open, ');
  const paged = await agent.call('find_rules', { operation: 'v5.createBooking', from: 20, limit: 2 });
  expect(paged.data).toMatchObject({ next: 22, rules: [expect.anything(), expect.anything()] });
});

test('find_obligations gives what a client owes at an operation, and everywhere', async () => {
  const { data, text } = await agent.call('find_obligations', { operation: 'createBooking', limit: 50 });
  const ids = data.obligations.map(({ id }: { id: string }) => id);
  expect(ids).toEqual(expect.arrayContaining(['bookings.one-for-one-wish', 'requests.content-type']));
  expect(ids).not.toContain('payments.own');
  expect(text).toMatch(
    /bookings\.price \(careful, critical\): A client MUST .*\n  Why: .*\n  Checked: .* To show it: /,
  );
  const some = await agent.call('find_obligations', { ids: ['tokens.*'], from: 1, limit: 1 });
  expect(some.data).toMatchObject({ next: 2, obligations: [{ id: expect.stringMatching(/^tokens\./) }] });
});

test('describe_operation lists the operations, and shows schemas in parts', async () => {
  const all = await agent.call('describe_operation');
  expect(all.data.operations).toHaveLength(operations.length);
  const input = { operation: 'v5.createBooking', part: 'request_schema' };
  const { text, data } = await agent.call('describe_operation', input);
  expect(text.length).toBeLessThan(7000);
  const [{ at }] = data.cuts;
  const more = await agent.call('describe_operation', { ...input, at });
  expect(more.data.at).toBe(at);
});

test('list_scenarios tells what holds afterwards, and why an armed plan did not strike', async () => {
  await agent.call('arm_scenario', { scenario: 'slow', operation: 'listPrices' });
  await call('v3.listCountries');
  const { text, data } = await agent.call('list_scenarios', { scenario: 'cart-problem' });
  expect(data.scenarios).toEqual([expect.objectContaining({ id: 'cart-problem', contactName: 'CART-PROBLEM' })]);
  expect(text).toContain('After it is triggered with phase before-commit: Nothing is booked.');
  expect(text).toContain('came near: `operation` is v3.listCountries, not listPrices');
  const some = await agent.call('list_scenarios', { operation: 'searchTeeTimes' });
  expect(some.data.scenarios.map(({ id }: { id: string }) => id)).toContain('callback-late');
});

test('move_clock tells what fell due, and what comes next', async () => {
  await agent.call('reset_sandbox');
  expect((await agent.call('move_clock')).data).toMatchObject({ mode: 'standing', next: expect.any(Array) });
  const { data, text } = await agent.call('move_clock', { advance: 'P2W' });
  expect(data.now).toBe('2030-06-15T08:00:00.000Z');
  expect(data.firedCount).toBeGreaterThan(0);
  expect(text).toContain('cancellation-closed');
  expect((await agent.call('move_clock', { mode: 'running' })).text).toContain('running');
  expect((await agent.call('move_clock', { set: '2030-06-01T08:00:00Z' })).data.mode).toBe('running');
});

describe('resources', () => {
  const textOf = async (uri: string): Promise<string> => {
    const [content] = (await agent.client.readResource({ uri })).contents;
    return (content as { text: string }).text;
  };

  test('are the rules, the OpenAPI document and the documentation', async () => {
    expect(JSON.parse(await textOf('teebox://openapi.json'))).toMatchObject({ openapi: '3.1.0' });
    expect(JSON.parse(await textOf('teebox://rules/auth.basic'))).toMatchObject({ id: 'auth.basic', basis: 'open' });
    expect(await textOf('teebox://docs/failures')).toMatch(/^# /);
    const { resources } = await agent.client.listResources();
    expect(resources.map(({ uri }) => uri)).toContain('teebox://docs/agents');
    const { completion } = await agent.client.complete({
      ref: { type: 'ref/resource', uri: 'teebox://rules/{id}' },
      argument: { name: 'id', value: 'countries.' },
    });
    expect(completion.values).toContain('countries.response');
  });

  test.for(['teebox://rules/no.such', 'teebox://docs/..%2fpackage', 'teebox://docs/no-such'])(
    '%s is none',
    async (uri) => {
      await expect(textOf(uri)).rejects.toThrow(/There is no (rule|page)/);
    },
  );
});
