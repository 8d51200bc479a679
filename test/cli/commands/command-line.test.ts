import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { onCommandLine } from '../../../src/cli/args.js';
import { checkFlags } from '../../../src/cli/commands/check-flags.js';
import { serveFlags, worldFlags } from '../../../src/cli/commands/serve-flags.js';
import { createSandbox } from '../../../src/engine/library.js';
import { runCli } from '../../support/network/process.js';

const root = new URL('../../..', import.meta.url).pathname;
const run = promisify(execFile);
const commands = ['serve', 'exec', 'check', 'diff', 'mcp', 'list', 'scenarios', 'spec', 'completion'];

describe('completion', () => {
  const complete = async (...words: string[]): Promise<string[]> => {
    const { stdout: script } = await runCli(['completion', 'bash']);
    const array = words.map((word) => `'${word}'`).join(' ');
    const lines = [
      script,
      `COMP_WORDS=(${array})`,
      `COMP_CWORD=${words.length - 1}`,
      '_teebox',
      'echo "${COMPREPLY[@]}"',
    ];
    const { stdout } = await run('bash', ['-c', lines.join('\n')]);
    return stdout.trim().split(' ');
  };
  const dashed = (flags: object) => Object.keys(flags).map((name) => `--${name}`);

  test('in bash: a command, its flags, and those of serve without a command', async () => {
    expect(await complete('teebox', '')).toEqual(expect.arrayContaining([...commands, '--port']));
    expect(await complete('teebox', 'ch')).toEqual(['check']);
    expect(await complete('teebox', 'check', '')).toEqual(expect.arrayContaining(dashed(onCommandLine(checkFlags))));
    expect(await complete('teebox', 'exec', '--')).toEqual([
      ...dashed(worldFlags),
      '--log-level',
      '--help',
      '--version',
    ]);
    expect(await complete('teebox', 'completion', 'f')).toEqual(['fish']);
    expect(await complete('teebox', '--now', 'x', '--por')).toEqual(['--port']);
  });

  test('in bash: the values of flags, and the words of lists', async () => {
    expect(await complete('teebox', 'check', 'URL', '--depth', '')).toEqual(['quick', 'standard', 'thorough']);
    expect(await complete('teebox', 'check', '--only', 'countries.l')).toEqual(['countries.list']);
    expect(await complete('teebox', 'certify', '--exams', 'happy')).toEqual([expect.stringMatching(/^happy/)]);
    expect(await complete('teebox', 'check', '--report', 'sar')).toEqual(['sarif=']);
    expect(await complete('teebox', '--scenario', 'payment-pi')).toEqual(['payment-pi-failed']);
    expect(await complete('teebox', 'exec', '--scenario', 'payment-pi')).toEqual(['payment-pi-failed']);
    expect(await complete('teebox', 'list', 'rules', 'countries.l')).toEqual(['countries.list']);
    expect(await complete('teebox', 'list', '--js')).toEqual(['--json']);
    expect(await complete('teebox', 'list', 'ob')).toEqual(['obligations']);
    expect(await complete('teebox', 'list', 'questions', 'callback.sig')).toEqual(['callback.signature']);
    expect(await complete('teebox', 'scenarios', 'payment-pi')).toEqual(['payment-pi-failed']);
  });

  test.each(['bash', 'zsh', 'fish'])('%s: has every command and flag, and its own syntax', async (shell) => {
    const { code, stdout } = await runCli(['completion', shell]);
    expect(code).toBe(0);
    for (const command of commands) expect(stdout).toMatch(new RegExp(`\\b${command}\\b`));
    const flag = (name: string) => new RegExp(shell === 'fish' ? ` -l ${name} ` : `["\\s]--${name}["\\s;]`);
    for (const name of Object.keys(onCommandLine({ ...serveFlags, ...checkFlags }))) expect(stdout).toMatch(flag(name));
    expect(stdout).toMatch(
      { bash: /^complete -o default/m, zsh: /^compdef/m, fish: /^complete -c teebox -n/m }[shell]!,
    );
  });

  test.each([[[]], [['csh']], [['bash', 'zsh']]])('%j is a usage error that names the shells', async (words) => {
    const { code, stderr } = await runCli(['completion', ...words]);
    expect([code, stderr]).toEqual([2, 'teebox: completion needs one shell: teebox completion bash|zsh|fish.\n']);
  });
});

test.each([['-v'], ['list', '-v'], ['check', '-v']])('%s %s prints the version', async (...args) => {
  expect(await runCli(args)).toMatchObject({ code: 0, stdout: '0.1.0\n' });
});

test.each([
  [
    ['--port', '1'],
    'exec does not take --port, which is a flag of serve. It uses a free port, and sets TEEBOX_BASE_URL.',
  ],
  [['--state=x.json'], 'exec does not take --state, which is a flag of serve.'],
  [['--prue'], 'Unknown flag --prue. Did you mean --pure?'],
])('exec %j: %s', async (flags, says) => {
  expect(await runCli(['exec', ...flags, '--', 'true'])).toMatchObject({ code: 2, stderr: `teebox: ${says}\n` });
});

describe('one of a thing', () => {
  test('is told in the singular', async () => {
    const rule = await runCli(['list', 'rules', 'bookings.request.v3-ever*']);
    expect(rule.stdout).toContain('\n1 rule: 1 stated, 0 implied, 0 open; 1 is not observable\n');
    const question = await runCli(['list', 'questions', 'booking.cancel']);
    expect(question.stdout).toContain('\n1 question; a dialect card can answer 1 of them\n');
    const { summary } = await createSandbox({ facilities: 1, dialect: { answers: { 'error.code': 'code' } } });
    expect(summary).toMatch(/^1 facility in 1 country, .* with 1 answer$/);
  });
});

describe('what works in a clone', () => {
  test('is in the help', async () => {
    const { stdout } = await runCli(['--help']);
    expect(stdout).toContain('npx --no-install teebox');
    expect(stdout).toContain('npm run teebox -- [COMMAND]');
    expect((await runCli(['list', 'rules', '--help'])).stdout).toContain('npx --no-install teebox');
  });

  test.each([
    ['npx', ['teebox', '--version']],
    ['npm', ['run', '--silent', 'teebox', '--', '--version']],
  ])('%s %j', async (program, args) => {
    const { stdout } = await run(program, args, { cwd: root });
    expect(stdout).toBe('0.1.0\n');
  });

  test('is in the advice of an error', async () => {
    const { stderr } = await runCli(['list', 'rules', 'nothing.at.all']);
    expect(stderr).toContain('Run `npx --no-install teebox list rules` for the list');
  });
});
