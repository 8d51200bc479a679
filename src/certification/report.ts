/** What `certify` knows of a client, as the model of a report. */
import { counted } from '../common/index.js';
import {
  aloneIn,
  annotations,
  type Exchange,
  linesOf,
  listed,
  reportersOf,
  type ReportItem,
  type ReportModel,
  type Row,
  type Section,
  severities,
  staleSection,
  staleText,
  type Text,
} from '../conformance/index.js';
import type { OperationId } from '../contract/index.js';
import { obligationSpecs } from './obligations/index.js';
import { isCriticalDoubt, isUnseen, type ObligationResult } from './obligations/client-checker.js';
import type { Certification, CertifiedObligation, ExamResult } from './certification.js';
import { happyDay } from './exams/happy-day.js';
import { exams as catalogue } from './exams/index.js';
import type { KnownObligation } from './known-obligations.js';
import type { ShownExchange } from './shown-exchange.js';

/** The sandbox of an exam is gone when its report is read, so that its address is one that nobody has (RFC 2606). */
const NOWHERE = 'http://sandbox.invalid';

/** The formats of `certify --report FORMAT=FILE`. They get all that the client sent and received, too. */
export const certifyReporters = reportersOf(certifyReport);

/** Annotations of a run in GitHub Actions, one workflow command per line. */
export function certifyAnnotations(certification: Certification): readonly string[] {
  return annotations(certifyReport(certification));
}

/** @param traffic All that the client sent and received, for the `har` report. */
export function certifyReport(certification: Certification, traffic: readonly Exchange[] = []): ReportModel {
  const { verdict, exitCode, message, at, teebox, seed, digest, client, counts, stale } = certification;
  const { obligations, exchanges, exams } = certification;
  const items = obligations.map((result) => certifiedFinding(result, certification));
  const findings = brokenOf(obligations).map((result) => items[obligations.indexOf(result)]!);
  const banner = bannerOf(certification);
  const figures = figuresOf(certification);
  const durationMs = durationOf(certification);
  const missing = exams.reduce(
    (sum, { calls }) => sum + calls,
    -traffic.filter(({ caller }) => caller === 'first').length,
  );
  const outcomes = new Map(exchanges.map((one) => [one.id, exchangeLine(one).replace(/^.*?: /, '')]));
  return {
    judged: 'obligation',
    tool: 'teebox certify',
    version: teebox,
    verdict,
    exitCode,
    message,
    startedAt: at,
    durationMs,
    baseUrl: NOWHERE,
    counts: Object.entries(counts),
    items,
    findings,
    causes: findings.map(aloneIn),
    stale,
    before: [],
    sections: sectionsOf(certification),
    mostInFull: MOST_IN_FULL,
    next: nextSteps(certification),
    warnings: [],
    opening: [''],
    closing: `${figures}; digest ${digest.slice(0, 12)}`,
    summary: [figures, '. Seed ', { code: String(seed) }, ', digest ', { code: digest }, '.'],
    banner,
    subject: [client?.name ?? '', ' ', { code: client?.command ?? '' }],
    title: `${banner}: ${client?.name ?? 'a client'}`,
    figures,
    footer: [`teebox ${teebox}, seed ${seed}, digest `, { code: digest }, '. Secrets are masked.'],
    junit: {
      suite: 'run',
      hostname: 'localhost',
      properties: { verdict, exitCode, seed, exams: exams.map(({ id }) => id).join(' ') },
      durationMs,
      failure: exitCode === 4 ? '' : undefined,
    },
    sarif: {
      automationId: `teebox-certify/${digest.slice(0, 12)}`,
      notes: [...(exitCode === 4 ? [message] : []), ...stale.map(staleText)],
    },
    har: {
      exchanges: traffic,
      about: { _verdict: verdict, _digest: digest, ...(missing > 0 ? { _missing: missing } : {}) },
    },
    json: () => certification,
    shown: exchanges.map(asExchange),
    outcomeOf: ({ id }) => outcomes.get(id) ?? '',
  };
}

/* The obligations, for the reports of `certify` and `proxy` */

/** The verdict on an obligation, with the entries of a baseline that list it. */
export type ReportedObligation = ObligationResult & { readonly known?: readonly KnownObligation[] };

/** The obligations that the client broke: those that count first, by their severity, and then by how many exams show them. */
export function brokenOf<T extends ReportedObligation & { readonly exams?: readonly string[] }>(
  results: readonly T[],
): readonly T[] {
  const rank = ({ known, severity }: T): number => (known ? severities.length : 0) + severities.indexOf(severity);
  const seen = ({ exams = [] }: T): number => exams.length;
  return results
    .filter(({ verdict }) => verdict === 'fail')
    .sort((one, other) => rank(one) - rank(other) || seen(other) - seen(one));
}

