import {
  existsSync,
  linkSync,
  lstatSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openStateFile } from '../../../src/cli/state/state-file.js';
import { createSandbox } from '../../../src/engine/library.js';
import { runCli, startCli } from '../../support/network/process.js';
import { ask, book, folders, idsIn, NOW, readState as read, teeTimes } from '../../support/network/state-server.js';

const newFolder = folders();

test('a killed server has kept what it answered', { tags: ['always'] }, async () => {
  const file = join(newFolder(), 'state.json');
  const server = await startCli([...NOW, '--state', file]);
  const id = await book(server, (await teeTimes(server))[0]!);
  await server.stop('SIGKILL');
  expect(idsIn(read(file))).toContain(id);
});

describe('a start', () => {
  test('takes seed, size and a frozen clock from the file; flags override it', async () => {
    const file = join(newFolder(), 'state.json');
    const sandbox = await createSandbox({ seed: 7, facilities: 90, now: '2026-07-01T08:00:00Z' });
    writeFileSync(file, JSON.stringify(sandbox.snapshot()));
    const server = await startCli(['--state', file]);
    expect(await ask(server, '/__admin/version')).toMatchObject({ seed: 7, facilities: 90 });
    expect(await ask(server, '/__admin/clock')).toEqual({ now: '2026-07-01T08:00:00.000Z', mode: 'standing' });
    await server.stop();
    const other = await startCli(['--state', file, ...NOW]);
    expect(await ask(other, '/__admin/clock')).toMatchObject({ now: '2026-06-01T08:00:00.000Z' });
    await other.stop();
  });

  test('lets a clock that ran follow the machine, as far ahead as it was', async () => {
    const file = join(newFolder(), 'state.json');
    const server = await startCli(['--state', file]);
    await ask(server, '/__admin/clock', { advance: 'P10D' });
    await server.stop();
    const before = Date.now();
    const again = await startCli(['--state', file]);
    const { now, mode } = await ask(again, '/__admin/clock');
    expect(mode).toBe('running');
    expect(Date.parse(now)).toBeGreaterThanOrEqual(before + 864_000_000);
    expect(Date.parse(now)).toBeLessThanOrEqual(Date.now() + 864_000_000);
    await again.stop();
  });

  test('clears away what processes left that are gone, and nothing else', async () => {
    const folder = newFolder();
    const file = join(folder, 'state.json');
    const left = ['state.json.999999999.tmp', `state.json.${process.pid}.tmp`, 'state.json.old', 'a.1.tmp'];
    for (const name of left) writeFileSync(join(folder, name), '');
    await (await startCli([...NOW, '--state', file])).stop();
    expect(readdirSync(folder).sort()).toEqual(left.slice(1).sort());
  });

  test('by a link saves where it leads', async () => {
    const folder = newFolder();
    const [file, link] = [join(folder, 'state.json'), join(folder, 'link.json')];
    writeFileSync(file, JSON.stringify((await createSandbox()).snapshot()));
    symlinkSync(file, link);
    const server = await startCli([...NOW, '--state', link]);
    const id = await book(server, (await teeTimes(server))[0]!);
    await server.stop();
    expect(lstatSync(link).isSymbolicLink()).toBe(true);
    expect(idsIn(read(file))).toContain(id);
  });

  const broken: [what: string, text: string, why: RegExp][] = [
    ['nothing', '', /it is not JSON/],
    ['half a state', '{"format":"teebox-state","ver', /it is not JSON/],
    ['null', 'null', /`state` must be an object with format, version/],
    ['something else', '{"log":{}}', /`format` must be "teebox-state"; got nothing/],
  ];
  test.each<[what: string, spoil: (file: string) => void]>([
    ['that is no JSON', (file) => writeFileSync(file, '{')],
    ['with a second name', (file) => linkSync(file, `${file}.other`)],
  ])('from a file %s leaves no descriptor open', async (_, spoil) => {
    const file = join(newFolder(), 'state.json');
    writeFileSync(file, JSON.stringify((await createSandbox()).snapshot()));
    spoil(file);
    await expect(openStateFile(file, 'always', () => {})).rejects.toThrow('Failed to load state');
    const descriptors = readdirSync('/proc/self/fd').flatMap((fd) => {
      const link = `/proc/self/fd/${fd}`;
      return existsSync(link) ? [readlinkSync(link)] : [];
    });
    expect(descriptors).toContain(`${file}.lock`);
    expect(descriptors).not.toContain(file);
  });

  test.each(broken)('from a file with %s is refused, and the file stays', async (_, text, why) => {
    const file = join(newFolder(), 'state.json');
    writeFileSync(file, text);
    const { code, stdout, stderr } = await runCli(['serve', '--port', '0', '--state', file]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(why);
    expect(stderr).toContain(`Failed to load state ${file}: `);
    expect(readFileSync(file, 'utf8')).toBe(text);
  });

  test('from a world of another seed, a folder, or where no folder is, is refused', async () => {
    const folder = newFolder();
    const file = join(folder, 'state.json');
    writeFileSync(file, JSON.stringify((await createSandbox()).snapshot()));
    const rows: [args: string[], why: string][] = [
      [['--state', file, '--seed', '2'], '`seed` must be 2, as in this sandbox; got 1.'],
      [['--state', folder], 'it cannot be read (EISDIR).'],
      [['--state', join(folder, 'nowhere', 'state.json')], 'the folder does not exist.'],
    ];
    for (const [args, why] of rows) {
      const { code, stderr } = await runCli(['serve', '--port', '0', ...args]);
      expect({ args, code, stderr }).toEqual({ args, code: 2, stderr: expect.stringContaining(why) });
    }
  });
});
