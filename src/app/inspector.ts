import type { Answers } from '../generated/questions.js';
import type { Schedule } from './callbacks.js';
import { checkFilter, type ExchangeFilter, fits, type KnownNames } from './exchange-filter.js';
import { type ExchangeSummary, type ExchangeView, summaryOf, type ViewContext, viewOf } from './exchange-view.js';
import { explain, type Explanation } from './explain.js';
import { type Har, harOf } from './har.js';
import type { Exchange, Journal } from './journal.js';
import { type Expectation, verify, type Verified } from './verify.js';

/** What an inspector must know of its sandbox. */
export interface InspectorHost {
  readonly journal: Journal;
  readonly channels: readonly { readonly name: string }[];
  readonly scenarios: { readonly all: readonly { readonly id: string }[] };
  /** The dialect in force. */
  readonly dialect: { readonly answers: Answers };
  /** What every path begins with, in a world of its own. */
  readonly prefix?: string | undefined;
  readonly version: string;
  readonly schedule: Schedule;
}

/** Answers questions about the journal. Nothing is masked, copied or derived before one is asked. */
export class Inspector {
  readonly #host: InspectorHost;

  constructor(host: InspectorHost) {
    this.#host = host;
  }

  get journal(): Journal {
    return this.#host.journal;
  }

  /** Runs work later, as the sandbox does. */
  get schedule(): Schedule {
    return this.#host.schedule;
  }

  /**
   * The exchanges that are meant, oldest first.
   *
   * @throws {Misfit} for a filter that does not fit, naming the field.
   */
  select(filter: ExchangeFilter): Exchange[] {
    checkFilter(filter, this.#known);
    return this.journal.exchanges.filter((exchange) => fits(filter, exchange, this.#host.prefix));
  }

  /** The entry of a list. */
  summary(exchange: Exchange): ExchangeSummary {
    return summaryOf(exchange, this.#views);
  }

  /** All that is remembered. */
  view(exchange: Exchange): ExchangeView {
    return viewOf(exchange, this.#views);
  }

  /** An HTTP Archive; of all exchanges unless told otherwise. */
  har(exchanges: readonly Exchange[] = this.journal.exchanges): Har {
    return harOf(exchanges, this.#views, this.#host.version);
  }

  /**
   * Checks what was expected, and waits for it while it can still come true.
   *
   * @throws {Misfit} for an expectation that makes no sense.
   * @throws {Unverified} when it is not met in time.
   */
  verify(expectation: Expectation): Promise<Verified> {
    const { journal, prefix, schedule } = this.#host;
    return verify({ journal, prefix, schedule, known: this.#known }, expectation);
  }

  /**
   * Why a request was answered as it was.
   *
   * @throws {Error} when the journal has no such request.
   */
  async explain(id: string): Promise<Explanation> {
    const exchange = this.journal.find(id);
    if (!exchange) throw new Error(unknownRequest(id));
    return explain(exchange, { ...this.#views, answers: this.#host.dialect.answers });
  }

  get #views(): ViewContext {
    const { prefix, dialect } = this.#host;
    return { prefix, bearerHeader: dialect.answers['auth.bearer-header'] };
  }

  get #known(): KnownNames {
    const { channels, scenarios } = this.#host;
    return { channels: channels.map(({ name }) => name), scenarios: scenarios.all.map(({ id }) => id) };
  }
}

/** The journal of a sandbox as a library has it. */
export type SandboxJournal = Pick<Journal, 'exchanges' | 'find' | 'listen' | 'clear'> &
  Pick<Inspector, 'verify' | 'explain' | 'har'>;

/** What a sandbox shows of its journal. */
export function shownJournal(inspector: Inspector): SandboxJournal {
  const { journal } = inspector;
  return {
    get exchanges() {
      return [...journal.exchanges];
    },
    find: (id) => journal.find(id),
    listen: (listener) => journal.listen(listener),
    clear: () => journal.clear(),
    verify: (expectation) => inspector.verify(expectation),
    explain: (id) => inspector.explain(id),
    har: (exchanges) => inspector.har(exchanges),
  };
}

/** That a request is not in the journal, or not any more. */
export function unknownRequest(id: string): string {
  return `There is no request \`${id.slice(0, 80)}\` in the journal, which remembers the last thousand.`;
}
