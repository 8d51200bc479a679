import { setTimeout as sleep } from 'node:timers/promises';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { AdminError, createAdmin, createSend } from '../../bindings/index.js';
import type { Values } from '../args.js';
import type { Environment } from '../network/proxy.js';
import { listenOrExplain, openWorlds } from '../commands/serve.js';
import { PassedSignals } from '../process/child.js';
import type { Terminal } from '../terminal.js';
import { UsageError } from '../usage-error.js';
import type { mcpFlags } from './flags.js';
import type { AdminSchema } from './admin-schema.js';
import type { ToolContext, ExamWorld } from './tool-context.js';
import { Jobs } from './jobs.js';
import { Logins } from './logins.js';
import { McpServer, ResourceTemplate } from '@modelcontextprotocol/sdk/server/mcp.js';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import * as z from 'zod';
import { defined, ValidationError } from '../../common/index.js';
import { version } from '../version.js';
import { type ToolCall, ToolError, type ToolSpec } from './tool.js';
import { callOperation } from './tools/call.js';
import { readCallbacks } from './tools/callbacks.js';
import { certifyTool } from './tools/certify.js';
import { checkTool } from './tools/check.js';
import { describeOperation } from './tools/describe.js';
import { findFacilities } from './tools/facilities.js';
import { findObligations } from './tools/obligations.js';
import { readReportTool } from './tools/report.js';
import { explainRequest, listRequests } from './tools/requests.js';
import { findRules, ruleView } from './tools/rules.js';
import { moveClock, resetSandbox, sandboxStatus } from './tools/sandbox.js';
import { armScenario, disarmScenarios, listScenarios } from './tools/scenarios.js';
import { rules } from '../../contract/index.js';
import { packageFile, packageFolder } from '../package-files.js';
import { sandboxFetch } from './sandbox-fetch.js';

/** Maximum of completions that the protocol passes on. */
const MOST_COMPLETIONS = 100;

/** What a host can attach to a conversation: the rules, the OpenAPI document and the documentation. */
export function registerResources(server: McpServer, context: ToolContext): void {
  const json = 'application/json';
  server.registerResource(
    'openapi',
    'teebox://openapi.json',
    { title: 'OpenAPI document of the service', mimeType: json },
    async ({ href }) => ({
      contents: [{ uri: href, mimeType: json, text: (await packageFile('dist/openapi.json')).toString() }],
    }),
  );
  const ruleIds = rules.map(({ id }) => id);
  const rule = new ResourceTemplate('teebox://rules/{id}', {
    list: undefined,
    complete: { id: (begun) => ruleIds.filter((id) => id.startsWith(begun)).slice(0, MOST_COMPLETIONS) },
  });
  server.registerResource(
    'rule',
    rule,
    { title: 'A rule of the API specification', description: 'With its source and its open question.', mimeType: json },
    async ({ href }, { id }) => {
      const found = rules.find((one) => one.id === id);
      if (!found) throw new ToolError(`There is no rule \`${String(id)}\`. The tool find_rules finds rules.`);
      const answers = new Map((await context.logins.questions()).map((one) => [one.id, one.answer]));
      return { contents: [{ uri: href, mimeType: json, text: JSON.stringify(ruleView(found, answers), null, 2) }] };
    },
  );
  registerDocs(server);
}

function registerDocs(server: McpServer): void {
  const mimeType = 'text/markdown';
  const pages = async (): Promise<string[]> => {
    const files = await packageFolder('dist/docs');
    return files.filter((file) => file.endsWith('.md')).map((file) => file.slice(0, -'.md'.length));
  };
  const template = new ResourceTemplate('teebox://docs/{page}', {
    list: async () => ({
      resources: (await pages()).map((page) => ({ uri: `teebox://docs/${page}`, name: page, mimeType })),
    }),
    complete: { page: async (begun) => (await pages()).filter((page) => page.startsWith(begun)) },
  });
  server.registerResource(
    'docs',
    template,
    { title: 'Documentation of Teebox', mimeType },
    async ({ href }, { page }) => {
      const known = await pages();
      if (!known.includes(String(page))) {
        throw new ToolError(`There is no page \`${String(page)}\`. The pages are ${known.join(', ')}.`);
      }
      return {
        contents: [{ uri: href, mimeType, text: (await packageFile(`dist/docs/${String(page)}.md`)).toString() }],
      };
    },
  );
}

