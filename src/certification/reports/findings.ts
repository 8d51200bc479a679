import { count } from '../../conformance/index.js';
import { obligationSpecs } from '../obligations/index.js';
import type { Certification, CertifiedObligation, ExamResult } from '../certification.js';
import { exams as catalogue } from '../exams/index.js';
import type { KnownObligation } from '../known-obligations.js';
import type { ShownExchange } from '../shown-exchange.js';
import { brokenOf, groundsOf } from './obligation-parts.js';

/** The obligations that the client broke; see {@link brokenOf}. */
export function failuresOf({ obligations }: Pick<Certification, 'obligations'>): readonly CertifiedObligation[] {
  return brokenOf(obligations);
}

/** The obligations with a verdict, in order. */
export function obligationsWith(
  { obligations }: Pick<Certification, 'obligations'>,
  verdict: CertifiedObligation['verdict'],
): readonly CertifiedObligation[] {
  return obligations.filter((one) => one.verdict === verdict);
}

/** The exchanges that a verdict rests on. */
export function evidenceOf({ evidence }: CertifiedObligation, { exchanges }: Certification): readonly ShownExchange[] {
  const ids = new Set(evidence);
  return exchanges.filter(({ id }) => ids.has(id));
}

/** Exams that a report names where an obligation was broken in many. */
const MOST_EXAMS = 5;

/** The titles of the exams that show a verdict. */
function examsOf({ exams }: CertifiedObligation, certification: Certification): string {
  const titles = exams.map((id) => certification.exams.find((exam) => exam.id === id)?.title ?? id);
  const more = titles.length - MOST_EXAMS;
  return more > 1 ? `${titles.slice(0, MOST_EXAMS).join(', ')} and ${more} more` : titles.join(', ');
}

/** A failure in rows of label and text. */
export function detailsOf(result: CertifiedObligation, certification: Certification): readonly [string, string][] {
  const { statement, message, expected, breaches = 1, severity, known = [] } = result;
  const times = breaches > 1 ? ` (${breaches} times)` : '';
  return [
    ['Obligation', statement],
    ['Happened', `${message ?? 'nothing known'}${times}`],
    ['Expected', expected ?? statement],
    ...groundsOf(result),
    ['Severity', severity],
    ['Exams', examsOf(result, certification)],
    ...known.map((entry): [string, string] => ['Known', knownEntryText(entry)]),
  ];
}

/** An entry of the baseline: its issue and its last day. */
export function knownEntryText({ issue, until }: KnownObligation): string {
  return [issue ?? 'no issue', ...(until ? [`until ${until}`] : [])].join(', ');
}

/** An exchange on one line: what was sent, what came, and what the sandbox did to it. */
export function exchangeLine({ method, path, status, struck, id }: ShownExchange): string {
  const outcome = status === 0 ? 'no answer' : String(status);
  return `${method} ${path}: ${outcome}${struck ? `, scenario ${struck.scenario}` : ''} (${id})`;
}

/** The exams in which the client's own tests failed, in words. */
export function clientFailures({ exams }: Pick<Certification, 'exams'>): readonly string[] {
  return exams.filter(({ client }) => client.ok === false).map((exam) => `${exam.title}: ${saidBy(exam)}`);
}

function saidBy({ client: { said } }: ExamResult): string {
  return said ?? 'no reason given';
}

/** The verdict as a heading. It claims no more than the exams have shown. */
export function bannerOf({ verdict, counts, exams, obligations }: Certification): string {
  if (verdict === 'not-ready') return 'Not ready';
  if (verdict === 'too-little-seen') return 'Too little seen';
  if (counts.fail > 0) return 'Ready, with known failures';
  const isWhole = exams.length === catalogue.length && obligations.length === obligationSpecs.length;
  return isWhole && counts['not-seen'] === 0 ? 'Ready for production' : 'Ready, as far as seen';
}

/** What a finished run says in one sentence beside its verdict. */
export function figuresOf({ exams, obligations, counts }: Certification): string {
  const calls = exams.reduce((sum, exam) => sum + exam.calls, 0);
  const seen = counts.pass + counts.fail;
  return `${seen} of ${obligations.length} obligations seen in ${count(exams.length, 'exam', 'exams')} with ${count(calls, 'call', 'calls')}`;
}

/** How long all exams took, in milliseconds. */
export function durationOf({ exams }: Pick<Certification, 'exams'>): number {
  return exams.reduce((sum, { durationMs }) => sum + durationMs, 0);
}
