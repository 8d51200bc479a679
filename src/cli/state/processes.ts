import { readFileSync } from 'node:fs';

/** A process. Ids are given again, so the time of its start is needed to recognise it. */
export interface ProcessMark {
  readonly pid: number;
  /** When it started, in a unit of the system; null where the system does not tell. */
  readonly started: string | null;
}

/** The mark of the process that runs under an id. */
export function markOf(pid: number): ProcessMark {
  return { pid, started: startOf(pid) };
}

/** Whether a process is still running; false for this one's predecessors under the same id. */
export function isRunning({ pid, started }: ProcessMark): boolean {
  const now = startOf(pid);
  if (started !== null && now !== null && started !== now) return false;
  return pid === process.pid ? started !== null : exists(pid);
}

function exists(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Field 22 of the status on Linux. The name of the command, field 2, may contain spaces and brackets. */
function startOf(pid: number): string | null {
  try {
    const status = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return status.slice(status.lastIndexOf(')') + 2).split(' ')[19] ?? null;
  } catch {
    return null;
  }
}
