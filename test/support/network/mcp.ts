import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { CLI } from './process.js';

/** What a tool answered: its text, its data, and whether it failed. */
export interface ToolReply {
  readonly text: string;
  readonly data: any;
  readonly failed: boolean;
}

/** An agent's side of the protocol, over the real process. */
export interface AgentSession {
  readonly client: Client;
  call(tool: string, input?: Record<string, unknown>): Promise<ToolReply>;
  /** Closes stdin, as a host does. */
  close(): Promise<void>;
}

/** Starts `teebox mcp` and connects the SDK's own client to it. */
export async function startAgent(
  args: readonly string[] = [],
  env: Readonly<Record<string, string>> = {},
  cwd?: string,
): Promise<AgentSession> {
  const client = new Client({ name: 'test', version: '1.0.0' });
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [CLI, 'mcp', ...args],
      env: { ...env },
      ...(cwd === undefined ? {} : { cwd }),
      stderr: 'pipe',
    }),
  );
  return {
    client,
    async call(name, input = {}) {
      const {
        content,
        structuredContent,
        isError = false,
      } = (await client.callTool({
        name,
        arguments: input,
      })) as CallToolResult;
      const [first] = content;
      return { text: first?.type === 'text' ? first.text : '', data: structuredContent, failed: isError };
    },
    close: () => client.close(),
  };
}
