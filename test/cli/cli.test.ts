import { execFile } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { questions, rules } from '../../src/contract/generated/built/catalogue.js';
import { obligations } from '../../src/contract/generated/built/obligations.js';
import { scenarios } from '../../src/contract/generated/scenarios.js';
import { CLI, runCli } from '../support/network/process.js';

const folder = mkdtempSync(join(tmpdir(), 'teebox-cli-'));
const file = (name: string, text: string): string => {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
};
const badAnswer = file('answer.json', '{"answers":{"payment.method":"put"}}');
const badJson = file('broken.json', '{"answers":');

test('a name of any length in a file is shortened in the message, and the advice is not', async () => {
  const config = file('long.yaml', `? ${'k'.repeat(60_000)}\n: 1\n`);
  const { code, stderr } = await runCli(['check', 'http://127.0.0.1:1', '--config', config]);
  expect(code).toBe(2);
  expect(stderr.length).toBeLessThan(5000);
  expect(stderr).toMatch(/`kkk.*k` is not known\. The settings are the flags of the command/);
});

describe('a usage error is one line on stderr, with exit code 2', () => {
  const mistakes: [string, string[], Record<string, string>, string][] = [
    ['unknown flag', ['--prot', '1'], {}, 'Unknown flag --prot. Did you mean --port?'],
    ['unknown flag of a listing', ['list', 'rules', '--jsn'], {}, 'Unknown flag --jsn. Did you mean --json?'],
    ['a command named like a property', ['constructor'], {}, 'Unknown command constructor. The commands are serve'],
    ['unknown command', ['rulez'], {}, 'Unknown command rulez. Did you mean list rules?'],
    ['stray word', ['serve', 'now'], {}, 'Unexpected `now`.'],
    ['port out of range', ['--port', '65536'], {}, '--port must be a whole number from 0 to 65535; got `65536`.'],
    ['port without value', ['--port'], {}, '--port needs a value'],
    ['value of another flag taken', ['--dialect', '--pure'], {}, '--dialect needs a value'],
    ['switch with a value', ['--pure=yes'], {}, '--pure takes no value; got `yes`.'],
    ['seed', ['--seed', '1.5'], {}, '--seed must be a whole number of at least 0; got `1.5`.'],
    ['lifetime', ['--expires-in', '0s'], {}, '--expires-in must be a duration of whole seconds from 1s'],
    ['date that does not exist', ['--now', '2026-02-31T00:00:00Z'], {}, '--now must be an existing instant'],
    ['instant without zone', ['--now', '2026-02-03T00:00:00'], {}, '--now must be an existing instant'],
    [
      'unknown scenario',
      ['--scenario', 'pi-failed'],
      {},
      '--scenario: There is no scenario `pi-failed`. Did you mean `payment-pi-failed`? What fits: ',
    ],
    ['scenario without value', ['--scenario'], {}, '--scenario needs a value'],
    ['log level', ['--log-level', 'loud'], {}, '--log-level must be one of silent, error, warn, info, debug; got'],
    ['environment', [], { TEEBOX_PORT: 'x' }, 'The environment variable TEEBOX_PORT must be a whole number'],
    ['absent file', ['--dialect', join(folder, 'none.json')], {}, 'none.json: the file does not exist.'],
    ['unreadable file', ['--dialect', folder], {}, 'it is a folder.'],
    ['malformed file', ['--dialect', badJson], {}, 'broken.json: it is not JSON'],
    [
      'malformed card',
      ['--dialect', badAnswer],
      {},
      'answer.json: `payment.method` must be one of both, get, post, or an object of these by version (v1, v3, v4, v5); got ',
    ],
    ['listing of nothing', ['list'], {}, 'list needs what to list: scenarios, rules, questions, obligations.'],
    ['listing of another kind', ['list', 'rule'], {}, 'obligations; got `rule`. Did you mean rules?'],
    ['former command', ['rules', 'tokens.*'], {}, 'Unknown command rules. Did you mean list rules?'],
    ['unknown rule', ['list', 'rules', 'bookings.nothing'], {}, 'No rule matches bookings.nothing.'],
    [
      'unknown obligation',
      ['list', 'obligations', 'tokens.x'],
      {},
      'No obligation matches tokens.x. Run `npx --no-install teebox list obligations`',
    ],
    [
      'address of another machine',
      ['--host', '192.0.2.1', '--port', '0'],
      {},
      'Failed to listen on 192.0.2.1:0: this machine does not have this address.',
    ],
  ];
  test.each(mistakes)('%s', async (_title, args, env, want) => {
    const { code, stdout, stderr } = await runCli(args, env);
    expect({ code, stdout, lines: stderr.split('\n').length }).toEqual({ code: 2, stdout: '', lines: 2 });
    expect(stderr).toContain(want);
    expect(stderr).toMatch(/^teebox: /);
  });
});

