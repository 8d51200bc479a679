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

/** The findings by their cause, in the order of the first finding of each. A finding without a cause is alone. */
export function groupsOf(rules: readonly RuleResult[]): readonly FindingGroup[] {
  const groups = new Map<string, RuleResult[]>();
  for (const finding of findingsAmong(rules)) {
    const { id, cause, known } = finding;
    const key = `${known ? 'known' : 'new'} ${cause ?? id}`;
    groups.set(key, [...(groups.get(key) ?? []), finding]);
  }
  return [...groups.values()].map(groupOf);
}

function groupOf(findings: readonly RuleResult[]): FindingGroup {
  const [first] = findings as [RuleResult];
  const { verdict, known, message, statement, cause = message ?? statement } = first;
  const severity = severities.find((one) => findings.some((finding) => finding.severity === one))!;
  const operations = [...new Set(findings.flatMap((finding) => finding.operations ?? []))];
  const rules = findings.map(({ id }) => id);
  return { cause, verdict, severity, rules, operations, ...(known ? { known: true as const } : {}) };
}
