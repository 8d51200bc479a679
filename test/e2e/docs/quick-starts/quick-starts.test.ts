import { exec } from 'node:child_process';
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, test } from 'vitest';
import { type QuickStart, quickStartFolder, quickStarts } from '../../../../spec/generate/quick-starts.js';
import { runCli, startCli } from '../../../support/network/process.js';
import { problemsOfDay } from './the-day.js';

const root = new URL('../../../../', import.meta.url).pathname;
const cwd = join(root, quickStartFolder);

/** These take the programs through a refresh in the middle, a lost answer and names with other letters. */
const exams = ['token-expired-at-booking', 'booking-answer-lost', 'non-ascii'];

const environment = (extra: Readonly<Record<string, string>>) => ({ cwd, env: { ...process.env, ...extra } });
const shell = promisify(exec);

// Most of the programs are compiled for each run, and all run at the same time.
const timeout = 300_000;

describe.concurrent.each(quickStarts)('$title', ({ title, run, tool, instead }: QuickStart) => {
  const folder = mkdtempSync(join(tmpdir(), 'teebox-quick-start-'));
  const command = instead?.run ?? run;

  beforeAll(async () => {
    const version = await shell(`(${tool.version}) 2>&1`).then(
      ({ stdout }) => stdout,
      (error) => String(error),
    );
    if (!tool.says.test(version))
      throw new Error(
        `${title} needs ${tool.name}: please install ${tool.packages}. \`${tool.version}\` said: ${version}`,
      );
    if (instead) await shell(instead.build, environment({}));
  });

  test(
    'the day goes well after the README, a second time, after a reset and after another client',
    { timeout },
    async () => {
      const server = await startCli();
      const day = async (): Promise<void> => {
        const variables = { TEEBOX_BASE_URL: server.baseUrl, TEEBOX_TOKEN_FILE: join(folder, 'token') };
        const { stdout } = await shell(command, environment(variables));
        expect(problemsOfDay(stdout)).toEqual([]);
      };
      /** Somebody else uses the newest refresh token, as the README does with the initial one. */
      const another = async (): Promise<void> => {
        const { channels } = (await (await fetch(`${server.baseUrl}/__admin/channels`)).json()) as any;
        const body = JSON.stringify({ refresh_token: channels[0].refreshToken });
        const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body };
        expect((await fetch(`${server.baseUrl}/api/v5/token/refreshToken`, init)).status).toBe(200);
      };
      try {
        await another();
        await day();
        await day();
        await fetch(`${server.baseUrl}/__admin/reset`, { method: 'POST' });
        await day();
        await another();
        await day();
      } finally {
        await server.stop();
      }
    },
  );

  test('its calls meet the obligations of a client', { timeout }, async () => {
    const each = `cd '${cwd}' && export TEEBOX_TOKEN_FILE='${folder}'/$TEEBOX_EXAM && ${command}`;
    const flags = [...exams.flatMap((exam) => ['--exams', exam]), '--min-seen', '45'];
    const { code, stdout, stderr } = await runCli(['certify', ...flags, '--', 'sh', '-c', each]);
    expect(code, stdout + stderr).toBe(0);
  });
});

test('the page shows the lines of the day', () => {
  const page = readFileSync(join(root, 'docs/quick-starts/index.md'), 'utf8');
  const [, shown] = /```\n(access token[^]*?)```/.exec(page)!;
  expect(problemsOfDay(shown!)).toEqual([]);
});
