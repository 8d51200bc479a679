import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { onCommandLine } from '../../../src/cli/args.js';
import { runCommand } from '../../../src/cli/commands/command.js';
import { commands } from '../../../src/cli/commands/table.js';
import { type RunningServer, serve } from '../../../src/cli/server.js';
import { processTerminal } from '../../../src/cli/terminal.js';
import { twinFlags, twinGroups } from '../../../src/cli/twin/flags.js';
import { UsageError } from '../../../src/cli/usage-error.js';
import { readWorld } from '../../../src/cli/world-file.js';
import { createSandbox, type Sandbox } from '../../../src/engine/library.js';

let folder: string;
let sandbox: Sandbox;
let server: RunningServer;
const at = (name: string): string => join(folder, name);
const dateAt = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'twin-'));
  sandbox = await createSandbox({ clock: Date.now });
  server = await serve(sandbox, { port: 0 });
});
afterAll(async () => {
  await server.close();
  await rm(folder, { recursive: true, force: true });
});

/** What the command prints, and its exit code. */
async function twin(...args: string[]): Promise<{ code: number; out: string; err: string }> {
  const out: string[] = [];
  const err: string[] = [];
  const terminal = {
    ...processTerminal(process),
    out: (line: string) => void out.push(line),
    err: (line: string) => void err.push(line),
    untilStopped: () => new AbortController().signal,
  };
  let code: number;
  try {
    code = await runCommand(await commands.twin.load(), args, { terminal, env: {}, commands });
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    code = 2;
    err.push(error.message);
  }
  return { code, out: out.join('\n'), err: err.join('\n') };
}

const login = (): string[] => {
  const { username, password } = sandbox.channels[0]!;
  return [server.url, '--basic', `${username}:${password}`];
};
const [from, to] = [dateAt(9), dateAt(10)];
const few = ['--facility', '1001', '--facility', '1019', '--from', from, '--to', to];

test('writes a file that is served, and says how true it is', { tags: ['always'] }, async () => {
  const { code, out, err } = await twin(...login(), ...few, '--out', at('world.yaml'), '--min-same', '100', '--report', `json=${at('report.json')}`); // oxfmt-ignore
  expect({ code, err }).toEqual({ code: 0, err: expect.stringMatching(/^teebox: 2 connected facilities, 2 days: about \d+ requests: \d+ sent already, \d+ to read, \d+ to compare/) }); // oxfmt-ignore
  expect(out).toMatch(
    /twin: \d+ of \d+ answers are the same \(100 %\): \d+ of \d+ that were read, \d+ of \d+ that were/,
  );
  expect(out).toMatch(/Serve it: npx --no-install teebox serve --world .*world\.yaml$/);
  const text = await readFile(at('world.yaml'), 'utf8');
  expect(text).toMatch(new RegExp(`^# yaml-language-server: .*\n# A twin of ${server.url}, read at .*: 2 facilities with the tee sheets from ${from} to ${to}\\.`)); // oxfmt-ignore
  for (const { username, password, refreshToken } of sandbox.channels)
    for (const secret of [`username: ${username}`, password, refreshToken]) expect(text).not.toContain(secret);
  const world = await readWorld(at('world.yaml'));
  expect(world.facilities.map(({ id }) => id)).toEqual([1001, 1019]);
  const report = JSON.parse(await readFile(at('report.json'), 'utf8'));
  expect(report).toMatchObject({ verdict: 'twin', exitCode: 0, proof: { differences: [] } });
});

test('--compare prints what has changed since, with an exit code', async () => {
  const same = await twin(...login(), ...few, '--compare', at('world.yaml'));
  expect(same).toMatchObject({ code: 0, out: expect.stringMatching(/unchanged: Nothing has changed/) });
  const text = await readFile(at('world.yaml'), 'utf8');
  const before = text.replace(/(phone: )'.*'/, "$1'+31 20 555 0000'").replace(/(demand: none\n)/, '$1');
  await writeFile(at('before.yaml'), before);
  const changed = await twin(...login(), ...few, '--compare', at('before.yaml'), '--report', 'json=-', '--quiet');
  expect(changed.code).toBe(1);
  expect(JSON.parse(changed.out)).toMatchObject({
    verdict: 'changed',
    changes: [{ kind: 'details', facility: 1001, before: '+31 20 555 0000' }],
  });
  expect(changed.err).toMatch(/The phone number of .* is .*; it was \+31 20 555 0000\./);
});

