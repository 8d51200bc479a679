import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { operations } from '../../../src/contract/generated/operations.js';
import { type AgentSession, startAgent } from '../../support/network/mcp.js';

let agent: AgentSession;
beforeAll(async () => {
  agent = await startAgent(['--now', '2030-06-01T08:00:00Z']);
});
afterAll(() => agent.close());

const sheet = { facilityId: 1001, bookingDate: '11-06-2030', players: 2, holes: 18 };
const call = (operation: string, parameters: object = {}, more: object = {}) =>
  agent.call('call_operation', { operation, parameters, ...more });

describe('the list of tools', () => {
  test('says of each when to use it, what it takes and what it does to the world', async () => {
    const { tools } = await agent.client.listTools();
    for (const { name, title, description, inputSchema, annotations } of tools) {
      expect({ name, isTitled: /^[A-Z]/.test(title ?? '') }).toEqual({ name, isTitled: true });
      expect(description!.length).toBeGreaterThan(60);
      expect(inputSchema).toMatchObject({ type: 'object', additionalProperties: false });
      expect(annotations).toMatchObject({
        readOnlyHint: expect.any(Boolean),
        openWorldHint: ['check', 'certify'].includes(name),
      });
    }
    const destructive = tools
      .filter(({ annotations }) => annotations?.destructiveHint === true)
      .map(({ name }) => name);
    expect(destructive).toEqual(['reset_sandbox', 'check', 'certify']);
  });

  test('has the closed lists, and leaves room in a context', async () => {
    const { tools } = await agent.client.listTools();
    const { properties }: any = tools.find(({ name }) => name === 'call_operation')!.inputSchema;
    expect(properties.operation.enum).toEqual(operations.map(({ id }) => id));
    expect(JSON.stringify(tools).length).toBeLessThan(30_000);
  });
});

describe('wrong input is an error of the tool that says what to do', () => {
  test.for([
    ['describe_operation', { operation: 'v5.creatBooking' }, 'Did you mean `v5.createBooking`?'],
    ['describe_operation', { operation: 'v5.listPrices', part: 'request_schema' }, 'v5.listPrices takes no body.'],
    ['describe_operation', { operaton: 'v5.listPrices' }, 'Unrecognized key: "operaton"'],
    ['find_rules', { ids: ['bookings.request.teeid'] }, 'Did you mean `bookings.request.teeId`?'],
    ['find_obligations', { ids: ['token.newest'] }, 'Did you mean `tokens.newest`?'],
    ['find_facilities', { good_for: 'golf' }, 'Invalid option: expected one of "linked-tee-times"'],
    ['call_operation', {}, 'There is no operation `undefined`.'],
    ['call_operation', { operation: { toString: 1 } }, 'There is no operation `{"toString":1}`.'],
    ['call_operation', { operation: 'v4.listTeeTimes', parameters: { players: { toString: 1 } } }, 'parameters'],
    ['call_operation', { operation: 'v4.listTeeTimes', parameters: { facilityID: 1 } }, 'Did you mean `facilityId`?'],
    ['call_operation', { operation: 'v4.listTeeTimes' }, 'v4.listTeeTimes needs `facilityId` in `parameters`'],
    ['call_operation', { operation: 'v3.listCountries', body: {} }, 'v3.listCountries takes no body.'],
    ['call_operation', { operation: 'v3.listCountries', scenario: 'slow\nx' }, '`scenario` goes into a header'],
    ['call_operation', { operation: 'v3.listCountries', channel: 'fairways' }, 'Did you mean `fairway`?'],
    ['list_requests', { since: '17' }, 'A request id is such as req-17'],
    ['explain_request', { request: 'req-999' }, 'There is no request `req-999` in the journal'],
    ['read_callbacks', { callback: 'callback-9' }, 'callback-9'],
    ['arm_scenario', { scenario: 'payment-pi-fail' }, 'Did you mean `payment-pi-failed`?'],
    ['arm_scenario', { scenario: 'rival', phase: 'after-commit' }, 'cannot be triggered in the phase `after-commit`'],
    ['arm_scenario', { scenario: 'rival', operation: 'listPrices' }, '`rival` does not apply to `listPrices`'],
    ['arm_scenario', { scenario: 'slow', steps: ['ok'], times: 2 }, 'cannot have `times` or `after`'],
    ['disarm_scenarios', { plan: 'plan-99' }, 'There is no plan `plan-99`.'],
    ['move_clock', { advance: '2 days' }, 'must be a duration such as'],
    ['move_clock', { set: '2030-02-31T08:00:00Z' }, '`set` must be'],
    ['move_clock', { advance: 'P1D', mode: 'frozen' }, 'Give one of `advance`, `set` and `mode`.'],
    ['check', { only: ['no.such.rule'] }, '--only must be a rule id'],
    ['check', { target: 'http://me:secret@127.0.0.1:1' }, '`target` must be an http or https URL without credentials'],
    ['check', { target: 'http://127.0.0.1:1/elsewhere' }, 'check needs credentials for http://127.0.0.1:1/elsewhere'],
    ['check', { target: 'staging' }, 'there is no teebox.config.yaml'],
    ['check', { username: 'me' }, 'Give `username` and `password`.'],
    ['read_report', { report: 'check-99' }, 'There is no report `check-99` in this session.'],
    ['read_report', { report: '/etc/passwd' }, 'reads reports in files named *.json'],
    ['read_report', { report: '/no/such/report.json' }, 'the file does not exist'],
    ['read_report', { report: '/dev', at: '/x' }, '`at` needs a `finding`.'],
  ] as const)('%s %j', async ([tool, input, message]) => {
    const { text, failed } = await agent.call(tool, input);
    expect({ text, failed }).toEqual({ text: expect.stringContaining(message), failed: true });
  });

  test('a tool that does not exist', async () => {
    expect(await agent.call('book')).toMatchObject({
      failed: true,
      text: expect.stringContaining('Tool book not found'),
    });
  });
});