const instructions = ({ baseUrl }: ToolContext): string =>
  `Teebox is a stateful sandbox of a golf tee time distribution API, at ${baseUrl}. The client under test and these tools
share it. To write a client: sandbox_status for URL and credentials, describe_operation and find_obligations before each operation,
find_facilities for test data, call_operation to see real responses. To test a failure: arm_scenario, run the client,
then list_requests and explain_request to see what it did and why. To check a deployment of the service, call check; to check
the client, certify; then read_report. Where the API specification is silent, the sandbox follows a dialect; do not rely on an answer marked as open.`;

/** The server of the protocol, with its tools and resources. */
export function createMcpServer(context: ToolContext): McpServer {
  const info = { name: 'teebox', title: 'Teebox', version };
  const server = new McpServer(info, { instructions: instructions(context) });
  for (const tool of toolsOf(context)) register(server, tool, context.log);
  registerResources(server, context);
  return server;
}

function toolsOf(context: ToolContext): readonly ToolSpec[] {
  return [
    sandboxStatus,
    describeOperation,
    findRules,
    findObligations,
    findFacilities,
    callOperation,
    listRequests,
    explainRequest,
    readCallbacks,
    listScenarios,
    armScenario,
    disarmScenarios,
    moveClock,
    resetSandbox,
    checkTool,
    certifyTool,
    readReportTool,
  ].map((make) => make(context));
}

function register(server: McpServer, tool: ToolSpec, log: (line: string) => void): void {
  const { name, title, description, input, hints, run } = tool;
  const inputSchema = z.strictObject(input);
  server.registerTool(name, { title, description, inputSchema, annotations: hints }, async (given, extra) => {
    const { _meta: meta, signal, sendNotification } = extra;
    const progressToken = meta?.progressToken;
    const call: ToolCall = {
      signal,
      progress(done, total, message) {
        if (progressToken === undefined || signal.aborted) return;
        const params = { progressToken, progress: done, message, ...(total > 0 ? { total } : {}) };
        // A client that has left needs no progress.
        void sendNotification({ method: 'notifications/progress', params }).catch(() => {});
      },
    };
    return run(given, call).then(
      ({ text, data }): CallToolResult => ({
        content: [{ type: 'text', text }],
        structuredContent: data as Record<string, unknown>,
      }),
      (error: unknown): CallToolResult => ({
        content: [{ type: 'text', text: wordsOf(name, error, log) }],
        isError: true,
      }),
    );
  });
}

/** Why a tool failed, and what to do. */
function wordsOf(tool: string, error: unknown, log: (line: string) => void): string {
  if (error instanceof ValidationError) return error.advice;
  if (error instanceof ToolError || error instanceof UsageError || error instanceof RangeError) return error.message;
  // The call of the admin API is no call of the agent.
  if (error instanceof AdminError) return error.message.replace(/^[A-Z]+ \S+ failed with \d+: /, '');
  const { message, stack = message } = error as Error;
  log(`teebox: ${tool} failed: ${stack}`);
  return `${tool} failed: ${message}. This is a defect of Teebox; its log (stderr) has the details.`;
}

type McpValues = Values<typeof mcpFlags>;

interface SessionHost {
  readonly command: readonly string[];
  readonly terminal: Terminal;
  readonly env: Environment;
}

/** A sandbox, and how it is left. */
interface SandboxPlace {
  readonly baseUrl: string;
  leave(): Promise<void>;
}

/** Milliseconds in which a run, and the command that it has started, may end. */
const GRACE = 5000;

