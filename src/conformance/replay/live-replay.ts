import type { Exchange } from '../client/exchange.js';
import { bodyKept, responseOf } from '../client/recording.js';
import { NotAllowed } from '../client/outcome.js';
import type { Run } from '../client/session.js';
import type { Host, Report, RuleResult, UnjudgedExchange, Verdict } from '../client/types.js';
import type { RuleSpec } from '../rules/rule.js';
import { selectRules } from '../run/check.js';
import { Evidence } from '../run/evidence.js';
import { judge, judgementOf } from '../run/judge.js';
import { reportOf } from '../run/report.js';
import { keptWords } from '../run/summary/values.js';
import type { ArchivedExchange } from './archive.js';
import { readExchange, type RecordedCall } from './recorded-calls.js';
import { RecordedTransport, recordedRun, takeDelivery } from './recorded-transport.js';
import { notRun, type ReplayOptions } from './replay.js';

/** The options of a live replay. */
export interface LiveReplayOptions extends Omit<ReplayOptions, 'archive' | 'baseUrl' | 'onEvent' | 'rules'> {
  /** The base URL of the deployment. */
  readonly baseUrl: string;
  /** The most exchanges that are judged together; default {@link MAX_WINDOW}. */
  readonly window?: number;
  readonly host: Pick<Host, 'now'>;
  /** Takes each exchange as reports show it, in order. */
  readonly onExchange?: (exchange: Exchange) => void;
}

/** The most exchanges that are judged together, and kept for the reports, by default. */
const MAX_WINDOW = 1000;
/** Exchanges that a result names. */
const MAX_NAMED = 20;
/** Kinds of exchanges that could not be judged, in the report. */
const MAX_UNJUDGED = 100;

/** Why an exchange has to wait for a window of its own. */
const NO_ROOM = 'there is no room for it (--max-evidence)';

type WindowEntry =
  { readonly id: string; readonly call: RecordedCall } | { readonly id: string; readonly delivery: ArchivedExchange };

/** From the verdict that says most to the one that says least. */
const weight: readonly Verdict[] = ['fail', 'warn', 'error', 'observed', 'pass', 'inconclusive', 'not-run'];
const heavier = (one: RuleResult, other: RuleResult): boolean =>
  weight.indexOf(one.verdict) < weight.indexOf(other.verdict);

/**
 * Judges traffic while it passes, as `replay` judges a recording. Only the latest exchanges are kept: a finding stays, and
 * answers that are further apart than the window are not compared with each other.
 */
export class LiveReplay {
  readonly #results = new Map<string, RuleResult>();
  readonly #unjudged = new Map<string, UnjudgedExchange>();
  readonly #shown = new Map<string, Exchange>();
  readonly #startedAt: number;
  #pending: WindowEntry[] = [];
  #window: WindowEntry[] = [];
  #judging: WindowJudgement;
  #taken = 0;
  #dropped = 0;

