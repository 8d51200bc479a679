import {
  applyKnownObligations,
  ClientJudge,
  type KnownObligation,
  type ObligationBreach,
} from '../../../certification/index.js';
import {
  count,
  KeptExchanges,
  LiveReplay,
  type LiveReplayOptions,
  type ReportFormat,
} from '../../../conformance/index.js';
import { version } from '../../version.js';
import { proxyReporters } from '../report.js';
import type { ProxyRun } from '../report.js';
import { outcomeOf, type ProxyOutcome } from '../outcome.js';
import type { PassedExchange } from '../wire/passed.js';
import { archivedOf } from './archived.js';
import { clientCallOf, deliveryOf } from './client-call.js';
import type { JudgeEvent } from './events.js';
import { HarFile } from './har-file.js';

/** How traffic is judged; plain data, so that it can go to another thread. */
export interface TrafficJudgeOptions {
  readonly baseUrl: string;
  readonly deployment: Omit<LiveReplayOptions, 'baseUrl' | 'host' | 'onExchange'>;
  /** Globs of the obligations that are judged. */
  readonly obligations: readonly string[];
  readonly knownObligations?: readonly KnownObligation[];
  /** Whether nothing is judged, but only recorded. */
  readonly onlyRecord?: boolean;
  /** Whether each exchange is told. */
  readonly tellsExchanges?: boolean;
  readonly har?: string;
}

/** What is known only where the traffic passes. */
export interface TrafficFacts {
  readonly unreachable: number;
  /** Exchanges that passed while there was no room for them. */
  readonly lost: number;
}

/** How it ended. */
export interface JudgeEnd {
  readonly outcome: ProxyOutcome;
  /** The reports that were asked for, in that order. */
  readonly texts: readonly string[];
}

/** Characters of an answer that the client's judge reads when too many come at once. */
const MOST_IN_HURRY = 10_000;

/** Judges both sides of traffic that has passed by. */
export class TrafficJudge {
  readonly #live: LiveReplay;
  readonly #client: ClientJudge;
  readonly #har: HarFile | undefined;
  #injected = 0;
  #taken = 0;
  #missed = 0;
  #withoutBody = 0;
  #lost = 0;
  /** Whether exchanges that do not come here were among the ones that are being taken. */
  #hasGap = false;

  constructor(
    readonly options: TrafficJudgeOptions,
    readonly tell: (event: JudgeEvent) => void,
  ) {
    const { baseUrl, deployment, obligations, onlyRecord = false, har } = options;
    this.#live = new LiveReplay({
      ...deployment,
      ...(onlyRecord ? { only: [] } : {}),
      baseUrl,
      host: { now: () => Date.now() },
      onExchange: (exchange) => {
        this.#har?.add(exchange);
        if (options.tellsExchanges) tell({ type: 'exchange', exchange });
      },
    });
    this.#client = new ClientJudge({
      only: onlyRecord ? [] : obligations,
      onBreach: (breach) => this.#breach(breach),
    });
    this.#har = har === undefined ? undefined : new HarFile(har, baseUrl);
  }

  /**
   * Takes exchanges in the order of their ends, and records them. The client is judged at once, the deployment with the next
   * {@link judge}, as far as there is room until then.
   *
   * @param lost The exchanges so far that do not come here.
   */
  take(passed: readonly PassedExchange[], lost = 0): void {
    this.#hasGap = lost > this.#lost;
    this.#lost = lost;
    if (this.#hasGap) this.#client.skip();
    for (const one of passed) {
      this.#taken += 1;
      if (one.injected) this.#injected += 1;
      const isBodiless = [one.request, one.answer].some((message) => message?.foundNoRoom);
      if (isBodiless) this.#withoutBody += 1;
      if (this.options.onlyRecord) this.#live.show(archivedOf(one, this.options.baseUrl), one.id);
      else if (isBodiless || this.#live.isFull) this.#miss(one);
      else this.#judgeSoon(one);
    }
    this.#har?.write(this.#lackOf(lost));
  }

  /** Judges the deployment by all that was taken. */
  async judge(pause = async (): Promise<void> => {}): Promise<void> {
    while (this.#live.isBehind) {
      for (const result of await this.#live.judge()) this.tell({ type: 'finding', side: 'deployment', result });
      await pause();
    }
  }

  async end({ unreachable, lost }: TrafficFacts, reports: readonly ReportFormat[]): Promise<JudgeEnd> {
    await this.judge();
    this.#har?.write(this.#lackOf(lost));
    this.#har?.close();
    const { deployment, knownObligations = [], baseUrl } = this.options;
    const report = this.#live.report();
    const { results, stale } = applyKnownObligations(
      this.#client.end(),
      knownObligations,
      report.target.startedAt.slice(0, 10),
    );
    const kept = new KeptExchanges();
    for (const exchange of this.#live.exchanges.values()) kept.keep(exchange);
    const traffic = {
      baseUrl,
      exchanges: this.#taken + lost,
      unreachable,
      missed: this.#missed + lost,
      unrecorded: this.#har ? lost : 0,
      withoutBody: this.#har ? this.#withoutBody : 0,
      injected: this.#injected,
    };
    const outcome = outcomeOf({
      report,
      client: results,
      stale,
      traffic,
      dropped: this.#live.dropped,
      failOn: deployment.failOn,
    });
    const run: ProxyRun = { outcome, exchanges: kept, version };
    return { outcome, texts: reports.map((format) => proxyReporters[format](run)) };
  }

  #judgeSoon(one: PassedExchange): void {
    const archived = archivedOf(one, this.options.baseUrl);
    if (one.delivery) this.#live.deliver(archived, one.id);
    else this.#live.take(archived, one.id);
    this.#judgeClient(one);
  }

  /** Records an exchange by which the deployment is not judged. */
  #miss(one: PassedExchange): void {
    this.#missed += 1;
    this.#live.show(archivedOf(one, this.options.baseUrl), one.id);
    this.#judgeClient(one, MOST_IN_HURRY);
  }

  /** Whoever overlooks a request, blames the next: where any was lost, the client is not judged. */
  #judgeClient(one: PassedExchange, longest = Infinity): void {
    if (this.#hasGap) return;
    if (one.delivery) return this.#client.delivery(deliveryOf(one));
    const { responseBody, ...call } = clientCallOf(one);
    const isLong = responseBody !== undefined && responseBody.length > longest;
    this.#client.call({ ...call, responseBody: isLong ? undefined : responseBody });
  }

  /** What the recording lacks, in a sentence. */
  #lackOf(lost: number): string | undefined {
    const are = (number: number): string => count(number, 'exchange is', 'exchanges are');
    const parts = [
      ...(lost > 0 ? [`${are(lost)} missing`] : []),
      ...(this.#withoutBody > 0 ? [`${are(this.#withoutBody)} without a body`] : []),
    ];
    return parts.length > 0 ? `${parts.join(', and ')}: too many came at once.` : undefined;
  }

  #breach(breach: ObligationBreach): void {
    if (breach.nth === 1) this.tell({ type: 'finding', side: 'client', breach });
  }
}
