import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { cpus } from 'node:os';

const TICKS_A_SECOND = 100;
const NANOSECONDS = 1e9;

const cores = cpus().length;
const canPin = cores > 1 && spawnSync('taskset', ['--version'], { stdio: 'ignore' }).status === 0;

/** A command that runs on the core of servers, where the system can do that. */
export function onServerCore(command: readonly string[]): readonly string[] {
  return canPin ? ['taskset', '-c', '0', ...command] : command;
}

/** Leaves the core of servers to them: this process, which makes the load, runs on the others. */
export function leaveServerCore(): void {
  if (canPin) spawnSync('taskset', ['-acp', `1-${cores - 1}`, String(process.pid)], { stdio: 'ignore' });
}

/** Processor time of a process so far in seconds, with all its threads; undefined where the system does not tell. */
export function processorTime(pid: number): number | undefined {
  try {
    return scheduledTime(pid) ?? tickedTime(pid);
  } catch {
    return undefined;
  }
}

/** To the nanosecond, which rounds of some 100 ms need; undefined where the kernel keeps no such figures. */
function scheduledTime(pid: number): number | undefined {
  let sum = 0;
  for (const thread of readdirSync(`/proc/${pid}/task`)) {
    try {
      sum += Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')[0]);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') return undefined;
    }
  }
  return sum > 0 ? sum / NANOSECONDS : undefined;
}

function tickedTime(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ');
  return (Number(fields[11]) + Number(fields[12])) / TICKS_A_SECOND;
}

/** Megabytes that a process holds in memory; undefined where the system does not tell. */
export function residentMegabytes(pid: number): number | undefined {
  try {
    const kibibytes = /^VmRSS:\s*(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
    return kibibytes === undefined ? undefined : (Number(kibibytes) * 1024) / 1e6;
  } catch {
    return undefined;
  }
}