/** What an obligation is about: the first part of its id. */
export function topicOf({ id }: Pick<ObligationResult, 'id'>): string {
  return id.split('.', 1)[0]!;
}

/** An obligation as a finding, whose rows are shown if it was broken. */
export function obligationFinding(
  result: ReportedObligation,
  rows: readonly Row[],
  more: Pick<ReportItem, 'exchange' | 'evidence'> & Partial<ReportItem>,
): ReportItem {
  const { id, verdict, basis, severity, statement, message = '', toSee = '', doubtful } = result;
  const unseen = doubtful ? `In doubt: ${doubtful.message}` : `To see it: ${toSee}`;
  return {
    id,
    topic: topicOf(result),
    verdict,
    basis,
    severity,
    statement,
    headline: verdict === 'not-seen' ? unseen : message,
    rows: verdict === 'fail' ? rows : [],
    durationMs: 0,
    level: 'error',
    ...more,
  };
}

/** What an obligation rests on: the words of the API specification, or the reason why a careful client keeps to it. */
export function groundsOf({ source, reason }: ObligationResult): Row[] {
  return [
    ...(source ? [proseRow('Specification', `${source.section}, ${source.item}`)] : []),
    ...(reason === undefined ? [] : [proseRow('Reason', reason)]),
  ];
}

export function proseRow(label: string, text: string): Row {
  return { kind: 'fact', label, text: { prose: text } };
}

/** What was not seen, the gravest first, and what the client must do for it. */
export function unseenIn(obligations: readonly ObligationResult[], between = ': '): readonly Text[] {
  return obligations
    .filter(isUnseen)
    .sort((one, other) => severities.indexOf(one.severity) - severities.indexOf(other.severity))
    .map(({ id, toSee = '' }) => [{ code: id }, between, { prose: toSee }]);
}

/* The obligations of a certification */

function certifiedFinding(result: CertifiedObligation, certification: Certification): ReportItem {
  const { statement, message, expected, breaches = 1, severity, known, evidence, exams } = result;
  const times = breaches > 1 ? ` (${breaches} times)` : '';
  const ids = new Set(evidence);
  const shown = certification.exchanges.filter(({ id }) => ids.has(id));
  const last = shown.findLast(({ kind }) => kind === 'call');
  const rows: readonly Row[] = [
    proseRow('Obligation', statement),
    { kind: 'message', label: 'Happened', text: `${message ?? 'nothing known'}${times}` },
    proseRow('Expected', expected ?? statement),
    ...groundsOf(result),
    proseRow('Severity', severity),
    proseRow('Exams', examsOf(result, certification)),
    ...(known ?? []).map((entry) => proseRow('Known', knownText(entry))),
    { kind: 'command', label: 'Again', text: againOf(result, certification) },
    ...shown.map((one): Row => ({ kind: 'request', label: 'Request', text: exchangeLine(one), id: one.id })),
  ];
  return obligationFinding(result, rows, {
    exchange: last && asExchange(last),
    evidence: { evidence, exams },
    description: [statement, ...linesOf(groundsOf(result))].join('\n'),
    known: known && { justification: known.map(knownText).join('; ') },
  });
}

/** The command that takes the first exam again in which an obligation was broken. */
function againOf({ id, exams }: CertifiedObligation, certification: Certification): string {
  return commandOf(`certify --exams ${exams[0]} --only ${id}`, certification);
}

/** The world of a run without flags. */
const USUAL = { seed: 1, facilities: 81 };

/** A command of Teebox that runs the tests of the client in the world of a run. */
function commandOf(command: string, { client, seed, facilities, world: file }: Certification): string {
  const seeded = seed === USUAL.seed ? '' : ` --seed ${seed}`;
  const sized = facilities === USUAL.facilities ? seeded : `${seeded} --facilities ${facilities}`;
  const world = file === undefined ? sized : `${seeded} --world FILE`;
  return `npx --no-install teebox ${command}${world} -- ${client?.command ?? 'COMMAND'}`;
}

/** Exams that a report names where an obligation was broken in many. */
const MOST_EXAMS = 5;

/** The titles of the exams that show a verdict. */
function examsOf({ exams }: CertifiedObligation, certification: Certification): string {
  const titles = exams.map((id) => certification.exams.find((exam) => exam.id === id)?.title ?? id);
  const more = titles.length - MOST_EXAMS;
  return more > 1 ? `${titles.slice(0, MOST_EXAMS).join(', ')} and ${more} more` : titles.join(', ');
}

/** An entry of the baseline: its issue and its last day. */
function knownText({ issue, until }: KnownObligation): string {
  return [issue ?? 'no issue', ...(until ? [`until ${until}`] : [])].join(', ');
}

