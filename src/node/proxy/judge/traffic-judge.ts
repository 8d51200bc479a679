import { applyKnownObligations, type KnownObligation } from '../../../certify/known-obligations.js';
import type { Exchange } from '../../../conformance/client/exchange.js';
import { KeptExchanges } from '../../../conformance/reporters/formats/bodies.js';
import type { ReportFormat } from '../../../conformance/reporters/index.js';
import { LiveReplay } from '../../../conformance/replay/live-replay.js';
import type { LiveReplayOptions } from '../../../conformance/replay/window-judgement.js';
import { ClientJudge, type ObligationBreach } from '../../../obligations/judge.js';
import { version } from '../../version.js';
import { proxyReporters } from '../reports/index.js';
import type { ProxyRun } from '../reports/proxy-run.js';
import { outcomeOf, type ProxyOutcome } from '../reports/outcome.js';
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
  /** Exchanges that passed while there was no room to keep them. */
  readonly missed: number;
}

/** How it ended. */
export interface JudgeEnd {
  readonly outcome: ProxyOutcome;
  /** The reports that were asked for, in that order. */
  readonly texts: readonly string[];
}

/** Judges both sides of traffic that has passed by. */
export class TrafficJudge {
  readonly #live: LiveReplay;
  readonly #client: ClientJudge;
  readonly #har: HarFile | undefined;
  #recorded: Exchange[] = [];
  #injected = 0;
  #taken = 0;

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
      onExchange: (exchange) => this.#record(exchange),
    });
    this.#client = new ClientJudge({
      only: onlyRecord ? [] : obligations,
      onBreach: (breach) => this.#breach(breach),
    });
    this.#har = har === undefined ? undefined : new HarFile(har, baseUrl);
  }

  /** Takes exchanges in the order of their ends. The client is judged at once, the deployment with the next {@link judge}. */
  take(passed: readonly PassedExchange[]): void {
    for (const one of passed) {
      this.#taken += 1;
      if (one.injected) this.#injected += 1;
      const archived = archivedOf(one, this.options.baseUrl);
      if (one.delivery) {
        this.#live.deliver(archived, one.id);
        this.#client.delivery(deliveryOf(one));
      } else {
        this.#live.take(archived, one.id);
        this.#client.call(clientCallOf(one));
      }
    }
  }

  /** Judges the deployment by all that was taken, and records it. */
  async judge(): Promise<void> {
    do {
      for (const result of await this.#live.judge()) this.tell({ type: 'finding', side: 'deployment', result });
      this.#har?.add(this.#recorded);
      this.#recorded = [];
    } while (this.#live.isBehind);
  }

  async end({ unreachable, missed }: TrafficFacts, reports: readonly ReportFormat[]): Promise<JudgeEnd> {
    await this.judge();
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
    const traffic = { baseUrl, exchanges: this.#taken, unreachable, missed, injected: this.#injected };
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

  #record(exchange: Exchange): void {
    if (this.#har) this.#recorded.push(exchange);
    if (this.options.tellsExchanges) this.tell({ type: 'exchange', exchange });
  }

  #breach(breach: ObligationBreach): void {
    if (breach.nth === 1) this.tell({ type: 'finding', side: 'client', breach });
  }
}