describe('call_operation', () => {
  test('cuts a long response, and says how to read on', async () => {
    const { data, text } = await call('v4.listTeeTimes', sheet);
    expect(text.length).toBeLessThan(7000);
    expect(JSON.stringify(data).length).toBeLessThan(7000);
    const [{ at, next, of }] = data.cuts;
    expect(text).toContain(`explain_request(request="${data.request}", at="${at}", from=${next})`);
    const more = await agent.call('explain_request', { request: data.request, at, from: next });
    const first = data.body.data.teeTimeV3;
    expect(of).toBeGreaterThan(first.length);
    expect(more.data.value[0].teeid).toBeGreaterThan(first.at(-1).teeid);
  });

  test('shows a refusal as a result, with the rule and the reason', async () => {
    const { bookingDate: _, ...without } = sheet;
    const { data, text, failed } = await call('v4.listTeeTimes', without);
    expect({ failed, status: data.status, rule: data.rule }).toEqual({
      failed: false,
      status: 400,
      rule: 'teetimes.query.bookingDate',
    });
    expect(text).toContain('Refused by teetimes.query.bookingDate (implied): ');
  });

  test.for([
    ['basic', { auth: 'basic' }, 200],
    ['bearer', { auth: 'bearer' }, 200],
    ['none', { auth: 'none' }, 401],
  ] as const)('logs in by %s', async ([way, input, status]) => {
    expect((await call('v3.listCountries', {}, input)).data).toMatchObject({ auth: way, status });
  });

  test('logs in anew when its access token is void', async () => {
    await call('v3.listCountries', {}, { auth: 'bearer' });
    await agent.call('move_clock', { advance: 'PT2H' });
    expect((await call('v3.listCountries', {}, { auth: 'bearer' })).data.status).toBe(200);
    const { data } = await agent.call('sandbox_status');
    await fetch(`${data.baseUrl}/__admin/reset`, { method: 'POST' });
    expect((await call('v3.listCountries', {}, { auth: 'bearer' })).data.status).toBe(200);
  });

  test.for([
    ['connection-reset', 0, 'No response: '],
    ['truncated-body', 200, 'The response broke off after its headers: '],
    ['rate-limited', 429, 'Retry-After: 60'],
    ['malformed-json', 200, 'The scenario malformed-json was triggered'],
    ['payment-pi-failed', 400, '`payment-pi-failed` does not apply to'],
  ] as const)('shows what %s does to one request', async ([scenario, status, words]) => {
    const { data, text, failed } = await call('v3.listCountries', {}, { scenario });
    expect({ failed, status: data.status, text }).toEqual({
      failed: false,
      status,
      text: expect.stringContaining(words),
    });
    expect(data.request).toMatch(/^req-\d+$/);
  });

  test('gives up a response that does not come', async () => {
    const { text } = await call('v3.listCountries', {}, { scenario: 'timeout', timeout_seconds: 0.2 });
    expect(text).toContain('No response: no complete response within 0.2 s.');
  });
});
