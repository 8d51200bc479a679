import { visibleJson } from '../../common/index.js';
import type { Exchange } from '../client/exchange.js';
import { type ReportItem, linesOf, type ReportModel, type ReportSide, sidesOf } from './model.js';

/** The maximum number of characters of a body. */
const MOST_BODY = 10_000;
const DEPLOYMENT = 'DEPLOYMENT';

/** A log of SARIF 2.1.0 with a result for each finding. A deployment has no source files: a result is at the path of its request. */
export function sarifReport(report: ReportModel): string {
  const log = {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: sidesOf(report).map(runOf),
  };
  return `${visibleJson(log, 2)}\n`;
}

function runOf(report: ReportSide): object {
  const { tool, version, items, findings, sarif, baseUrl, exitCode, verdict, message, startedAt, durationMs } = report;
  const notification = (level: 'error' | 'note') => (text: string) => ({ level, message: { text } });
  return {
    tool: { driver: { name: tool, semanticVersion: version, rules: items.map(descriptorOf) } },
    automationDetails: { id: sarif.automationId },
    invocations: [
      {
        executionSuccessful: exitCode < 3,
        exitCode,
        exitCodeDescription: `${verdict}: ${message}`,
        startTimeUtc: startedAt,
        endTimeUtc: new Date(Date.parse(startedAt) + durationMs).toISOString(),
        toolExecutionNotifications: [
          ...sarif.notes.map(notification('error')),
          ...(report.hints ?? []).map(notification('note')),
        ],
      },
    ],
    originalUriBaseIds: { [DEPLOYMENT]: { uri: `${baseUrl}/` } },
    columnKind: 'utf16CodeUnits',
    results: findings.map((finding) => resultOf(finding, report)),
  };
}

function descriptorOf({ id, statement, description, level, basis, severity, place, topic }: ReportItem): object {
  return {
    id,
    shortDescription: { text: statement },
    ...(description === undefined ? {} : { fullDescription: { text: description } }),
    defaultConfiguration: { level },
    properties: { basis, severity, ...place, tags: [topic] },
  };
}

function resultOf(finding: ReportItem, { items, judged, baseUrl }: ReportSide): object {
  const { id, verdict, headline, rows, topic, exchange, known, evidence } = finding;
  const lines = [headline, ...linesOf(rows.filter(({ kind }) => kind !== 'passed'))];
  return {
    ruleId: id,
    ruleIndex: items.indexOf(finding),
    kind: 'fail',
    level: verdict === 'warn' ? 'warning' : 'error',
    message: { text: lines.join('\n') },
    locations: [
      {
        physicalLocation: {
          artifactLocation: { uri: pathBelow(baseUrl, exchange?.request.url ?? baseUrl), uriBaseId: DEPLOYMENT },
        },
        logicalLocations: [{ name: topic, fullyQualifiedName: exchange?.operation ?? id }],
      },
    ],
    partialFingerprints: { [`teebox/${judged}/v1`]: id },
    ...(known ? { suppressions: [{ kind: 'external', ...known }] } : {}),
    ...(exchange ? { webRequest: webRequestOf(exchange), webResponse: webResponseOf(exchange) } : {}),
    properties: evidence,
  };
}

function pathBelow(baseUrl: string, url: string): string {
  const { pathname } = new URL(url);
  const root = new URL(`${baseUrl}/`).pathname;
  return pathname.startsWith(root) ? pathname.slice(root.length) : pathname.replace(/^\/+/, '');
}

function webRequestOf({ request: { method, url, headers, body } }: Exchange): object {
  return { protocol: 'http', target: url, method, headers, ...(body === undefined ? {} : { body: bodyOf(body) }) };
}

function webResponseOf({ response, failure = '' }: Exchange): object {
  if (!response) return { noResponseReceived: true, reasonPhrase: failure };
  const { status, headers, body } = response;
  return { protocol: 'http', statusCode: status, headers, body: bodyOf(body) };
}

/** A truncated body: readers of SARIF limit its size, and the `har` report has the whole body. */
function bodyOf(text: string): object {
  if (text.length <= MOST_BODY) return { text };
  return { text: `${text.slice(0, MOST_BODY)}\n... (${text.length} characters in all)` };
}
