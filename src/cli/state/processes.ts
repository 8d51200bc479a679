import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';

/** A process. Ids are given again, so the time of its start is needed to recognise it. */
export interface ProcessMark {
  readonly pid: number;
  /** When it started, in a unit of the system; null where the system does not tell. */
  readonly started: string | null;
  /** Where its id is valid. Containers and machines have ids of their own. */
  readonly space?: string;
}

/** The mark of the process that runs under an id. */
export function markOf(pid: number): ProcessMark {
  return { pid, started: statusOf(pid)?.started ?? null, space: ownSpace() };
}

/** Whether the id of a process is valid here, so that this process can see whether it runs. */
export function isVisible({ space }: ProcessMark): boolean {
  return space === undefined || space === ownSpace();
}

/** The boot of the machine and the namespace of process ids; the name of the machine where the system has neither. */
function ownSpace(): string {
  try {
    return `${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()} ${readlinkSync('/proc/self/ns/pid')}`;
  } catch {
    return hostname();
  }
}

/** Whether a visible process is still running; false for this one's predecessors under the same id. */
export function isRunning({ pid, started }: ProcessMark): boolean {
  const now = statusOf(pid);
  if (now?.hasEnded || (started !== null && now && started !== now.started)) return false;
  return pid === process.pid ? started !== null : exists(pid);
}

function exists(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

interface Status {
  readonly started: string;
  /** Whether it has ended and its parent has not asked for its exit code yet: then its id still exists. */
  readonly hasEnded: boolean;
}

/** Fields 3 and 22 of the status on Linux. The name of the command, field 2, may contain spaces and brackets. */
function statusOf(pid: number): Status | undefined {
  try {
    const status = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = status.slice(status.lastIndexOf(')') + 2).split(' ');
    return { started: fields[19]!, hasEnded: /^[ZXx]$/.test(fields[0]!) };
  } catch {
    return undefined;
  }
}
