import { spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import { parse } from 'yaml';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { certifyFlags } from '../../src/cli/certify/flags.js';
import { defineCommand, runCommand } from '../../src/cli/commands/command.js';
import { command as serve } from '../../src/cli/commands/serve.js';
import { serveFlags } from '../../src/cli/commands/serve-flags.js';
import { proxyFlags } from '../../src/cli/proxy/flags.js';
import { readDefaults, readSection, readTarget } from '../../src/cli/commands/check-config.js';
import { checkFlags } from '../../src/cli/commands/check-flags.js';
import type { Flag, Flags } from '../../src/cli/args.js';
import { processTerminal } from '../../src/cli/terminal.js';
import { runCli, type Started, startCli } from '../support/network/process.js';

let folder: string;
let server: Started;
const at = (name: string): string => join(folder, name);
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'config-'));
  server = await startCli();
});
afterAll(async () => {
  await server.stop();
  await rm(folder, { recursive: true, force: true });
});

async function read(text: string, name = 'staging', env: Record<string, string> = {}) {
  await writeFile(at('one.yaml'), text);
  return readTarget(name, at('one.yaml'), env);
}

const schema = JSON.parse(await readFile(new URL('../../spec/check.schema.json', import.meta.url), 'utf8'));
const fits = new Ajv({ allowUnionTypes: true }).addVocabulary(['x-teebox-due']).compile(schema);

/** A value that each flag accepts. */
const samples: Readonly<Record<string, string>> = {
  basic: 'a:b',
  'second-basic': 'a:b',
  'gateway-basic': 'a:b',
  header: 'X-Key: value',
  allow: 'bookings',
  'callback-url': 'http://x.test',
  report: 'json=x.json',
  only: 'countries.*',
  skip: 'countries.*',
  'fail-on': 'minor',
  operations: 'listBookings',
  depth: 'quick',
  explain: 'countries.list',
};

describe('every flag has its place in the file', () => {
  const names = Object.keys(checkFlags).filter((name) => name !== 'config');
  test.each(names)('%s', async (name) => {
    const flag: Flag = checkFlags[name as keyof typeof checkFlags];
    const sample =
      flag.value === undefined
        ? 'true'
        : [samples[name], '1', '1s', 'v5', 'word'].find((text) => text !== undefined && flag.read(text) !== undefined)!;
    const value = flag.read(sample);
    expect(value).toBeDefined();
    const { settings } = await read(`targets: { staging: { ${JSON.stringify(name)}: ${JSON.stringify(sample)} } }`);
    expect(settings).toEqual({ [name]: flag.repeatable ? [value] : value });
    expect(fits({ targets: { staging: { [name]: sample } } })).toBe(true);
  });

  test('as the value that it is: a number, true, a list', async () => {
    const text =
      'targets: { staging: { timeout: 2.5s, insecure: true, allow: [bookings, payments], only: [countries.*] } }';
    expect((await read(text)).settings).toEqual({
      timeout: 2500,
      insecure: true,
      allow: ['bookings', 'payments'],
      only: ['countries.*'],
    });
    expect(fits(parse(text))).toBe(true);
  });
});

test('a target overrides the defaults, and its severities join them', async () => {
  const text = `
defaults:
  timeout: 5s
  rps: 10
  severity:
    countries.list: { severity: minor, reason: a }
targets:
  staging:
    url: https://\${HOST}
    basic: \${USER_NAME}:\${SECRET}
    rps: 20
    severity:
      countries.item: { severity: critical, reason: b }`;
  const { url, settings, severities } = await read(text, 'staging', { HOST: 'x.test', USER_NAME: 'u', SECRET: 'p:q' });
  expect(url).toBe('https://x.test');
  expect(settings).toEqual({ timeout: 5000, rps: 20, basic: { username: 'u', password: 'p:q' } });
  expect(severities).toEqual({
    'countries.list': { severity: 'minor', reason: 'a' },
    'countries.item': { severity: 'critical', reason: 'b' },
  });
});

