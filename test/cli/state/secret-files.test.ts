import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createSandbox } from '../../../src/engine/library.js';
import { replaceFile } from '../../../src/cli/atomic-file.js';
import { openTarget } from '../../../src/cli/target.js';
import { openTokenFile } from '../../../src/cli/token-file.js';
import { runCli, startCli } from '../../support/network/process.js';
import { book, folders, NOW, teeTimes } from '../../support/network/state-server.js';

const newFolder = folders();
const pair = { accessToken: 'access', refreshToken: 'next', expiresIn: 60, at: 0 };
const modeOf = (file: string): number => statSync(file).mode & 0o777;

describe('a file with tokens is readable by its owner alone', () => {
  test.each([0o644, 0o666, 0o600, 0o640])('the state, which had mode %o', async (mode) => {
    const file = join(newFolder(), 'state.json');
    writeFileSync(file, `${JSON.stringify((await createSandbox()).snapshot())}\n`);
    chmodSync(file, mode);
    const server = await startCli([...NOW, '--state', file]);
    expect(modeOf(`${file}.lock`)).toBe(0o600);
    await book(server, (await teeTimes(server))[0]!);
    expect(modeOf(file)).toBe(0o600);
    expect(await server.stop()).toBe(0);
    expect(modeOf(file)).toBe(0o600);
  });

  test('a new state', async () => {
    const file = join(newFolder(), 'state.json');
    const server = await startCli([...NOW, '--state', file]);
    await book(server, (await teeTimes(server))[0]!);
    await server.stop();
    expect(modeOf(file)).toBe(0o600);
  });

  test.each([0o644, 0o600])('the token file, which had mode %o', async (mode) => {
    const file = join(newFolder(), 'tokens.json');
    writeFileSync(file, '{"refresh_token":"first"}');
    chmodSync(file, mode);
    const journal = await openTokenFile(file);
    await journal.intent('first');
    expect(modeOf(file)).toBe(0o600);
    await journal.result(pair);
    expect(modeOf(file)).toBe(0o600);
  });

  test('and so is its temporary file, at every moment', async () => {
    const folder = newFolder();
    const seen: (readonly [name: string, mode: number])[] = [];
    function* pieces(): Generator<string> {
      for (const piece of ['one', 'two']) {
        for (const name of readdirSync(folder)) seen.push([name, modeOf(join(folder, name))]);
        yield piece;
      }
    }
    await replaceFile(join(folder, 'a'), pieces(), 0o600);
    await replaceFile(join(folder, 'a'), 'three', 0o600);
    const names = seen.map(([name]) => name);
    expect(seen.map(([, mode]) => mode)).toEqual([0o600, 0o600]);
    expect(names[0]).toMatch(new RegExp(`^a\\.${process.pid}\\.[0-9a-f]{16}\\.tmp$`));
    expect(readdirSync(folder)).toEqual(['a']);
    expect(readFileSync(join(folder, 'a'), 'utf8')).toBe('three');
  });

  test('and has another name each time', async () => {
    const folder = newFolder();
    const names = new Set<string>();
    function* pieces(): Generator<string> {
      for (const name of readdirSync(folder)) if (name !== 'a') names.add(name);
      yield 'x';
    }
    for (let round = 0; round < 5; round += 1) await replaceFile(join(folder, 'a'), pieces(), 0o600);
    expect(names.size).toBe(5);
  });
});

