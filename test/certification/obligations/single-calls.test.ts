import { expect, test } from 'vitest';
import { Client } from '../../support/client.js';
import { type Session, type Story, verdictsOf } from '../../support/obligations/session.js';

const HOUR = 3_600_000;
const path = '/api/v5/token/refreshToken';

/** A client with tokens, in a session. */
class Bearer {
  tokens = { access_token: '', refresh_token: '' };

  constructor(readonly session: Session) {
    this.tokens.refresh_token = this.client.sandbox.channels[0]!.refreshToken;
  }

  get client(): Client {
    return this.session.client;
  }

  /** The headers of a call, with the access token in place of the Basic credentials of the tests. */
  get headers() {
    return { authorization: `Bearer ${this.tokens.access_token}` };
  }

  async refresh(token = this.tokens.refresh_token, scenario?: string): Promise<number> {
    const headers = { authorization: '', ...(scenario === undefined ? {} : { 'teebox-scenario': scenario }) };
    const reply = await this.client.post(path, { refresh_token: token }, { headers }).catch(() => undefined);
    if (reply?.status === 200) this.tokens = reply.body.data;
    return reply?.status ?? 0;
  }

  async countries(scenario?: string): Promise<number> {
    const headers = { ...this.headers, ...(scenario === undefined ? {} : { 'teebox-scenario': scenario }) };
    return (await this.client.get('/api/v3/countries', { headers })).status;
  }
}

const bearer = (tell: (client: Bearer) => Promise<unknown>) => (session: Session) => tell(new Bearer(session));
const prices = (client: Client, query: string) =>
  client.get(`/api/v5/price/insideDateRange?fromDate=10-06-2026&toDate=12-06-2026${query}`);

const stories: readonly Story[] = [
  {
    what: 'refreshes when its token has expired',
    tell: bearer(async (one) => {
      await one.refresh();
      expect([await one.countries(), await one.countries()]).toEqual([200, 200]);
      one.client.sandbox.clock.advance(25 * HOUR);
      expect(await one.countries()).toBe(401);
      await one.refresh();
      expect(await one.countries()).toBe(200);
    }),
    want: {
      'tokens.newest': 'pass',
      'tokens.no-reuse': 'pass',
      'tokens.on-expiry': 'pass',
      'tokens.not-each-call': 'pass',
    },
  },
  {
    what: 'refreshes again after a lost answer, in vain',
    tell: bearer(async (one) => {
      const { refresh_token } = one.tokens;
      expect(await one.refresh(refresh_token, 'timeout; phase=after-commit; delay=1ms')).not.toBe(200);
      one.client.sandbox.clock.advance(1000);
      await one.refresh(refresh_token);
    }),
    want: { 'tokens.no-reuse': 'not-seen' },
  },
  {
    what: 'keeps its first refresh token',
    tell: bearer(async (one) => {
      const first = one.tokens.refresh_token;
      await one.refresh();
      await one.countries();
      one.client.sandbox.clock.advance(25 * HOUR);
      expect(await one.refresh(first)).toBe(401);
    }),
    want: { 'tokens.newest': 'fail', 'tokens.no-reuse': 'fail' },
    message: 'had used before',
  },
  {
    what: 'gives up when its token expires early',
    tell: bearer(async (one) => {
      one.session.facts = { exam: 'token-expired', clientOk: false };
      await one.refresh();
      await one.countries();
      expect(await one.countries('token-expired')).toBe(401);
    }),
    want: { 'tokens.on-expiry': 'fail' },
  },
  {
    what: 'refreshes in two tasks at the same time',
    tell: bearer(async (one) => {
      const { refresh_token } = one.tokens;
      await Promise.all([one.refresh(refresh_token), one.refresh(refresh_token)]);
    }),
    want: { 'tokens.one-at-a-time': 'fail', 'tokens.no-reuse': 'not-seen' },
  },
  {
    what: 'pages until an empty page',
    async tell({ client }) {
      const all = (await prices(client, '&facilityIds=1001')).body.data.total as number;
      const size = Math.ceil(all / 3);
      for (let offset = 0; offset <= all; offset += size)
        await prices(client, `&facilityIds=1001&limit=${size}&offset=${offset}`);
    },
    want: { 'paging.to-the-end': 'pass', 'paging.stops': 'pass', 'requests.facility-ids-at-most-five': 'pass' },
  },
  {
    what: 'reads one page where a deployment has small ones',
    options: { dialect: { answers: { 'prices.default-limit': 2 } } },
    async tell({ client }) {
      expect((await prices(client, '&facilityIds=1001')).body.data.records).toHaveLength(2);
    },
    want: { 'paging.to-the-end': 'fail' },
    message: 'read 2 of',
  },
  {
    what: 'asks for prices of six facilities, dates as yyyy-mm-dd, a path of its own',
    async tell({ client }) {
      await prices(client, '&facilityIds=1,2,3,4,5,6');
      await client.get('/api/v4/bookings?fromDate=2026-06-10');
      await client.get('/api/v4/golfers');
    },
    want: {
      'requests.facility-ids-at-most-five': 'fail',
      'requests.dates': 'fail',
      'requests.documented-paths': 'fail',
    },
  },
  {
    what: 'has two accounts',
    async tell(session) {
      await session.look();
      const { sandbox } = session.client;
      await new Client(sandbox, 'links').send('GET', '/api/v4/bookings');
    },
    want: { 'channel.one': 'fail' },
  },
  {
    what: 'is told to wait, and does not',
    async tell({ client }) {
      const { clock } = client.sandbox;
      for (let turn = 0; turn < 6; turn += 1) {
        clock.advance(1000);
        await client.get('/api/v3/countries');
      }
      const headers = { 'teebox-scenario': 'rate-limited' };
      for (let turn = 0; turn < 5; turn += 1) await client.get('/api/v3/facilities?country=Spain', { headers });
    },
    want: { 'limits.retry-after': 'fail', 'limits.backs-off': 'fail' },
    message: '`Retry-After: 60`',
  },
];

test.each(stories)('a client that $what', async (story) => {
  const { got, messages } = await verdictsOf(story);
  expect(got).toEqual(story.want);
  expect(messages).toContain(story.message ?? '');
});