/** An exchange on one line: what was sent, what came, and what the sandbox did to it. */
function exchangeLine({ method, path, status, struck, test, id }: ShownExchange): string {
  const outcome = status === 0 ? 'no answer' : String(status);
  const by = test === undefined ? '' : `, test "${test}"`;
  return `${method} ${path}: ${outcome}${struck ? `, scenario ${struck.scenario}` : ''}${by} (${id})`;
}

/** A call or a callback in the form that the formats of reports share. */
export function asExchange(shown: ShownExchange): Exchange {
  const { id, exam, kind, method, path, operation, at, status, requestBody, responseBody } = shown;
  const body = responseBody ?? '';
  return {
    id,
    ...(operation === undefined ? {} : { operation: operation as OperationId }),
    caller: kind === 'call' ? 'first' : 'deployment',
    startedAt: at,
    durationMs: 0,
    request: {
      method,
      url: kind === 'call' ? `${NOWHERE}/w/${exam}${path}` : path,
      headers: shown.requestHeaders,
      ...(requestBody === undefined ? {} : { body: requestBody }),
    },
    ...(status === 0
      ? { failure: 'No answer.' }
      : { response: { status, headers: shown.responseHeaders, body, length: body.length } }),
  };
}

function sectionsOf(certification: Certification): ReportModel['sections'] {
  const { obligations, exams, skipped, stale } = certification;
  const unseen = unseenIn(obligations);
  const own = exams.filter(({ client }) => client.ok === false).map((exam) => `${exam.title}: ${saidBy(exam)}`);
  const ownTests = listed("The client's own tests failed", own);
  const deliberate = deliberateIn(certification);
  const doubtful = doubtfulIn(certification);
  const next = listed('Next', nextSteps(certification));
  const every = obligations.map(({ id, verdict, statement }): Text => [
    { verdict },
    ' ',
    { code: id },
    ' ',
    { prose: statement },
  ]);
  return {
    terminal: [
      deliberate,
      doubtful,
      listed('Not seen, and how to show it', unseen, MOST_IN_FULL),
      { ...ownTests, title: `${ownTests.title} (many exams make calls fail on purpose)`, most: MOST_IN_FULL },
      staleSection(stale),
      listed('Exams not taken', leftIn(skipped), Infinity),
    ],
    markdown: [
      next,
      deliberate,
      doubtful,
      listed('Not seen', unseen),
      ownTests,
      staleSection(stale, true),
      {
        title: 'Exams',
        table: {
          head: ['Exam', 'Verdict', 'Calls'],
          rows: exams.map(({ id, verdict, calls }) => [{ code: id }, { own: verdict }, calls]),
        },
      },
      listed('Exams not taken', leftIn(skipped), Infinity),
    ],
    page: [
      next,
      deliberate,
      doubtful,
      listed('Not seen, and what the client would have to do', unseenIn(obligations, ' ')),
      ownTests,
      staleSection(stale),
      examSection(exams, skipped),
      listed('Every obligation', every),
    ],
  };
}

/** Mistakes that the service refused, as the client's own tests send them on purpose. They fail nothing. */
function deliberateIn({ obligations, exams }: Certification): Section {
  const seem = notesOf(obligations, ({ deliberate }) => deliberate);
  const how = 'mark them with the header `Teebox-Test: NAME; deliberate`, or with --deliberate';
  const section = listed('Seems deliberate', seem, Infinity);
  const hasPassed = exams.every(({ id, client }) => id !== happyDay.id || client.ok !== false);
  if (!hasPassed)
    return { ...section, title: 'Refused once, on purpose or not: one of these may be why your tests fail' };
  return { ...section, title: `Seem deliberate, so they fail nothing; ${how}` };
}

/** What another attempt of a test may have sent. It fails nothing. */
function doubtfulIn({ obligations }: Certification): Section {
  const notes = notesOf(obligations, ({ doubtful }) => doubtful);
  return listed('In doubt, because your test runner may have retried failed tests', notes, Infinity);
}

/** Notes of obligations, each with how often it was seen and the last request that shows it. */
export function notesOf(
  obligations: readonly ObligationResult[],
  noteOf: (one: ObligationResult) => ObligationResult['deliberate'],
): Text[] {
  return obligations.flatMap((one): Text[] => {
    const note = noteOf(one);
    if (!note) return [];
    const more = note.times > 1 ? ` (${note.times} times)` : '';
    return [[{ code: one.id }, ': ', { prose: `${note.message}${more}` }, ` (${note.evidence.at(-1)})`]];
  });
}

