import fc from 'fast-check';
import { describe, expect } from 'vitest';
import { basicCredentials } from '../../../src/engine/model/world.js';
import { adminOf } from '../../support/admin.js';
import { type Client, open, ORIGIN } from '../../support/client.js';
import { bare, basic, bearer } from '../../support/credentials.js';
import { bodyOf, everyOperation, pathOf } from '../../support/operations.js';
import { sampled } from '../../support/sampled.js';
import { EventReader } from '../../support/network/sse.js';

const SEED = 20260603;
const HEADER = 'X-Caller';

/** A way to send a secret, or any text in its place. */
const places = ['basic', 'bearer', 'own header', 'query', 'callback', 'cookie', 'body', 'malformed body'] as const;

/** A request of any operation, which carries a secret in one place. */
const anySent = fc.record({
  operation: fc.constantFrom(...everyOperation),
  channel: fc.constantFrom('fairway', 'links', 'caddie'),
  place: fc.constantFrom(...places),
  secret: fc.nat({ max: 3 }),
});

type Sent = typeof anySent extends fc.Arbitrary<infer T> ? T : never;

function partsOf(place: Sent['place'], secret: string, { sandbox, channel }: Client) {
  const { username, password } = sandbox.channels.find(({ name }) => name === channel)!;
  const authorization = basic(username, password);
  const callback = `callbackUrl=${encodeURIComponent(`http://me:${secret}@127.0.0.1:9/?token=${secret}`)}`;
  const parts: Record<Sent['place'], { headers?: Record<string, string>; query?: string; body?: unknown }> = {
    basic: { headers: basic(username, secret) },
    bearer: { headers: bearer(secret) },
    'own header': { headers: { [sandbox.dialect.answers!['auth.bearer-header']!]: secret } },
    query: { query: `access_token=${secret}` },
    callback: { query: callback },
    cookie: { headers: { ...authorization, cookie: `session=${secret}`, 'x-api-key': secret } },
    body: { headers: authorization, body: { refresh_token: secret, details: [{ password: secret }] } },
    'malformed body': { headers: authorization, body: `{"refresh_token":"${secret}` },
  };
  return parts[place];
}

async function send(client: Client, { operation, place }: Sent, secret: string): Promise<void> {
  const { headers = {}, query, body } = partsOf(place, secret, client);
  const path = pathOf(operation);
  const asked = query === undefined ? path : `${path}${path.includes('?') ? '&' : '?'}${query}`;
  const sent = operation.bodies ? { ...bodyOf(operation), ...(body === undefined ? {} : { body }) } : {};
  await bare(client, operation.method, asked, { headers, ...sent });
}

describe.each(['Authorization', HEADER])('with bearer tokens in %s', (header) => {
  sampled('no secret of a channel is in a list, an entry, a HAR file or an event', [50, 200], async (numRuns) => {
    const clients = await open({ dialect: { answers: { 'auth.bearer-header': header } } });
    const { sandbox } = clients;
    const admin = adminOf(sandbox);
    const reader = new EventReader(await sandbox.fetch(new Request(`${ORIGIN}/__admin/events`)));
    await reader.next();
    const minted: string[] = [];
    for (const { refreshToken } of sandbox.channels) {
      const { body } = await clients.fairway.post('/api/v5/token/refreshToken', { refresh_token: refreshToken });
      minted.push(body.data.access_token, body.data.refresh_token);
    }
    await reader.take(2 * sandbox.channels.length);
    const hidden = [
      ...sandbox.channels.flatMap((one) => [one.password, one.refreshToken, basicCredentials(one).slice(6)]),
      ...minted,
    ];
    const property = fc.asyncProperty(anySent, async (one) => {
      const client = clients[one.channel as 'fairway'];
      const { password, refreshToken } = sandbox.channels.find(({ name }) => name === one.channel)!;
      const at = sandbox.channels.findIndex(({ name }) => name === one.channel);
      await send(client, one, [password, refreshToken, minted[2 * at]!, minted[2 * at + 1]!][one.secret]!);
      const { requestId } = sandbox.journal.entries.at(-1)!;
      const since = `since=req-${Number(requestId.slice(4)) - 1}`;
      const texts = [
        (await admin('GET', `requests?${since}`)).text,
        (await admin('GET', `requests?${since}&format=har`)).text,
        (await admin('GET', `requests/${requestId}`)).text,
        (await admin('GET', `requests/${requestId}/explain`)).text,
        JSON.stringify(await reader.take(2)),
      ];
      for (const text of texts) {
        expect(text).toContain(requestId);
        if (hidden.some((secret) => text.includes(secret))) expect.fail(`A secret is in ${text}`);
      }
    });
    await fc.assert(property, { seed: SEED, numRuns, endOnFailure: true });
  });
});