test('a deployment given by its URL has the settings without a flag of the defaults, but no secret and no flag', async () => {
  const path = at('defaults.yaml');
  await writeFile(path, 'defaults: { settle: 5s, max-errors: 0, gateway-basic: "${MISSING}", allow: all, basic: a:b }');
  expect(await readDefaults(path, {})).toEqual({ settle: 5000, 'max-errors': 0 });
  await writeFile(path, 'defaults: { settle: 5 }');
  await expect(readDefaults(path, {})).rejects.toThrow(/`defaults\.settle` must be a duration/);
  await writeFile(path, 'serve: {}');
  expect(await readDefaults(path, {})).toEqual({});
});

test('what other targets need from the environment is not needed', async () => {
  const text = 'targets: { staging: { rps: 1 }, production: { basic: "${MISSING}" } }';
  expect((await read(text)).settings).toEqual({ rps: 1 });
});

test.each<[text: string, message: RegExp]>([
  ['targets: { stagin: {} }', /one\.yaml has no target `staging`\. Did you mean stagin\?/],
  ['targets: { live: {} }', /has no target `staging`\. Its targets are live\./],
  ['targets: { staging: { basci: x } }', /`targets\.staging\.basci` is not known\. Did you mean basic\?/],
  ['defaults: { max-p96: 1 }\ntargets: { staging: {} }', /`defaults\.max-p96` is not known\. Did you mean max-p95\?/],
  ['target: { staging: {} }', /`target` is not known\. Did you mean targets\?/],
  ['{}', /`targets` must be/],
  ['targets: []', /`targets` must be/],
  [
    'targets: { staging: { basic: "${NOPE}" } }',
    /`targets\.staging\.basic` needs the environment variable NOPE, which is not/,
  ],
  ['targets: { staging: { timeout: soon } }', /`targets\.staging\.timeout` must be a duration.*got `soon`/],
  [
    'targets: { staging: { timeout: 5 } }',
    /`targets\.staging\.timeout` must be a duration .* with its unit, .* 1h, 2d or PT1H; got 5\./,
  ],
  [
    'targets: { staging: { basic: secret-only } }',
    /`targets\.staging\.basic` must be a user name and a password[^;]*$/,
  ],
  ['targets: { staging: { insecure: "" } }', /`targets\.staging\.insecure` must be true or false/],
  [
    'targets: { staging: { severity: { countries.lst: { severity: minor, reason: x } } } }',
    /Did you mean countries\.list\?/,
  ],
  [
    'targets: { staging: { severity: { countries.list: { severity: minor } } } }',
    /`targets\.staging\.severity\.countries\.list\.reason` must be/,
  ],
  [
    'targets: { staging: { severity: { countries.list: { severity: low, reason: x } } } }',
    /must be "critical"|one of|"minor"/,
  ],
  ['targets: {', /Failed to load configuration \S+one\.yaml: /],
])('%j is refused', async (text, message) => {
  await expect(read(text)).rejects.toThrow(message);
});

describe('the command', () => {
  const basic = (): string => {
    const { username, password } = server.ready.channels[0]!;
    return `${username}:${password}`;
  };
  const config = (more: object = {}): Promise<void> =>
    writeFile(
      at('teebox.config.yaml'),
      JSON.stringify({
        targets: {
          staging: { url: server.baseUrl, basic: '${STAGING}', only: ['countries.*'], 'min-conclusive': 90, ...more },
        },
      }),
    );
  const check = (...args: string[]) =>
    runCli(['check', 'staging', '--config', at('teebox.config.yaml'), ...args], { STAGING: basic() });

  test('runs against a target, and a flag wins over the file', async () => {
    await config();
    const strict = await check();
    expect(strict.code).toBe(4);
    expect(strict.stdout).toContain('the minimum is 90%');
    expect((await check('--min-conclusive', '0')).code).toBe(0);
    const { stdout } = await check('--min-conclusive', '0', '--only', 'countries.list');
    expect(stdout).toContain(': 1 of ');
  });

  test('the file wins over the environment', async () => {
    await config({ 'min-conclusive': 0 });
    const args = ['check', 'staging', '--config', at('teebox.config.yaml')];
    expect((await runCli(args, { STAGING: basic(), TEEBOX_BASIC: 'x:y' })).code).toBe(0);
  });

  test.each<[args: string[], message: RegExp]>([
    [['staging'], /`staging` is no URL, and there is no teebox\.config\.yaml/],
    [
      ['staging', '--config', '/no/such.yaml'],
      /Failed to load configuration \/no\/such\.yaml: the file does not exist/,
    ],
    [['--config', '/no/such.yaml'], /--config needs a target: teebox check TARGET/],
  ])('2: %j', async (args, message) => {
    const { code, stderr } = await runCli(['check', ...args]);
    expect(code).toBe(2);
    expect(stderr).toMatch(message);
  });
});

