import { afterAll, beforeAll, expect, test } from 'vitest';
import { type AgentSession, startAgent } from '../../support/network/mcp.js';

/** One session, as an agent that writes a client would have it. Each test goes on where the one before ended. */
let agent: AgentSession;
let booking: Record<string, unknown>;

beforeAll(async () => {
  agent = await startAgent(['--now', '2030-06-01T08:00:00Z'], { TEEBOX_SEED: '1' });
});
afterAll(() => agent.close());

const book = (more: Record<string, unknown> = {}) =>
  agent.call('call_operation', { operation: 'v5.createBooking', body: { ...booking, ...more } });

test('it learns what the server is for, and where the sandbox is', async () => {
  expect(agent.client.getServerVersion()).toMatchObject({ name: 'teebox', title: 'Teebox' });
  const { data, text } = await agent.call('sandbox_status');
  expect(agent.client.getInstructions()).toContain(data.baseUrl);
  expect(text).toContain(`Base URL: ${data.baseUrl}`);
  expect(data).toMatchObject({
    clock: { now: '2030-06-01T08:00:00.000Z', mode: 'standing' },
    facilities: 81,
    requests: 0,
  });
  const [{ username, password }] = data.channels;
  const authorization = `Basic ${btoa(`${username}:${password}`)}`;
  const response = await fetch(`${data.baseUrl}/api/v3/countries`, { headers: { authorization } });
  expect(response.status).toBe(200);
});

test('it reads how an operation is used', async () => {
  const { data, text } = await agent.call('describe_operation', { operation: 'v5.createBooking' });
  expect(text).toContain('teeId (required): integer. The `teeid` or `id` of the tee time.');
  expect(data).toMatchObject({ method: 'POST', path: '/api/v5/bookings', requestExample: { players: 2 } });
  expect(data.questions).toContainEqual(expect.objectContaining({ id: 'booking.net-rate-check', answer: 'unchecked' }));
  expect(data.rules).toContain('bookings.request.teeId');
  expect(data.scenarios).toContain('cart-problem');
  expect(data.obligations).toContainEqual(expect.objectContaining({ id: 'bookings.one-for-one-wish' }));
  expect(text.length).toBeLessThan(9000);
});

test('it finds a facility and a tee time', async () => {
  const { data } = await agent.call('find_facilities', { good_for: 'two-courses', channel: 'fairway', limit: 1 });
  const [{ facilityId, courses }] = data.facilities;
  const parameters = { facilityId, courseId: courses[0].courseId, bookingDate: '11-06-2030', players: 2, holes: 18 };
  const sheet = await agent.call('call_operation', { operation: 'v5.listTeeTimes', parameters });
  expect(sheet.data).toMatchObject({ status: 200, request: 'req-2', auth: 'basic', rule: 'teetimes.list.v5' });
  const [teeTime] = sheet.data.body.data.teeTimeV3;
  booking = {
    facilityId,
    teetime: teeTime.time.replace('T', ' '),
    course: teeTime.course,
    players: 2,
    teeId: teeTime.teeid,
    holes: teeTime.holes,
    productId: teeTime.products[0].mid,
    contactFirstName: 'Ada',
    contactLastName: 'Lovelace',
    contactPhone: '+31 20 555 0100',
    contactEmail: 'ada@partner.example',
  };
});

test('it books', async () => {
  const { data, text } = await book();
  expect(data).toMatchObject({ status: 200, body: { success: true, data: { bookingId: expect.any(String) } } });
  expect(text).toContain('Decided by bookings.create');
});

test('it makes the next booking fail after it was made, and sees that it is there', async () => {
  const armed = await agent.call('arm_scenario', { scenario: 'payment-pi-failed', phase: 'after-commit' });
  expect(armed.text).toContain('The booking is complete and in every list.');
  const { data, failed } = await book({ contactLastName: 'Hopper' });
  expect({ failed, status: data.status, scenario: data.scenario.id }).toEqual({
    failed: false,
    status: 400,
    scenario: 'payment-pi-failed',
  });
  const list = await agent.call('call_operation', { operation: 'v4.listBookings' });
  expect(JSON.stringify(list.data.body)).toContain('Hopper');
});

test('it asks why', async () => {
  const { data } = await agent.call('list_requests', { operation: 'createBooking', status: 400 });
  const [{ id }] = data.requests;
  const { data: why, text } = await agent.call('explain_request', { request: id });
  expect(text).toContain('The scenario payment-pi-failed was triggered');
  expect(why.rules.at(-2)).toMatchObject({ rule: 'errors.create.payment-pi-failed', outcome: 'refused' });
  expect(why.exchange.request.body).toMatchObject({ contactLastName: 'Hopper' });
});

test('it checks the sandbox, which it only reads', { tags: ['slow'] }, async () => {
  const only = ['facilities.*', 'countries.*'];
  const { data, text } = await agent.call('check', { only });
  expect(data).toMatchObject({ report: 'check-1', kind: 'check', verdict: 'conformant', total: 0 });
  expect(text).toContain('No rule is broken');
  const sent = await agent.call('list_requests', { since: 'req-5', limit: 100 });
  const methods = new Set(sent.data.requests.map(({ method }: { method: string }) => method));
  expect([...methods]).toEqual(['GET']);
});

test('it finds a broken rule in a report, with the exchange that shows it', async () => {
  await agent.call('arm_scenario', { scenario: 'malformed-json', operation: 'listCountries', times: 'always' });
  const { data } = await agent.call('check', { only: ['countries.*'] });
  expect(data).toMatchObject({ verdict: 'not-conformant', counts: { fail: 1 } });
  const { report } = data;
  const [{ id }] = data.findings;
  const one = await agent.call('read_report', { report, finding: id });
  expect(one.data.finding).toMatchObject({ id: 'countries.response', verdict: 'fail' });
  expect(one.data.exchanges[0].request.url).toMatch(/countries$/);
  const { text } = await agent.call('disarm_scenarios');
  expect(text).toMatch(/^Disarmed plan-1 .*\nDisarmed plan-2 malformed-json: matched \d+, triggered \d+$/);
});
