import { Masker } from '../../common/index.js';
import type { Exchange } from '../client/exchange.js';
import { plainText } from '../client/kept-body.js';
import { responseOf, sentBody } from '../client/recording.js';
import type { RequestCall } from '../client/request.js';
import type { Run } from '../client/session.js';
import type { Host, Report, RuleResult, UnjudgedExchange, Verdict } from '../client/types.js';
import type { RuleSpec } from '../rules/rule.js';
import { selectRules } from '../run/check.js';
import { Evidence } from '../run/evidence.js';
import { verdictSettingsOf } from '../run/evaluate.js';
import { reportOf } from '../run/report.js';
import { cutExchange } from '../report/recorder.js';
import { keptWords } from '../run/summary/values.js';
import type { ArchivedExchange } from './archive.js';
import { Callers } from './callers.js';
import { readExchange, type RecordedCall } from './recorded-calls.js';
import {
  evaluateRecorded,
  NO_ROOM,
  notRun,
  RecordedTransport,
  recordedRun,
  takeDelivery,
} from './recorded-transport.js';
import type { ReplayOptions } from './replay.js';

/** The options of a live replay. */
export interface LiveReplayOptions extends Omit<ReplayOptions, 'archive' | 'baseUrl' | 'onEvent' | 'rules'> {
  /** The base URL of the deployment. */
  readonly baseUrl: string;
  /** The most exchanges that are evaluated together; default 1000. */
  readonly window?: number;
  readonly host: Pick<Host, 'now'>;
  /** Headers that are added to every request on its way, whose values reports mask. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Takes each exchange as reports show it, in order. */
  readonly onExchange?: (exchange: Exchange) => void;
}

/** An exchange of a window: a call of the client, or the result of a search. */
type WindowEntry =
  | { readonly id: string; readonly call: RecordedCall }
  | { readonly id: string; readonly delivery: ArchivedExchange };

/** The evaluation of one window. */
class WindowEvaluation {
  readonly transport: RecordedTransport;
  readonly run: Run;
  readonly evidence: Evidence;
  readonly selected: readonly RuleSpec[];
  readonly written: number;

  constructor(
    readonly options: LiveReplayOptions,
    masker: Masker,
  ) {
    const { baseUrl, maxEvidence, host, showPersonalData, headers = {} } = options;
    this.transport = new RecordedTransport({ baseUrl, maxEvidence, masker }, host, () => {});
    masker.learnHeaders(headers);
    if (showPersonalData) this.transport.masker.personal = undefined;
    this.run = recordedRun(this.transport);
    this.evidence = new Evidence(this.run);
    const { selected, written } = selectRules(options, () => this.evidence);
    this.selected = selected;
    this.written = written;
  }

  /** Adds an exchange to the evidence; says why where it cannot. */
  add(one: WindowEntry, isShown: boolean): string | undefined {
    if ('delivery' in one) return takeDelivery(this.run, one.delivery, one.id);
    const [refused] = this.transport.take(one.call, one.id, isShown);
    return refused && (refused.reason === 'evidence' ? NO_ROOM : refused.why);
  }

  /** Lets go of exchanges that are no longer compared with new ones. */
  forget(old: readonly WindowEntry[]): void {
    const calls = old.filter((one) => 'call' in one).length;
    this.transport.forget(calls);
    this.run.results.splice(0, old.length - calls);
    this.evidence.forget(old.map(({ id }) => id));
  }

  /** An exchange as reports show it, whether it is evaluated or not. */
  shownAs(exchange: ArchivedExchange, id: string, call?: RequestCall): Exchange {
    const { method, url, requestHeaders, requestBody, status, headers, text, startedAt, durationMs } = exchange;
    const { masker } = this.transport;
    masker.learnRequest(requestHeaders, url, requestBody);
    masker.learnResponse(headers, text);
    const body = requestBody === undefined ? {} : sentBody(masker, requestBody);
    return {
      id,
      ...(call && 'operation' in call ? { operation: call.operation } : {}),
      caller: call?.as ?? (requestHeaders.has('authorization') ? 'first' : 'nobody'),
      startedAt: new Date(startedAt).toISOString(),
      durationMs,
      request: { method, url: masker.text(url), headers: masker.headers(requestHeaders), ...body },
      ...(status === 0
        ? { failure: 'no answer' }
        : { response: { ...responseOf(masker, { status, headers }, plainText(text ?? '')), ...lengthIn(exchange) } }),
    };
  }

