import { describe, expect, test } from 'vitest';
import { createWorlds } from '../../src/engine/library.js';
import { NOW, open, ORIGIN } from '../support/client.js';
import { basic } from '../support/credentials.js';

const path = '/api/v3/countries';
const headers = basic('fairway', 'not-a-secret-fairway');
const init = { headers };

describe('what fetch takes', () => {
  const rows: readonly (readonly [given: string, input: string | URL | Request, init: RequestInit | undefined])[] = [
    ['a URL as a text', ORIGIN + path, init],
    ['a URL', new URL(ORIGIN + path), init],
    ['a request', new Request(ORIGIN + path, init), undefined],
    ['a request whose headers are set beside it', new Request(ORIGIN + path), init],
  ];
  test.each(rows)('%s', async (_, input, more) => {
    const { sandbox } = await open();
    const worlds = await createWorlds({ now: NOW });
    const wanted: typeof fetch = sandbox.fetch;
    for (const send of [wanted, worlds.fetch]) {
      const response = await send(input, more);
      expect(response.status).toBe(200);
      expect((await response.json()).data).toContain('the Netherlands');
    }
  });

  test('a method and a body', async () => {
    const { sandbox } = await open();
    const { fetch } = sandbox;
    const response = await fetch(`${ORIGIN}/api/v5/token/refreshToken`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ refresh_token: sandbox.channels[0]!.refreshToken }),
    });
    expect(await response.json()).toMatchObject({ success: true, data: { expires_in: 3600 } });
  });

  test.each(['/api/v3/countries', 'nowhere', ''])('a URL that is not absolute is a TypeError: %s', async (input) => {
    const { sandbox } = await open();
    await expect(sandbox.fetch(input)).rejects.toThrow(TypeError);
  });
});

describe('what fetch does without an answer', () => {
  test('a lost connection rejects with a TypeError', async () => {
    const { sandbox } = await open();
    const scenario = { 'teebox-scenario': 'connection-reset' };
    const answer = sandbox.fetch(ORIGIN + path, { headers: { ...headers, ...scenario } });
    await expect(answer).rejects.toThrow(
      new TypeError('Failed to fetch: a scenario ended the connection without a response.'),
    );
  });

  test('a request that was aborted before is not sent', async () => {
    const { sandbox } = await open();
    const answer = sandbox.fetch(ORIGIN + path, { ...init, signal: AbortSignal.abort() });
    await expect(answer).rejects.toMatchObject({ name: 'AbortError' });
    expect(sandbox.journal.entries).toEqual([]);
  });

  test('a request that is aborted while its answer is slow rejects at once, with the reason', async () => {
    const { sandbox } = await open();
    const gone = new AbortController();
    const slow = { ...headers, 'teebox-scenario': 'slow; delay=60000ms' };
    const answer = sandbox.fetch(ORIGIN + path, { headers: slow, signal: gone.signal });
    gone.abort(new Error('too slow for us'));
    await expect(answer).rejects.toThrow('too slow for us');
  });
});
