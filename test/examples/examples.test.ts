import { execFile } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Started, startCli } from '../support/network/process.js';

const script = new URL('partner.ts', import.meta.url).pathname;

const folder = mkdtempSync(join(tmpdir(), 'teebox-partner-'));

/** Runs the example as its reader would, against the started process. */
async function partner(server: Started, channel: number, tokenFile = join(folder, String(channel))): Promise<string[]> {
  const { refreshToken } = server.ready.channels[channel]!;
  const sandbox = { TEEBOX_BASE_URL: server.baseUrl, TEEBOX_REFRESH_TOKEN: refreshToken! };
  const env = { ...process.env, ...sandbox, TEEBOX_TOKEN_FILE: tokenFile };
  const { stdout } = await promisify(execFile)(process.execPath, ['--import', 'tsx', script], { env });
  return stdout.trim().split('\n');
}

let server: Started;
beforeAll(async () => {
  server = await startCli();
});
afterAll(() => server.stop());

test("a partner's first day, from the initial refresh token to the paid booking and the callback", async () => {
  const lines = await partner(server, 0);
  const want = [
    /^access token for 3600 s$/,
    /^\d+ countries, \d+ connected facilities in Spain$/,
    /: \d+(\.\d+)? [A-Z]{3}$/,
    /^\d{4}-\d\d-\d\dT\d\d:\d\d:00 on .+: [2-4] slots free$/,
    /^booked TBX-\d+-\d+-[0-9A-Z]{6}: BOOKED$/,
    /^payment confirmed$/,
    /^callback with [1-5] facilities$/,
  ];
  expect(lines).toHaveLength(want.length);
  for (const [index, pattern] of want.entries()) expect(lines[index]).toMatch(pattern);
});

test('the day works for another channel', async () => {
  expect((await partner(server, 1)).at(-1)).toMatch(/^callback with/);
});

test('it can be run again, also after a reset', async () => {
  expect((await partner(server, 0)).at(-1)).toMatch(/^callback with/);
  expect((await fetch(`${server.baseUrl}/__admin/reset`, { method: 'POST' })).status).toBe(200);
  expect((await partner(server, 0)).at(-1)).toMatch(/^callback with/);
});

test('a run that has lost its token says what happened', async () => {
  await expect(partner(server, 0, join(folder, 'lost'))).rejects.toThrow('The refresh token was already used');
});
