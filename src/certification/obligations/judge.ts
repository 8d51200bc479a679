import { anyGlob } from '../../conformance/index.js';
import type { Obligation } from '../../contract/index.js';
import { obligationSpecs } from './index.js';
import {
  type Breach,
  obligationOf,
  type ObligationSpec,
  type Exhibit,
  type Sight,
  type Watcher,
} from './obligation.js';
import type { ClientCall, ClientDelivery, SessionFacts } from './traffic.js';

/** The verdict on one obligation. */
export interface ObligationResult extends Pick<
  Obligation,
  'id' | 'severity' | 'basis' | 'statement' | 'source' | 'reason'
> {
  readonly verdict: 'pass' | 'fail' | 'not-seen';
  /** The first breach: what happened, and what should have happened. */
  readonly message?: string;
  readonly expected?: string;
  /** The number of breaches of a `fail`. */
  readonly breaches?: number;
  /** For `not-seen`: what the client must do. */
  readonly toSee?: string;
  /** Ids of calls and callbacks: up to 20 that show breaches, or up to 5 that show a pass. */
  readonly evidence: readonly string[];
}

/** One breach, as it is seen. */
export interface ObligationBreach extends Pick<ObligationResult, 'id' | 'severity' | 'statement' | 'evidence'> {
  readonly message: string;
  readonly expected: string;
  /** 1 for the first breach of this obligation in the session. */
  readonly nth: number;
}

/** Options of a judge. */
export interface ClientJudgeOptions {
  /** Globs of the obligations to judge; default: all. */
  readonly only?: readonly string[];
  readonly onBreach?: (breach: ObligationBreach) => void;
}

const MAX_EVIDENCE = 20;
const ENOUGH = 5;

/** Judges one session of a client while it lasts. What it keeps is bounded. */
export class ClientJudge {
  readonly #cases: readonly ObligationCase[];

  constructor({ only, onBreach = () => {} }: ClientJudgeOptions = {}) {
    const wanted = only ? anyGlob(only) : () => true;
    this.#cases = obligationSpecs.filter(({ id }) => wanted(id)).map((spec) => new ObligationCase(spec, onBreach));
  }

  /** Takes a call of the client when it has been answered, or cut. */
  call(call: ClientCall): void {
    for (const { watcher } of this.#cases) watcher.call?.(call);
  }

  /** Takes a callback after its answer. */
  delivery(delivery: ClientDelivery): void {
    for (const { watcher } of this.#cases) watcher.delivery?.(delivery);
  }

  /** Calls were missed: what follows is judged as if nothing had come before it. The verdicts so far stay. */
  skip(): void {
    for (const one of this.#cases) one.beginAnew();
  }

  /** Ends the session: the results, in the order of the obligations. */
  end(facts: SessionFacts = {}): readonly ObligationResult[] {
    for (const { watcher } of this.#cases) watcher.end?.(facts);
    return this.results();
  }

  /** The results so far. */
  results(): readonly ObligationResult[] {
    return this.#cases.map((one) => one.result());
  }
}

/** One obligation in one session. */
class ObligationCase implements Sight {
  watcher: Watcher;
  readonly #evidence = new Set<string>();
  #seen = false;
  #first: Breach | undefined;
  #breaches = 0;

  constructor(
    readonly spec: ObligationSpec,
    readonly onBreach: (breach: ObligationBreach) => void,
  ) {
    this.watcher = spec.watch(this);
  }

  beginAnew(): void {
    this.watcher = this.spec.watch(this);
  }

  met(...evidence: readonly Exhibit[]): void {
    this.#seen = true;
    if (!this.#first) this.#keep(evidence, ENOUGH);
  }

  broken(breach: Breach): void {
    if (!this.#first) this.#evidence.clear();
    this.#first ??= breach;
    this.#breaches += 1;
    this.#keep(breach.evidence, MAX_EVIDENCE);
    const { id, severity, statement } = obligationOf(this.spec.id);
    const { message, expected } = breach;
    const evidence = breach.evidence.slice(0, MAX_EVIDENCE).map((shown) => shown.id);
    this.onBreach({ id, severity, statement, message, expected, nth: this.#breaches, evidence });
  }

  result(): ObligationResult {
    const { id, severity, basis, statement, source, reason, toSee } = obligationOf(this.spec.id);
    const said = { id, severity, basis, statement, ...(source && { source }), ...(reason && { reason }) };
    const evidence = [...this.#evidence];
    if (!this.#first) return this.#seen ? { ...said, verdict: 'pass', evidence } : notSeen(said, toSee);
    const { message, expected } = this.#first;
    return { ...said, verdict: 'fail', message, expected, breaches: this.#breaches, evidence };
  }

  #keep(evidence: readonly Exhibit[], most: number): void {
    for (const { id } of evidence) if (this.#evidence.size < most) this.#evidence.add(id);
  }
}

function notSeen(said: Omit<ObligationResult, 'verdict' | 'evidence'>, toSee: string): ObligationResult {
  return { ...said, verdict: 'not-seen', toSee, evidence: [] };
}
