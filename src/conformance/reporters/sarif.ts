import type { Exchange } from '../exchange.js';
import type { Basis, Report, RuleResult } from '../types.js';
import { decisiveOf, detailsOf, findingsOf, headlineOf, resourceOf } from './findings.js';
import type { FileReporter, RecordedRun } from './reporter.js';

const levels: Readonly<Record<Basis, 'error' | 'warning' | 'note'>> = {
  stated: 'error',
  implied: 'warning',
  open: 'note',
};

/** Characters of a body. */
const MOST_BODY = 10_000;
const DEPLOYMENT = 'DEPLOYMENT';

/** SARIF 2.1.0. A black box has no source files, so a result stands at the path of the request that shows it. */
export const sarifReporter: FileReporter = (run) => {
  const { report, version } = run;
  const { baseUrl } = report.target;
  const driver = { name: 'teebox check', semanticVersion: version, rules: report.rules.map(descriptorOf) };
  const log = {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: { driver },
        automationDetails: { id: `teebox-check/${new URL(baseUrl).host}/${report.target.runId}` },
        invocations: [invocationOf(report)],
        originalUriBaseIds: { [DEPLOYMENT]: { uri: `${baseUrl}/` } },
        columnKind: 'utf16CodeUnits',
        results: findingsOf(report).map((result) => resultOf(result, report.rules.indexOf(result), run)),
      },
    ],
  };
  return `${JSON.stringify(log, null, 2)}\n`;
};

function descriptorOf({ id, statement, basis, source }: RuleResult): object {
  return {
    id,
    shortDescription: { text: statement },
    fullDescription: { text: `${statement} (${source.section}, ${source.item}; ${basis})` },
    defaultConfiguration: { level: levels[basis] },
    properties: { basis, section: source.section, item: source.item, tags: [id.split('.', 1)[0]] },
  };
}

function resultOf(result: RuleResult, ruleIndex: number, run: RecordedRun): object {
  const { id, verdict, known, exchanges } = result;
  const again = decisiveOf(result, run);
  const details = detailsOf(result, run).map(([label, words]) => `${label}: ${words}`);
  return {
    ruleId: id,
    ruleIndex,
    kind: 'fail',
    level: verdict === 'warn' ? 'warning' : 'error',
    message: { text: [headlineOf(result), ...details].join('\n') },
    locations: [locationOf(result, again, run.report)],
    partialFingerprints: { 'teebox/rule/v1': id },
    ...(known ? { suppressions: [{ kind: 'external', justification: 'The baseline lists it.' }] } : {}),
    ...(again ? { webRequest: webRequestOf(again), webResponse: webResponseOf(again) } : {}),
    properties: { verdict, exchanges },
  };
}

function locationOf(result: RuleResult, again: Exchange | undefined, { target }: Report): object {
  const { pathname } = new URL(again?.request.url ?? target.baseUrl);
  const root = new URL(`${target.baseUrl}/`).pathname;
  const uri = pathname.startsWith(root) ? pathname.slice(root.length) : pathname.replace(/^\/+/, '');
  return {
    physicalLocation: { artifactLocation: { uri, uriBaseId: DEPLOYMENT } },
    logicalLocations: [{ name: resourceOf(result), fullyQualifiedName: again?.operation ?? result.id }],
  };
}

function webRequestOf({ request: { method, url, headers, body } }: Exchange): object {
  return { protocol: 'http', target: url, method, headers, ...(body === undefined ? {} : { body: bodyOf(body) }) };
}

function webResponseOf({ response, failure = '' }: Exchange): object {
  if (!response) return { noResponseReceived: true, reasonPhrase: failure };
  const { status, headers, body } = response;
  return { protocol: 'http', statusCode: status, headers, body: bodyOf(body) };
}

/** A body cut where it gets long: those who take SARIF take little, and the `har` report has the whole. */
function bodyOf(text: string): object {
  if (text.length <= MOST_BODY) return { text };
  return { text: `${text.slice(0, MOST_BODY)}\n... (${text.length} characters in all)` };
}

function invocationOf({ exitCode, verdict, message, target, durationMs, stale }: Report): object {
  const startTimeUtc = target.startedAt;
  const notes = [
    ...(exitCode === 3 || exitCode === 4 ? [message] : []),
    ...stale.map((id) => `The baseline has ${id}, which no longer fails; please remove it.`),
  ];
  return {
    executionSuccessful: exitCode < 3,
    exitCode,
    exitCodeDescription: `${verdict}: ${message}`,
    startTimeUtc,
    endTimeUtc: new Date(Date.parse(startTimeUtc) + durationMs).toISOString(),
    toolExecutionNotifications: notes.map((text) => ({ level: 'error', message: { text } })),
  };
}
