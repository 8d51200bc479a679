import { execFile } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { problemsOfDay } from '../e2e/docs/quick-starts/the-day.js';
import { type Started, startCli } from '../support/network/process.js';

const script = new URL('quick-starts/partner.ts', import.meta.url).pathname;

const folder = mkdtempSync(join(tmpdir(), 'teebox-partner-'));

/** Runs the example as its reader would, against the started process. */
async function partner(server: Started, channel: number, tokenFile = join(folder, String(channel))): Promise<string> {
  const { refreshToken } = server.ready.channels[channel]!;
  const sandbox = { TEEBOX_BASE_URL: server.baseUrl, TEEBOX_REFRESH_TOKEN: refreshToken! };
  const env = { ...process.env, ...sandbox, TEEBOX_TOKEN_FILE: tokenFile };
  const { stdout } = await promisify(execFile)(process.execPath, ['--import', 'tsx', script], { env });
  return stdout;
}

let server: Started;
beforeAll(async () => {
  server = await startCli();
});
afterAll(() => server.stop());

test("a partner's day, from the initial refresh token to the paid booking, the failure and the callback", async () => {
  expect(problemsOfDay(await partner(server, 0))).toEqual([]);
});

test('the day works for another channel', { tags: ['slow'] }, async () => {
  expect(problemsOfDay(await partner(server, 1))).toEqual([]);
});

test('it can be run again, also after a reset', { tags: ['slow'] }, async () => {
  expect(problemsOfDay(await partner(server, 0))).toEqual([]);
  expect((await fetch(`${server.baseUrl}/__admin/reset`, { method: 'POST' })).status).toBe(200);
  expect(problemsOfDay(await partner(server, 0))).toEqual([]);
});

test('a run that has lost its token says what happened', async () => {
  await expect(partner(server, 0, join(folder, 'lost'))).rejects.toThrow('The refresh token was already used');
});
