import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openOutput } from '../../src/cli/commands/evaluation.js';
import { openResultFiles } from '../../src/cli/result-files.js';
import type { Terminal } from '../../src/cli/terminal.js';
import { replay } from '../../src/conformance/replay/replay.js';

test.each([
  ['is over', 1, 'The time of the run (--deadline) was over before b.html, c.xml could be written.'],
  ['has no limit', 0, undefined],
  ['is enough', 60_000, undefined],
])('when the time of a run %s, the reports after the first say so', async (_, deadline, said) => {
  const folder = await mkdtemp(join(tmpdir(), 'results-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const files = {
    a: join(folder, 'a.json'),
    b: join(folder, 'b.html'),
    c: join(folder, 'c.xml'),
    card: join(folder, 'card'),
  };
  const report = [
    { format: 'json', file: files.a },
    { format: 'html', file: files.b },
    { format: 'junit', file: files.c },
  ] as const;
  const errors: string[] = [];
  const terminal = {
    out: () => {},
    err: (line: string) => void errors.push(line),
    colour: false,
  } as unknown as Terminal;
  const output = await openOutput({ report, deadline, 'dialect-out': files.card, quiet: true } as never, terminal, {});
  const done = await replayed(output.onEvent);
  await new Promise((resolve) => setTimeout(resolve, 5));
  await output.finish(done);
  expect(errors.map((line) => line.replaceAll(`${folder}/`, ''))).toEqual(said === undefined ? [] : [said]);
  const written = await Promise.all(
    Object.values(files).map(async (file) => (await readFile(file, 'utf8').catch(() => '')) !== ''),
  );
  expect(written).toEqual([true, said === undefined, said === undefined, true]);
});

const replayed = (onEvent: Parameters<typeof replay>[0]['onEvent']) =>
  replay({ archive: { log: { entries: [] } }, host: { now: () => 0 }, onEvent: onEvent! });

test.each(['./a.json', 'reports/../a.json', resolve('a.json')])('a.json and %s are one file', async (other) => {
  await expect(openResultFiles(['a.json', other], {} as Terminal)).rejects.toThrow(
    `Two results cannot go to ${other}.`,
  );
});
