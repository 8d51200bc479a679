import { beforeAll, describe, expect, test } from 'vitest';
import { basicCredentials } from '../../../src/engine/model/basic-credentials.js';
import { createSandbox, type Sandbox } from '../../../src/engine/library.js';

const COUNTRIES = 'http://sandbox.test/api/v3/countries';
const CREATE = 'http://sandbox.test/api/v5/bookings';
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

describe('a host that makes the answers', () => {
  const made = Response.json('made');
  const hints = (texts: { readonly readText?: () => Promise<string | undefined> } = {}) => {
    const told: unknown[] = [];
    const respond = (...answer: readonly unknown[]) => (told.push(answer), made);
    const headers = { authorization, 'content-type': 'application/json' };
    const header = (name: string) => (headers as Record<string, string>)[name];
    return { told, hints: { respond, header, headers, ...texts } };
  };

  test('gets status, headers and body, and its own object back', async () => {
    const { told, hints: given } = hints();
    expect(await sandbox.handle(new Request(COUNTRIES), given)).toBe(made);
    const { status, headers, text } = await answerTo(COUNTRIES);
    expect(told).toMatchObject([[status, headers, text]]);
  });

  test('makes none for HEAD', async () => {
    const { told, hints: given } = hints();
    const response = await sandbox.handle(new Request(COUNTRIES, { method: 'HEAD' }), given);
    expect([response.status, response === made, told]).toEqual([200, false, []]);
  });

  test('makes a `Response` of its object for a scenario that breaks the answer', async () => {
    const { hints: given } = hints();
    const header = (name: string) => (name === 'teebox-scenario' ? 'malformed-json' : given.header(name));
    const whole = async (answer: Response) => Response.json({ isOwn: answer === made });
    const response = await sandbox.handle(new Request(COUNTRIES), { ...given, header, whole });
    expect(await response.text()).toBe('{"isOwn":t');
  });

  test.each<[name: string, readText: () => Promise<string | undefined>, due: RegExp]>([
    ['has more than the limit', async () => undefined, /larger than/],
    ['does not arrive whole', () => Promise.reject(new Error('reset')), /must arrive whole/],
    ['is no JSON', async () => '{', /well-formed JSON/],
    ['is no booking', async () => '1', /booking object/],
  ])('and reads the body is told what is wrong with one that %s', async (_name, readText, due) => {
    const { told, hints: given } = hints({ readText });
    expect(await sandbox.handle(new Request(CREATE, { method: 'POST' }), given)).toBe(made);
    expect(told).toMatchObject([[expect.any(Number), {}, expect.stringMatching(due)]]);
  });
});
