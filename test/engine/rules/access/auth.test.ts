import { describe, expect } from 'vitest';
import { listedIds } from '../../../support/booking-list.js';
import { type Client, open, type Reply } from '../../../support/client.js';
import { accessTokenOf, bare, basic, bearer, knock, UNKNOWN_TOKEN } from '../../../support/credentials.js';
import { bodyOf, dataOperations, pathOf } from '../../../support/operations.js';
import { rule } from '../../../support/rule.js';
import { bookingFor, findTeeTime } from '../../../support/scenes.js';

const HOUR = 3_600_000;

const failure = { success: false, data: null, message: expect.stringMatching(/\w/) };

function expectRefused(reply: Reply, ruleId: string): void {
  expect(reply).toMatchObject({ status: 401, body: failure, rule: ruleId });
  expect(reply.body).toEqual(failure);
  expect(reply.headers.get('content-type')).toMatch(/^application\/json/);
  expect(reply.headers.get('www-authenticate')).toMatch(/^Bearer realm=.+, Basic realm=/);
}

const call = (
  client: Client,
  operation: (typeof dataOperations)[number],
  headers: Record<string, string>,
): Promise<Reply> => bare(client, operation.method, pathOf(operation), { ...bodyOf(operation), headers });

describe('every data operation', () => {
  for (const operation of dataOperations) {
    rule(['auth.required', 'auth.basic', 'auth.bearer', 'tokens.expiry'], operation.id, async () => {
      const { sandbox, fairway } = await open();
      const token = await accessTokenOf(fairway);
      const right = await call(fairway, operation, bearer(token));
      expect(right.status, 'a good token is let in').not.toBe(401);
      expect(await call(fairway, operation, basic('fairway', 'not-a-secret-fairway'))).toMatchObject({
        status: right.status,
        text: right.text,
      });

      expectRefused(await call(fairway, operation, {}), 'auth.required');
      expectRefused(await call(fairway, operation, basic('fairway', 'wrong')), 'auth.basic');
      expectRefused(await call(fairway, operation, basic('nobody', 'not-a-secret-fairway')), 'auth.basic');
      expectRefused(await call(fairway, operation, bearer(UNKNOWN_TOKEN)), 'auth.bearer');
      expectRefused(await call(fairway, operation, { 'x-access-token': token }), 'auth.required');

      sandbox.clock.advance(HOUR);
      const expired = await call(fairway, operation, bearer(token));
      expectRefused(expired, 'auth.bearer');
      expect(expired.body.message).toContain('expired');
    });
  }
});

describe('invalid credentials', () => {
  const table: readonly [given: string, (token: string) => Record<string, string>][] = [
    ['a wrong password', () => basic('fairway', 'not-a-secret-fairway ')],
    ['an unknown user', () => basic('stranger', 'not-a-secret-fairway')],
    ['the password of another channel', () => basic('links', 'not-a-secret-fairway')],
    ['a made-up token', () => bearer(UNKNOWN_TOKEN)],
    ['a token cut short', (token) => bearer(token.slice(0, -1))],
    ['a token with a letter more', (token) => bearer(`${token}0`)],
    ['a token as a password', (token) => basic('fairway', token)],
  ];
  for (const [given, headersWith] of table) {
    rule('auth.invalid', `${given}: refused by every data operation, which does nothing`, async () => {
      const { fairway } = await open();
      const headers = headersWith(await accessTokenOf(fairway));
      for (const operation of dataOperations) {
        const reply = await call(fairway, operation, headers);
        expect({ id: operation.id, status: reply.status }).toEqual({ id: operation.id, status: 401 });
        expect(reply.body).toEqual(failure);
      }
      const booking = bookingFor(await findTeeTime(fairway));
      const before = await listedIds(fairway, 'v4');
      expect(await bare(fairway, 'POST', '/api/v5/bookings', { headers, body: booking })).toMatchObject({
        status: 401,
      });
      expect(await listedIds(fairway, 'v4')).toEqual(before);
      expect((await fairway.post('/api/v5/bookings', booking)).status, 'with good credentials').toBe(200);
    });
  }
});

