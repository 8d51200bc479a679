import { visibleJson } from '../../evidence/visible.js';
import type { Exchange } from '../client/exchange.js';
import type { Report, RuleResult } from '../client/types.js';
import { decisiveOf, detailsOf, findingsOf, headlineOf, knownText, resourceOf } from './findings.js';
import type { FileReporter, RecordedRun } from './reporter.js';

/** The level of a breach, as a run without `--fail-on` judges it. */
function levelOf({ basis, severity }: RuleResult): 'error' | 'warning' | 'note' {
  if (basis === 'open') return 'note';
  return basis === 'implied' && severity === 'minor' ? 'warning' : 'error';
}

/** The maximum number of characters of a body. */
const MOST_BODY = 10_000;
const DEPLOYMENT = 'DEPLOYMENT';

/** SARIF 2.1.0. A deployment has no source files, so the location of a result is the path of its request. */
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
  return `${visibleJson(log, 2)}\n`;
};

function descriptorOf(result: RuleResult): object {
  const { id, statement, basis, severity, source } = result;
  return {
    id,
    shortDescription: { text: statement },
    fullDescription: { text: `${statement} (${source.section}, ${source.item}; ${basis}, ${severity})` },
    defaultConfiguration: { level: levelOf(result) },
    properties: { basis, severity, section: source.section, item: source.item, tags: [id.split('.', 1)[0]] },
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
    ...(known ? { suppressions: [{ kind: 'external', justification: known.map(knownText).join('; ') }] } : {}),
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

/** A truncated body: readers of SARIF limit its size, and the `har` report has the whole body. */
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
