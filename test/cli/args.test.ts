import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Flags, onCommandLine, readArguments, secretText, withoutStrayEnds } from '../../src/cli/args.js';
import { whyNotStarted } from '../../src/cli/process/child.js';
import { baseUrlOf } from '../../src/cli/commands/check-command.js';
import { refuseWords, runCommand } from '../../src/cli/commands/command.js';
import { startWorlds } from '../../src/cli/commands/serve.js';
import { commands } from '../../src/cli/commands/table.js';
import { misspelledVariables, variableNames } from '../../src/cli/commands/variables.js';
import { checkFlags } from '../../src/cli/commands/check-flags.js';
import { checkOptionsOf } from '../../src/cli/commands/check.js';
import { serveFlags } from '../../src/cli/commands/serve-flags.js';
import { processTerminal } from '../../src/cli/terminal.js';

const pair = { username: 'fairway', password: 'not a secret' };
const TEXT = 'fairway:not a secret';

describe('a secret', () => {
  test.each(['\r', '\n', '\r\n', '\n\n', '\ufeff', '\u200b', '\t', '\0', '\u2028'])(
    'may have %j around it',
    (stray) => {
      for (const text of [`${TEXT}${stray}`, `${stray}${TEXT}`]) {
        expect(readArguments(checkFlags, [], { TEEBOX_BASIC: text }).values.basic).toEqual(pair);
        expect(readArguments(checkFlags, ['--basic', text], {}).values.basic).toEqual(pair);
      }
      const env = { TEEBOX_REFRESH_TOKEN: ` a-token ${stray}`, TEEBOX_SECOND_BASIC: TEXT + stray };
      const { values } = readArguments(checkFlags, ['--header', `X-Key: value${stray}`], env);
      expect(values).toMatchObject({ 'refresh-token': 'a-token', 'second-basic': pair, header: [['X-Key', 'value']] });
    },
  );

  test.each(['""', "''", '``', '“”', '‘’'])('may be in %s as a whole', ([open, close]) => {
    const env = { TEEBOX_BASIC: `${open}${TEXT}${close}`, TEEBOX_REFRESH_TOKEN: `${open}a-token${close}\r\n` };
    expect(readArguments(checkFlags, [], env).values).toMatchObject({ basic: pair, 'refresh-token': 'a-token' });
  });

  test.each([
    ['a line break', 'fair\nway:secret', 'has a line break in it, after 4 characters'],
    ['a line break of Windows', 'fairway:se\r\ncret', 'has a line break in it, after 10 characters'],
    ['a control character', 'fairway:\u001bsecret', 'has a control character in it, after 8 characters'],
  ])('with %s in it is named, and not repeated', (_, text, words) => {
    const read = () => readArguments(checkFlags, [], { TEEBOX_BASIC: text });
    expect(read).toThrow(`The environment variable TEEBOX_BASIC ${words}`);
    expect(() => readArguments(checkFlags, ['--basic', text], {})).toThrow(`--basic ${words}`);
    expect(read).not.toThrow(/secret/);
  });

  test.each([
    [btoa(TEXT), 'Did you mean what this Base64 decodes to?'],
    [`Basic ${btoa(TEXT)}`, 'Did you mean what this Base64 decodes to?'],
    ['fairway', 'separated by a colon.'],
    ['Zm9vYmFy', 'separated by a colon.'],
  ])('of Basic credentials that is %j is no pair', (text, words) => {
    const read = () => readArguments(checkFlags, ['--basic', text], {});
    expect(read).toThrow(words);
    expect(read).not.toThrow(/not a secret|Zm9/);
  });

  test.each(['Bearer a-token', 'a token', 'a"token'])('token %j is none', (text) => {
    expect(() => readArguments(checkFlags, ['--refresh-token', text], {})).toThrow(
      /without blanks and quotation marks/,
    );
  });

  test('in two variables is read alike', async () => {
    const env = { TEEBOX_USERNAME: 'fairway\r\n', TEEBOX_PASSWORD: 'not a secret\n' };
    expect((await checkOptionsOf('http://127.0.0.1:1', {}, env)).first).toEqual({ basic: pair });
    const broken = checkOptionsOf('http://127.0.0.1:1', {}, { ...env, TEEBOX_PASSWORD: 'a\nb' });
    await expect(broken).rejects.toThrow('The environment variable TEEBOX_PASSWORD has a line break in it');
  });

  test('keeps every character that can be meant', () => {
    const meant = fc.string({ unit: fc.constantFrom(...'aZ09 "\'`:;%$&?=+/\\é⛳') });
    fc.assert(fc.property(meant, (text) => secretText(`\r\n${text}\r\n`, 'it') === text));
  });
});

test('other values may have line breaks around them, too', () => {
  expect(readArguments(serveFlags, [], { TEEBOX_PORT: '8080\r' }).values.port).toBe(8080);
  expect(withoutStrayEnds('\ufeff a b \r\n')).toBe(' a b ');
});

