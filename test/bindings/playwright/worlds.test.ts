import { expect, onTestFinished, test } from 'vitest';
import { createAdmin } from '../../../src/bindings/admin-client/library.js';
import { createWorlds } from '../../../src/engine/library.js';
import { serve } from '../../../src/cli/server.js';
import { sandboxWorlds, type TestRun, type TestWorld } from '../../../src/bindings/playwright.js';
import { NOW } from '../../support/client.js';

const run: TestRun = { testId: '3f0c9b-7d1e', retry: 0, repeatEachIndex: 0 };

async function open(teeboxToken?: string) {
  const options = { port: 0, ...(teeboxToken === undefined ? {} : { adminToken: teeboxToken }) };
  const server = await serve(await createWorlds({ now: NOW }), options);
  onTestFinished(() => server.close());
  const main = createAdmin(server.url, teeboxToken === undefined ? {} : { token: teeboxToken });
  const names = async () => (await main.worlds.list()).map(({ name }) => name);
  const use = (work: (world: TestWorld) => Promise<void>, changes: Partial<TestRun> = {}) =>
    sandboxWorlds.world({ teeboxUrl: server.url, teeboxToken }, work, { ...run, ...changes });
  return { url: server.url, names, use };
}

test.each([undefined, 'a-token-of-the-operator'])('a world for a test, and none after it; token %s', async (token) => {
  const { url, names, use } = await open(token);
  await use(async ({ baseUrl, admin }) => {
    expect(baseUrl).toBe(`${url}/w/pw-3f0c9b-7d1e-0-0`);
    expect(admin.baseUrl).toBe(baseUrl);
    expect(await names()).toEqual(['pw-3f0c9b-7d1e-0-0']);
  });
  expect(await names()).toEqual([]);
});

test.each([
  [0, 'shop > books'],
  [2, 'shop > books (retry 2)'],
])('a header names the test, in attempt %i', async (retry, wanted) => {
  let got: unknown;
  const use = async (headers: unknown): Promise<void> => void (got = headers);
  await sandboxWorlds.testHeaders({}, use, { titlePath: ['booking.spec.ts', 'shop', 'books'], retry });
  expect(got).toEqual({ 'teebox-test': wanted });
});

test('tests, retries and repetitions at once do not meet', async () => {
  const { names, use } = await open();
  const runs: Partial<TestRun>[] = [{}, { retry: 1 }, { repeatEachIndex: 1 }, { testId: 'other' }];
  let together = 0;
  await Promise.all(
    runs.map((changes) =>
      use(async ({ admin }) => {
        await admin.arm('slow');
        together = Math.max(together, (await names()).length);
        while (together < runs.length) together = Math.max(together, (await names()).length);
        expect(await admin.plans()).toHaveLength(1);
      }, changes),
    ),
  );
  expect([together, await names()]).toEqual([4, []]);
});

test('a world that a killed run has left begins anew', async () => {
  const { url, use } = await open();
  await createAdmin(url).worlds.of('pw-3f0c9b-7d1e-0-0').arm('slow');
  await use(async ({ admin }) => expect(await admin.plans()).toEqual([]));
});
