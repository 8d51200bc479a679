import type { OperationId, QuestionId, RuleId } from '../../../contract/index.js';
import { expectForm } from '../../report/model.js';
import type { OperationLatency } from '../../client/report-parts.js';
import { isObject } from '../../../common/index.js';
import type { Report, RuleResult, Verdict } from '../../client/types.js';

/** A finding that one of two reports has, or has in more operations than the other. */
export interface FindingChange {
  readonly id: RuleId;
  readonly before: Verdict | 'absent';
  readonly after: Verdict | 'absent';
  readonly message: string;
  /** Of a new finding: the operations in which it is new. */
  readonly operations: readonly OperationId[];
  /** Of a new finding: the earlier report did not evaluate the rule, so that it may have been broken before. */
  readonly isNewlySeen?: true;
  /** Of a new finding: what it has in common with others. */
  readonly cause?: string;
}

/** An operation whose 95th percentile changed by at least half, in milliseconds. */
export interface LatencyChange {
  readonly operation: OperationId;
  readonly before: number;
  readonly after: number;
}

/** What changed between two reports. */
export interface Comparison {
  /** Whether there are new findings, or rules that are no longer evaluated. */
  readonly isRegression: boolean;
  readonly newFindings: readonly FindingChange[];
  readonly fixed: readonly FindingChange[];
  /** Open questions that the deployment answers in another way; undefined where a report has no answer. */
  readonly answers: readonly { readonly question: QuestionId; readonly before: unknown; readonly after: unknown }[];
  readonly coverage: {
    /** Percent of the observable rules that were evaluated. */
    readonly before: number;
    readonly after: number;
    /** Rules that were evaluated before and are not now. */
    readonly lost: readonly RuleId[];
    readonly gained: readonly RuleId[];
  };
  readonly latency: readonly LatencyChange[];
}

/** What is compared of a report. Reports of older versions may lack the latency. */
export type ComparedReport = Pick<Report, 'rules' | 'dialect' | 'coverage'> & Partial<Pick<Report, 'latency'>>;

const gravity = { fail: 2, warn: 1 } as const;
const said: readonly Verdict[] = ['pass', 'fail', 'warn', 'observed'];

/** Compares a report with an earlier one of the same deployment. Findings that the baseline lists are not new. */
export function compareReports(before: ComparedReport, after: ComparedReport): Comparison {
  const [old, current] = [before, after].map(({ rules }) => new Map(rules.map((rule) => [rule.id, rule]))) as [
    Map<RuleId, RuleResult>,
    Map<RuleId, RuleResult>,
  ];
  const newFindings = after.rules.flatMap((rule) => newlyFound(old.get(rule.id), rule));
  const fixed = before.rules.flatMap((rule) => noLongerFound(rule, current.get(rule.id)));
  const lost = before.rules
    .filter((rule) => isEvaluated(rule) && !isEvaluated(current.get(rule.id)))
    .map(({ id }) => id);
  const gained = after.rules.filter((rule) => isEvaluated(rule) && !isEvaluated(old.get(rule.id))).map(({ id }) => id);
  const { conclusive: share } = before.coverage;
  return {
    isRegression: newFindings.length + lost.length > 0,
    newFindings,
    fixed,
    answers: changedAnswers(before, after),
    coverage: { before: share, after: after.coverage.conclusive, lost, gained },
    latency: changedLatency(before, after),
  };
}

function isEvaluated(rule: RuleResult | undefined): boolean {
  return rule !== undefined && said.includes(rule.verdict);
}

function weightOf(rule: RuleResult | undefined): number {
  return gravity[rule?.verdict as keyof typeof gravity] ?? 0;
}

function newlyFound(before: RuleResult | undefined, after: RuleResult): FindingChange[] {
  const { operations: now = [], known } = after;
  if (weightOf(after) === 0 || known) return [];
  const isGraver = weightOf(after) > weightOf(before);
  const seen = isGraver ? [] : (before?.operations ?? []);
  const operations = now.filter((operation) => !seen.includes(operation));
  // A report may lack the operations of a finding; then there is nothing to compare.
  const spreads = before?.operations !== undefined && before.operations.length > 0 && operations.length > 0;
  if (!isGraver && !spreads) return [];
  const { cause } = after;
  const seenNow = isEvaluated(before) ? {} : { isNewlySeen: true as const };
  return [{ ...changeOf(after, before, after, operations), ...seenNow, ...(cause === undefined ? {} : { cause }) }];
}

function noLongerFound(before: RuleResult, after: RuleResult | undefined): FindingChange[] {
  const holds = after?.verdict === 'pass' || after?.verdict === 'observed';
  return weightOf(before) > 0 && holds ? [changeOf(before, before, after, before.operations ?? [])] : [];
}

function changeOf(
  { id, message, statement }: RuleResult,
  before: RuleResult | undefined,
  after: RuleResult | undefined,
  operations: readonly OperationId[],
): FindingChange {
  const [from, to] = [before, after].map((rule) => rule?.verdict ?? 'absent') as [Verdict, Verdict];
  return { id, before: from, after: to, message: message ?? statement, operations };
}

function changedAnswers(before: ComparedReport, after: ComparedReport): Comparison['answers'] {
  const [old, current] = [before, after].map(({ dialect }) => dialect.answers) as [
    Readonly<Record<string, unknown>>,
    Readonly<Record<string, unknown>>,
  ];
  // An answer that one run did not see has not changed.
  const both = Object.keys(current).filter((question) => question in old) as QuestionId[];
  return both
    .filter((question) => JSON.stringify(old[question]) !== JSON.stringify(current[question]))
    .map((question) => ({ question, before: old[question], after: current[question] }));
}

/** Smaller changes, in milliseconds, say nothing. */
const NOISE = 20;

function changedLatency({ latency: before = [] }: ComparedReport, { latency: after = [] }: ComparedReport) {
  return after.flatMap(({ operation, p95 }): LatencyChange[] => {
    const old = before.find((one) => one.operation === operation)?.p95;
    if (old === undefined || Math.abs(p95 - old) < NOISE) return [];
    const isMuch = Math.max(p95, old) >= 1.5 * Math.min(p95, old);
    return isMuch ? [{ operation, before: old, after: p95 }] : [];
  });
}

/** Rules and operations of a report: many times those that there are. */
const MOST_ROWS = 5000;

/**
 * Reads a report that `--report json` has written, from parsed JSON.
 *
 * @throws {Error} if it is not one.
 */
export function readReport(value: unknown): ComparedReport {
  const given = Object(value) as Partial<ComparedReport>;
  expectForm(given);
  const { rules, dialect, coverage, latency = [] } = given;
  const isShort = (list: unknown): boolean => Array.isArray(list) && list.length <= MOST_ROWS;
  const isRule = (rule: unknown): boolean => {
    const { id, verdict, message = '', operations = [] } = Object(rule) as Partial<RuleResult>;
    const isText = [id, verdict, message].every((one) => typeof one === 'string');
    return isText && isShort(operations) && operations.every((one) => typeof one === 'string');
  };
  const isTimed = (row: unknown): boolean => {
    const { operation, p95 } = Object(row) as Partial<OperationLatency>;
    return typeof operation === 'string' && typeof p95 === 'number';
  };
  const areLists = isShort(rules) && rules!.every(isRule) && isShort(latency) && latency.every(isTimed);
  if (!areLists || !isObject(dialect?.answers) || !isObject(coverage)) {
    throw new Error('it is not a report of `teebox check --report json=FILE`.');
  }
  return value as ComparedReport;
}