describe('listings', () => {
  test('--version prints the version of the package', { tags: ['always'] }, async () => {
    const { default: manifest } = await import('../../package.json', { with: { type: 'json' } });
    expect(await runCli(['--version'])).toEqual({ code: 0, stdout: `${manifest.version}\n`, stderr: '' });
  });

  test.each([[join(folder, 'none', 'deep')], [file('no-folder', '')], ['/proc']])(
    'a command runs where the temporary files would be in %s',
    async (TMPDIR) => {
      expect(await runCli(['--version'], { TMPDIR })).toMatchObject({ code: 0, stderr: '' });
    },
  );

  test.each([['--help'], ['serve', '--help'], ['list', '--help'], ['scenarios', '--help'], ['spec', '--help']])(
    '%s %s prints a usage',
    async (...args) => {
      const { code, stdout } = await runCli(args);
      expect(code).toBe(0);
      expect(stdout).toContain('Usage: teebox');
    },
  );

  test.each([
    [['-h'], ['--help']],
    [
      ['help', 'list'],
      ['list', '--help'],
    ],
    [
      ['serve', '-h'],
      ['serve', '--help'],
    ],
  ])('%j says what %j says', async (short, long) => {
    expect(await runCli(short)).toEqual(await runCli(long));
  });

  test('rules lists every rule, as text and as JSON', async () => {
    const [text, json] = await Promise.all([runCli(['list', 'rules']), runCli(['list', 'rules', '--json'])]);
    for (const { statement } of rules) expect(text.stdout).toContain(statement);
    expect(text.stdout.match(/^[a-z][\w.-]+(?=  \()/gim)).toEqual(rules.map(({ id }) => id));
    expect(JSON.parse(json.stdout)).toEqual(JSON.parse(JSON.stringify(rules)));
  });

  test('rules ID shows a rule in full: source, duty and how to check it', async () => {
    const words = async (id: string) => (await runCli(['list', 'rules', id])).stdout.replaceAll(/\s+/g, ' ');
    const stated = await words('bookings.create.shapes');
    expect(stated).toContain(rules.find(({ id }) => id === 'bookings.create.shapes')!.statement);
    expect(stated).toContain('The section "Create booking", sentence 2; the section');
    expect(stated).toContain('Take all three shapes of the body. `teebox check` reports a failure if it does not.');
    expect(stated).toContain('teebox check BASE_URL --only bookings.create.shapes');
    expect(await words('bookings.create.other-shapes')).toContain('`teebox list questions input.form` shows');
    const unseen = rules.find(({ obliges, observable }) => obliges === 'caller' && !observable)!;
    expect(await words(unseen.id)).toContain(`the rule is about clients, which ${unseen.duty}.`);
    expect(await words(unseen.id)).toContain(`from outside: ${unseen.unobservable}.`);
  });

  test('obligations lists every obligation, as text and as JSON, and a glob chooses', async () => {
    const [text, some] = await Promise.all([
      runCli(['list', 'obligations']),
      runCli(['list', 'obligations', 'tokens.*', '--json']),
    ]);
    for (const { statement, seen, toSee } of obligations) {
      for (const words of [statement, seen, toSee]) expect(text.stdout).toContain(words);
    }
    expect(text.stdout.match(/^[a-z][\w.-]+(?=  \()/gim)).toEqual(obligations.map(({ id }) => id));
    const want = obligations.filter(({ id }) => id.startsWith('tokens.'));
    expect(JSON.parse(some.stdout)).toEqual(JSON.parse(JSON.stringify(want)));
  });

  test('questions lists every question, and a glob chooses', async () => {
    const [all, some] = await Promise.all([
      runCli(['list', 'questions', '--json']),
      runCli(['list', 'questions', 'callback.*', '--json']),
    ]);
    expect(JSON.parse(all.stdout).map(({ id }: { id: string }) => id)).toEqual(questions.map(({ id }) => id));
    const want = questions.map(({ id }) => id).filter((id) => id.startsWith('callback.'));
    expect(JSON.parse(some.stdout).map(({ id }: { id: string }) => id)).toEqual(want);
  });

  test('scenarios lists every scenario with what holds after it', async () => {
    const [text, json] = await Promise.all([runCli(['list', 'scenarios']), runCli(['scenarios', '--json'])]);
    expect(JSON.parse(json.stdout)).toEqual(JSON.parse(JSON.stringify(scenarios)));
    for (const { id, after } of scenarios) {
      expect(text.stdout).toContain(`${id}  (at `);
      for (const holds of Object.values(after)) expect(text.stdout).toContain(holds);
    }
  });

  test('spec prints the document that the package ships', async () => {
    const { default: shipped } = await import('../../dist/openapi.json', { with: { type: 'json' } });
    const { stdout } = await runCli(['spec']);
    expect(JSON.parse(stdout)).toEqual(shipped);
  });

  test('a reader that closes early is no error', async () => {
    const line = `"${process.execPath}" "${CLI}" list rules | head -1`;
    const { stdout, stderr } = await promisify(execFile)('sh', ['-c', line]);
    expect({ lines: stdout.split('\n').length, stderr }).toEqual({ lines: 2, stderr: '' });
  });
});
