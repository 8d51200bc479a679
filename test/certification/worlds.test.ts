import { expect, test } from 'vitest';
import { createAdmin } from '../../src/bindings/admin-client/library.js';
import { certify, type CertifyOptions, type ExamEnvironment } from '../../src/certification/library.js';
import { basicCredentials } from '../../src/engine/model/world.js';

/** Takes one exam, without the happy day. */
async function inExam(exam: string, client: (environment: ExamEnvironment) => Promise<void>, ids: string[] = []) {
  let failed: unknown;
  const attempt: CertifyOptions['attempt'] = async (environment) => {
    await client(environment).catch((error: unknown) => (failed = error));
    return { ok: true };
  };
  const onEvent: CertifyOptions['onEvent'] = (event) => event.type === 'call' && ids.push(event.exchange!.id);
  const options = { host: { now: () => 0 }, exams: [exam], skip: ['happy-day'] };
  const certification = await certify({ ...options, attempt, onEvent });
  expect(failed).toBeUndefined();
  return certification;
}

/** The statuses of requests to a base URL. In `maintenance`, the second and third call are answered with 503. */
async function statuses(environment: ExamEnvironment, base: string, count = 4): Promise<number[]> {
  const headers = { authorization: basicCredentials(environment) };
  const seen: number[] = [];
  for (let nth = 0; nth < count; nth += 1) {
    seen.push((await environment.fetch(`${base}/api/v3/countries`, { headers })).status);
  }
  return seen;
}

const anew = [200, 503, 503, 200];

test('worlds of tests take the exam from its start, each by itself, and so does that of the exam', async () => {
  const ids: string[] = [];
  const { exams } = await inExam(
    'maintenance',
    async (environment) => {
      const bases = ['/w/maintenance', '/w/one', '/w/two'].map((path) => new URL(path, environment.baseUrl).href);
      for (const base of bases) expect(await statuses(environment, base)).toEqual(anew);
    },
    ids,
  );
  expect(exams[0]!.calls).toBe(12);
  const places = ['', 'one/', 'two/'];
  expect(ids).toEqual(places.flatMap((place) => [1, 2, 3, 4].map((nth) => `maintenance/${place}req-${nth}`)));
});

test('a world that is reset or deleted takes the exam from its start', async () => {
  const ids: string[] = [];
  await inExam(
    'maintenance',
    async (environment) => {
      const { baseUrl, fetch } = environment;
      const admin = createAdmin(baseUrl, { fetch: async (...sent) => fetch(...sent) });
      const world = admin.worlds.of('one');
      for (const end of [() => world.reset(), () => admin.worlds.delete('one')]) {
        expect(await statuses(environment, world.baseUrl)).toEqual(anew);
        expect(await admin.worlds.list()).toMatchObject([{ name: 'one' }]);
        await end();
        expect(await admin.worlds.list()).toEqual([]);
      }
      expect(await statuses(environment, world.baseUrl, 2)).toEqual(anew.slice(0, 2));
      expect(await statuses(environment, baseUrl, 2)).toEqual(anew.slice(0, 2));
      await admin.reset();
      expect(await statuses(environment, baseUrl, 1)).toEqual(anew.slice(0, 1));
    },
    ids,
  );
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids).toContain('maintenance/one@2/req-2');
  expect(ids.at(-1)).toBe('maintenance@1/req-1');
});

test('an address of no world and of no other exam is not answered by the exam', async () => {
  const { exams } = await inExam('maintenance', async (environment) => {
    const { origin } = new URL(environment.baseUrl);
    for (const path of ['', '/w/happy-day', '/w/maintenance/w/two', '/w/-']) {
      expect(await statuses(environment, origin + path, 1)).toEqual([404]);
    }
  });
  expect(exams[0]!.calls).toBe(0);
});

test('tokens of several worlds are no reuse, and those of one world are, as its capsule shows', async () => {
  const refreshing = async (worlds: readonly string[]) => {
    const { obligations, capsules } = await inExam('cart-problem', async ({ fetch, baseUrl, refreshToken }) => {
      const headers = { 'content-type': 'application/json' };
      for (const world of worlds) {
        const url = new URL(`/w/${world}/api/v3/token/refreshToken`, baseUrl).href;
        await fetch(url, { method: 'POST', headers, body: JSON.stringify({ refresh_token: refreshToken }) });
      }
      const { worlds: opened } = createAdmin(baseUrl, { fetch: async (...sent) => fetch(...sent) });
      for (const { name } of await opened.list()) await opened.delete(name);
    });
    const { verdict } = obligations.find(({ id }) => id === 'tokens.no-reuse')!;
    return { verdict, steps: capsules['cart-problem']?.steps.filter(({ kind }) => kind === 'request').length };
  };
  expect(await refreshing(['one', 'two'])).toEqual({ verdict: 'not-seen', steps: undefined });
  expect(await refreshing(['two', 'one', 'one'])).toEqual({ verdict: 'fail', steps: 2 });
});