describe('the value of the header', () => {
  const encoded = btoa('fairway:not-a-secret-fairway');
  const table: readonly [string, string, number, string?][] = [
    ['basic in lower case', `basic ${encoded}`, 200],
    ['more than one space', `Basic   ${encoded}`, 200],
    ['nothing after the scheme', 'Basic', 401, 'auth.required'],
    ['no base64', 'Basic %%%', 401, 'auth.basic'],
    ['no colon', `Basic ${btoa('fairway')}`, 401, 'auth.basic'],
    ['an empty password', `Basic ${btoa('fairway:')}`, 401, 'auth.basic'],
    ['the password of another channel', `Basic ${btoa('fairway:not-a-secret-links')}`, 401, 'auth.basic'],
    ['another case of the user name', `Basic ${btoa('Fairway:not-a-secret-fairway')}`, 401, 'auth.basic'],
    ['another scheme', `Digest ${encoded}`, 401, 'auth.required'],
    ['no scheme', encoded, 401, 'auth.required'],
    ['an empty value', '', 401, 'auth.required'],
    ['a bearer without a token', 'Bearer ', 401, 'auth.required'],
    ['the initial refresh token as bearer', 'Bearer 7eeb0ef5-0000-4000-8000-000000000001', 401, 'auth.bearer'],
  ];
  for (const [title, authorization, status, ruleId] of table) {
    rule(status === 200 ? 'auth.basic' : (ruleId as 'auth.basic'), title, async () => {
      const { fairway } = await open();
      const reply = await knock(fairway, { authorization });
      expect(reply.status).toBe(status);
      if (ruleId) expectRefused(reply, ruleId);
    });
  }

  rule('auth.bearer', 'bearer in lower case', async () => {
    const { fairway } = await open();
    expect(await knock(fairway, { authorization: `bearer ${await accessTokenOf(fairway)}` })).toMatchObject({
      status: 200,
    });
  });
});

describe('whom a call acts for', () => {
  const connected = async (client: Client, headers: Record<string, string>): Promise<readonly string[]> =>
    (await bare(client, 'GET', '/api/v3/countries?connected=true', { headers })).body.data;

  rule('auth.channel-scope', 'each channel sees its own connected countries, by either scheme', async () => {
    const { fairway, links, caddie } = await open();
    const seen = [];
    for (const client of [fairway, links, caddie]) {
      const byToken = await connected(client, bearer(await accessTokenOf(client)));
      expect(byToken).toEqual(await connected(client, basic(client.channel, `not-a-secret-${client.channel}`)));
      seen.push(byToken.join());
    }
    expect(new Set(seen).size).toBeGreaterThan(1);
  });

  rule('auth.channel-scope', 'the bookings of one channel are not those of another', async () => {
    const { fairway, links } = await open();
    const ids = async (client: Client): Promise<string[]> =>
      (await client.get('/api/v4/bookings?fromDate=01-01-2026')).body.data.map(
        ({ bookingId }: { bookingId: string }) => bookingId,
      );
    const [own, other] = [await ids(fairway), await ids(links)];
    expect(own.length).toBeGreaterThan(0);
    expect(other.length).toBeGreaterThan(0);
    expect(own.filter((id) => other.includes(id))).toEqual([]);
  });
});

describe('the header of the bearer token', () => {
  const card = { answers: { 'auth.bearer-header': 'X-Access-Token' } };

  rule('auth.bearer-header', 'is Authorization by default', async () => {
    const { fairway } = await open();
    const token = await accessTokenOf(fairway);
    expect(await knock(fairway, bearer(token))).toMatchObject({ status: 200 });
    expect(await knock(fairway, { 'x-access-token': token })).toMatchObject({ status: 401, rule: 'auth.required' });
  });

  rule('auth.bearer-header', 'is the one that the card names', async () => {
    const { fairway } = await open({ dialect: card });
    const token = await accessTokenOf(fairway);
    expect(await knock(fairway, { 'x-access-token': token })).toMatchObject({ status: 200 });
    expect(await knock(fairway, { 'x-access-token': `Bearer ${token}` })).toMatchObject({ status: 200 });
    expect(await knock(fairway, { 'x-access-token': UNKNOWN_TOKEN })).toMatchObject({
      status: 401,
      rule: 'auth.bearer',
    });
    const refused = await knock(fairway, bearer(token));
    expect(refused).toMatchObject({ status: 401, rule: 'auth.required' });
    expect(refused.body.message).toContain('`X-Access-Token`');
  });
});
