import type { Exchange } from '../client/exchange.js';
import { beginningOf } from '../client/recording.js';
import type { CheckEvent, Report } from '../client/types.js';

/** The maximum number of characters of a body in a report that is read by people. */
export const MOST_BODY = 4000;
/** Characters of all bodies that are kept whole, and of each body after those. */
const [MOST_BODIES, LEAST_BODY] = [20_000_000, 2000];

/** An exchange with the beginning of its bodies. */
export function cutExchange(exchange: Exchange, most = MOST_BODY): Exchange {
  const { request, response } = exchange;
  const cut = (body: string): string => beginningOf(body, most);
  return {
    ...exchange,
    request: request.body === undefined ? request : { ...request, body: cut(request.body) },
    ...(response ? { response: { ...response, body: cut(response.body) } } : {}),
  };
}

/** The exchanges of a run by id, without most of their bodies when there is no room for more. */
export class KeptExchanges extends Map<string, Exchange> {
  /** Characters of bodies so far. */
  #size = 0;

  keep(exchange: Exchange): void {
    const { request, response } = exchange;
    this.#size += (request.body?.length ?? 0) + (response?.body.length ?? 0);
    this.set(exchange.id, this.#size <= MOST_BODIES ? exchange : cutExchange(exchange, LEAST_BODY));
  }
}

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
