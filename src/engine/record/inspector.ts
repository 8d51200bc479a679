import type { Answers } from '../../contract/index.js';
import type { Schedule } from '../model/clock.js';
import { checkNames, type EntryFilter, fits, type KnownNames } from './entry-filter.js';
import { type EntrySummary, type EntryView, summaryOf, type ViewContext, viewOf } from './entry-view.js';
import type { Explanation } from './explain.js';
import type { Journal, JournalEntry, JournalListener } from './journal.js';
import type { Expectation, Verified, VerifyHost } from './verify.js';
import {
  defined,
  harRequest,
  harResponse,
  maskAddress,
  type HarRequest,
  type HarResponse,
} from '../../common/index.js';

/** The properties of a sandbox that an inspector needs. */
interface InspectorHost {
  readonly journal: Journal;
  /** The channels of the world in force. */
  readonly channels: () => readonly { readonly name: string }[];
  readonly scenarios: VerifyHost['scenarios'] & { readonly all: readonly { readonly id: string }[] };
  /** The current dialect. */
  readonly dialect: { readonly answers: Answers };
  /** The prefix of every path, in a world other than the main one. */
  readonly prefix?: string | undefined;
  readonly version: string;
  readonly schedule: Schedule;
}

/** Queries the journal. Entries are masked, copied and explained only on demand. */
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
   * The matching entries, oldest first.
   *
   * @throws {ValidationError} for an unknown name in the filter.
   */
  select(filter: EntryFilter): JournalEntry[] {
    checkNames(filter, this.#known);
    return this.journal.entries.filter((entry) => fits(filter, entry, this.#host.prefix));
  }

  /** The entry of a list. */
  summary(entry: JournalEntry): EntrySummary {
    return summaryOf(entry, this.#views);
  }

  /** A complete entry. */
  view(entry: JournalEntry): EntryView {
    return viewOf(entry, this.#views);
  }

  /** An HTTP Archive (HAR). Default: all entries. */
  har(entries: readonly JournalEntry[] = this.journal.entries): Har {
    return harOf(entries, this.#views, this.#host.version);
  }

  /**
   * Checks an expectation, and waits for it as long as it can still be met.
   *
   * @throws {ValidationError} for an invalid expectation.
   * @throws {Unverified} if it is not met in time, or the signal aborts.
   * @throws {Crowded} if too many verifications wait already.
   */
  async verify(expectation: Expectation, signal?: AbortSignal): Promise<Verified> {
    const { journal, prefix, schedule, scenarios } = this.#host;
    const leave = (expectation as Expectation | undefined)?.timeoutMs ? journal.take('waiters') : () => {};
    try {
      // Loaded on demand, as `explain` is, so that pages that never ask do not load it.
      const { verify } = await import('./verify.js');
      return await verify({ journal, prefix, schedule, signal, known: this.#known, scenarios }, expectation);
    } finally {
      leave();
    }
  }

  /** @throws {Error} if the request is not in the journal. */
  async explain(id: string): Promise<Explanation> {
    const entry = this.journal.find(id);
    if (!entry) throw new Error(unknownRequest(id));
    const { explain } = await import('./explain.js');
    return explain(entry, { ...this.#views, answers: this.#host.dialect.answers });
  }

  get #views(): ViewContext {
    const { prefix, dialect } = this.#host;
    return { prefix, bearerHeader: dialect.answers['auth.bearer-header'] };
  }

  get #known(): KnownNames {
    const { channels, scenarios } = this.#host;
    return { channels: channels().map(({ name }) => name), scenarios: scenarios.all.map(({ id }) => id) };
  }
}

/** The journal of a sandbox, as the library exposes it. */
export interface SandboxJournal {
  /** The entries, oldest first. */
  readonly entries: readonly JournalEntry[];
  find(requestId: string): JournalEntry | undefined;
  /** Adds a listener; the returned function removes it. */
  listen(listener: JournalListener): () => void;
  clear(): void;
  /**
   * Checks an expectation, and waits for it as long as it can still be met.
   *
   * @throws {ValidationError} for an invalid expectation.
   * @throws {Unverified} if it is not met in time.
   */
  verify(expectation: Expectation): Promise<Verified>;
  /**
   * Explains the response to a request.
   *
   * @throws {Error} if the request is not in the journal.
   */
  explain(id: string): Promise<Explanation>;
  /** An HTTP Archive (HAR). Default: all entries. */
  har(entries?: readonly JournalEntry[]): Har;
}

/** The public view of a journal. */
export function shownJournal(inspector: Inspector): SandboxJournal {
  const { journal } = inspector;
  return {
    get entries() {
      return [...journal.entries];
    },
    find: (id) => journal.find(id),
    listen: (listener) => journal.listen(listener),
    clear: () => journal.clear(),
    verify: (expectation) => inspector.verify(expectation),
    explain: (id) => inspector.explain(id),
    har: (entries) => inspector.har(entries),
  };
}

/** The message for a request that is not, or no longer, in the journal. */
export function unknownRequest(id: string): string {
  return `There is no request \`${id.slice(0, 80)}\` in the journal, which remembers the last thousand.`;
}

/** One entry of an HTTP Archive; names that begin with an underscore are our own, as the format allows. */
interface HarEntry {
  readonly startedDateTime: string;
  readonly time: number;
  readonly request: HarRequest;
  readonly response: HarResponse;
  readonly cache: Readonly<Record<string, never>>;
  readonly timings: { readonly send: 0; readonly wait: number; readonly receive: 0 };
  readonly _id: string;
  readonly _state: string;
  readonly _operation?: string;
  readonly _channel?: string;
  readonly _rule?: string;
  readonly _scenario?: string;
}

/** An HTTP Archive 1.2. */
export interface Har {
  readonly log: {
    readonly version: '1.2';
    readonly creator: { readonly name: 'teebox'; readonly version: string };
    readonly entries: readonly HarEntry[];
  };
}

const JSON_TYPE = 'application/json';

/** Exchanges as an HTTP Archive, without secrets; those still open are left out, since the format cannot hold them. */
function harOf(journal: readonly JournalEntry[], context: ViewContext, version: string): Har {
  const entries = journal.filter(({ state }) => state !== 'open').map((one) => entryOf(one, context));
  return { log: { version: '1.2', creator: { name: 'teebox', version }, entries } };
}

function entryOf(entry: JournalEntry, context: ViewContext): HarEntry {
  const view = viewOf(entry, context);
  const { id, state, at, durationMs = 0, operation, channel, rule, scenario } = view;
  return {
    startedDateTime: at,
    time: durationMs,
    request: requestOf(entry, view),
    response: responseOf(view),
    cache: {},
    timings: { send: 0, wait: durationMs, receive: 0 },
    _id: id,
    _state: state,
    ...defined({
      _operation: operation,
      _channel: channel,
      _rule: rule,
      _scenario: scenario?.struck ? scenario.id : undefined,
    }),
  };
}

function requestOf({ url: asked, method }: JournalEntry, { request }: EntryView): HarRequest {
  const { headers, body, length, dropped } = request;
  const url = maskAddress(asked);
  const at = url.indexOf('?');
  const query = new URLSearchParams(at < 0 ? '' : url.slice(at + 1));
  return harRequest(
    { method, url, query, headers, text: textOf(body), ...(dropped ? { size: length! } : {}) },
    JSON_TYPE,
  );
}

function responseOf({ status, response }: EntryView): HarResponse {
  const { headers = {}, body, length: size = 0 } = response ?? {};
  return harResponse({ status, headers, text: textOf(body), size }, JSON_TYPE);
}

function textOf(body: unknown): string | undefined {
  return typeof body === 'string' || body === undefined ? body : JSON.stringify(body);
}