/** Maximum bytes of a line on stdin. The tools take paths of reports, not reports, so a longer line is a mistake. */
const MOST_IN_LINE = 4_194_304;

/** Serves the protocol until the client closes stdin, or a signal comes. Stdout carries the protocol alone. */
export async function runSession(values: McpValues, host: SessionHost): Promise<never> {
  const { terminal } = host;
  const place = values.attach === undefined ? await ownSandbox(values, terminal) : attached(values.attach);
  const context = await openContext(place.baseUrl, values, host);
  const server = createMcpServer(context);
  let isRefused = false;
  const refused = new Promise<void>((resolve) => {
    const onerror = ({ message }: Error): void => void (isRefused ||= /maximum size/.test(message));
    Object.assign(server.server, { onclose: resolve, onerror });
  });
  const transport = new StdioServerTransport(process.stdin, process.stdout, { maxBufferSize: MOST_IN_LINE });
  const over = Promise.race([untilClosed(), refused]);
  if (process.stdin.isTTY) {
    terminal.err('teebox mcp speaks the Model Context Protocol on stdin and stdout; the host of an agent starts it.');
  }
  await server.connect(transport);
  await over;
  if (isRefused) {
    terminal.err(`teebox: A line on stdin is longer than ${MOST_IN_LINE / 1_048_576} MiB. Send a shorter request.`);
  }
  await Promise.race([context.jobs.end(), sleep(GRACE)]);
  context.signals.kill('SIGKILL');
  await server.close();
  await place.leave();
  // Pending callbacks would keep the process alive until the last of them timed out.
  process.exit(isRefused ? 1 : 0);
}

/** Resolves when the client has closed stdin, no longer reads stdout, or a signal asks for the end. */
function untilClosed(): Promise<void> {
  return new Promise((resolve) => {
    for (const event of ['end', 'close'] as const) process.stdin.once(event, () => resolve());
    process.stdout.once('close', () => resolve());
    process.stdout.once('error', () => resolve());
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => resolve());
  });
}

async function ownSandbox(values: McpValues, terminal: Terminal): Promise<SandboxPlace> {
  const { worlds, file } = await openWorlds(values, terminal);
  const options = { port: values.port ?? 0, hostname: '127.0.0.1', adminToken: values['admin-token'] };
  const server = await listenOrExplain(worlds, defined(options));
  return {
    baseUrl: server.url,
    async leave() {
      await server.close();
      await file?.close();
      const loss = file?.loss();
      if (loss !== undefined) terminal.err(`teebox: ${loss}`);
    },
  };
}

function attached(baseUrl: string): SandboxPlace {
  return { baseUrl, leave: async () => {} };
}

async function openContext(
  baseUrl: string,
  { 'admin-token': token, allow = [], ...values }: McpValues,
  { command, terminal, env }: SessionHost,
): Promise<ToolContext> {
  const options = defined({ token, fetch: sandboxFetch });
  const admin = createAdmin(baseUrl, options);
  const send = createSend(baseUrl, options);
  const [{ scenarios }, channels] = await Promise.all([
    send<AdminSchema<'ScenarioList'>>({ method: 'GET', path: 'scenarios' }),
    admin.channels(),
  ]).catch((error: unknown) => {
    if (!(error instanceof AdminError)) throw error;
    throw new UsageError(`--attach ${baseUrl}: ${error.message}`);
  });
  return {
    baseUrl,
    admin,
    send,
    logins: new Logins(baseUrl, admin, send),
    jobs: new Jobs(),
    scenarios,
    channels: channels.map(({ name }) => name),
    allow,
    command,
    signals: new PassedSignals(),
    world: worldOf(values),
    log: terminal.err,
    env,
  };
}

function worldOf({ seed, facilities, world, now, dialect, 'allow-callback': allowCallback }: McpValues): ExamWorld {
  return defined({ seed, facilities, world, now, dialect, 'allow-callback': allowCallback });
}
