import type { Exchange } from '../client/exchange.js';
import { beginningOf } from '../client/recording.js';
import type { CheckEvent, Report } from '../client/types.js';

/** The maximum number of characters of a body in a report that is read by people. */
export const MOST_BODY = 4000;
/** Characters of all bodies that are kept whole, and of each body after those. */
const [MOST_BODIES, LEAST_BODY] = [20_000_000, 2000];

/** An exchange with the beginning of its bodies. */
export function cutExchange(exchange: Exchange, most = MOST_BODY): Exchange {
  const cut = <Side extends { readonly body?: string }>(side: Side): Side => {
    // A body is masked each time that it is read.
    const whole = { ...side };
    const { body = '' } = whole;
    return body.length <= most ? whole : { ...whole, body: beginningOf(body, most), isCut: true };
  };
  const { request, response } = exchange;
  return { ...exchange, request: cut(request), ...(response ? { response: cut(response) } : {}) };
}

/** An exchange without the secrets that became known only after it was recorded. A body is masked when it is read. */
export function exchangeMaskedAgain(exchange: Exchange, mask: (text: string) => string): Exchange {
  const { request, response, ...others } = exchange;
  const { url, headers, body } = request;
  const values = (all: Readonly<Record<string, string>>): Record<string, string> =>
    Object.fromEntries(Object.entries(all).map(([name, value]) => [name, mask(value)]));
  const sent = body === undefined ? {} : { body: mask(body) };
  return {
    ...others,
    request: { ...request, url: mask(url), headers: values(headers), ...sent },
    ...(response ? { response: maskedResponse(response, values(response.headers), mask) } : {}),
  };
}

function maskedResponse(
  response: NonNullable<Exchange['response']>,
  headers: Readonly<Record<string, string>>,
  mask: (text: string) => string,
): NonNullable<Exchange['response']> {
  const { status, length, isCut } = response;
  return {
    status,
    headers,
    get body() {
      return mask(response.body);
    },
    length,
    ...(isCut ? { isCut } : {}),
  };
}

/** The exchanges of a run by id, without most of their bodies when there is no room for more. */
export class KeptExchanges extends Map<string, Exchange> {
  /** Characters of bodies so far. */
  #size = 0;

  keep(exchange: Exchange): void {
    const { request, response } = exchange;
    // Masking a body to measure it takes longer than parsing it, but of one that is cut only the beginning is kept.
    const answered = response?.isCut ? response.body.length : (response?.length ?? 0);
    this.#size += (request.body?.length ?? 0) + answered;
    this.set(exchange.id, this.#size <= MOST_BODIES ? exchange : cutExchange(exchange, LEAST_BODY));
  }

  /** Masks what became known as a secret only after an exchange was recorded. */
  maskAgain(mask: (text: string) => string): void {
    for (const [id, exchange] of this) this.set(id, exchangeMaskedAgain(exchange, mask));
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
    if (event.type !== 'end') return;
    this.#report = event.report;
    if (event.mask) this.#exchanges.maskAgain(event.mask);
  }

  /** The run, once it has ended. */
  get run(): RecordedRun {
    return { report: this.#report!, exchanges: this.#exchanges, version: this.version };
  }
}
