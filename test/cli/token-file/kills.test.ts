import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { openTokenFile } from '../../../src/cli/token-file.js';
import { figures, KILLS, moments } from '../../support/network/kills.js';
import { CLI, runCli, type Started, startCli } from '../../support/network/process.js';
import { ask, folders } from '../../support/network/state-server.js';

const newFolder = folders();
const pair = { accessToken: 'access', refreshToken: 'next', expiresIn: 60, at: 0 };

test('a process that is killed while it changes tokens leaves a file to go on with', async () => {
  const script = new URL('rotate-forever.ts', import.meta.url).pathname;
  for (const moment of moments(200)) {
    const file = join(newFolder(), 'tokens.json');
    const child = spawn(process.execPath, ['--import', 'tsx', script, file], { stdio: ['ignore', 'pipe', 'inherit'] });
    await once(child.stdout!, 'data');
    await sleep(moment);
    child.kill('SIGKILL');
    await once(child, 'close');
    const found = await openTokenFile(file, 'token-0').then((journal) => journal.read());
    // What was about to be spent is the newest token that anybody has seen.
    expect(found.pending ?? found.refreshToken).toBe(found.refreshToken);
    expect(found.refreshToken).toMatch(/^token-\d+$/);
    const journal = await openTokenFile(file, 'token-0');
    await journal.result(pair);
    expect(await (await openTokenFile(file)).read()).toMatchObject({ refreshToken: 'next' });
    expect(readdirSync(join(file, '..'))).toEqual(['tokens.json']);
  }
});

describe('a check that is killed', () => {
  interface Tokens {
    readonly refresh_token: string;
    readonly pending?: string;
  }
  const tokensIn = (file: string): Tokens | undefined =>
    existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined;
  const currentOf = async (server: Started): Promise<string> =>
    (await ask(server, '/__admin/channels')).channels[0].refreshToken;
  const check = (server: Started, file: string, ...more: string[]) => {
    const token = server.ready.channels[0]!['refreshToken']!;
    return ['check', server.baseUrl, '--token-file', file, '--refresh-token', token, ...more];
  };
  const last = ['--only', 'countries.list'];

  test('leaves the newest token that it has seen, and the next one goes on', async () => {
    // The tokens expire soon, so that a run changes them again and again.
    const server = await startCli(['--expires-in', '1s', '--log-level', 'silent']);
    let file = join(newFolder(), 'tokens.json');
    let [before, interrupted, changes] = ['', 0, 0];
    for (const moment of moments(1400)) {
      const child = spawn(process.execPath, [CLI, ...check(server, file)], { stdio: 'ignore' });
      // It may have come to its end before.
      const closed = once(child, 'close');
      await sleep(moment);
      child.kill('SIGKILL');
      await closed;
      const current = await currentOf(server);
      const found = tokensIn(file);
      if (current !== before) changes += 1;
      const { code, stdout, stderr } = await runCli(check(server, file, ...last));
      if (found === undefined || (found.pending ?? found.refresh_token) === current) {
        // It has exchanged the token. A token that lives this shortly may fail a rule, which is another matter.
        const next = await currentOf(server);
        expect({ code, stdout, stderr, tokens: tokensIn(file) }).toMatchObject({ tokens: { refresh_token: next } });
        expect([0, 1, 4]).toContain(code);
        expect(next).not.toBe(current);
        before = next;
      } else {
        // The deployment changed the token, and the kill came before its answer was in the file: nobody has the new one.
        interrupted += 1;
        expect({ code, pending: found.pending }).toEqual({ code: 3, pending: found.refresh_token });
        expect(stdout + stderr).toContain('An earlier run ended while it exchanged this token');
        await ask(server, '/__admin/reset', {});
        file = join(newFolder(), 'tokens.json');
      }
    }
    await server.stop();
    figures(() => `${KILLS} kills of check: ${changes} with new tokens, ${interrupted} between a token and its answer`);
  });

  test('is told when the token was spent, and the answer lost', async () => {
    const server = await startCli(['--log-level', 'silent']);
    const file = join(newFolder(), 'tokens.json');
    const given = server.ready.channels[0]!['refreshToken']!;
    await (await openTokenFile(file, given)).intent(given);
    await ask(server, '/api/v5/token/refreshToken', { refresh_token: given });
    const { code, stdout, stderr } = await runCli(check(server, file, ...last));
    expect({ code, text: stdout + stderr }).toEqual({
      code: 3,
      text: expect.stringMatching(
        /An earlier run ended while it exchanged this token, so the deployment has probably spent it\. Ask for a new token, and pass it with --refresh-token\./,
      ),
    });
    await server.stop();
  });
});
