import { expect, test } from 'vitest';
import { createSandbox, type DialectCard } from '../../../src/engine/library.js';
import { answersOf, parseDialectCard } from '../../../src/engine/state/dialect.js';

/** The ids of the time when each version had a question of its own. */
const former = [
  ['auth.v1.schemes', 'bearer', { 'auth.schemes': { v1: 'bearer' } }],
  ['auth.v2.schemes', 'bearer', { 'auth.schemes': { v2: 'bearer' } }],
  ['auth.v3.schemes', 'bearer', { 'auth.schemes': { v3: 'bearer' } }],
  ['auth.v4.schemes', 'bearer', { 'auth.schemes': { v4: 'bearer' } }],
  ['auth.v5.schemes', 'bearer', { 'auth.schemes': { v5: 'bearer' } }],
  ['payment.v1.method', 'post', { 'payment.method': { v1: 'post' } }],
  ['payment.v3.method', 'post', { 'payment.method': { v3: 'post' } }],
  ['payment.v4.method', 'post', { 'payment.method': { v4: 'post' } }],
  ['payment.v5.method', 'post', { 'payment.method': { v5: 'post' } }],
  ['bulk-payment.v3.method', 'post', { 'bulk-payment.method': { v3: 'post' } }],
  ['bulk-payment.v4.method', 'post', { 'bulk-payment.method': { v4: 'post' } }],
  ['bulk-payment.v5.method', 'post', { 'bulk-payment.method': { v5: 'post' } }],
] as const;

test.each(former)('%s is read and means the same', (id, answer, answers) => {
  const card = parseDialectCard({ name: 'staging', answers: { 'auth.failure': 403, [id]: answer } });
  expect(card).toEqual({ name: 'staging', answers: { 'auth.failure': 403, ...answers } });
  expect(answersOf({ answers: { [id]: answer } })).toEqual(answersOf({ answers }));
});

test.each(['auth.v6.schemes', 'payment.v2.method', 'bulk-payment.v1.method'])('%s is no former id', (id) => {
  expect(() => parseDialectCard({ answers: { [id]: 'both' } })).toThrow(`\`${id}\` is not a question.`);
});

test('they may appear together, and with a current answer that agrees', () => {
  const answersIn = (answers: object): unknown => parseDialectCard({ answers }).answers;
  const two = { 'payment.v5.method': 'get', 'payment.v1.method': 'post' };
  expect(answersIn(two)).toEqual({ 'payment.method': { v5: 'get', v1: 'post' } });
  expect(answersIn({ ...two, 'payment.method': { v4: 'get', v5: 'get' } })).toEqual({
    'payment.method': { v1: 'post', v4: 'get', v5: 'get' },
  });
  expect(answersIn({ 'payment.v5.method': 'get', 'payment.method': 'get' })).toEqual({ 'payment.method': 'get' });
});

test('a sandbox serves by them and shows the card under the ids of today', async () => {
  const card = { answers: { 'payment.v4.method': 'post', 'auth.v2.schemes': 'bearer' } } as DialectCard;
  const sandbox = await createSandbox({ dialect: card });
  const answers = { 'payment.method': { v4: 'post' }, 'auth.schemes': { v2: 'bearer' } };
  expect(sandbox.dialect).toEqual({ answers });
  const { username, password } = sandbox.channels[0]!;
  const headers = { authorization: `Basic ${btoa(`${username}:${password}`)}` };
  const statusOf = async (path: string): Promise<number> =>
    (await sandbox.fetch(new Request(`http://sandbox.test/api/${path}`, { headers }))).status;
  expect(await statusOf('v2/bookings')).toBe(401);
  expect(await statusOf('v4/bookings')).toBe(200);
  expect(await statusOf('v4/bookings/payment/none')).toBe(405);
  expect(await statusOf('v5/bookings/payment/none')).toBe(404);
  expect(sandbox.snapshot().dialect).toEqual({ answers });
});