test('a run that is cut short writes what was read, and ends with 4', async () => {
  const { code, out } = await twin(...login(), ...few, '--out', at('cut.yaml'), '--max-requests', '130');
  expect(code).toBe(4);
  expect(out).toMatch(/incomplete: It ended early\. Missing: /);
  expect(await readFile(at('cut.yaml'), 'utf8')).toMatch(/# The reading is incomplete\. It ended early\./);
  expect((await readWorld(at('cut.yaml'))).facilities.length).toBeGreaterThan(0);
});

test(
  '--har makes it of recorded traffic, of several files, without the bookings in them',
  { tags: ['slow'] },
  async () => {
    const [first, second] = [at('first.har'), at('second.har')];
    for (const [file, only] of [
      [first, 'teetimes.*'],
      [second, 'facilities.*'],
    ] as const) {
      const args = [...login(), '--only', only, '--report', `har=${file}`, '--quiet', '--depth', 'quick'];
      const terminal = {
        ...processTerminal(process),
        out() {},
        err() {},
        untilStopped: () => new AbortController().signal,
      };
      expect(await runCommand(await commands.check.load(), args, { terminal, env: {}, commands })).toBe(0);
    }
    const { code, out } = await twin('--har', first, '--har', second, '--out', at('recorded.yaml'));
    expect(code).toBe(0);
    expect(out).toMatch(/twin: \d+ of \d+ answers are the same \(\d+(\.\d)? %\): \d+ of \d+ that were read\./);
    expect(out).not.toMatch(/listBookings/);
    const [, same, all] = /twin: (\d+) of (\d+) answers/.exec(out)!;
    expect(Number(same) / Number(all)).toBeGreaterThan(0.8);
    const { facilities } = await readWorld(at('recorded.yaml'));
    expect(facilities.some(({ courses }) => courses.some(({ days = {} }) => Object.keys(days).length > 0))).toBe(true);
    expect(await readFile(at('recorded.yaml'), 'utf8')).not.toMatch(/bookingId|contactFirstName/);
  },
);

test('--plan sends nothing', { tags: ['slow'] }, async () => {
  const { code, out } = await twin('http://127.0.0.1:1', '--basic', 'a:b', '--plan');
  expect(code).toBe(0);
  expect(out).toMatch(/^ *\d+ {2}GET \/api\/v4\/teetimes\/\{facilityId\}$/m);
  expect(out).toMatch(
    /About \d+ requests would be sent to a deployment with \d+ connected facilities.*None was sent\.$/,
  );
});

test.each<[what: string, args: () => string[], code: number, said: RegExp]>([
  ['no file', () => ['http://h.test', '--basic', 'a:b'], 2, /twin needs --out FILE .* or --compare FILE/],
  ['no deployment', () => ['--out', at('x.yaml')], 2, /twin needs the base URL of a deployment/],
  ['a plan of a recording', () => ['--har', at('first.har'), '--plan'], 2, /--har sends no requests, so --plan has nothing to show/],
  ['no login', () => ['http://h.test', '--out', at('x.yaml')], 2, /twin needs credentials: --basic USER:PASSWORD/],
  ['days that are none', () => [...login(), '--from', '2026-02-30', '--out', at('x.yaml')], 2, /--from must be a date such as/],
  ['days the wrong way round', () => [...login(), '--from', to, '--to', from, '--out', at('x.yaml')], 2, /--to .* is before --from/],
  ['a file that cannot be written', () => [...login(), '--out', '/no/such/world.yaml'], 2, /Failed to write \/no\/such\/world\.yaml/],
  ['an earlier file that is none', () => [...login(), '--compare', at('no.yaml')], 2, /Failed to load world .*no\.yaml: the file does not exist/],
  ['a port without a server', () => ['http://127.0.0.1:1', '--basic', 'a:b', '--out', at('x.yaml')], 3, /cannot be reached/],
  ['a wrong password', () => [server.url, '--basic', 'fairway:wrong', '--out', at('x.yaml')], 3, /The credentials are refused/],
  ['a facility that does not exist', () => [...login(), '--facility', '7', '--out', at('x.yaml')], 4, /Nothing was read of which a world could be made/],
])('%s', async (_, args, code, said) => {
  const found = await twin(...args());
  expect({ code: found.code, err: found.err }).toEqual({ code, err: expect.stringMatching(said) });
  await expect(readFile(at('x.yaml'))).rejects.toThrow('ENOENT');
}); // oxfmt-ignore

describe('help', () => {
  test('has every flag in a group', () => {
    const grouped = new Set<string>(twinGroups.flatMap(([, names]) => names));
    expect(Object.keys(onCommandLine(twinFlags)).filter((name) => !grouped.has(name))).toEqual([]);
    expect(Object.keys(onCommandLine(twinFlags)).length).toBeLessThanOrEqual(26);
  });
});
