import type { OperationId, OperationName, Rule, RuleId, Version } from '../../contract/index.js';

/** What a breach of a rule costs: security, money or foreign data; a broken client; a broken convention. */
export type Severity = Rule['severity'];

/** How much of an operation in one version was evaluated. */
export interface CoverageCell {
  readonly operation: OperationName;
  /** `*` for an operation that has the version as a parameter. */
  readonly version: Version;
  /** Rules about this operation in this version that can be seen from outside. */
  readonly observable: number;
  /** Those that were evaluated, where the operation answered in this version or the rule looked at an answer of it. */
  readonly judged: number;
  readonly extent: 'all' | 'some' | 'none';
}

/** The share of the API specification that was evaluated. */
export interface Coverage {
  /** Statements of the catalogue. */
  readonly statements: number;
  /** Those that can be seen from outside, of the versions and operations that the deployment is said to have. */
  readonly observable: number;
  /** Observable ones that the suite has a rule for. */
  readonly written: number;
  /** Rules that were selected for this run. */
  readonly selected: number;
  /** Rules that came to pass, fail, warn or observed. */
  readonly judged: number;
  /** Percent of the observable rules that were evaluated; a rule that was not run was not evaluated. */
  readonly conclusive: number;
  /** Each operation in each version, in the order of the contract. */
  readonly cells: readonly CoverageCell[];
}

/** The data behind the verdict of a rule about agreement: what its comparisons were about. */
export interface Reach {
  readonly comparisons: number;
  readonly facilities: number;
  readonly days: number;
  readonly currencies: readonly string[];
  /** Time zones of the facilities, as far as the run has seen them. */
  readonly zones: readonly string[];
  readonly versions: readonly string[];
  readonly channels: number;
}

/** What one rule compared between the same answers, about one thing. */
export interface ComparedAnswers {
  /** Whether the answers agree. A difference is a finding only if it is still there when both are asked again. */
  readonly holds: boolean;
  readonly facility?: number | undefined;
  readonly day?: string | undefined;
  readonly currency?: string | undefined;
  /** How many values of these answers were compared. */
  readonly count: number;
  /** Ids of the exchanges with the answers. */
  readonly exchanges: readonly string[];
}

/** The data behind the verdicts of a whole run. */
export interface RunReach extends Reach {
  /** Kinds of things that a deployment may have and that the run has never met, in words. */
  readonly never: readonly string[];
}

/** A finding that is tracked elsewhere. It fails the run only after its date, or when its rule passes again. */
export interface KnownFinding {
  readonly id: RuleId;
  /** The operation in which it is known, without its version; default: all. */
  readonly operation?: OperationName;
  /** The version in which it is known; default: all. */
  readonly version?: Version;
  /** The issue that tracks it. */
  readonly issue?: string;
  /** `yyyy-mm-dd`; the last day on which the finding is ignored. */
  readonly until?: string;
}

/** A severity that a deployment's team gives to a rule, and why. */
export interface OwnSeverity {
  readonly severity: Severity;
  readonly reason: string;
}

/** How long the answers of an operation took, in milliseconds. Requests that break the contract do not count. */
export interface OperationLatency {
  readonly operation: OperationId;
  readonly count: number;
  readonly median: number;
  readonly p95: number;
  readonly max: number;
  /** Slower than the run was asked to warn of (`max-p95`). */
  readonly isSlow?: true;
}
