import type { Exchange } from '../exchange.js';
import type { CheckEvent, Report } from '../types.js';

/** Everything that a report in a file can be made of. */
export interface RecordedRun {
  readonly report: Report;
  /** By id, as the verdicts name them; secrets are masked. */
  readonly exchanges: ReadonlyMap<string, Exchange>;
  /** Of the suite. */
  readonly version: string;
}

/** Writes a run that has ended, as one text. It runs in browsers too: the caller writes the file. */
export type FileReporter = (run: RecordedRun) => string;

/** Follows a run while it goes on, such as a terminal. */
export interface StreamReporter {
  onEvent(event: CheckEvent): void;
}

/** Keeps what file reporters need. */
export class Recorder implements StreamReporter {
  readonly #exchanges = new Map<string, Exchange>();
  #report: Report | undefined;

  /** `version` is that of the suite, which its host knows. */
  constructor(readonly version = '0.0.0') {}

  onEvent(event: CheckEvent): void {
    if (event.type === 'exchange') this.#exchanges.set(event.exchange.id, event.exchange);
    if (event.type === 'end') this.#report = event.report;
  }

  /** The run, once it has ended. */
  get run(): RecordedRun {
    return { report: this.#report!, exchanges: this.#exchanges, version: this.version };
  }
}
