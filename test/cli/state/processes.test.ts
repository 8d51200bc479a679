import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { lockFile } from '../../../src/cli/state/file-lock.js';
import { isRunning, markOf } from '../../../src/cli/state/processes.js';

/** The id of a process that has ended, and whose parent does not ask for its exit code. */
async function zombie(): Promise<number> {
  const parent = spawn('sh', ['-c', 'sleep 0.05 & echo $!; exec sleep 30'], { stdio: ['ignore', 'pipe', 'ignore'] });
  onTestFinished(() => void parent.kill('SIGKILL'));
  const [line] = (await once(parent.stdout, 'data')) as [Buffer];
  return Number(String(line));
}

const stateOf = (pid: number): string => readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)![0]!;

test.runIf(process.platform === 'linux')(
  'a process that ended does not run, and holds no file, before it is reaped',
  async () => {
    const pid = await zombie();
    const mark = markOf(pid);
    expect(isRunning(mark)).toBe(true);
    await expect.poll(() => stateOf(pid)).toBe('Z');
    expect(markOf(pid)).toEqual(mark);
    expect(isRunning(mark)).toBe(false);
    const folder = mkdtempSync(join(tmpdir(), 'teebox-zombie-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    writeFileSync(join(folder, 'state.json.lock'), `${JSON.stringify(mark)}\n`);
    const lock = await lockFile(join(folder, 'state.json'), () => {});
    expect(() => lock.check()).not.toThrow();
  },
);

test('a server that is just stopping is waited for', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'teebox-stopping-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const holder = spawn('sleep', ['30']);
  await once(holder, 'spawn');
  writeFileSync(join(folder, 'state.json.lock'), `${JSON.stringify(markOf(holder.pid!))}\n`);
  setTimeout(() => holder.kill('SIGKILL'), 100);
  await lockFile(join(folder, 'state.json'), () => {});
});