  async results(): Promise<readonly RuleResult[]> {
    // A rule may have asked before for what was recorded only since.
    this.run.memo.clear();
    const how = verdictSettingsOf(this.options);
    const results: RuleResult[] = [];
    for (const spec of this.selected) {
      const result = await evaluateRecorded(spec, this.run, this.transport, this.evidence, how);
      if (result.reason !== 'replayed') results.push(result);
    }
    return results;
  }
}

/** The length of a body that was not kept. */
function lengthIn({ text, size }: ArchivedExchange): Partial<NonNullable<Exchange['response']>> {
  return text === undefined && size > 0 ? { length: size, isCut: true } : {};
}

/** The most exchanges that are evaluated together, and kept for the reports, by default. */
const MAX_WINDOW = 1000;
/** Exchanges, and characters of their bodies, that wait to be evaluated. */
const [MOST_PENDING, MOST_WAITING] = [1000, 8_000_000];
/** How often the window slides before all is made anew: what is known of secrets and persons grows until then. */
const RENEWAL = 16;
/** Characters of a body that are kept for the reports, and of one that is not evaluated. */
const [MOST_SHOWN, LEAST_SHOWN] = [20_000, 2000];
/** Exchanges that a result names. */
const MAX_NAMED = 20;
/** Kinds of exchanges that could not be evaluated, in the report. */
const MAX_UNEVALUATED = 100;

/** From the verdict that says most to the one that says least. */
const weight: readonly Verdict[] = ['fail', 'warn', 'error', 'observed', 'pass', 'inconclusive', 'not-run'];
const heavier = (one: RuleResult, other: RuleResult): boolean =>
  weight.indexOf(one.verdict) < weight.indexOf(other.verdict);

/**
 * Checks traffic while it passes, as `replay` checks a recording. Only the latest exchanges are kept: a finding stays, and
 * answers that are further apart than the window are not compared with each other.
 */
export class LiveReplay {
  readonly #results = new Map<string, RuleResult>();
  readonly #unevaluated = new Map<string, UnjudgedExchange>();
  readonly #shown = new Map<string, Exchange>();
  readonly #startedAt: number;
  /** Hides every secret of the traffic, those of the client as well. */
  readonly masker: Masker;
  #pending: WindowEntry[] = [];
  /** Characters of what is pending. */
  #waiting = 0;
  #window: WindowEntry[] = [];
  #evaluation: WindowEvaluation;
  readonly #callers = new Callers();
  #taken = 0;
  #dropped = 0;
  #withoutRoom = 0;
  #slides = 0;

