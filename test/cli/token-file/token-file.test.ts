import { mkdtemp, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openTokenFile } from '../../../src/cli/token-file.js';

async function folder(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'tokens-'));
  onTestFinished(() => rm(path, { recursive: true, force: true }));
  return path;
}

const pair = { accessToken: 'access', refreshToken: 'next', expiresIn: 60, at: Date.parse('2026-06-01T08:00:00Z') };

describe('a token file', () => {
  test('keeps the newest pair for the next run, readable by its owner alone', async () => {
    const file = join(await folder(), 'tokens.json');
    const journal = await openTokenFile(file, 'first');
    await journal.intent('first');
    expect(await (await openTokenFile(file)).read()).toMatchObject({ refreshToken: 'first', pending: 'first' });
    await journal.result(pair);
    const want = { refreshToken: 'next', accessToken: 'access', expiresAt: pair.at + 60_000 };
    expect(await (await openTokenFile(file)).read()).toEqual(want);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
  });

  test('wins over the token that its line began with, but not over another', async () => {
    const file = join(await folder(), 'tokens.json');
    await (await openTokenFile(file, 'first')).result(pair);
    expect(await (await openTokenFile(file, 'first')).read()).toMatchObject({ refreshToken: 'next' });
    expect(await (await openTokenFile(file, 'handed-out-anew')).read()).toEqual({ refreshToken: 'handed-out-anew' });
  });

  test('may be a link', async () => {
    const path = await folder();
    await writeFile(join(path, 'real.json'), '{"refresh_token":"first"}');
    await symlink(join(path, 'real.json'), join(path, 'link.json'));
    await (await openTokenFile(join(path, 'link.json'))).result(pair);
    expect(JSON.parse(await readFile(join(path, 'real.json'), 'utf8'))).toMatchObject({ refresh_token: 'next' });
  });

  test.each([
    ['none', undefined, /it holds no token. Set the first one/],
    ['something else', 'my-secret-token', /it is not a token file/],
    ['a list', '[["my-secret-token"]]', /it is not a token file/],
  ])('%s is told, without what it holds', async (_, text, message) => {
    const file = join(await folder(), 'tokens.json');
    if (text !== undefined) await writeFile(file, text);
    const error = await openTokenFile(file).catch((reason: Error) => reason);
    expect(String(error)).toMatch(message);
    expect(String(error)).not.toContain('my-secret-token');
  });

  test('is read up to its limit: a device has no end', async () => {
    await expect(openTokenFile('/dev/zero')).rejects.toThrow('/dev/zero: it is larger than 64 KiB.');
  });
});
