import {
  rules as catalogue,
  type OperationId,
  operations,
  type OperationSpec,
  type Rule,
} from '../../../contract/index.js';
import type { Reply } from '../../client/exchange.js';
import type { Coverage, CoverageCell } from '../../client/report-parts.js';
import type { RuleResult, Verdict } from '../../client/types.js';

const saysSomething: readonly Verdict[] = ['pass', 'fail', 'warn', 'observed'];
const observable = catalogue.filter((rule) => rule.observable);

/** The share of the document that a run has judged. There is one definition of it: judged, of all observable rules. */
export function coverageOf(results: readonly RuleResult[], replies: readonly Reply[], written: number): Coverage {
  const judged = results.filter(({ verdict }) => saysSomething.includes(verdict));
  return {
    statements: catalogue.length,
    observable: observable.length,
    written,
    selected: results.length,
    judged: judged.length,
    conclusive: Math.floor((judged.length / observable.length) * 1000) / 10,
    cells: cellsOf(judged, replies),
  };
}

function cellsOf(judged: readonly RuleResult[], replies: readonly Reply[]): readonly CoverageCell[] {
  const results = new Map<string, RuleResult>(judged.map((result) => [result.id, result]));
  const askedIn = new Map<string, Reply>(replies.map((reply) => [reply.id, reply]));
  const answered = new Set(replies.filter(({ ok }) => ok).map(({ operation }) => operation));
  const isJudged = (rule: Rule, ids: readonly OperationId[]): boolean => {
    const result = results.get(rule.id);
    if (!result || ids.some((id) => answered.has(id))) return result !== undefined;
    const isBroken = result.verdict === 'fail' || result.verdict === 'warn';
    return result.exchanges.some((exchange) => {
      const { operation, status } = askedIn.get(exchange) ?? {};
      // A 404 in place of an operation says nothing about it, unless the rule objects to that.
      return operation !== undefined && ids.includes(operation) && (status !== 404 || isBroken);
    });
  };
  return cells.map(({ operation, version, ids, rules }) => {
    const count = rules.filter((rule) => isJudged(rule, ids)).length;
    const extent = count === 0 ? 'none' : count === rules.length ? 'all' : 'some';
    return { operation, version, observable: rules.length, judged: count, extent };
  });
}

/** An operation may have an id for each of its methods. */
interface RulesOfCell extends Pick<CoverageCell, 'operation' | 'version'> {
  readonly ids: readonly OperationId[];
  readonly rules: readonly Rule[];
}

const cells: readonly RulesOfCell[] = operations
  .filter((operation, index) => operations.findIndex((other) => isSameCell(operation, other)) === index)
  .map((operation) => ({
    operation: operation.name,
    version: operation.version,
    ids: operations.filter((other) => isSameCell(operation, other)).map(({ id }) => id),
    rules: observable.filter((rule) => concerns(rule, operation)),
  }));

function isSameCell(one: OperationSpec, other: OperationSpec): boolean {
  return one.name === other.name && one.version === other.version;
}

function concerns({ operations: names, versions }: Rule, { name, version }: OperationSpec): boolean {
  const has = (list: readonly string[], word: string): boolean => list.includes('*') || list.includes(word);
  return has(names, name) && (version === '*' || has(versions, version));
}
