import { once } from 'node:events';
import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { command } from '../../src/cli/capsules/command.js';
import { commands } from '../../src/cli/commands/table.js';
import { runCommand } from '../../src/cli/commands/command.js';
import { UsageError } from '../../src/cli/usage-error.js';
import { processTerminal } from '../../src/cli/terminal.js';
import { basicCredentials } from '../../src/engine/model/world.js';
import { open } from '../support/client.js';
import { CLI, runCli } from '../support/network/process.js';
import { bookingFor, findTeeTime } from '../support/scenes.js';

let folder: string;
let bookingId: string;
const at = (name: string) => join(folder, name);

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'replay-'));
  const { sandbox, fairway } = await open();
  const teeTime = await findTeeTime(fairway);
  bookingId = (await fairway.post('/api/v5/bookings', bookingFor(teeTime))).body.data.bookingId;
  await fairway.get('/api/v4/bookings');
  const text = JSON.stringify(await sandbox.capsule());
  await writeFile(at('good.json'), text);
  await writeFile(at('bad.json'), text.replaceAll(`"bookingId":"${bookingId}"`, '"bookingId":"other"'));
  await writeFile(at('empty.json'), JSON.stringify(await (await open()).sandbox.capsule()));
  await writeFile(at('traffic.har'), '{"log":{"entries":[]}}');
  await writeFile(at('newer.json'), '{"capsule":2,"teebox":"9.0.0"}');
  await writeFile(at('dialect.json'), text.replace('"dialect":{}', '"dialect":{"answers":{"guess":1}}'));
  await writeFile(at('half.json'), text.slice(0, 100));
  await writeFile(at('scenarios.json'), text.replace('"options":{}', '"options":{"scenarios":[{"id":"x"}]}'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Runs the command in this process. */
async function replay(...args: readonly string[]): Promise<{ code: number; out: string }> {
  const lines: string[] = [];
  const terminal = { ...processTerminal(process), out: (line: string) => void lines.push(line), err: () => {} };
  const code = await runCommand(command, args, { terminal, env: {}, commands });
  return { code, out: lines.join('\n') };
}

describe('teebox replay', () => {
  test('says that all is the same, or what differs', { tags: ['always'] }, async () => {
    const good = await runCli(['replay', at('good.json')]);
    expect(good).toMatchObject({ code: 0, stderr: '' });
    expect(good.stdout).toMatch(/^Replayed \d+ requests of .*good\.json: the same responses, byte for byte\.\n$/);
    const bad = await replay(at('bad.json'));
    expect(bad.code).toBe(1);
    expect(bad.out).toContain(': 2 steps differ.\n');
    expect(bad.out).toContain(
      `POST /api/v5/bookings\n  body.data.bookingId\n    expected "other"\n    got      "${bookingId}"`,
    );
    expect(bad.out).toContain('Teebox 0.0.0 wrote it');
  });

  test('prints JSON', async () => {
    const { code, out } = await replay(at('bad.json'), '--json');
    const { same, differences } = JSON.parse(out) as { same: boolean; differences: unknown[] };
    expect([code, same, differences.length]).toEqual([1, false, 2]);
  });

  test.each([
    [['missing.json'], 'Failed to load capsule missing.json: the file does not exist.'],
    [['traffic.har'], /This is no capsule.* For a HAR file, use `teebox check --replay`\./],
    [['newer.json'], /form 2; this Teebox plays form 1\. Teebox 9\.0\.0 wrote it; update Teebox\./],
    [['dialect.json'], /`guess` is not a question/],
    [['half.json'], /it is not JSON/],
    [['empty.json'], /empty\.json contains no request, so there is no response to compare\./],
    [['scenarios.json'], /`options\.scenarios\[0\]` must be a string/],
    [[], /replay needs one capsule.*got 0/],
    [['good.json', 'bad.json'], /got 2/],
    [['good.json', '--to-test', 'mocha'], /--to-test must be one of vitest; got `mocha`/],
    [['good.json', '--to-test', 'vitest', '--serve'], /Use one of them/],
  ])('refuses %j', async (words, reason) => {
    const run = replay(
      ...words.map((word) => (/^(good|bad|traffic|newer|dialect|half|empty|scenarios)\./.test(word) ? at(word) : word)),
    );
    await expect(run).rejects.toThrow(reason);
    await expect(run).rejects.toBeInstanceOf(UsageError);
  });

  test('writes a test one time', async () => {
    expect(await replay(at('good.json'), '--to-test', 'vitest')).toMatchObject({ code: 0 });
    const text = await readFile(at('good.test.ts'), 'utf8');
    expect(text).toContain("from 'teebox/capsules'");
    await expect(replay(at('good.json'), '--to-test', 'vitest')).rejects.toThrow('the file exists; remove it first');
  });

  test('serves the state after the last request, at a frozen clock', async () => {
    const child = spawn(process.execPath, [CLI, 'replay', at('good.json'), '--serve', '--port', '0']);
    try {
      let out = '';
      child.stdout.on('data', (piece: Buffer) => (out += piece));
      while (!out.includes('the console')) await once(child.stdout, 'data');
      const [url] = /http:\S+(?=:)/.exec(out)!;
      const { sandbox } = await open();
      const headers = { authorization: basicCredentials(sandbox.channels[0]!) };
      expect(await (await fetch(`${url}/api/v4/bookings`, { headers })).text()).toContain(bookingId);
      expect(await (await fetch(`${url}/__admin/clock`)).json()).toEqual({
        now: '2026-06-01T08:00:00.000Z',
        mode: 'standing',
      });
    } finally {
      child.kill();
      await once(child, 'close');
    }
  });
});
