import { setTimeout as sleep } from 'node:timers/promises';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { AdminError, createAdmin, createSend } from '../../bindings/index.js';
import type { Values } from '../args.js';
import type { Variables } from '../commands/command.js';
import { given } from '../commands/judging.js';
import { listenOrExplain, openWorlds } from '../commands/serve.js';
import { PassedSignals } from '../process/child.js';
import type { Terminal } from '../terminal.js';
import { UsageError } from '../usage-error.js';
import type { mcpFlags } from './flags.js';
import type { AdminSchema } from './admin-schema.js';
import type { Desk, ExamWorld } from './desk.js';
import { Jobs } from './jobs.js';
import { Logins } from './logins.js';
import { createMcpServer } from './server.js';

type McpValues = Values<typeof mcpFlags>;

interface SessionHost {
  readonly command: readonly string[];
  readonly terminal: Terminal;
  readonly env: Variables;
}

/** A sandbox, and how it is left. */
interface SandboxPlace {
  readonly baseUrl: string;
  leave(): Promise<void>;
}

/** Milliseconds in which a run, and the command that it has started, may end. */
const GRACE = 5000;

/** Serves the protocol until the client closes stdin, or a signal comes. Stdout carries the protocol alone. */
export async function runSession(values: McpValues, host: SessionHost): Promise<never> {
  const { terminal } = host;
  const place = values.attach === undefined ? await ownSandbox(values, terminal) : attached(values.attach);
  const desk = await openDesk(place.baseUrl, values, host);
  const server = createMcpServer(desk);
  const over = untilClosed();
  if (process.stdin.isTTY) {
    terminal.err('teebox mcp speaks the Model Context Protocol on stdin and stdout; the host of an agent starts it.');
  }
  await server.connect(new StdioServerTransport());
  await over;
  await Promise.race([desk.jobs.end(), sleep(GRACE)]);
  desk.signals.child?.kill('SIGKILL');
  await server.close();
  await place.leave();
  // Pending callbacks would keep the process alive until the last of them timed out.
  process.exit(0);
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
  const token = values['admin-token'];
  const options = {
    port: values.port ?? 0,
    hostname: '127.0.0.1',
    ...(token === undefined ? {} : { adminToken: token }),
  };
  const server = await listenOrExplain(worlds, options);
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

async function openDesk(
  baseUrl: string,
  { 'admin-token': token, allow = [], ...values }: McpValues,
  { command, terminal, env }: SessionHost,
): Promise<Desk> {
  const options = token === undefined ? {} : { token };
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

function worldOf({ seed, facilities, now, dialect, 'allow-callback': allowCallback }: McpValues): ExamWorld {
  return {
    ...given('seed', seed),
    ...given('facilities', facilities),
    ...given('now', now),
    ...given('dialect', dialect),
    ...given('allow-callback', allowCallback),
  };
}
