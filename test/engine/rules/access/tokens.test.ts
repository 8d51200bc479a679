import { describe, expect, test } from 'vitest';
import { open, type Reply } from '../../../support/client.js';
import {
  accessTokenOf,
  bare,
  bearer,
  initialTokenOf,
  knock,
  refreshWith,
  UNKNOWN_TOKEN,
} from '../../../support/credentials.js';
import { rule } from '../../../support/rule.js';

const HOUR = 3_600_000;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const VERSIONS = ['v1', 'v2', 'v3', 'v4', 'v5'];
const failure = { success: false, data: null, message: expect.stringMatching(/\w/) };

function expectRefused(reply: Reply, ruleId: string): void {
  expect(reply).toMatchObject({ status: 401, rule: ruleId });
  expect(reply.body).toEqual(failure);
  expect(reply.headers.get('www-authenticate')).toMatch(/^Bearer /);
}

describe('the life cycle', () => {
  rule(
    [
      'tokens.refresh',
      'tokens.refresh.without-access',
      'tokens.refresh.response',
      'tokens.item.access-token',
      'tokens.item.refresh-token',
      'tokens.item.expires-in',
    ],
    'list 1 to 3: the first refresh',
    async () => {
      const { fairway } = await open();
      const { status, body } = await refreshWith(fairway, '7eeb0ef5-0000-4000-8000-000000000001');
      expect(status).toBe(200);
      expect(body).toEqual({
        success: true,
        data: {
          access_token: expect.stringMatching(UUID),
          refresh_token: expect.stringMatching(UUID),
          expires_in: 3600,
        },
      });
      expect(await knock(fairway, bearer(body.data.access_token))).toMatchObject({ status: 200 });
      expect(await refreshWith(fairway, body.data.refresh_token)).toMatchObject({ status: 200 });
    },
  );

  rule(
    ['tokens.rotation', 'tokens.single-use', 'tokens.old-refresh-invalid'],
    'list 4: each refresh gives two new tokens',
    async () => {
      const { fairway } = await open();
      const spent = [initialTokenOf(fairway)];
      const seen = new Set(spent);
      for (let round = 1; round <= 5; round += 1) {
        const { data } = (await refreshWith(fairway, spent.at(-1))).body;
        seen.add(data.access_token).add(data.refresh_token);
        for (const token of spent) expectRefused(await refreshWith(fairway, token), 'tokens.single-use');
        spent.push(data.refresh_token);
      }
      expect(seen.size).toBe(1 + 2 * 5);
    },
  );

  rule(['tokens.latest-refresh', 'tokens.expiry'], 'list 5: refresh after the access token has expired', async () => {
    const { sandbox, fairway } = await open();
    const { data } = (await refreshWith(fairway, initialTokenOf(fairway))).body;
    sandbox.clock.advance(30 * 24 * HOUR);
    expect(await knock(fairway, bearer(data.access_token))).toMatchObject({ status: 401, rule: 'auth.bearer' });
    const again = await refreshWith(fairway, data.refresh_token);
    expect(again).toMatchObject({ status: 200 });
    expect(await knock(fairway, bearer(again.body.data.access_token))).toMatchObject({ status: 200 });
  });

  test.each([
    ['used', initialTokenOf],
    ['unknown', () => UNKNOWN_TOKEN],
  ] as const)('the refusal of a token that is %s says where the newest one is', async (word, tokenOf) => {
    const { fairway } = await open();
    await refreshWith(fairway, initialTokenOf(fairway));
    const { body } = await refreshWith(fairway, tokenOf(fairway));
    expect(body.message).toContain(word);
    expect(body.message).toContain('In this sandbox, `GET /__admin/channels` shows the newest token');
    expect(body.message).toContain('`POST /__admin/reset` restores the initial one');
  });

  rule(['tokens.single-use', 'tokens.latest-refresh'], 'of 20 racing refreshes one wins', async () => {
    const { fairway, links } = await open();
    const token = initialTokenOf(fairway);
    const replies = await Promise.all(
      Array.from({ length: 20 }, (_, n) => refreshWith(fairway, token, VERSIONS[n % 5])),
    );
    const winners = replies.filter(({ status }) => status === 200);
    expect(winners).toHaveLength(1);
    for (const reply of replies) if (reply !== winners[0]) expectRefused(reply, 'tokens.single-use');
    expect(await refreshWith(fairway, winners[0]!.body.data.refresh_token)).toMatchObject({ status: 200 });
    expect(await refreshWith(links, initialTokenOf(links))).toMatchObject({ status: 200 });
  });
});

