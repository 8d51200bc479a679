import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { commands } from '../../src/cli/commands/table.js';
import { runCommand } from '../../src/cli/commands/command.js';
import { checkOptionsOf, tellLogin, tellUnused } from '../../src/cli/commands/check.js';
import { checkFlags } from '../../src/cli/commands/check-flags.js';
import { readArguments } from '../../src/cli/args.js';
import { processTerminal } from '../../src/cli/terminal.js';

const URL = 'http://127.0.0.1:1';
let folder: string;
let config: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sources-'));
  config = join(folder, 'teebox.config.yaml');
  await writeFile(
    config,
    `targets:
  files: { url: '${URL}', basic: 'a:b', known: /no/known.json }
  keys: { url: '${URL}', basic: 'a:b', key: /no/key }
  token: { url: '${URL}', refresh-token: '\${MINE}' }
  gateway: { url: '${URL}', basic: 'a:b', gateway-basic: 'c:d' }
  address: { url: 'http://u:p@127.0.0.1:1' }
serve: { dialect: /no/card.json }
proxy: { known: /no/known.json }
`,
  );
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** The error of a command line. */
async function fault(words: string, env: Record<string, string>): Promise<string> {
  const [name, ...args] = words.split(' ').map((word) => (word === 'CONFIG' ? config : word));
  const host = { terminal: { ...processTerminal(process), err() {} }, env, commands };
  const ran = runCommand(await commands[name as keyof typeof commands].load(), args, host);
  return ran.then(
    (code) => `exit code ${code}`,
    (error: Error) => error.message,
  );
}

describe('an error names where the value comes from', () => {
  const token = { TEEBOX_REFRESH_TOKEN: 'a-secret' };
  test.each<[words: string, env: Record<string, string>, message: RegExp]>([
    [`check ${URL}`, token, /single use.* `refresh-token` comes from the environment variable TEEBOX_REFRESH_TOKEN\.$/],
    [`explore ${URL}`, token, /single use.* comes from the environment variable TEEBOX_REFRESH_TOKEN\.$/],
    [
      `check ${URL} --basic a:b`,
      { TEEBOX_SECOND_REFRESH_TOKEN: 'a-secret' },
      /single use.* `second-refresh-token` comes from the environment variable TEEBOX_SECOND_REFRESH_TOKEN\.$/,
    ],
    [
      `check ${URL}`,
      { TEEBOX_TOKEN_FILE: '/no/file' },
      /`token-file` comes from the environment variable TEEBOX_TOKEN_FILE/,
    ],
    [`check ${URL} --basic a:b`, { TEEBOX_KEY: '/no/key' }, /--key needs .* variable TEEBOX_KEY\.$/],
    [`check ${URL} --basic a:b`, { TEEBOX_CA: '/no/ca' }, /Failed to read --ca .* variable TEEBOX_CA\.$/],
    [
      'check',
      { TEEBOX_BASE_URL: 'ftp://x' },
      /got `ftp:\/\/x`.* comes from the environment variable TEEBOX_BASE_URL\.$/,
    ],
    ['explore', { TEEBOX_BASE_URL: 'http://x/?q' }, /comes from the environment variable TEEBOX_BASE_URL\.$/],
    ['proxy', { TEEBOX_BASE_URL: 'x:80' }, /Did you mean .* comes from the environment variable TEEBOX_BASE_URL\.$/],
    [
      'serve',
      { TEEBOX_SCENARIO: 'slwo' },
      /no scenario.* `scenario` comes from the environment variable TEEBOX_SCENARIO\.$/,
    ],
    ['serve', { TEEBOX_DIALECT: '/no/card' }, /`dialect` comes from the environment variable TEEBOX_DIALECT\.$/],
    ['serve', { TEEBOX_STATE: '/no/state' }, /`state` comes from the environment variable TEEBOX_STATE\.$/],
    ['serve --config CONFIG', {}, /`dialect` comes from \S+teebox\.config\.yaml\.$/],
    [`proxy ${URL} --config CONFIG`, {}, /`known` comes from \S+teebox\.config\.yaml\.$/],
    ['check files --config CONFIG', {}, /`known` comes from \S+teebox\.config\.yaml\.$/],
    ['check keys --config CONFIG', {}, /--key needs .* `key` comes from \S+teebox\.config\.yaml\.$/],
    [
      'check token --config CONFIG',
      { MINE: 'x' },
      /single use.* `refresh-token` comes from \S+teebox\.config\.yaml\.$/,
    ],
    ['check gateway --config CONFIG', {}, /`gateway-basic` comes from \S+teebox\.config\.yaml\.$/],
  ])('%s %j', async (words, env, message) => {
    const said = await fault(words, env);
    expect(said).toMatch(message);
    expect(said).not.toContain('a-secret');
  });

  test.each<[words: string, env: Record<string, string>]>([
    [`check ${URL} --refresh-token x`, { TEEBOX_REFRESH_TOKEN: 'y' }],
    [`check ${URL} --basic a:b --key /no/key`, { TEEBOX_VERSIONS: 'v4' }],
    [`check ${URL} --basic a:b --ca /no/v4/ca`, { TEEBOX_VERSIONS: 'v4', TEEBOX_KEY_PASSPHRASE: 'x' }],
  ])('and no other: %s %j', async (words, env) => expect(await fault(words, env)).not.toContain('comes from'));

  test('once', async () => {
    const said = await fault('serve', { TEEBOX_PORT: 'no' });
    expect(said.match(/TEEBOX_PORT/g)).toHaveLength(1);
    expect(said).not.toContain('comes from');
  });
});

describe('a refresh token of the environment, besides another login', () => {
  const sandbox = { TEEBOX_USERNAME: 'a', TEEBOX_PASSWORD: 'b', TEEBOX_REFRESH_TOKEN: 'first' };
  test.each<[args: string[], used: object, lines: number]>([
    [[], { basic: { username: 'a', password: 'b' } }, 1],
    [['--basic', 'c:d'], { basic: { username: 'c', password: 'd' } }, 1],
    [['--forget-tokens'], { basic: { username: 'a', password: 'b' }, refreshToken: 'first' }, 0],
  ])('%j', async (args, used, lines) => {
    const { values } = readArguments(checkFlags, args, sandbox);
    const options = await checkOptionsOf(URL, values, sandbox);
    expect(options.first).toEqual(used);
    const told: string[] = [];
    tellUnused(values, options, { err: (line) => told.push(line) });
    expect(told).toHaveLength(lines);
    for (const line of told) expect(line).toMatch(/refresh token of TEEBOX_REFRESH_TOKEN is not used/);
  });
});

test.each([
  [{ TEEBOX_BASIC: 'a:b' }, 0, []],
  [{ TEEBOX_BASIC: 'a:b', TEEBOX_VERSIONS: 'v4' }, 3, ['`basic` comes from the environment variable TEEBOX_BASIC.']],
  [{ TEEBOX_USERNAME: 'a', TEEBOX_PASSWORD: 'b' }, 3, [/variables TEEBOX_USERNAME and TEEBOX_PASSWORD\./]],
])('a run with %j that ends with %i says where its login comes from', (env, exitCode, lines) => {
  const told: string[] = [];
  tellLogin({ exitCode } as never, readArguments(checkFlags, [], env).values, { err: (line) => told.push(line) }, env);
  expect(told).toEqual(lines.map((line) => expect.stringMatching(line)));
});