  constructor(readonly options: LiveReplayOptions) {
    this.#startedAt = options.host.now();
    this.#judging = this.#fresh();
    for (const spec of this.#judging.selected) this.#results.set(spec.id, notRun(spec));
  }

  /** Takes an exchange, to be judged with the next ones. */
  take(exchange: ArchivedExchange, id: string): void {
    this.#taken += 1;
    const read = readExchange(exchange, this.options.baseUrl);
    if ('call' in read) this.#pending.push({ id, call: read });
    else this.#leaveOut(exchange, id, read.why);
  }

  /** Takes the result of a search on its way to the client. */
  deliver(delivery: ArchivedExchange, id: string): void {
    this.#taken += 1;
    this.#pending.push({ id, delivery });
  }

  /** Judges all that was taken so far. Returns the findings that are new. */
  async judge(): Promise<readonly RuleResult[]> {
    const found = new Map<string, RuleResult>();
    const { window = MAX_WINDOW } = this.options;
    while (this.#pending.length > 0) {
      if (this.#window.length >= window) this.#slide(window >> 1);
      for (const one of this.#pending.splice(0, window - this.#window.length)) this.#add(one);
      for (const result of await this.#judging.results()) if (this.#note(result)) found.set(result.id, result);
    }
    this.#forget();
    return [...found.values()];
  }

  /** Everything so far. */
  report(requests = this.#taken): Report {
    const { options } = this;
    const { run, evidence, written } = this.#judging;
    const { baseUrl } = options;
    const results = [...this.#results.values()];
    const startedAt = this.#startedAt;
    return {
      ...reportOf({ options, run, evidence, results, stopped: undefined, startedAt, written, baseUrl }),
      requests,
      unjudged: [...this.#unjudged.values()],
    };
  }

  /** The exchanges of the window, and those that results name. */
  get exchanges(): ReadonlyMap<string, Exchange> {
    return this.#shown;
  }

  /** The number of exchanges that are no longer compared with new ones. */
  get dropped(): number {
    return this.#dropped;
  }

  #fresh(): WindowJudgement {
    return new WindowJudgement(this.options, (exchange) => {
      // What is taken a second time, into a new window, was shown before.
      if (this.#shown.has(exchange.id)) return;
      this.#shown.set(exchange.id, exchange);
      this.options.onExchange?.(exchange);
    });
  }

  /** Goes on with the latest exchanges alone. */
  #slide(keep: number): void {
    this.#dropped += this.#window.length - keep;
    const kept = this.#window.slice(-keep);
    this.#window = [];
    this.#judging = this.#fresh();
    for (const one of kept) this.#add(one);
  }

  #add(one: WindowEntry): void {
    const why = this.#judging.add(one);
    if (why === undefined) this.#window.push(one);
    else if (why === NO_ROOM && this.#window.length > 1) {
      this.#slide(this.#window.length >> 1);
      this.#add(one);
    } else this.#leaveOut('call' in one ? one.call.exchange : one.delivery, one.id, why);
  }

  /** Notes a result; says whether it is a new finding. */
  #note(result: RuleResult): boolean {
    const before = this.#results.get(result.id);
    if (before && !heavier(result, before)) return false;
    this.#results.set(result.id, { ...result, exchanges: result.exchanges.slice(0, MAX_NAMED) });
    return result.verdict === 'fail' || result.verdict === 'warn';
  }

  #leaveOut(exchange: ArchivedExchange, id: string, why: string): void {
    const { method, url } = exchange;
    const { masker } = this.#judging.transport;
    const shown = masker.cut(keptWords(url.replace(/[?#].*/s, '')));
    const key = `${method} ${shown} ${why}`;
    if (this.#unjudged.size < MAX_UNJUDGED) this.#unjudged.set(key, { method, url: shown, why });
    this.#judging.show(exchange, id);
  }

  /** Lets go of exchanges that are in no window and that no result names. */
  #forget(): void {
    const { window = MAX_WINDOW } = this.options;
    if (this.#shown.size <= 2 * window) return;
    const kept = new Set(this.#window.map(({ id }) => id));
    for (const { exchanges, shownBy } of this.#results.values()) {
      for (const id of [...exchanges, shownBy]) if (id !== undefined) kept.add(id);
    }
    const spare = this.#shown.size - 2 * window;
    const old = [...this.#shown.keys()].filter((id) => !kept.has(id)).slice(0, Math.max(spare, window));
    for (const id of old) this.#shown.delete(id);
  }
}

/** The judgement of one window. */
class WindowJudgement {
  readonly transport: RecordedTransport;
  readonly run: Run;
  readonly evidence: Evidence;
  readonly selected: readonly RuleSpec[];
  readonly written: number;

  constructor(
    readonly options: LiveReplayOptions,
    readonly onExchange: (exchange: Exchange) => void,
  ) {
    const { baseUrl, maxEvidence, host, showPersonalData } = options;
    this.transport = new RecordedTransport({ baseUrl, maxEvidence }, host, onExchange);
    if (showPersonalData) this.transport.masker.personal = undefined;
    this.run = recordedRun(this.transport);
    this.evidence = new Evidence(this.run);
    const { selected, written } = selectRules(options, () => this.evidence);
    this.selected = selected;
    this.written = written;
  }

  /** Adds an exchange to the evidence; says why where it cannot. */
  add(one: WindowEntry): string | undefined {
    if ('delivery' in one) {
      try {
        takeDelivery(this.run, one.delivery, one.id);
        return undefined;
      } catch (error) {
        if (error instanceof NotAllowed) return NO_ROOM;
        throw error;
      }
    }
    const [refused] = this.transport.take(one.call, one.id);
    return refused && (refused.reason === 'evidence' ? NO_ROOM : refused.why);
  }

  /** Shows an exchange that is not judged. */
  show(
    { method, url, requestHeaders, requestBody, status, headers, text, startedAt, durationMs }: ArchivedExchange,
    id: string,
  ): void {
    const { masker } = this.transport;
    const body = requestBody === undefined ? {} : { body: bodyKept(masker, requestBody) };
    this.onExchange({
      id,
      caller: requestHeaders.has('authorization') ? 'first' : 'nobody',
      startedAt: new Date(startedAt).toISOString(),
      durationMs,
      request: { method, url: masker.text(url), headers: masker.headers(requestHeaders), ...body },
      ...(status === 0
        ? { failure: 'no answer' }
        : { response: responseOf(masker, { status, headers, text: text ?? '' }) }),
    });
  }

  async results(): Promise<readonly RuleResult[]> {
    // A rule may have asked before for what was recorded only since.
    this.run.memo.clear();
    const how = judgementOf(this.options);
    const results: RuleResult[] = [];
    for (const spec of this.selected) {
      if (spec.phase !== 'evidence') continue;
      const before = this.transport.denied;
      const result = await judge(spec, this.run, this.evidence, how);
      if (result.reason !== 'replayed' && this.transport.denied === before) results.push(result);
    }
    return results;
  }
}
