import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import * as z from 'zod';
import { AdminError } from '../../bindings/index.js';
import { Misfit } from '../../common/index.js';
import { UsageError } from '../usage-error.js';
import { version } from '../version.js';
import type { Desk } from './desk.js';
import { registerResources } from './resources.js';
import { ToolError, type ToolCall, type ToolSpec } from './tool.js';
import { callOperation } from './tools/call.js';
import { readCallbacks } from './tools/callbacks.js';
import { certifyTool } from './tools/certify.js';
import { checkTool } from './tools/check.js';
import { describeOperation } from './tools/describe.js';
import { findFacilities } from './tools/facilities.js';
import { findObligations } from './tools/obligations.js';
import { readReportTool } from './tools/report.js';
import { explainRequest, listRequests } from './tools/requests.js';
import { findRules } from './tools/rules.js';
import { moveClock, resetSandbox, sandboxStatus } from './tools/sandbox.js';
import { armScenario, disarmScenarios, listScenarios } from './tools/scenarios.js';

const instructions = ({ baseUrl }: Desk): string =>
  `Teebox is a stateful sandbox of a golf tee time distribution API, at ${baseUrl}. The client under test and these tools
share it. To write a client: sandbox_status for URL and credentials, describe_operation and find_obligations before each operation,
find_facilities for test data, call_operation to see real responses. To test a failure: arm_scenario, run the client,
then list_requests and explain_request to see what it did and why. To judge a deployment of the service: check; to judge the client:
certify; then read_report. Where the document is silent, the sandbox follows a dialect; do not rely on an answer marked as open.`;

/** The server of the protocol, with its tools and resources. */
export function createMcpServer(desk: Desk): McpServer {
  const info = { name: 'teebox', title: 'Teebox', version };
  const server = new McpServer(info, { instructions: instructions(desk) });
  for (const tool of toolsOf(desk)) register(server, tool, desk.log);
  registerResources(server, desk);
  return server;
}

function toolsOf(desk: Desk): readonly ToolSpec[] {
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
  ].map((make) => make(desk));
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
  if (error instanceof Misfit) return error.advice;
  if (error instanceof ToolError || error instanceof UsageError || error instanceof RangeError) return error.message;
  // The call of the admin API is no call of the agent.
  if (error instanceof AdminError) return error.message.replace(/^[A-Z]+ \S+ failed with \d+: /, '');
  const { message, stack = message } = error as Error;
  log(`teebox: ${tool} failed: ${stack}`);
  return `${tool} failed: ${message}. This is a defect of Teebox; its log (stderr) has the details.`;
}
