import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { basicCredentials } from '../../../src/engine/model/world.js';
import { ValidationError } from '../../../src/common/validation-error.js';
import { playCapsule } from '../../../src/engine/play.js';
import { open, ORIGIN } from '../../support/client.js';

const at = '2026-06-01T08:00:00Z';
const base = { teebox: '1.0.0', capsule: 1, seed: 1, facilities: 3, now: at, dialect: {}, options: {}, steps: [] };
const order = { kind: 'admin', at, method: 'GET', path: 'clock' };

test.for([
  [{ state: { store: { bookings: 5 } } }, '`state.store.bookings` must be a list'],
  [{ state: { store: { without: {} } } }, '`state.store.without` must be a list'],
  [{ state: { store: null } }, '`state.store` must be an object'],
  [{ options: { scenarios: 5 } }, '`options.scenarios` must be a list'],
  [{ options: { scenarios: [{ id: 'x' }] } }, '`options.scenarios[0]` must be a string'],
  [{ options: { ownScenarios: 'x' } }, '`options.ownScenarios` must be a list'],
  [{ steps: [{ ...order, method: 'A B' }] }, '`steps[0].method` must be one of GET, POST'],
  [{ steps: [{ ...order, method: 'CONNECT' }] }, '`steps[0].method` must be one of GET, POST'],
] as const)('a capsule with %j is refused with what is wrong', async ([part, due]) => {
  const played = playCapsule({ ...base, ...part });
  await expect(played).rejects.toBeInstanceOf(ValidationError);
  await expect(played).rejects.toThrow(due);
});

test('a capsule with more than 20,000 steps is refused', async () => {
  const steps = Array.from({ length: 20_001 }, () => ({ kind: 'clock', at }));
  await expect(playCapsule({ ...base, steps })).rejects.toThrow('`steps` must be a list of at most 20000 steps');
});

test('a replay that takes too long ends with the step', async () => {
  let now = 0;
  const steps = Array.from({ length: 9 }, () => ({ kind: 'clock', at }));
  const played = playCapsule({ ...base, steps }, { clock: () => (now += 50_000) });
  await expect(played).rejects.toThrow(/The replay took 120 seconds and came to step \d\. Record a shorter capsule\./);
});

test.for([
  [{ ...order, body: {} }],
  [{ kind: 'resume', at, of: 'req-9', turn: 1 }],
  ...['http://a:b@h/api/v3/countries', 'file:///etc/passwd', 'http://h/__admin/events'].map((url) => [
    { kind: 'request', id: 'req-1', at, method: 'GET', url, headers: {} },
  ]),
])('a capsule with the step %j comes to an end', async ([step]) => {
  expect(await playCapsule({ ...base, steps: [step] })).toMatchObject({ same: true });
});

/** A receiver on this machine, and the paths at which it was asked. */
async function receiver(): Promise<{ readonly url: string; readonly asked: string[] }> {
  const asked: string[] = [];
  const server = createServer(({ url }, response) => {
    asked.push(url!);
    response.end();
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => void server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked };
}

const searchFor = (url: string): string =>
  `${ORIGIN}/api/v5/teetimes?facilityIds=1001&fromDate=11-06-2026&toDate=11-06-2026&players=1&holes=18&callbackUrl=${encodeURIComponent(url)}`;

test('no callback of a replay is ever posted, and those of later requests are', async () => {
  const { url, asked } = await receiver();
  const { sandbox } = await open({ fetch: async () => new Response(null, { status: 204 }) });
  const headers = { authorization: basicCredentials(sandbox.channels[0]!) };
  for (const scenario of ['callback-late; delay=60000ms', '']) {
    const given = scenario === '' ? {} : { 'teebox-scenario': scenario };
    const { status } = await sandbox.fetch(searchFor(`${url}/played`), { headers: { ...headers, ...given } });
    expect(status).toBe(200);
  }
  const { sandbox: played, same } = await playCapsule(JSON.parse(JSON.stringify(await sandbox.capsule())));
  expect(same).toBe(true);
  played.clock.advance(3_600_000);
  await played.callbacks.settled();
  expect(played.callbacks.deliveries.map(({ state }) => state)).toEqual(['delivered', 'delivered']);
  await played.fetch(searchFor(`${url}/later`), { headers });
  await played.callbacks.settled();
  expect(asked).toEqual(['/later']);
});

test.for([
  ['escapes', 'hush\\"hush\nhush'],
  ['many characters', 'h'.repeat(5000)],
])('a secret with %s does not leave', async ([, secret]) => {
  const { sandbox, fairway } = await open();
  await fairway.post('/api/v3/token/refreshToken', { refresh_token: secret, again: secret });
  const text = JSON.stringify(await sandbox.capsule());
  expect(text).toContain('{{secret unknown 1}}');
  expect(text).not.toContain(JSON.stringify(secret).slice(1, -1));
});

test.for([
  ['JSON', '{"password":77310815,"again":77310815,"said":"77310815"}'],
  ['JSON with blanks', '{ "password": 77310815 }'],
  ['JSON of few digits', '{"password":[7731],"facilityId":1001}'],
  ['text of few digits', '{ "password": 7731, "facilityId": 1001 }'],
  ['a number that JavaScript rounds', '{"password":77310815773108157731}'],
  ['text that breaks off', '{"password":77310815'],
])('a secret number in %s does not leave, and the capsule plays', async ([, body]) => {
  const { sandbox, fairway } = await open();
  await fairway.post('/api/v3/token/refreshToken', body);
  await fairway.post('/api/v3/bookings', body);
  const capsule = JSON.parse(JSON.stringify(await sandbox.capsule()));
  expect(JSON.stringify(capsule)).not.toContain('7731');
  expect(await playCapsule(capsule)).toMatchObject({ same: true });
});

test.for(['x-session', 'session-id', 'x-shop-password'])('a secret in the header %s does not leave', async (name) => {
  const { sandbox, fairway } = await open();
  await fairway.get('/api/v3/countries', { headers: { [name]: 'hush-7731' } });
  const capsule = JSON.parse(JSON.stringify(await sandbox.capsule()));
  expect(JSON.stringify(capsule)).not.toContain('hush-7731');
  expect(await playCapsule(capsule)).toMatchObject({ same: true });
});

test.for([
  ['a list', '{"client_secret":["hush-7731"]}'],
  ['an object', '{"password":{"value":"hush-7731","kind":"x"}}'],
  ['a name with a hyphen', '{"Api-Key":"hush-7731"}'],
  ['other quotes', "{'refresh_token':'hush-7731'}"],
  ['text that breaks off', '{"refresh_token":"hush-7731'],
  ['a member of a session', '{"sessionId":"hush-7731"}'],
])('a secret in %s of a body does not leave, and the capsule plays', async ([, body]) => {
  const { sandbox, fairway } = await open();
  await fairway.post('/api/v3/token/refreshToken', body);
  const capsule = JSON.parse(JSON.stringify(await sandbox.capsule()));
  expect(JSON.stringify(capsule)).not.toContain('hush-7731');
  expect(await playCapsule(capsule)).toMatchObject({ same: true });
});