describe.each([
  ['serve', serveFlags],
  ['proxy', proxyFlags],
  ['certify', certifyFlags],
] as const)('the section of %s', (section, flags: Flags) => {
  const settings = async (yaml: string, env = {}) => {
    await writeFile(at('section.yaml'), yaml);
    return readSection(section, flags, at('section.yaml'), env);
  };

  test('has a place for every flag but those of a single call', () => {
    const single = ['config', 'list', 'verify', 'serve'];
    const names = Object.keys(flags).filter((name) => !single.includes(name));
    expect(Object.keys(schema.properties[section].properties)).toEqual(names);
  });

  test('is read as the flags are, beside targets that are not', async () => {
    const yaml = `${section}: { port: 0, dialect: "\${HOME}/card.json" }\ntargets: { live: { basic: "\${MISSING}" } }`;
    expect(await settings(yaml, { HOME: '/h' })).toEqual({ port: 0, dialect: '/h/card.json' });
    expect(await settings('targets: { live: {} }')).toEqual({});
  });

  test.each<[yaml: string, says: RegExp]>([
    ['{ prot: 1 }', /`\w+\.prot` is not known\. Did you mean port\?/],
    [
      '{ zzzzzzz: 1 }',
      /`\w+\.zzzzzzz` is not known\. The settings are the flags of the command, without the dashes, and the keys that its help names\./,
    ],
    ['{ port: 70000 }', /section\.yaml: `\w+\.port` must be a whole number from 0 to 65535; got `70000`/],
    ['[]', /`\w+` must be an object/],
  ])('%s is refused', async (yaml, says) => {
    await expect(settings(`${section}: ${yaml}`)).rejects.toThrow(says);
  });
});

test('a flag overrides the environment, which overrides the section of the file', async () => {
  const path = at('serve.yaml');
  await writeFile(path, 'serve: { log-format: json, expires-in: 5m, world-idle: 0s }');
  const refused = await runCli(['serve', '--config', path]);
  expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('`serve.world-idle` must be a duration') });
  await writeFile(path, 'serve: { port: 1, expires-in: 5m, pure: true }');
  const values = async (args: string[], env: Record<string, string>) => {
    let got: unknown;
    const probe = defineCommand({
      ...serve,
      run(input) {
        got = input.values;
        return 0;
      },
    });
    const terminal = { ...processTerminal(process), out: () => {}, err: () => {} };
    await runCommand(probe, ['--config', path, ...args], { terminal, env, commands: {} });
    return got;
  };
  expect(await values([], {})).toEqual({ config: path, port: 1, 'expires-in': 300_000, pure: true });
  expect(await values([], { PORT: '2' })).toMatchObject({ port: 2 });
  expect(await values(['--port', '3'], { PORT: '2' })).toMatchObject({ port: 3, 'expires-in': 300_000 });
});

test('serve reads the file of the folder that it starts in', async () => {
  await writeFile(at('teebox.config.yaml'), 'serve: { prot: 1 }');
  const cli = new URL('../../dist/cli.js', import.meta.url).pathname;
  const { status, stderr } = spawnSync(process.execPath, [cli, 'serve'], { cwd: folder, encoding: 'utf8' });
  expect({ status, stderr }).toEqual({
    status: 2,
    stderr: 'teebox: Failed to load configuration teebox.config.yaml: `serve.prot` is not known. Did you mean port?\n',
  });
});

test('the example of the page fits the schema', async () => {
  const page = await readFile(new URL('../../docs/conformance.md', import.meta.url), 'utf8');
  const [, example = ''] = /```yaml\n(# yaml-language-server: [^]*?)```/.exec(page) ?? [];
  expect(example).toContain('$schema=./node_modules/teebox/dist/check.schema.json');
  expect(fits(parse(example)), JSON.stringify(fits.errors)).toBe(true);
  await expect(read(example, 'staging', { STAGING_BASIC: 'a:b' })).resolves.toMatchObject({ url: expect.any(String) });
});