rule('tokens.own-channel', 'a refresh leaves the tokens of the other channel alone', async () => {
  const { fairway, links } = await open();
  const { data } = (await refreshWith(fairway, initialTokenOf(fairway))).body;
  expect(await refreshWith(links, initialTokenOf(links))).toMatchObject({ status: 200 });
  expect(await knock(fairway, bearer(data.access_token))).toMatchObject({ status: 200 });
  expect(await refreshWith(fairway, data.refresh_token)).toMatchObject({ status: 200 });
});

describe('what is posted', () => {
  const token = '7eeb0ef5-0000-4000-8000-000000000001';
  const malformed: readonly [string, unknown][] = [
    ['no token', {}],
    ['an empty token', { refresh_token: '' }],
    ['null', { refresh_token: null }],
    ['a number', { refresh_token: 7 }],
    ['a list', { refresh_token: [token] }],
    ['another name', { refreshToken: token }],
    ['the bare token', token],
    ['a list of bodies', [{ refresh_token: token }]],
    ['null as body', 'null'],
  ];
  for (const [title, sent] of malformed) {
    rule(
      ['tokens.refresh.body', 'tokens.refresh.refused'],
      `${title} is refused, and the token is not spent`,
      async () => {
        const { fairway } = await open();
        const body = title === 'the bare token' ? JSON.stringify(sent) : sent;
        const reply = await bare(fairway, 'POST', '/api/v5/token/refreshToken', { body });
        expect(reply).toMatchObject({ status: 400, rule: 'tokens.refresh.body' });
        expect(reply.body).toEqual({ ...failure, message: expect.stringContaining('`refresh_token`') });
        expect(await refreshWith(fairway, token)).toMatchObject({ status: 200 });
      },
    );
  }

  const unknown: readonly [string, string][] = [
    ['a made-up token', UNKNOWN_TOKEN],
    ['no UUID', 'let me in'],
    ['another case', token.toUpperCase()],
    ['a space before it', ` ${token}`],
  ];
  for (const [title, sent] of unknown) {
    rule('tokens.refresh.body', `${title} is not known`, async () => {
      const { fairway } = await open();
      expectRefused(await refreshWith(fairway, sent), 'tokens.refresh.body');
    });
  }

  rule('tokens.refresh.body', 'an access token refreshes nothing', async () => {
    const { fairway } = await open();
    expectRefused(await refreshWith(fairway, await accessTokenOf(fairway)), 'tokens.refresh.body');
  });

  rule('tokens.refresh.body', 'further fields are left unread', async () => {
    const { fairway } = await open();
    const body = { refresh_token: token, grant_type: 'refresh_token' };
    expect(await bare(fairway, 'POST', '/api/v5/token/refreshToken', { body })).toMatchObject({ status: 200 });
  });

  rule(
    ['tokens.refresh.body', 'tokens.refresh'],
    'a form or a GET is refused, and the token is not spent',
    async () => {
      const { fairway } = await open();
      const headers = { 'content-type': 'application/x-www-form-urlencoded' };
      const form = await bare(fairway, 'POST', '/api/v5/token/refreshToken', {
        headers,
        body: `refresh_token=${token}`,
      });
      expect(form).toMatchObject({ status: 415, body: failure, rule: 'envelope.json-body' });
      const get = await bare(fairway, 'GET', `/api/v5/token/refreshToken?refresh_token=${token}`);
      expect(get).toMatchObject({ status: 405, body: failure, rule: 'versions.method' });
      expect(get.headers.get('allow')).toBe('POST');
      expect(await refreshWith(fairway, token)).toMatchObject({ status: 200 });
    },
  );
});

describe('the version in the path', () => {
  for (const version of VERSIONS) {
    rule(['tokens.version', 'tokens.refresh'], `${version} gives a token that is good in every version`, async () => {
      const { fairway } = await open();
      const { data } = (await refreshWith(fairway, initialTokenOf(fairway), version)).body;
      for (const path of ['v1/bookings', 'v2/bookings', 'v3/countries', 'v4/bookings']) {
        expect(await bare(fairway, 'GET', `/api/${path}`, { headers: bearer(data.access_token) })).toMatchObject({
          status: 200,
        });
      }
      const prices = '/api/v5/price/insideDateRange?facilityIds=1001&fromDate=10-06-2026&toDate=10-06-2026';
      expect(await bare(fairway, 'GET', prices, { headers: bearer(data.access_token) })).toMatchObject({ status: 200 });
    });
  }

  for (const version of ['v0', 'v6', 'v01', 'V1', '1', 'latest', '%7BVERSION_NO%7D']) {
    rule('tokens.version', `${version} is unknown, and the token is not spent`, async () => {
      const { fairway } = await open();
      const token = initialTokenOf(fairway);
      expect(await refreshWith(fairway, token, version)).toMatchObject({
        status: 404,
        body: failure,
        rule: 'tokens.version',
      });
      expect(await refreshWith(fairway, token)).toMatchObject({ status: 200 });
    });
  }
});
