import { once } from 'node:events';
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createSandbox } from '../../../src/engine/library.js';
import { startCli } from '../../support/network/process.js';
import {
  book,
  folders,
  idsIn,
  listed,
  NOW,
  readState,
  teeTimes,
  tryToBook,
  until,
} from '../../support/network/state-server.js';

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

test('however many signals come, nothing that was answered is lost', async () => {
  const file = join(newFolder(), 'state.json');
  const server = await startCli([...NOW, '--state', file]);
  const free = await teeTimes(server);
  const closed = once(server.child, 'close');
  const ids = await Promise.all(free.slice(0, 4).map((teeTime) => book(server, teeTime)));
  for (const signal of ['SIGINT', 'SIGINT', 'SIGTERM'] as const) server.child.kill(signal);
  await closed;
  expect(server.output().stderr).toBe('');
  expect(idsIn(readState(file))).toEqual(expect.arrayContaining(ids));
});

/** A server whose folder was renamed, so that no save succeeds; a booking was tried since. */
async function withoutFolder() {
  const folder = newFolder();
  const file = join(folder, 'state.json');
  const server = await startCli([...NOW, '--state', file]);
  const free = await teeTimes(server);
  const before = (await listed(server)).length;
  renameSync(folder, `${folder}-away`);
  const first = await tryToBook(server, free[0]!);
  return { folder, file, server, free, before, first };
}

describe('a save that fails', () => {
  test('is logged one time, and what depends on it is answered with 503', async () => {
    const { file, server, free, first } = await withoutFolder();
    const refused = { status: 503, message: expect.stringContaining('the folder no longer exists') };
    expect([first, await tryToBook(server, free[1]!)]).toEqual([refused, refused]);
    expect((await fetch(`${server.baseUrl}/__admin/bookings`)).status).toBe(503);
    await server.stop();
    const { stderr } = server.output();
    expect(stderr.match(/Failed to save/g)).toHaveLength(1);
    expect(stderr).toContain(`${file}: the folder no longer exists. Requests are answered with 503`);
  });

  test('is made good as soon as it can be, without another change', async () => {
    const { folder, file, server, free, before } = await withoutFolder();
    renameSync(`${folder}-away`, folder);
    await until(() => server.output().stderr.includes(`The state is saved to ${file} again.`));
    const id = await book(server, free[1]!);
    await server.stop('SIGKILL');
    expect(idsIn(readState(file))).toHaveLength(before + 2);
    expect(idsIn(readState(file)).at(-1)).toBe(id);
  });

  test('is made good at the end', async () => {
    const { folder, file, server, free, before } = await withoutFolder();
    await tryToBook(server, free[1]!);
    renameSync(`${folder}-away`, folder);
    expect(await server.stop()).toBe(0);
    expect(idsIn(readState(file)).length).toBe(before + 2);
  });
});

test('a file that cannot grow has all that was answered, and nothing torn', async () => {
  const file = join(newFolder(), 'state.json');
  const text = `${JSON.stringify((await createSandbox()).snapshot())}\n`;
  writeFileSync(file, text);
  // Blocks of 512 bytes; room for a few bookings.
  const limited = ['sh', '-c', 'ulimit -f "$0"; exec "$@"', String(Math.ceil((text.length + 6000) / 512))];
  const server = await startCli([...NOW, '--state', file], {}, limited);
  const before = idsIn(readState(file)).length;
  let answered = 0;
  for (const teeTime of await teeTimes(server)) {
    const { status, message } = await tryToBook(server, teeTime);
    if (status === 503) {
      expect(message).toContain('the file must not become larger');
      break;
    }
    answered += 1;
  }
  expect(answered).toBeGreaterThan(2);
  expect(await server.stop()).toBe(1);
  expect(server.output().stderr).toContain('Lost is 1 change since');
  expect(readFileSync(file, 'utf8').endsWith(']\n')).toBe(true);
  expect(idsIn(readState(file)).length).toBe(before + answered);
});

test('a file that was removed is written anew', async () => {
  const file = join(newFolder(), 'state.json');
  const server = await startCli([...NOW, '--state', file]);
  const free = await teeTimes(server);
  const first = await book(server, free[0]!);
  rmSync(file);
  const second = await book(server, free[1]!);
  await server.stop('SIGKILL');
  expect(idsIn(readState(file)).slice(-2)).toEqual([first, second]);
});

describe('a last save that fails', () => {
  test.each(signals)('at %s ends with exit code 1 and says what is lost', async (signal) => {
    const { file, server, free } = await withoutFolder();
    await tryToBook(server, free[1]!);
    await tryToBook(server, free[2]!);
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
    await tryToBook(server, (await teeTimes(server))[0]!);
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
