import { type JunitCase, severities } from '../../conformance/index.js';
import type { ObligationResult } from '../obligations/judge.js';
import type { KnownObligation } from '../known-obligations.js';

/** The verdict on an obligation, with the entries of a baseline that list it. */
type ReportedObligation = ObligationResult & { readonly known?: readonly KnownObligation[] };

/** The obligations that the client broke: those that count first, the gravest of them before the others. */
export function brokenOf<T extends ReportedObligation>(results: readonly T[]): readonly T[] {
  const rank = ({ known, severity }: T): number => (known ? severities.length : 0) + severities.indexOf(severity);
  return results.filter(({ verdict }) => verdict === 'fail').sort((a, b) => rank(a) - rank(b));
}

/** What an obligation is about: the first part of its id. */
export function topicOf({ id }: Pick<ObligationResult, 'id'>): string {
  return id.split('.', 1)[0]!;
}

/** What an obligation rests on: the words of the document, or the reason why a careful client keeps to it. */
export function groundsOf({ source, reason }: ObligationResult): readonly [string, string][] {
  return [
    ...(source ? [['Document', `${source.section}, ${source.item}`] satisfies [string, string]] : []),
    ...(reason === undefined ? [] : [['Reason', reason] satisfies [string, string]]),
  ];
}

/** An obligation as a case of JUnit: what was not seen, and what is known, is skipped with all it has to say. */
export function obligationCase(result: ReportedObligation, suite: string, linesOf: () => readonly string[]): JunitCase {
  const { id, verdict, known, message = '', toSee = '' } = result;
  const base = { name: id, suite, seconds: 0 };
  if (verdict === 'pass') return base;
  if (verdict === 'not-seen')
    return { ...base, outcome: { tag: 'skipped', type: verdict }, message: `To see it: ${toSee}` };
  const outcome = known ? ({ tag: 'skipped', type: 'known' } as const) : ({ tag: 'failure', type: verdict } as const);
  return { ...base, outcome, message, text: linesOf().join('\n') };
}

/** An entry of a baseline that no longer fails, as a case of JUnit. */
export function staleCase(id: string, stood: Pick<JunitCase, 'suite' | 'seconds'>): JunitCase {
  const message = `The baseline has ${id}, which no longer fails; please remove it.`;
  return { ...stood, name: `baseline: ${id}`, outcome: { tag: 'failure', type: 'stale' }, message };
}