  constructor(readonly options: LiveReplayOptions) {
    this.#startedAt = options.host.now();
    this.masker = new Masker(options.card?.['auth.bearer-header']);
    this.#evaluation = this.#fresh();
    for (const spec of this.#evaluation.selected) this.#results.set(spec.id, notRun(spec));
  }

  /** Takes an exchange, to be evaluated with the next ones. Says why where it cannot be. */
  take(exchange: ArchivedExchange, id: string): string | undefined {
    this.#taken += 1;
    const read = readExchange(exchange, this.options.baseUrl, this.#callers);
    this.#show(this.#evaluation.shownAs(exchange, id, 'call' in read ? read.call : undefined));
    if ('call' in read) {
      this.#wait({ id, call: read });
      return undefined;
    }
    this.#leaveOut(exchange, read.why);
    return read.why;
  }

  /** Takes the result of a search on its way to the client. */
  deliver(delivery: ArchivedExchange, id: string): void {
    this.#taken += 1;
    this.#show({ ...this.#evaluation.shownAs(delivery, id), caller: 'deployment' });
    this.#wait({ id, delivery });
  }

  /** Shows an exchange that is not to be evaluated. */
  show(exchange: ArchivedExchange, id: string): void {
    this.#show(this.#evaluation.shownAs(exchange, id), LEAST_SHOWN);
    this.#forget();
  }

  /** Whether so much waits to be evaluated that there is no room for more. */
  get isFull(): boolean {
    return this.#pending.length >= MOST_PENDING || this.#waiting >= MOST_WAITING;
  }

  /** Whether something was taken and not evaluated yet. */
  get isBehind(): boolean {
    return this.#pending.length > 0;
  }

  /** Evaluates what was taken first, as much as fits into half a window. Returns the findings that are new. */
  async evaluate(): Promise<readonly RuleResult[]> {
    const { window = MAX_WINDOW } = this.options;
    if (!this.isBehind) return [];
    if (this.#window.length >= window) this.#slide(window >> 1);
    const most = Math.min(window - this.#window.length, window >> 1);
    for (const one of this.#pending.splice(0, most)) {
      this.#waiting -= lengthOf(one);
      this.#add(one, true);
    }
    const found = (await this.#evaluation.results()).filter((result) => this.#note(result));
    this.#forget();
    return found;
  }

  /** Everything so far. */
  report(): Report {
    const { options } = this;
    const { run, evidence, written } = this.#evaluation;
    const { baseUrl } = options;
    const results = [...this.#results.values()];
    const startedAt = this.#startedAt;
    return {
      ...reportOf({ options, run, evidence, results, stopped: undefined, startedAt, written, baseUrl }),
      requests: this.#taken,
      unjudged: [...this.#unevaluated.values()].map((one) => ({ ...one, url: this.masker.known(one.url) })),
    };
  }

  /** The exchanges of the window, and those that results name. */
  get exchanges(): ReadonlyMap<string, Exchange> {
    return this.#shown;
  }

  /** The number of exchanges for which there was no room. */
  get withoutRoom(): number {
    return this.#withoutRoom;
  }

  /** The number of exchanges that are no longer compared with new ones. */
  get dropped(): number {
    return this.#dropped;
  }

  #fresh(): WindowEvaluation {
    return new WindowEvaluation(this.options, this.masker);
  }

  #show(exchange: Exchange, most = MOST_SHOWN): void {
    this.#shown.set(exchange.id, cutExchange(exchange, most));
    this.options.onExchange?.(exchange);
  }

  #wait(one: WindowEntry): void {
    this.#waiting += lengthOf(one);
    this.#pending.push(one);
  }

  /** Goes on with the latest exchanges alone. */
  #slide(keep: number): void {
    const old = this.#window.splice(0, this.#window.length - keep);
    this.#dropped += old.length;
    this.#slides += 1;
    if (this.#slides % RENEWAL > 0) return this.#evaluation.forget(old);
    const kept = this.#window;
    this.#window = [];
    this.#evaluation = this.#fresh();
    // What is known of persons is learnt anew from what is kept.
    for (const one of kept) this.#add(one, false);
  }

  #add(one: WindowEntry, isShown: boolean): void {
    const why = this.#evaluation.add(one, isShown);
    if (why === undefined) this.#window.push(one);
    else if (why === NO_ROOM && this.#window.length > 1) {
      this.#slide(this.#window.length >> 1);
      this.#add(one, isShown);
    } else {
      this.#withoutRoom += 1;
      this.#leaveOut(exchangeIn(one), why);
    }
  }

  /** Notes a result; says whether it is a new finding. */
  #note(result: RuleResult): boolean {
    const before = this.#results.get(result.id);
    if (before && !heavier(result, before)) return false;
    this.#results.set(result.id, { ...result, exchanges: result.exchanges.slice(0, MAX_NAMED) });
    return result.verdict === 'fail' || result.verdict === 'warn';
  }

  #leaveOut(exchange: ArchivedExchange, why: string): void {
    const { method, url } = exchange;
    const { masker } = this.#evaluation.transport;
    const shown = masker.cut(keptWords(url.replace(/[?#].*/s, '')));
    const key = `${method} ${shown} ${why}`;
    if (this.#unevaluated.size < MAX_UNEVALUATED) this.#unevaluated.set(key, { method, url: shown, why });
  }

  /** Lets go of exchanges that are in no window and that no result names. */
  #forget(): void {
    const { window = MAX_WINDOW } = this.options;
    if (this.#shown.size <= 2 * window) return;
    const kept = new Set([...this.#window, ...this.#pending].map(({ id }) => id));
    for (const { exchanges, shownBy, against } of this.#results.values()) {
      for (const id of [...exchanges, shownBy, against]) if (id !== undefined) kept.add(id);
    }
    const spare = this.#shown.size - 2 * window;
    const old = [...this.#shown.keys()].filter((id) => !kept.has(id)).slice(0, Math.max(spare, window));
    for (const id of old) this.#shown.delete(id);
  }
}

const exchangeIn = (one: WindowEntry): ArchivedExchange => ('call' in one ? one.call.exchange : one.delivery);

function lengthOf(one: WindowEntry): number {
  const { text = '', requestBody = '' } = exchangeIn(one);
  return text.length + requestBody.length;
}
