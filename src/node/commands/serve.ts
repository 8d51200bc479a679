import { readFile } from 'node:fs/promises';
import { isLoopback } from '../../app/callback-targets.js';
import { type DialectCard, parseDialectCard } from '../../app/dialect.js';
import type { Sandbox, SandboxOptions } from '../../options.js';
import { Misfit } from '../../scenarios/spec.js';
import { createWorlds, type Worlds, type WorldsOptions } from '../../worlds.js';
import type { Values } from '../args.js';
import type { Terminal } from '../terminal.js';
import { exchangeLog } from '../log.js';
import { DEFAULT_PORT, type RunningServer, serve } from '../server.js';
import { UsageError } from '../usage-error.js';
import { version } from '../version.js';
import type { serveFlags, worldFlags } from './serve-flags.js';

type ServeValues = Values<typeof serveFlags>;

/** Starts the sandbox and keeps it until a signal ends the process. */
export async function serveCommand(values: ServeValues, terminal: Terminal): Promise<never> {
  const { maxWorlds, idle } = { maxWorlds: values['max-worlds'], idle: values['world-idle'] };
  const worlds = await startWorlds(values, logOf(values, terminal), {
    ...(maxWorlds === undefined ? {} : { maxWorlds }),
    ...(idle === undefined ? {} : { idle: idle * 1000 }),
  });
  const { main: sandbox } = worlds;
  const hostname = values.host ?? '127.0.0.1';
  const server = await listenOrExplain(worlds, values.port ?? DEFAULT_PORT, hostname, !values['no-admin']);
  const ended = untilSignal(server);
  announce(sandbox, server, values, terminal);
  if (!isLoopback(new URL(server.url).hostname)) {
    terminal.err(`Listening on ${hostname}: other machines can reach this sandbox, and its credentials are public.`);
  }
  return ended;
}

function logOf(values: ServeValues, terminal: Terminal): SandboxOptions['onExchange'] {
  return exchangeLog({
    level: values['log-level'] ?? 'info',
    format: values['log-format'] ?? 'pretty',
    colour: terminal.colour,
    write: terminal.err,
  });
}

/**
 * The main sandbox that the flags ask for, and the worlds beside it.
 *
 * @throws {UsageError} when a file that a flag names cannot be taken.
 */
export async function startWorlds(
  values: Values<typeof worldFlags>,
  onExchange?: SandboxOptions['onExchange'],
  bounds: Pick<WorldsOptions, 'maxWorlds' | 'idle'> = {},
): Promise<Worlds> {
  const dialect = values.dialect === undefined ? undefined : await readDialect(values.dialect);
  const worlds = createWorlds({
    ...bounds,
    version,
    allowCallback: values['allow-callback'] ?? [],
    clock: () => Date.now(),
    ...(values.now === undefined ? {} : { now: values.now }),
    ...(values.seed === undefined ? {} : { seed: values.seed }),
    ...(values.facilities === undefined ? {} : { facilities: values.facilities }),
    ...(values['expires-in'] === undefined ? {} : { expiresIn: values['expires-in'] }),
    ...(values.scenario === undefined ? {} : { scenarios: values.scenario }),
    ...(values['no-magic'] === undefined ? {} : { magic: !values['no-magic'] }),
    ...(values.pure === undefined ? {} : { pure: values.pure }),
    ...(dialect ? { dialect } : {}),
    ...(onExchange ? { onExchange } : {}),
  });
  return worlds.catch((error: unknown) => {
    if (!(error instanceof Misfit)) throw error;
    throw new UsageError(`--scenario: ${error.message} What fits: ${error.fits.join(', ')}.`);
  });
}

/** Reads a dialect card from a file. */
async function readDialect(file: string): Promise<DialectCard> {
  const fail = (why: string): UsageError => new UsageError(`Failed to load dialect ${file}: ${why}`);
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    throw fail(code === 'ENOENT' ? 'there is no such file.' : `it cannot be read (${code}).`);
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw fail(`it is not JSON (${(error as Error).message}).`);
  }
  try {
    return parseDialectCard(value);
  } catch (error) {
    throw fail((error as Error).message);
  }
}

/**
 * Serves a sandbox.
 *
 * @throws {UsageError} that says why and what to do when the address cannot be listened on.
 */
export async function listenOrExplain(
  sandbox: Pick<Sandbox, 'fetch'>,
  port: number,
  hostname: string,
  admin = true,
): Promise<RunningServer> {
  try {
    return await serve(sandbox, { port, hostname, admin });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const why: Record<string, string> = {
      EADDRINUSE: 'the port is in use. Use --port 0 for a free one.',
      EACCES: 'this port needs more rights. Use one above 1023.',
      EADDRNOTAVAIL: 'this machine has no such address.',
      ENOTFOUND: 'this host name is not known.',
    };
    throw new UsageError(`Failed to listen on ${hostname}:${port}: ${why[code ?? ''] ?? message}`);
  }
}

/** The banner, whose first line is the URL and whose second a curl that works; or one line of JSON. */
function announce(sandbox: Sandbox, server: RunningServer, values: ServeValues, { out }: Terminal): void {
  const { url } = server;
  const channels = sandbox.channels.map(({ name, username, password, refreshToken }) => ({
    name,
    username,
    password,
    refreshToken,
  }));
  if (values.json) {
    const adminUrl = values['no-admin'] ? null : `${url}/__admin`;
    out(JSON.stringify({ event: 'ready', baseUrl: url, adminUrl, channels }));
    return;
  }
  const { username, password } = channels[0]!;
  out(url);
  out(`curl -u ${username}:${password} ${url}/api/v3/countries`);
  out('');
  const width = Math.max(...channels.map((channel) => `${channel.username}:${channel.password}`.length));
  for (const channel of channels) {
    out(`  ${`${channel.username}:${channel.password}`.padEnd(width)}  refresh token ${channel.refreshToken}`);
  }
  out('');
  out(`${sandbox.summary}; stop with Ctrl-C, list the rules with \`teebox rules\``);
}

/** The first signal stops in order, a second one at once. */
function untilSignal(server: RunningServer): Promise<never> {
  return new Promise(() => {
    let stopping = false;
    const stop = (code: number) => () => {
      if (stopping) process.exit(code);
      stopping = true;
      // Callbacks under way would keep the process until the last of them timed out.
      void server.close().then(() => process.exit(code));
    };
    process.on('SIGTERM', stop(0));
    process.on('SIGINT', stop(130));
  });
}
