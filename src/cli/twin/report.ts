/** What `twin` came to, as the model of a report. */
import { counted } from '../../common/index.js';
import {
  aloneIn,
  listed,
  type ReportItem,
  type ReportModel,
  reportersOf,
  type Section,
  type Text,
} from '../../conformance/index.js';
import { operationNames } from '../../contract/index.js';
import type { WorldDrift } from './changes.js';
import type { ReadSummary } from './make-twin.js';
import { type FieldDifference, type ProofResult, shareOf, totalOf } from './proof.js';

/** The result of a run of `twin`, as `--report json` writes it. */
export interface TwinResult {
  readonly verdict: 'twin' | 'unlike' | 'unchanged' | 'changed' | 'incomplete';
  readonly exitCode: 0 | 1 | 4;
  /** The reason for the verdict, in a sentence. */
  readonly message: string;
  readonly target: { readonly baseUrl: string; readonly startedAt: string };
  readonly durationMs: number;
  readonly read: ReadSummary;
  /** How like the twin is. Absent where nothing was compared. */
  readonly proof?: ProofResult;
  /** What has changed since an earlier file. Absent without one. */
  readonly changes?: readonly WorldDrift[];
}

export const twinReporters = reportersOf(twinReport);

const banners: Readonly<Record<TwinResult['verdict'], string>> = {
  twin: 'Twin made',
  unlike: 'Too many answers differ',
  unchanged: 'Nothing has changed',
  changed: 'The deployment has changed',
  incomplete: 'Incomplete',
};

export function twinReport(result: TwinResult, version: string): ReportModel {
  const { verdict, exitCode, message, target, durationMs, read, proof, changes = [] } = result;
  const isFailed = exitCode === 1;
  const items = [
    ...changes.map((one, at) => changeItem(one, at)),
    ...(proof?.differences ?? []).map((one) => differenceItem(one, isFailed)),
  ];
  const word = isFailed ? 'fail' : 'warn';
  const figures = figuresOf(read);
  const unread = listed(
    'Not read',
    read.unread.map((one): Text => one),
    10,
  );
  const sections = [...(proof ? [operationSection(proof)] : []), unread];
  const { host, hostname } = new URL(target.baseUrl);
  return {
    judged: 'rule',
    tool: 'teebox twin',
    version,
    verdict,
    exitCode,
    message,
    startedAt: target.startedAt,
    durationMs,
    baseUrl: target.baseUrl,
    items,
    findings: items,
    causes: items.map(aloneIn),
    stale: [],
    figures,
    summary: [{ code: target.baseUrl }, `: ${figures}.`],
    counts: [[word, items.length]],
    before: [],
    sections: { terminal: [unread], markdown: sections, page: sections },
    warnings: [],
    opening: [],
    closing: `${target.baseUrl}: ${figures}`,
    mostInFull: 12,
    banner: banners[verdict],
    subject: { code: target.baseUrl },
    title: `${banners[verdict]}: ${target.baseUrl.replace(/^\w+:\/\//, '')}`,
    footer: [`teebox ${version}. No booking of anyone and no secret is in the file.`],
    shown: [],
    junit: {
      suite: 'twin',
      hostname: hostname || 'localhost',
      properties: { baseUrl: target.baseUrl, verdict, exitCode, version },
      durationMs,
      failure: exitCode === 4 ? message : undefined,
    },
    sarif: { automationId: `teebox-twin/${host}`, notes: exitCode === 4 ? [message] : [] },
    har: { exchanges: [], about: { _command: 'twin', _baseUrl: target.baseUrl, _verdict: verdict } },
    json: () => result,
  };
}

function figuresOf({ facilities, courses, sheets, teeTimes, requests }: ReadSummary): string {
  const parts = [
    counted(facilities, 'facility', 'facilities'),
    counted(courses, 'course'),
    counted(sheets, 'tee sheet'),
    counted(teeTimes, 'tee time'),
  ];
  return `${parts.join(', ')}; ${counted(requests, 'request')}`;
}

/** "1,204 of 1,212 answers are the same (99.3 %)", with both parts. */
export function proofText(proof: ProofResult): string {
  const total = totalOf(proof);
  const parts = [
    `${numberText(proof.read.same)} of ${numberText(proof.read.asked)} that were read`,
    ...(proof.other.asked === 0
      ? []
      : [`${numberText(proof.other.same)} of ${numberText(proof.other.asked)} that were asked afterwards`]),
  ];
  const order = total.reordered === 0 ? '' : ` In ${numberText(total.reordered)} of them, lists come in another order.`;
  return `${numberText(total.same)} of ${numberText(total.asked)} answers are the same (${percentText(shareOf(total))}): ${parts.join(', ')}.${order}${proof.cut === undefined ? '' : ` ${proof.cut}`}`;
}

const numberText = (value: number): string => value.toLocaleString('en');
/** Rounded down, so that 100 % means all. */
export const percentText = (share: number): string => `${Math.floor(share * 10) / 10} %`;

function operationSection({ byOperation }: ProofResult): Section {
  const rows = Object.entries(byOperation).map(([operation, { asked, same, reordered }]): Text[] => [
    { code: operation },
    asked,
    same,
    asked - same,
    reordered,
  ]);
  return {
    title: 'Answers by operation',
    table: { head: ['operation', 'asked', 'same', 'different', 'in another order'], rows },
  };
}

function differenceItem({ operation, field, answers, example }: FieldDifference, isFailed: boolean): ReportItem {
  const text = `\`${field}\` differs in ${counted(answers, 'answer')}.`;
  const value = (one: unknown): Text => ({ code: one === undefined ? 'nothing' : shortened(JSON.stringify(one)) });
  return {
    ...itemOf(`${operation}.${field}`, 'answers', isFailed, text),
    rows: [
      { kind: 'message', label: 'Difference', text: { prose: text } },
      { kind: 'fact', label: 'Asked', text: { code: example.path } },
      { kind: 'fact', label: 'Deployment', text: value(example.deployment) },
      { kind: 'fact', label: 'Twin', text: value(example.twin) },
    ],
    evidence: { operation, field, answers, ...example },
    concerns: operationNames.filter(({ id }) => id === operation),
  };
}

/** Characters of a value that a report shows. */
const MOST_SHOWN = 300;
const shortened = (text: string): string => (text.length > MOST_SHOWN ? `${text.slice(0, MOST_SHOWN)}...` : text);

function changeItem(change: WorldDrift, at: number): ReportItem {
  const { kind, facility, text } = change;
  return {
    ...itemOf(`${kind}.${facility ?? 'deployment'}.${at + 1}`, kind, true, text),
    rows: [{ kind: 'message', label: 'Change', text }],
    evidence: { ...change },
  };
}

function itemOf(id: string, topic: string, isFailed: boolean, text: string): Omit<ReportItem, 'rows' | 'evidence'> {
  return {
    id,
    topic,
    verdict: isFailed ? 'fail' : 'warn',
    basis: 'open',
    severity: 'minor',
    statement: text,
    headline: text,
    message: text,
    durationMs: 0,
    level: isFailed ? 'error' : 'warning',
  };
}
