import { setTimeout as sleep } from 'node:timers/promises';
import { ToolError, type ToolCall } from './tool.js';

/** Reports that are kept, the newest ones. */
const MOST_KEPT = 5;
/** Seconds that a tool waits for a run: many clients give up a call after a minute. */
export const PATIENCE_SECONDS = 45;

/** A run that makes a report, in the background. */
export interface Job {
  /** Such as `check-1`. */
  readonly id: string;
  readonly done: number;
  readonly total: number;
  /** The report as the command writes it in JSON; undefined while the run goes on. */
  readonly report: unknown;
  /** Why there is no report. */
  readonly failure: Error | undefined;
}

interface RunningJob extends Job {
  done: number;
  total: number;
  report: unknown;
  failure: Error | undefined;
  readonly stop: AbortController;
  over: Promise<void>;
}

/** What a job tells on its way. */
export type JobStep = (done: number, total: number) => void;

/** Runs that outlast a call, and their reports. */
export class Jobs {
  readonly #jobs = new Map<string, RunningJob>();
  #started = 0;

  /** @throws {ToolError} while another run goes on: both would change the same sandbox or deployment. */
  start(kind: 'check' | 'certify', work: (signal: AbortSignal, step: JobStep) => Promise<unknown>): Job {
    const other = [...this.#jobs.values()].find((job) => isRunning(job));
    if (other) {
      throw new ToolError(`${other.id} is still running. Wait for it with read_report(report="${other.id}").`);
    }
    const stop = new AbortController();
    const id = `${kind}-${(this.#started += 1)}`;
    const job: RunningJob = {
      id,
      done: 0,
      total: 0,
      report: undefined,
      failure: undefined,
      stop,
      over: Promise.resolve(),
    };
    const step: JobStep = (done, total) => void Object.assign(job, { done, total });
    job.over = work(stop.signal, step).then(
      (report) => void (job.report = report),
      (error: Error) => void (job.failure = error),
    );
    this.#jobs.set(id, job);
    for (const old of [...this.#jobs.keys()].slice(0, -MOST_KEPT)) this.#jobs.delete(old);
    return job;
  }

  /** @throws {ToolError} for an unknown id. */
  find(id: string): Job {
    const job = this.#jobs.get(id);
    if (job) return job;
    const known = [...this.#jobs.keys()].join(', ');
    const hint = known === '' ? 'Run check first, or give the path of a JSON file.' : `There are ${known}.`;
    throw new ToolError(`There is no report \`${id}\` in this session. ${hint}`);
  }

  /** Waits for the end of a run, or until a call should be answered. A client that cancels the call ends the run. */
  async wait({ id }: Job, { signal, progress }: ToolCall, seconds: number): Promise<Job> {
    const job = this.#jobs.get(id)!;
    const cancel = (): void => job.stop.abort();
    signal.addEventListener('abort', cancel, { once: true });
    const until = performance.now() + seconds * 1000;
    while (isRunning(job) && performance.now() < until) {
      progress(job.done, job.total, `${job.id}: ${job.done} of ${job.total}`);
      await Promise.race([job.over, sleep(Math.min(1000, Math.max(until - performance.now(), 1)))]);
    }
    signal.removeEventListener('abort', cancel);
    if (job.failure) throw job.failure;
    return job;
  }

  /** Ends what runs, when the session is over. */
  async end(): Promise<void> {
    for (const { stop } of this.#jobs.values()) stop.abort();
    await Promise.all([...this.#jobs.values()].map(({ over }) => over));
  }
}

function isRunning({ report, failure }: Job): boolean {
  return report === undefined && failure === undefined;
}
