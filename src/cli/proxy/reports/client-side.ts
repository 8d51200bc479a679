import { brokenOf, groundsOf, obligationCase, staleCase, topicOf } from '../../../certification/index.js';
import {
  bySuite,
  code,
  count,
  type Exchange,
  html,
  type JunitCase,
  type JunitSuite,
  list,
  markdownText,
  type Markup,
  markdownProse as prose,
  prose as proseHtml,
  sarifInvocation,
  sarifLocation,
  sarifMessages,
  sarifText,
  section,
} from '../../../conformance/index.js';
import type { ProxyRun } from './proxy-run.js';
import type { ClientResult } from './outcome.js';

/** A broken obligation as rows of label and text. */
function rowsOf(result: ClientResult): [string, string][] {
  const { statement, expected, severity, breaches = 1, known = [] } = result;
  return [
    ['Obligation', statement],
    ['Expected', expected ?? statement],
    ['Times', String(breaches)],
    ...groundsOf(result),
    ['Severity', severity],
    ...known.map(({ issue = 'no issue' }): [string, string] => ['Known', issue]),
  ];
}

/** The requests that show it, as far as they are still kept. */
function evidenceOf({ evidence }: ClientResult, { exchanges }: Pick<ProxyRun, 'exchanges'>): readonly Exchange[] {
  return evidence.map((id) => exchanges.get(id)).filter((one) => one !== undefined);
}

const lineOf = ({ id, request, response }: Exchange): string =>
  `${request.method} ${request.url}: ${response?.status ?? 'no answer'} (${id})`;
const suiteOf = (result: ClientResult): string => `client.${topicOf(result)}`;

/** A suite of JUnit for each topic: what was not seen, and what is known, is skipped. */
export function clientSuites(run: ProxyRun): JunitSuite[] {
  const { client, deployment, exitCode, stale } = run.outcome;
  const gone = stale.map((id) => staleCase(id, { suite: 'client', seconds: 0 }));
  const cases = [...gone, ...client.map((result) => caseOf(result, run))];
  return [...bySuite(cases)].map(([name, own]) => ({
    name,
    cases: own,
    startedAt: deployment.target.startedAt,
    hostname: 'localhost',
    properties: { exitCode },
    said: [],
  }));
}

function caseOf(result: ClientResult, run: ProxyRun): JunitCase {
  return obligationCase(result, suiteOf(result), () => [
    ...rowsOf(result).map(([label, text]) => `${label}: ${text}`),
    ...evidenceOf(result, run).map((one) => `Request: ${lineOf(one)}`),
  ]);
}

export function clientMarkdown(run: ProxyRun): string {
  const { client, exitCode, message, traffic, dropped } = run.outcome;
  const broken = brokenOf(client);
  const unseen = client.filter(({ verdict }) => verdict === 'not-seen');
  const passed = client.filter(({ verdict }) => verdict === 'pass').length;
  return markdownText([
    `## ${broken.length === 0 ? '✅' : '❌'} Client: ${count(broken.length, 'obligation', 'obligations')} broken, ${passed} met, ${unseen.length} not seen`,
    `Exit code ${exitCode}: ${prose(message)} ${traffic.exchanges} exchanges passed, ${dropped} of them are no longer kept.`,
    ...broken.map((result) =>
      [
        `#### ${code(result.id)}${result.known ? ' (known)' : ''}`,
        prose(result.message ?? ''),
        [
          ...rowsOf(result).map(([label, text]) => `- ${label}: ${prose(text)}`),
          ...evidenceOf(result, run).map((one) => `- Request: ${code(lineOf(one))}`),
        ].join('\n'),
      ].join('\n\n'),
    ),
    list(
      'Not seen',
      unseen.map(({ id, toSee = '' }) => `${code(id)}: ${prose(toSee)}`),
    ),
  ]);
}

export function clientHtml(run: ProxyRun): Markup {
  const { client, message } = run.outcome;
  const broken = brokenOf(client);
  const unseen = client.filter(({ verdict }) => verdict === 'not-seen');
  const passed = client.filter(({ verdict }) => verdict === 'pass').length;
  return section('Client: broken obligations', broken.length, [
    html`<p>${message} ${passed} obligations were met, and ${unseen.length} were not seen.</p>`,
    ...broken.map(
      (result) =>
        html`<article class="fail">
          <h3><span class="badge fail">fail</span> <code>${result.id}</code></h3>
          <p class="headline">${proseHtml(result.message ?? '')}</p>
          <dl>
            ${rowsOf(result).map(
              ([label, text]) =>
                html`<dt>${label}</dt>
                  <dd>${proseHtml(text)}</dd>`,
            )}
          </dl>
          <ul class="rows">
            ${evidenceOf(result, run).map((one) => html`<li>${lineOf(one)}</li>`)}
          </ul>
        </article>`,
    ),
  ]);
}

export function clientSarif(run: ProxyRun): string {
  const { client, deployment, exitCode, message } = run.outcome;
  const { startedAt, baseUrl } = deployment.target;
  const { durationMs } = deployment;
  return sarifText({
    tool: 'teebox proxy',
    version: run.version,
    rules: client.map((result) => ({
      id: result.id,
      shortDescription: { text: result.statement },
      defaultConfiguration: { level: 'error' },
      properties: { basis: result.basis, severity: result.severity, tags: [suiteOf(result)] },
    })),
    automationId: `teebox-proxy/${new URL(baseUrl).host}`,
    invocation: sarifInvocation({ exitCode, verdict: 'client', message }, { startedAt, durationMs }, []),
    baseUrl,
    results: brokenOf(client).map((result) => {
      const last = evidenceOf(result, run).at(-1);
      const lines = [result.message ?? '', ...rowsOf(result).map(([label, text]) => `${label}: ${text}`)];
      return {
        ruleId: result.id,
        ruleIndex: client.indexOf(result),
        kind: 'fail',
        level: 'error',
        message: { text: lines.join('\n') },
        locations: [
          sarifLocation(last?.request.url ?? baseUrl, baseUrl, suiteOf(result), last?.operation ?? result.id),
        ],
        partialFingerprints: { 'teebox/obligation/v1': result.id },
        ...(result.known ? { suppressions: [{ kind: 'external' }] } : {}),
        ...sarifMessages(last),
        properties: { evidence: result.evidence },
      };
    }),
  });
}
