import { cleanUp } from './run/target/clean-up.js';
import { connect } from './run/target/connect.js';
import { isProbe, type PreparedRun, prepareRun, readFor } from './run/check.js';
import { shownBase } from './run/target/open-run.js';
import type { CheckOptions } from './run/check-options.js';
import type { Exchange } from './client/exchange.js';
import { evaluateRule, relate, settled, verdictSettingsOf } from './run/evaluate.js';
import { applyKnown } from './run/known.js';
import { findingOf, headlineOf } from './report/check-report.js';
import { linesOf } from './report/model.js';
import { reportOf } from './run/report.js';
import { voteOn } from './facts/relation.js';
import { ruleOf, type RuleSpec } from './rules/rule.js';
import { Session } from './client/session.js';
import type { Report, RuleResult } from './client/types.js';

/** The part of a test context that a rule needs; Vitest's has it. */
export interface SkipContext {
  skip(note?: string): void;
}

/** The `test` of Vitest, as far as it is used: name, function, and milliseconds until it is given up. */
export type RegisterTest = (name: string, run: (context: SkipContext) => Promise<void>, timeout: number) => unknown;

/** Milliseconds for one rule: it may wait for a callback or a slow deployment. */
const PATIENCE = 120_000;
/** For a rule that compares responses: the first of them reads for all, and the others wait for it. */
const PATIENCE_TO_COMPARE = 3_600_000;

/**
 * Registers every rule as a test of its own: it fails with the rule in words, what was expected, what came, and a curl
 * that sends the request again; it is skipped, with the reason, where nothing can be said. What is only implied does
 * not fail unless `failOn` is `minor`. A last test fails when too little was evaluated, or when the baseline is out of date.
 *
 * @param test The `test` of Vitest.
 * @param options Those of {@link check}; `only` and `skip` choose the rules.
 *
 * @example
 * import { test } from 'vitest';
 * registerRules(test, {
 *   baseUrl: 'http://service.test',
 *   first: { basic: { username, password } },
 *   host: webHost({ now: Date.now, random: Math.random, fetch: (request) => service.fetch(request) }),
 * });
 */
export function registerRules(test: RegisterTest, options: CheckOptions): void {
  const run = new RegisteredRun(options);
  // Relations compare what the other rules have read. Rules that disturb others still come last.
  const turnOf = (spec: RuleSpec): number => {
    if (!isProbe(spec)) return 3;
    return spec.relation ? 1 : spec.phase === 'last' ? 2 : 0;
  };
  for (const spec of run.prepared.selected.toSorted((a, b) => turnOf(a) - turnOf(b))) {
    const { statement } = ruleOf(spec.id);
    test(
      `${spec.id}: ${statement}`,
      (context) => run.evaluate(spec, context),
      spec.relation ? PATIENCE_TO_COMPARE : PATIENCE,
    );
  }
  test('enough was evaluated', async () => run.end(), PATIENCE);
}

/** A run whose rules are evaluated one by one, each by its test. */
class RegisteredRun {
  readonly prepared: PreparedRun;
  readonly #exchanges = new Map<string, Exchange>();
  readonly #results: RuleResult[] = [];
  readonly #startedAt: number;
  #connected: Promise<void> | undefined;
  /** Reads the responses that relations compare: once, before the first relation. */
  #read: Promise<void> | undefined;
  /** One rule at a time, also where tests run at the same time. */
  #turn: Promise<unknown> = Promise.resolve();

  constructor(readonly options: CheckOptions) {
    this.#startedAt = options.host.now();
    this.prepared = prepareRun(options, (exchange) => {
      this.#exchanges.set(exchange.id, exchange);
      options.onEvent?.({ type: 'exchange', exchange });
    });
  }

  /** Evaluates a rule as a test does: by throwing, skipping or neither. */
  async evaluate(spec: RuleSpec, context: SkipContext): Promise<void> {
    const turn = this.#turn.then(() => this.#evaluate(spec));
    this.#turn = turn.catch(() => {});
    const result = await turn;
    const { verdict, reason } = result;
    if ((verdict === 'fail' || verdict === 'error') && !result.known) throw new Error(this.#inWords(result));
    if (verdict === 'inconclusive' || verdict === 'not-run') context.skip(`${reason}: ${headlineOf(result)}`);
  }

  /** Ends the run; throws when too little was evaluated. */
  async end(): Promise<void> {
    await this.#turn;
    const { exitCode, message, stale } = this.#finish(await cleanUp(new Session(this.prepared.run)));
    if (exitCode === 4) throw new Error(message);
    if (stale.length > 0) throw new Error(`In the baseline, but no longer failing: ${stale.join(', ')}.`);
  }

  async #evaluate(spec: RuleSpec): Promise<RuleResult> {
    const { run, evidence, selected } = this.prepared;
    const { known = [], host, baseUrl, onEvent } = this.options;
    if (!this.#connected) {
      onEvent?.({ type: 'start', baseUrl: shownBase(baseUrl), runId: run.runId, rules: selected.length });
      this.#connected = connect(new Session(run));
    }
    await this.#connected;
    const settings = verdictSettingsOf(this.options);
    const alone = await evaluateRule(spec, run, evidence, settings);
    if (spec.relation) await (this.#read ??= this.#readFor(selected));
    const evaluated = settled(await relate(spec, alone, run, evidence, settings));
    this.#results.push(evaluated);
    const today = new Date(host.now()).toISOString().slice(0, 10);
    const [result = evaluated] = applyKnown([evaluated], known, today).results;
    onEvent?.({ type: 'rule', result });
    return result;
  }

  /** Reads what relations compare. All vote before the first is evaluated, since they settle which answer is wrong. */
  async #readFor(selected: readonly RuleSpec[]): Promise<void> {
    const { run } = this.prepared;
    await readFor(selected, run, this.options.depth);
    for (const { relation } of selected) if (relation) voteOn(relation, run);
  }

  #finish(canceled: ReadonlySet<string>): Report {
    const { options } = this;
    const { run, evidence, written } = this.prepared;
    const report = reportOf({
      options,
      canceled,
      run,
      evidence,
      results: this.#results,
      stopped: undefined,
      startedAt: this.#startedAt,
      written,
      baseUrl: shownBase(options.baseUrl),
    });
    options.onEvent?.({ type: 'end', report, mask: (text) => run.transport.masker.text(text) });
    return report;
  }

  #inWords(result: RuleResult): string {
    const { id, headline, rows } = findingOf(result, { exchanges: this.#exchanges });
    return [`${id}: ${headline}`, ...linesOf(rows)].join('\n');
  }
}
