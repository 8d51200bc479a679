import type { Exchange } from '../client/exchange.js';
import type { CheckEvent, Report } from '../client/types.js';
import { KeptExchanges } from './formats/bodies.js';

/** Everything that a file reporter can use. */
export interface RecordedRun {
  readonly report: Report;
  /** By id, as in the results of the rules; secrets are masked. */
  readonly exchanges: ReadonlyMap<string, Exchange>;
  /** The version of the suite. */
  readonly version: string;
}

/** Formats a finished run as one text. It runs in browsers too: the caller writes the file. */
export type FileReporter = (run: RecordedRun) => string;

/** Follows a run in progress, such as a terminal. */
export interface StreamReporter {
  onEvent(event: CheckEvent): void;
}

/** Keeps what file reporters need. */
export class Recorder implements StreamReporter {
  readonly #exchanges = new KeptExchanges();
  #report: Report | undefined;

  /** @param version The version of the suite. */
  constructor(readonly version = '0.0.0') {}

  onEvent(event: CheckEvent): void {
    if (event.type === 'exchange') this.#exchanges.keep(event.exchange);
    if (event.type === 'end') this.#report = event.report;
  }

  /** The run, once it has ended. */
  get run(): RecordedRun {
    return { report: this.#report!, exchanges: this.#exchanges, version: this.version };
  }
}
