/** What a proxy knows of both sides, as the model of a report: that of `check`, with the client next to it. */
import { counted } from '../../common/index.js';
import {
  brokenOf,
  groundsOf,
  notesOf,
  obligationFinding,
  proseRow,
  topicOf,
  unseenIn,
} from '../../certification/index.js';
import {
  aloneIn,
  checkReport,
  type Exchange,
  listed,
  reportersOf,
  type ReportItem,
  type ReportModel,
  type ReportSide,
  type Row,
} from '../../conformance/index.js';
import type { ClientResult, ProxyOutcome } from './outcome.js';

/** A run of the proxy as reports show it. */
export interface ProxyRun {
  readonly outcome: ProxyOutcome;
  readonly exchanges: ReadonlyMap<string, Exchange>;
  readonly version: string;
}

/** The formats of `proxy --report FORMAT=FILE`: those of `check`. */
export const proxyReporters = reportersOf(proxyReport);

function proxyReport(run: ProxyRun): ReportModel {
  const { deployment, ...both } = run.outcome;
  const { verdict, exitCode, message } = deployment;
  return {
    ...checkReport({ ...run, report: deployment }),
    // The members of a report of `check`, so that `diff` can compare two of them.
    json: () => ({ ...deployment, ...both, deployment: { verdict, exitCode, message } }),
    beside: clientSide(run),
  };
}

function clientSide(run: ProxyRun): ReportSide {
  const { client, deployment, exitCode, message, stale, traffic, dropped } = run.outcome;
  const { baseUrl, startedAt } = deployment.target;
  const items = client.map((result) => clientFinding(result, run));
  const findings = brokenOf(client).map((result) => items[client.indexOf(result)]!);
  const unseen = unseenIn(client);
  const doubtful = notesOf(client, (one) => one.doubtful);
  const passed = client.filter(({ verdict }) => verdict === 'pass').length;
  const broken = counted(findings.length, 'obligation');
  return {
    judged: 'obligation',
    tool: 'teebox proxy',
    version: run.version,
    verdict: 'client',
    exitCode,
    message,
    startedAt,
    durationMs: deployment.durationMs,
    baseUrl,
    items,
    findings,
    causes: findings.map(aloneIn),
    stale,
    sections: { markdown: [listed('In doubt', doubtful), listed('Not seen', unseen)] },
    heading: {
      isGood: findings.length === 0,
      text: { own: `Client: ${broken} violated, ${passed} satisfied, ${unseen.length} not seen` },
    },
    summary: [
      { own: `Exit code ${exitCode}: ` },
      { prose: message },
      { own: ` ${traffic.exchanges} exchanges passed, ${dropped} of them are no longer kept.` },
    ],
    figures: `${message} ${passed} obligations were satisfied, and ${unseen.length} were not seen.`,
    junit: { suite: 'client', hostname: 'localhost', properties: { exitCode }, durationMs: 0 },
    sarif: { automationId: `teebox-proxy/${new URL(baseUrl).host}`, notes: [] },
  };
}

function clientFinding(result: ClientResult, { exchanges }: ProxyRun): ReportItem {
  const { statement, expected, severity, breaches = 1, known, evidence } = result;
  const shown = evidence.map((id) => exchanges.get(id)).filter((one) => one !== undefined);
  const lineOf = ({ id, request, response }: Exchange): string =>
    `${request.method} ${request.url}: ${response?.status ?? 'no answer'} (${id})`;
  const rows: readonly Row[] = [
    proseRow('Obligation', statement),
    proseRow('Expected', expected ?? statement),
    proseRow('Times', String(breaches)),
    ...groundsOf(result),
    proseRow('Severity', severity),
    ...(known ?? []).map(({ issue = 'no issue' }) => proseRow('Known', issue)),
    ...shown.map((one): Row => ({ kind: 'passed', label: 'Request', text: lineOf(one) })),
  ];
  return obligationFinding(result, rows, {
    topic: `client.${topicOf(result)}`,
    exchange: shown.at(-1),
    evidence: { evidence },
    known: known && {},
  });
}
