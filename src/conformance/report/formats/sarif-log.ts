import { visibleJson } from '../../../common/index.js';
import type { Exchange } from '../../client/exchange.js';

/** The maximum number of characters of a body. */
const MOST_BODY = 10_000;
const DEPLOYMENT = 'DEPLOYMENT';

/** What a log of SARIF 2.1.0 says of one run. */
export interface SarifRun {
  /** The command, such as `teebox check`. */
  readonly tool: string;
  readonly version: string;
  readonly rules: readonly object[];
  readonly automationId: string;
  readonly invocation: object;
  readonly baseUrl: string;
  readonly results: readonly object[];
}

/** SARIF 2.1.0. A deployment has no source files, so the location of a result is the path of its request. */
export function sarifText({ tool, version, rules, automationId, invocation, baseUrl, results }: SarifRun): string {
  const driver = { name: tool, semanticVersion: version, rules };
  const log = {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: { driver },
        automationDetails: { id: automationId },
        invocations: [invocation],
        originalUriBaseIds: { [DEPLOYMENT]: { uri: `${baseUrl}/` } },
        columnKind: 'utf16CodeUnits',
        results,
      },
    ],
  };
  return `${visibleJson(log, 2)}\n`;
}

/** The place of a result: the path of its request below the base URL, and what it is about. */
export function sarifLocation(url: string, baseUrl: string, name: string, qualifiedName: string): object {
  const { pathname } = new URL(url);
  const root = new URL(`${baseUrl}/`).pathname;
  const uri = pathname.startsWith(root) ? pathname.slice(root.length) : pathname.replace(/^\/+/, '');
  return {
    physicalLocation: { artifactLocation: { uri, uriBaseId: DEPLOYMENT } },
    logicalLocations: [{ name, fullyQualifiedName: qualifiedName }],
  };
}

/** The request of a result, and its answer. */
export function sarifMessages(exchange: Exchange | undefined): object {
  return exchange ? { webRequest: webRequestOf(exchange), webResponse: webResponseOf(exchange) } : {};
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

/** How the run ended; `notes` are what is wrong with the run as a whole. */
export function sarifInvocation(
  { exitCode, verdict, message }: { readonly exitCode: number; readonly verdict: string; readonly message: string },
  { startedAt, durationMs }: { readonly startedAt: string; readonly durationMs: number },
  notes: readonly string[],
): object {
  return {
    executionSuccessful: exitCode < 3,
    exitCode,
    exitCodeDescription: `${verdict}: ${message}`,
    startTimeUtc: startedAt,
    endTimeUtc: new Date(Date.parse(startedAt) + durationMs).toISOString(),
    toolExecutionNotifications: notes.map((text) => ({ level: 'error', message: { text } })),
  };
}