describe('what was meant', () => {
  test.each([
    ['--only', 'countris.list', 'Did you mean countries.list?'],
    ['--only', 'Countries.List', 'Did you mean countries.list?'],
    ['--only', 'countries.list,auth.*', 'Did you mean the same flag for each: countries.list, auth.*?'],
    ['--depth', 'thorogh', 'Did you mean thorough?'],
    ['--fail-on', 'MAJOR', 'Did you mean major?'],
    ['--dpeth', 'quick', 'Did you mean --depth?'],
  ])('%s %s', (flag, text, words) => {
    expect(() => readArguments(checkFlags, [flag, text], {})).toThrow(words);
  });

  test('is not guessed without likeness', () => {
    expect(() => readArguments(checkFlags, ['--only', 'xyz'], {})).toThrow(/got `xyz`\.$/);
  });

  test.each([
    ['localhost:4653', 'http://localhost:4653'],
    ['127.0.0.1:4653/w/a', 'http://127.0.0.1:4653/w/a'],
    ['[::1]:4653', 'http://[::1]:4653'],
    ['api.example.com', 'https://api.example.com'],
    ['api.example.com:8443/golf', 'https://api.example.com:8443/golf'],
  ])('base URL %s', (word, url) => {
    expect(() => baseUrlOf(word, 'check')).toThrow(`got \`${word}\`. Did you mean ${url}?`);
  });
  test.each(['ftp://example.com', 'https:/example.com', 'a b', '://x'])('base URL %s has no guess', (word) => {
    expect(() => baseUrlOf(word, 'check')).toThrow(/got `.*`\.$/);
  });

  test.each([
    ['8080', 'Did you mean --port 8080?'],
    [':8080', 'Did you mean --port 8080?'],
    ['start', 'Run with --help for usage.'],
  ])('serve %s', (word, words) => {
    expect(() => refuseWords([word])).toThrow(words);
  });

  test('scenario ids', async () => {
    const started = startWorlds({ scenario: ['payment-pi-faild'] });
    await expect(started).rejects.toThrow('There is no scenario `payment-pi-faild`. Did you mean `payment-pi-failed`?');
  });

  test.each([
    [{ TEEBOX_PROT: '1' }, ['The environment variable TEEBOX_PROT is not read. Did you mean TEEBOX_PORT?']],
    [
      { TEEBOX_SCENRIO: 'slow' },
      ['The environment variable TEEBOX_SCENRIO is not read. Did you mean TEEBOX_SCENARIO?'],
    ],
    [
      { TEEBOX_REFRESHTOKEN: 'x' },
      ['The environment variable TEEBOX_REFRESHTOKEN is not read. Did you mean TEEBOX_REFRESH_TOKEN?'],
    ],
    [
      { TEEBOX_PORT: '1', TEEBOX_ARGS: '', TEEBOX_TARGET: '', TEEBOX_PACKAGE: '', TEEBOX_SERVICE_HOST: '', PROT: '' },
      [],
    ],
  ])('variables %j', (env, lines) => {
    expect(misspelledVariables(env as Record<string, string>)).toEqual(lines);
  });

  test('the list of variables is that of all flags, and of those without a flag', async () => {
    const modules = await Promise.all(Object.values(commands).map(({ load }) => load()));
    const ofFlags = modules.flatMap(({ flags }) => Object.values(flags as Flags).flatMap(({ env = [] }) => env));
    const others = ['TEEBOX_BASE_URL', 'TEEBOX_EXAM', 'TEEBOX_KEY_PASSPHRASE', 'TEEBOX_PASSWORD', 'TEEBOX_USERNAME'];
    const want = new Set([...ofFlags, ...others].filter((name) => name.startsWith('TEEBOX_')));
    expect(variableNames.map((name) => `TEEBOX_${name}`).toSorted()).toEqual([...want].toSorted());
  });

  test.each([
    ['npm test', [], /one word.* Leave them out, as in `-- npm test`, or use `-- sh -c 'npm test'`\.$/],
    ['npm run build && npm test', [], /one word.* Run it by a shell: `-- sh -c 'npm run build && npm test'`\.$/],
    ['CI=1 npm test', [], /Run it by a shell: `-- sh -c 'CI=1 npm test'`\.$/],
    ['my tests', ['all'], /was not found\. Check the name and PATH\.$/],
    ['nmp', [], /was not found\. Check the name and PATH\.$/],
  ])('command %j %j', (command, args, words) => {
    expect(whyNotStarted(Object.assign(new Error('spawn'), { code: 'ENOENT' }), { command, args })).toMatch(words);
  });
});

describe('a key of the configuration file', () => {
  const host = { terminal: processTerminal(process), env: {}, commands };

  test.each([
    ['check', 'max-body', '`defaults` or a target'],
    ['explore', 'shrink', '`defaults` or a target'],
    ['proxy', 'window', '`proxy`'],
    ['serve', 'max-worlds', '`serve`'],
    ['certify', 'name', '`certify`'],
  ] as const)('of %s, such as %s, is no flag, and the error says where it goes', async (name, one, section) => {
    const command = await commands[name].load();
    const flags: Flags = command.flags;
    const keys = Object.keys(flags).filter((key) => !(key in onCommandLine(flags)));
    const after = command.takesCommand ? ['--', 'true'] : [];
    expect(keys).toContain(one);
    for (const key of keys) {
      const variable = flags[key]!.env ? `, or set the environment variable ${flags[key]!.env[0]}` : '';
      const said = `--${key} is no flag: set \`${key}\` once for all runs, below ${section} in teebox.config.yaml${variable}.`;
      await expect(runCommand(command, [`--${key}`, '1', ...after], host)).rejects.toThrow(said);
    }
    expect(() => readArguments(flags, [`--${one}y`, '1'], {})).toThrow(
      new RegExp(`^Unknown flag --${one}y\\.(?!.*${one}\\?)`),
    );
  });

  test.each(Object.entries(commands))('leaves few enough flags of %s', async (_, { load }) => {
    const { flags } = await load();
    expect(Object.keys(onCommandLine(flags)).length).toBeLessThanOrEqual(36);
  });
});
