import { expect, test } from 'vitest';
import { questions } from '../../../src/contract/generated/built/catalogue.js';
import { adminOf, expectedProblem } from '../../support/admin.js';
import { open } from '../../support/client.js';
import { bookingFor, findTeeTime, teeTimesPath } from '../../support/scenes.js';
import { openAtOnce, search, searchQuery } from '../../support/views.js';

const staging = { name: 'staging', answers: { 'payment.method': { v4: 'post' }, 'error.body': 'error' } } as const;

test('the card in force is shown and replaced, and an unfit one changes nothing', async () => {
  const { sandbox, fairway } = await open({ dialect: { name: 'first' } });
  const admin = adminOf(sandbox);
  const unknownFacility = async () => Object.keys((await fairway.get('/api/v1/facilities/9')).body);
  expect((await admin('GET', 'dialect')).body).toEqual({ name: 'first', answers: {} });
  expect(await unknownFacility()).toContain('message');

  expect((await admin('PUT', 'dialect', staging)).body).toEqual(staging);
  expect((await admin('GET', 'dialect')).body).toEqual(staging);
  expect(sandbox.dialect).toEqual(staging);
  expect(await unknownFacility()).toContain('error');

  const unfit = await admin('PUT', 'dialect', { answers: { 'error.body': 'nowhere' } });
  const { fits, ...problem } = unfit.body;
  expect(fits).toEqual(['message', 'error', 'errors', 'data']);
  expect(problem).toEqual(expectedProblem(400, expect.stringContaining('`error.body` must be one of message')));
  expect((await admin('GET', 'dialect')).body).toEqual(staging);
  expect(await unknownFacility()).toContain('error');

  await admin('POST', 'reset');
  expect((await admin('GET', 'dialect')).body).toEqual({ name: 'first', answers: {} });
  expect(await unknownFacility()).toContain('message');
});

test('bookings, tokens, callbacks and the count of requests stay', async () => {
  const { sandbox, fairway } = await openAtOnce();
  const admin = adminOf(sandbox);
  const { refreshToken } = sandbox.channels[0]!;
  const tokens = (await fairway.post('/api/v5/token/refreshToken', { refresh_token: refreshToken })).body.data;
  const headers = { authorization: `Bearer ${tokens.access_token}` };
  const { bookingId } = (await fairway.post('/api/v5/bookings', bookingFor(await findTeeTime(fairway)))).body.data;
  await search(fairway, searchQuery());
  await sandbox.callbacks.settled();
  const before = (await fairway.get('/api/v4/bookings')).headers.get('teebox-request-id')!;

  await admin('PUT', 'dialect', staging);
  const list = await fairway.get('/api/v4/bookings', { headers });
  expect(list.body.data.map((one: { bookingId: string }) => one.bookingId)).toContain(bookingId);
  expect(Number(list.headers.get('teebox-request-id')!.slice(4))).toBe(Number(before.slice(4)) + 1);
  expect((await fairway.get(`/api/v4/bookings/payment/${bookingId}`)).status).toBe(405);
  expect((await fairway.post(`/api/v4/bookings/payment/${bookingId}`, undefined)).status).toBe(200);
  await search(fairway, searchQuery());
  await sandbox.callbacks.settled();
  expect(sandbox.callbacks.deliveries.map(({ id }) => id)).toEqual(['callback-1', 'callback-2']);
});

const oneName = { contactFirstName: undefined, contactLastName: undefined, contactName: 'Ada' };

/** Answers that are kept: each is asked before and after, and is then what a sandbox of that card says from the start. */
const kept = [
  ['booking-list.empty-fields', 'absent', '/api/v4/bookings?fromDate=01-01-2020'],
  ['booking-list.order', 'created', '/api/v4/bookings?fromDate=01-01-2020'],
  ['teetimes.product-players', 'maximum', teeTimesPath('v4')],
  ['teetimes.linked-products', 'ids', teeTimesPath('v4', { facilityId: 1009, holes: 9 })],
  ['facility.empty-fields', 'absent', '/api/v3/facilities?country=Spain'],
  ['payment-rule.duration-unit', 'minutes', '/api/v3/facilities/1002'],
  ['versions.deprecation', 'header', '/api/v1/facilities/1001'],
] as const;

test.each(kept)('no answer of the old card is kept: %s', async (question, option, path) => {
  const dialect = { answers: { [question]: option } };
  const { sandbox, fairway } = await open();
  const { fairway: other } = await open({ dialect });
  const seen = ({ status, text, headers }: Awaited<ReturnType<typeof fairway.get>>) => ({
    status,
    text,
    deprecation: headers.get('deprecation'),
  });
  for (const client of [fairway, other]) {
    await client.post('/api/v5/bookings', bookingFor(await findTeeTime(client), oneName));
  }
  const before = seen(await fairway.get(path));
  await fairway.get(path);
  await adminOf(sandbox)('PUT', 'dialect', dialect);
  const after = seen(await fairway.get(path));
  expect(after).toEqual(seen(await other.get(path)));
  expect({ question, ...after }).not.toEqual({ question, ...before });
});

test('the open questions are listed with their answers in force', async () => {
  const { sandbox } = await open({ dialect: staging });
  const admin = adminOf(sandbox);
  const list = async () => (await admin('GET', 'questions')).body;
  const { count, questions: listed } = await list();
  expect(count).toBe(questions.length);
  expect(listed.map(({ id }: { id: string }) => id)).toEqual(questions.map(({ id }) => id));
  const named = (id: string) => listed.find((one: { id: string }) => one.id === id);
  expect(named('payment.method')).toMatchObject({
    default: 'both',
    answer: { v1: 'both', v3: 'both', v4: 'post', v5: 'both' },
    differs: true,
    rules: expect.arrayContaining([expect.objectContaining({ statement: expect.any(String) })]),
  });
  expect(named('error.body')).toMatchObject({ default: 'message', answer: 'error', differs: true });
  expect(named('error.code')).toMatchObject({ default: 'none', answer: 'none', differs: false });
  const noted = listed.filter(({ kind }: { kind: string }) => kind === 'noted');
  expect(noted.length).toBeGreaterThan(0);
  for (const one of noted) expect(one).not.toHaveProperty('answer');
  const differing = async () =>
    (await list()).questions.flatMap(({ id, differs }: { id: string; differs?: boolean }) => (differs ? id : []));
  expect(await differing()).toEqual(['error.body', 'payment.method']);
  await admin('PUT', 'dialect', {
    answers: { 'error.code': 'none', 'token.versions': ['v5', 'v4', 'v3', 'v2', 'v1'] },
  });
  expect(await differing()).toEqual([]);
});
