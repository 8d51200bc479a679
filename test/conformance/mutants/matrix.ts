import type { RuleId } from '../../../src/generated/rule-basis.js';
import type { Outcome } from './kill.js';

/** A list as a file with an item on each line, so that a diff shows what changed. */
export function linesOf(items: readonly unknown[]): string {
  if (items.length === 0) return '[]\n';
  return `[\n${items.map((item) => `  ${JSON.stringify(item)}`).join(',\n')}\n]\n`;
}

/** The matrix: each defect that was found, by the rule that names it. */
export function matrixOf(outcomes: readonly Outcome[]): Omit<Outcome, 'survived'>[] {
  return outcomes
    .filter(({ survived }) => survived === undefined)
    .map(({ rule, basis, defect, verdict }) => ({ rule, basis, defect, verdict }));
}

/** Rules that found no defect yet. */
export function unkilled(rules: readonly RuleId[], outcomes: readonly Outcome[]): RuleId[] {
  const killed = new Set(matrixOf(outcomes).map(({ rule }) => rule));
  return rules.filter((id) => !killed.has(id)).sort();
}
