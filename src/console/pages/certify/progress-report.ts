import { aloneIn, listed, type ReportItem, type Row } from '../../../conformance/index.js';
import type { AdminType } from '../../data/api.js';
import type { ShownReport } from '../report/words.js';

type Progress = AdminType<'CertificationProgress'>;
type ObligationRow = Progress['obligations'][number];

const severities = ['critical', 'major', 'minor'];

/** What a certification has shown so far, as the model of a report. */
export function progressReport({ state, message, counts, obligations, exams }: Progress): ShownReport {
  const titles = new Map(exams.map(({ id, title }) => [id, title]));
  const items = obligations.map((row) => itemOf(row, titles));
  const graver = (one: ReportItem, other: ReportItem) =>
    severities.indexOf(one.severity) - severities.indexOf(other.severity);
  const having = (verdict: string) => items.filter((one) => one.verdict === verdict).sort(graver);
  const unseen = having('not-seen').map(({ id, headline }) => [{ code: id }, ' ', { prose: headline }]);
  return {
    judged: 'obligation',
    banner: state === 'running' ? 'So far' : 'Ended',
    message: message ?? 'Press Ctrl-C in the terminal to end the exams and to get the verdict.',
    counts: Object.entries(counts),
    items,
    causes: having('fail').map(aloneIn),
    before: [],
    shown: [],
    sections: { page: [listed('Not seen, and what the client would have to do', unseen)] },
  };
}

function itemOf(row: ObligationRow, titles: ReadonlyMap<string, string>): ReportItem {
  const { id, verdict, severity, basis, statement, source, message, toSee } = row;
  return {
    id,
    topic: id.split('.', 1)[0]!,
    verdict,
    basis,
    severity,
    statement,
    headline: message ?? (verdict === 'not-seen' && toSee ? `To see it: ${toSee}` : statement),
    rows: rowsOf(row, titles),
    durationMs: 0,
    level: 'error',
    evidence: {},
    ...(source && { place: source }),
  };
}

function rowsOf(row: ObligationRow, titles: ReadonlyMap<string, string>): readonly Row[] {
  const { statement, message, expected, reason, exams } = row;
  const given: readonly (readonly [label: string, text: string | undefined])[] = [
    ['Obligation', statement],
    ['Happened', message],
    ['Expected', expected],
    ['Reason', reason],
    ['Exams', exams.map((id) => titles.get(id) ?? id).join(', ') || undefined],
  ];
  return given.flatMap(([label, text]) => (text === undefined ? [] : [{ kind: 'fact', label, text: { prose: text } }]));
}