/** The exams with what the client met, and what came of them. */
function examSection(exams: Certification['exams'], skipped: Certification['skipped']): Section {
  const rows = exams.map(({ verdict, title, does, calls, client }): Text[] => {
    const failed: Text = client.ok === false ? [' ', { emphasis: "The client's own tests failed." }] : '';
    return [{ verdict }, title, [does, failed], calls];
  });
  const left = leftIn(skipped).map((text): Text => [text, ' ']);
  return {
    title: 'Exams',
    count: exams.length,
    table: { head: ['Verdict', 'Exam', 'What happens', 'Calls'], rows, naming: 1 },
    ...(left.length === 0 ? {} : { note: ['Not taken: ', left] }),
  };
}

/** The exams that were not taken, by the reason. */
export function byReason(skipped: Certification['skipped']): ReadonlyMap<string, readonly string[]> {
  const reasons = new Map<string, string[]>();
  for (const { id, why } of skipped) reasons.set(why, [...(reasons.get(why) ?? []), id]);
  return reasons;
}

function leftIn(skipped: Certification['skipped']): Text[] {
  return [...byReason(skipped)].map(([why, ids]): Text => {
    const codes = ids.map((id, at): Text => [at === 0 ? '' : ', ', { code: id }]);
    return [{ prose: why.replace(/\.$/, '') }, ': ', codes, '.'];
  });
}

/** Findings and hints that a terminal shows in full. */
const MOST_IN_FULL = 3;

/** What to do next, in sentences. */
function nextSteps(certification: Certification): Text[] {
  const { obligations, exams, stale } = certification;
  if (exams[0]?.id === happyDay.id && exams[0].client.ok === false) {
    const alone = { code: commandOf(`certify --exams ${happyDay.id} --show-output`, certification) };
    const plain = { code: commandOf('exec', certification) };
    return [['Make the tests pass when nothing goes wrong, first with ', plain, ', then with ', alone, '.']];
  }
  const broken = brokenOf(obligations).filter(({ known }) => !known);
  const [first] = broken;
  const steps: Text[] = [];
  if (first) {
    const others = broken.length === 2 ? 'other one' : `other ${broken.length - 1}`;
    const rest = broken.length === 1 ? '.' : `. Then fix the ${others} in the same way.`;
    steps.push(['Fix ', { code: first.id }, ', and check it with ', { code: againOf(first, certification) }, rest]);
  }
  if (stale.length > 0) steps.push('Remove the entries of the baseline that no longer fail.');
  // The doubts that keep a client from being certified come first.
  const [doubt] = [...obligations.filter(isCriticalDoubt), ...obligations.filter(({ doubtful }) => doubtful)];
  if (doubt) {
    const exam = doubt.doubtful!.evidence[0]!.split('/', 1)[0];
    const alone = { code: commandOf(`certify --exams ${exam} --only ${doubt.id}`, certification) };
    const header = { code: 'Teebox-Test: NAME' };
    const how =
      ' to each request, with the name of its test and of the attempt (any name, if it is no test). Then run ';
    steps.push(['To settle what is in doubt, turn off the retries of failed tests, and add ', header, how, alone, '.']);
  }
  const unseen = obligations.filter(isUnseen).length;
  if (!first && unseen > 0) {
    const what = counted(unseen, 'obligation was', 'obligations were');
    const how = ' lists what a test must do to show each.';
    steps.push([`Extend the tests: ${what} not seen, and `, { code: '--report html=FILE' }, how]);
  }
  return steps;
}

function saidBy({ client: { said } }: ExamResult): string {
  return said ?? 'no reason given';
}

/** The verdict as a heading. It claims no more than the exams have shown. */
export function bannerOf({ verdict, counts, exams, obligations }: Certification): string {
  if (verdict === 'not-ready') return 'Not ready';
  if (verdict === 'too-little-seen') return 'Too little seen';
  if (verdict === 'undecided') return 'Undecided';
  if (counts.fail > 0) return 'Ready, with known failures';
  const isWhole = exams.length === catalogue.length && obligations.length === obligationSpecs.length;
  const isPlain = counts['not-seen'] === 0 && obligations.every(({ doubtful }) => !doubtful);
  return isWhole && isPlain ? 'Ready for production' : 'Ready, as far as seen';
}

/** What a finished run says in one sentence beside its verdict. */
function figuresOf({ exams, obligations, counts }: Certification): string {
  const calls = exams.reduce((sum, exam) => sum + exam.calls, 0);
  const seen = counts.pass + counts.fail;
  return `${seen} of ${obligations.length} obligations seen in ${counted(exams.length, 'exam')} with ${counted(calls, 'call')}`;
}

/** How long all exams took, in milliseconds. */
export function durationOf({ exams }: Pick<Certification, 'exams'>): number {
  return exams.reduce((sum, { durationMs }) => sum + durationMs, 0);
}