describe('no symbolic link is followed', () => {
  test('that was placed where the file is, after it was opened', async () => {
    const folder = newFolder();
    const [file, victim] = [join(folder, 'state.json'), join(folder, 'victim')];
    writeFileSync(victim, 'kept');
    symlinkSync(victim, file);
    await replaceFile(file, 'state', 0o600);
    expect(lstatSync(file).isSymbolicLink()).toBe(false);
    expect([readFileSync(file, 'utf8'), readFileSync(victim, 'utf8')]).toEqual(['state', 'kept']);
  });

  const dangling = () => {
    const folder = newFolder();
    const [link, victim] = [join(folder, 'link.json'), join(folder, 'not-there')];
    symlinkSync(victim, link);
    return { link, victim };
  };
  const check = (...flags: string[]) => ['check', 'http://127.0.0.1:1', '--basic', 'a:b', ...flags];
  const rows: [what: string, args: (link: string) => string[]][] = [
    ['--state', (link) => ['serve', '--port', '0', '--state', link]],
    ['--token-file', (link) => check('--refresh-token', 'first', '--token-file', link)],
    ['--report', (link) => check('--report', `json=${link}`)],
    ['--dialect-out', (link) => check('--dialect-out', link)],
    ['--write-known', (link) => check('--write-known', link)],
  ];
  test.each(rows)('that leads nowhere: %s', async (_, args) => {
    const { link, victim } = dangling();
    const { code, stderr } = await runCli(args(link));
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: expect.stringContaining(`${link}: it is a symbolic link to a file that does not exist. Name that file.`),
    });
    expect(existsSync(victim)).toBe(false);
    expect(readlinkSync(link)).toBe(victim);
  });

  test('in the place of a lock', async () => {
    const folder = newFolder();
    const file = join(folder, 'state.json');
    symlinkSync(join(folder, 'not-there'), `${file}.lock`);
    const { code, stderr } = await runCli(['serve', '--port', '0', '--state', file]);
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('is not a lock of Teebox') });
    expect(readdirSync(folder)).toEqual(['state.json.lock']);
  });
});

describe('left-overs of processes that are gone', () => {
  const random = '0123456789abcdef';
  const gone = (name: string) => [`${name}.999999999.${random}.tmp`, `${name}.999999999.tmp`];
  const kept = (name: string) => [
    `${name}.${process.pid}.${random}.tmp`,
    `${name}.999999999.${random}x.tmp`,
    `${name}.999999999.old.tmp`,
    `${name}.old`,
    `${name}.tmp`,
    `other.999999999.${random}.tmp`,
  ];
  const fill = (folder: string, names: readonly string[]) => {
    for (const name of names) writeFileSync(join(folder, name), '');
  };

  test('of a state and of its lock are removed, and nothing else', async () => {
    const folder = newFolder();
    fill(folder, [...gone('state.json'), ...gone('state.json.lock'), ...kept('state.json')]);
    mkdirSync(join(folder, `state.json.999999998.${random}.tmp`));
    await (await startCli([...NOW, '--state', join(folder, 'state.json')])).stop();
    expect(readdirSync(folder).sort()).toEqual([...kept('state.json'), `state.json.999999998.${random}.tmp`].sort());
  });

  test('of a token file and of a report', async () => {
    for (const open of [(file: string) => openTokenFile(file, 'first'), openTarget]) {
      const folder = newFolder();
      fill(folder, [...gone('file.json'), ...kept('file.json').slice(1)]);
      await open(join(folder, 'file.json'));
      expect(readdirSync(folder).sort()).toEqual(kept('file.json').slice(1).sort());
    }
  });
});

describe('--token-file leaves alone what is not its own', () => {
  test.each([
    ['a dialect card', '{"name":"staging"}'],
    ['strings', '{"name":"a","version":"1"}'],
    ['a token set with more', '{"refresh_token":"secret-1","token_type":"Bearer"}'],
    ['no token', '{"origin":"secret-1"}'],
    ['an empty object', '{}'],
    ['a token that is empty', '{"refresh_token":""}'],
    ['a token that is no text', '{"refresh_token":1}'],
    ['a list', '["secret-1"]'],
    ['a text', '"secret-1"'],
    ['a state', '{"format":"teebox-state","version":1}'],
    ['other text', 'secret-1'],
    ['nothing', ''],
  ])('%s', async (_, text) => {
    const file = join(newFolder(), 'notes.json');
    writeFileSync(file, text);
    const why = 'it is not a token file. Teebox does not overwrite other files; name a new file instead.';
    await expect(openTokenFile(file, 'first')).rejects.toThrow(`Failed to use token file ${file}: ${why}`);
    expect(readFileSync(file, 'utf8')).toBe(text);
  });

  test('and ends with exit code 2', async () => {
    const file = join(newFolder(), 'notes.json');
    writeFileSync(file, '{"name":"staging"}');
    const args = ['--refresh-token', 'first', '--token-file', file];
    const { code, stdout, stderr } = await runCli(['check', 'http://127.0.0.1:1', ...args]);
    expect({ code, stdout, stderr }).toEqual({
      code: 2,
      stdout: '',
      stderr: expect.stringContaining(`teebox: Failed to use token file ${file}: it is not a token file. `),
    });
  });
});
