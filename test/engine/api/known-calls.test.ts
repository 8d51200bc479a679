import { beforeAll, describe, expect, test } from 'vitest';
import { basicCredentials } from '../../../src/engine/model/world.js';
import { createSandbox, type Sandbox } from '../../../src/engine/library.js';

const COUNTRIES = 'http://sandbox.test/api/v3/countries';
let sandbox: Sandbox;
let authorization: string;

beforeAll(async () => {
  sandbox = await createSandbox();
  authorization = basicCredentials(sandbox.channels[0]!);
});

/** The answer without the id of its request. */
async function answerTo(url: string, init: RequestInit = {}) {
  const response = await sandbox.fetch(url, { ...init, headers: { authorization, ...init.headers } });
  const { 'teebox-request-id': _, ...headers } = Object.fromEntries(response.headers);
  return { status: response.status, headers, text: await response.text() };
}

describe('a URL that was asked before', () => {
  test.each<[name: string, url: string, init: RequestInit]>([
    ['a list', COUNTRIES, {}],
    ['a list without credentials', COUNTRIES, { headers: { authorization: '' } }],
    ['a parameter that does not fit', `${COUNTRIES}?connected=maybe`, {}],
    ['no operation', 'http://sandbox.test/api/v3/nothing', {}],
    ['another method', COUNTRIES, { method: 'DELETE' }],
    ['the head of it', COUNTRIES, { method: 'HEAD' }],
  ])('has the same answer: %s', async (_name, url, init) => {
    const first = await answerTo(url, init);
    await answerTo(COUNTRIES);
    expect(await answerTo(url, init)).toEqual(first);
  });

  test('is warned of again', async () => {
    for (const _ of [1, 2]) {
      await answerTo(`${COUNTRIES}?conected=true`);
      expect(sandbox.journal.entries.at(-1)!.warnings).toMatchObject([expect.stringContaining('`connected`')]);
    }
  });

  test('is refused when its channel is revoked', async () => {
    const own = await createSandbox();
    const ask = async (scenario?: string) =>
      (
        await own.fetch(COUNTRIES, {
          headers: { authorization, ...(scenario === undefined ? {} : { 'teebox-scenario': scenario }) },
        })
      ).status;
    expect([await ask(), await ask('credentials-revoked'), await ask()]).toEqual([200, 401, 401]);
  });
});
