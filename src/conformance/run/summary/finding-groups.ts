import { isObject } from '../../../common/index.js';
import type { OperationId } from '../../../contract/index.js';
import type { Reply } from '../../client/exchange.js';
import { concerns, type FindingGroup, type RuleResult, severities, type Verdict } from '../../client/types.js';

const loud: readonly Verdict[] = ['fail', 'warn', 'error'];

/**
 * The results that need attention: the gravest first, and known findings last. Among findings of one verdict, those that
 * may be the cause of others come first, and then the earlier request.
 */
export function findingsAmong(rules: readonly RuleResult[]): readonly RuleResult[] {
  const all = loud.flatMap((verdict) => rules.filter((rule) => rule.verdict === verdict).sort(byCause));
  return [...all.filter(({ known }) => !known), ...all.filter(({ known }) => known)];
}

function byCause(one: RuleResult, other: RuleResult): number {
  return (
    rankOf(one) - rankOf(other) ||
    Number(crosses(one)) - Number(crosses(other)) ||
    momentOf(one) - momentOf(other) ||
    Number(isGeneral(other)) - Number(isGeneral(one))
  );
}

/** Whether a finding compares two resources: one within a resource says better where the fault is. */
const crosses = ({ id }: RuleResult): boolean => /\.agrees-/.test(id);
/** A server error says more than the rule that did not get its refusal. */
const isGeneral = ({ id }: RuleResult): boolean => id === 'errors.server-error';

function rankOf({ concern }: RuleResult): number {
  return concern === undefined ? concerns.length : concerns.indexOf(concern);
}

/** The number of the exchange that shows a finding; the deliveries of a run come after its requests. */
function momentOf({ shownBy = '' }: RuleResult): number {
  const number = Number(shownBy.slice(1)) || 0;
  return shownBy.startsWith('c') ? number + Number.MAX_SAFE_INTEGER / 2 : number;
}

/**
 * The findings by their cause, in the order of the first finding of each: symptoms are below it.
 *
 * @param empty Operations of lists that never had an item: whatever is missing from one is missing for that.
 */
export function groupsOf(
  rules: readonly RuleResult[],
  empty: ReadonlySet<OperationId> = new Set(),
): readonly FindingGroup[] {
  const groups: [RuleResult, ...RuleResult[]][] = [];
  for (const finding of findingsAmong(rules)) {
    const same = groups.find((group) => group.some((one) => haveOneCause(one, finding, empty)));
    if (same) same.push(finding);
    else groups.push([finding]);
  }
  return groups.map(groupOf);
}

/** Whether a finding has the cause of an earlier one, as far as the answers tell: it is in the same exchange or operation. */
function haveOneCause(earlier: RuleResult, later: RuleResult, empty: ReadonlySet<OperationId>): boolean {
  if ((earlier.known === undefined) !== (later.known === undefined)) return false;
  if (earlier.cause !== undefined && earlier.cause === later.cause) return true;
  const { operations = [] } = earlier;
  const shared = (later.operations ?? []).filter((one) => operations.includes(one));
  if (shared.length === 0) return false;
  if (shared.some((one) => empty.has(one))) return true;
  if (isGeneral(earlier)) return / answers 5\d\d$/.test(later.cause ?? '');
  // Two fields of one answer are wrong each by itself, and so are two right requests that are refused.
  const areAlike = earlier.concern === later.concern && (later.concern === 'form' || later.concern === 'access');
  if (areAlike) return false;
  if (later.concern === 'agreement') return earlier.concern !== 'form' || isOfField(earlier, later);
  if (earlier.message !== undefined && earlier.message === later.message) return true;
  return earlier.shownBy !== undefined && earlier.shownBy === later.shownBy && isOfField(earlier, later);
}

/** Whether a finding about a field may be the cause of another one: that is about the same field, or about whole answers. */
function isOfField({ concern, id, at }: RuleResult, later: RuleResult): boolean {
  if (concern !== 'form') return true;
  const field = at?.split('/').findLast((key) => key !== '' && !/^\d+$/.test(key)) ?? '';
  return later.id.startsWith(id) || (field !== '' && JSON.stringify([later.message, later.expected]).includes(field));
}

function groupOf(findings: readonly RuleResult[]): FindingGroup {
  const [first] = findings as [RuleResult];
  const { verdict, known, message, statement, cause = message ?? statement } = first;
  const severity = severities.find((one) => findings.some((finding) => finding.severity === one))!;
  const operations = [...new Set(findings.flatMap((finding) => finding.operations ?? []))];
  const rules = findings.map(({ id }) => id);
  return { cause, verdict, severity, rules, operations, ...(known ? { known: true as const } : {}) };
}

/** The operations whose answers are lists, of which no answer to a right request had an item. */
export function emptyLists(replies: readonly Reply[]): ReadonlySet<OperationId> {
  const all = new Map<OperationId, number>();
  for (const { operation, ok, probe, data } of replies) {
    const items: unknown = isObject(data) ? data['records'] : data;
    if (!operation || !ok || probe || !Array.isArray(items)) continue;
    all.set(operation, (all.get(operation) ?? 0) + items.length);
  }
  return new Set([...all].filter(([, count]) => count === 0).map(([operation]) => operation));
}
