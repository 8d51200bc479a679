import type { Exchange } from '../client/exchange.js';
import type { CheckEvent, Report } from '../client/types.js';

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

/** Characters of all bodies that are kept whole, and of each body after those. */
const [MOST_BODIES, LEAST_BODY] = [20_000_000, 2000];

/** Keeps what file reporters need. */
export class Recorder implements StreamReporter {
  readonly #exchanges = new Map<string, Exchange>();
  #report: Report | undefined;
  /** Characters of bodies so far. */
  #size = 0;

  /** @param version The version of the suite. */
  constructor(readonly version = '0.0.0') {}

  onEvent(event: CheckEvent): void {
    if (event.type === 'exchange') this.#exchanges.set(event.exchange.id, this.#kept(event.exchange));
    if (event.type === 'end') this.#report = event.report;
  }

  /** The exchange, without most of its bodies when there is no room for more. */
  #kept(exchange: Exchange): Exchange {
    const { request, response } = exchange;
    this.#size += (request.body?.length ?? 0) + (response?.body.length ?? 0);
    if (this.#size <= MOST_BODIES) return exchange;
    const cut = (body: string): string => body.slice(0, LEAST_BODY);
    return {
      ...exchange,
      request: request.body === undefined ? request : { ...request, body: cut(request.body) },
      ...(response ? { response: { ...response, body: cut(response.body) } } : {}),
    };
  }

  /** The run, once it has ended. */
  get run(): RecordedRun {
    return { report: this.#report!, exchanges: this.#exchanges, version: this.version };
  }
}
