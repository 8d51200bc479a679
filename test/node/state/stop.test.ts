import { once } from 'node:events';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createSandbox } from '../../../src/index.js';
import { startCli } from '../../support/network/process.js';
import { book, folders, idsIn, NOW, readState, teeTimes, until } from '../../support/network/state-server.js';

const newFolder = folders();

const signals = [
  ['SIGTERM', 0],
  ['SIGINT', 130],
  ['SIGHUP', 129],
] as const;

test.each(signals)('at %s it saves before it goes', async (signal, code) => {
  const file = join(newFolder(), 'state.json');
  const server = await startCli(NOW, { TEEBOX_STATE: file });
  const id = await book(server, (await teeTimes(server))[0]!);
  expect(await server.stop(signal)).toBe(code);
  expect(idsIn(readState(file))).toContain(id);
});

test('a signal that comes twice, as npm sends it, saves all the same', async () => {
  const file = join(newFolder(), 'state.json');
  const server = await startCli([...NOW, '--state', file]);
  const id = await book(server, (await teeTimes(server))[0]!);
  server.child.kill('SIGINT');
  expect([129, 130]).toContain(await server.stop('SIGHUP'));
  expect(idsIn(readState(file))).toContain(id);
});

test('a third signal ends it, and it says that something is lost', async () => {
  const folder = newFolder();
  const file = join(folder, 'state.json');
  const server = await startCli([...NOW, '--state', file]);
  const free = await teeTimes(server);
  const closed = once(server.child, 'close');
  // A burst, so that a save may be on its way whenever the signals come.
  await Promise.all(free.slice(0, 4).map((teeTime) => book(server, teeTime)));
  for (const signal of ['SIGINT', 'SIGINT', 'SIGTERM'] as const) server.child.kill(signal);
  const [code] = await closed;
  const saved = existsSync(file) ? idsIn(readState(file)).length : 0;
  const { stderr } = server.output();
  // Which of the two it is depends on the disk, but never that both are silent.
  if (stderr === '') expect(saved).toBeGreaterThanOrEqual(4);
  else
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: expect.stringMatching(/^teebox: The last save .* 4 changes since/),
    });
});

/** A server whose folder was renamed, so that no save succeeds; it has made one booking since. */
async function withoutFolder() {
  const folder = newFolder();
  const file = join(folder, 'state.json');
  const server = await startCli([...NOW, '--state', file]);
  const free = await teeTimes(server);
  renameSync(folder, `${folder}-away`);
  const first = await book(server, free[0]!);
  await until(() => server.output().stderr.includes('Failed to save the state'));
  return { folder, file, server, free, first };
}

describe('a save that fails', () => {
  test('is logged one time, and the service keeps running', async () => {
    const { file, server, free } = await withoutFolder();
    await book(server, free[1]!);
    await server.stop();
    const { stderr } = server.output();
    expect(stderr.match(/Failed to save/g)).toHaveLength(1);
    expect(stderr).toContain(`${file}: the folder no longer exists.`);
  });

  test('is made good as soon as it can be, without another change', async () => {
    const { folder, file, server, first } = await withoutFolder();
    renameSync(`${folder}-away`, folder);
    await until(() => server.output().stderr.includes(`The state is saved to ${file} again.`));
    await server.stop('SIGKILL');
    expect(idsIn(readState(file)).at(-1)).toEqual(first);
  });

  test('is made good at the end', async () => {
    const { folder, file, server, free, first } = await withoutFolder();
    const second = await book(server, free[1]!);
    renameSync(`${folder}-away`, folder);
    expect(await server.stop()).toBe(0);
    expect(idsIn(readState(file)).slice(-2)).toEqual([first, second]);
  });
});

describe('a last save that fails', () => {
  test.each(signals)('at %s ends with exit code 1 and says what is lost', async (signal) => {
    const { file, server, free } = await withoutFolder();
    await book(server, free[1]!);
    await book(server, free[2]!);
    expect(await server.stop(signal)).toBe(1);
    const { stderr } = server.output();
    const [, last] = stderr.trim().split('\n');
    expect(last).toMatch(
      /^teebox: The last save of the state to \S+ failed: the folder no longer exists\. Lost are 3 changes since \d{4}-\d\d-\d\dT[\d:.]+Z, among them 3 bookings\. /,
    );
    expect(last).toContain(`There is no state in ${file}; the next start begins anew.`);
  });

  test('says what the file has, if it has something', async () => {
    // The name leaves room for that of the lock, but for no temporary file.
    const file = join(newFolder(), `${'s'.repeat(244)}.json`);
    const before = JSON.stringify((await createSandbox()).snapshot());
    writeFileSync(file, before);
    const server = await startCli([...NOW, '--state', file]);
    await book(server, (await teeTimes(server))[0]!);
    expect(await server.stop()).toBe(1);
    expect(server.output().stderr).toMatch(
      / Lost is 1 change since \S+, among them 1 booking\. \S+ has the state of before\. /,
    );
    expect(readFileSync(file, 'utf8')).toBe(before);
  });

  test('is no loss where nothing changed', async () => {
    const folder = newFolder();
    const server = await startCli([...NOW, '--state', join(folder, 'state.json')]);
    await teeTimes(server);
    renameSync(folder, `${folder}-away`);
    expect(await server.stop()).toBe(0);
    expect(server.output().stderr).toBe('');
  });
});
