import { getHeapStatistics } from 'node:v8';
import {
  createServedWorlds,
  parseDialectCard,
  type Sandbox,
  type SandboxOptions,
  type ServedWorlds,
  type WorldsOptions,
} from '../../engine/index.js';
import { defined, ValidationError } from '../../common/index.js';
import type { Values } from '../args.js';
import type { Terminal } from '../terminal.js';
import { readJson } from '../json-file.js';
import { callbackLog, exchangeLog, type LogOptions, strayLog, worldLog } from '../log.js';
import { DEFAULT_PORT, listensWider, type RunningServer, serveEarly } from '../server.js';
import type { StateFile } from '../state/state-file.js';
import type { OwnFetch } from '../network/own-fetch.js';
import { UsageError } from '../usage-error.js';
import { version } from '../version.js';
import { defineCommand, refuseWords } from './command.js';
import { serveFlags, serveGroups, type worldFlags } from './serve-flags.js';
import { untilSignal } from './until-signal.js';

/** Milliseconds that a line may wait, and characters that wait at most: a write takes as long as an answer. */
const LONGEST_WAIT = 5;
const MOST_WAITING = 65_536;

/** Lines that are written together, in their order. */
export interface LineBatch {
  add(line: string): void;
  /** Writes what waits, before another line goes another way or the process ends. */
  flush(): void;
}

/** Writes lines some milliseconds later, and what is left when the process ends. */
export function lineBatch(write: (lines: string) => void): LineBatch {
  let waiting = '';
  let timer: NodeJS.Timeout | undefined;
  const flush = (): void => {
    clearTimeout(timer);
    timer = undefined;
    if (waiting === '') return;
    const lines = waiting;
    waiting = '';
    write(lines);
  };
  process.on('exit', flush);
  return {
    flush,
    add(line) {
      waiting = waiting === '' ? line : `${waiting}\n${line}`;
      if (waiting.length > MOST_WAITING) flush();
      // A process with nothing else to do ends, and its end writes the rest.
      else timer ??= setTimeout(flush, LONGEST_WAIT).unref();
    },
  };
}

const MIB = 1_048_576;

/** The part of the heap that bookings may fill, which are estimated from above. */
const BOOKED_SHARE = 3 / 4;

/**
 * The memory of all worlds: 512 MiB, or less where Node has less. Its heap is half of the memory of a container, and
 * also holds what is being read and written.
 */
function defaultBudget(): number {
  return Math.min(512 * MIB, getHeapStatistics().heap_size_limit / 3);
}

type ServeValues = Values<typeof serveFlags>;

export const command = defineCommand({
  usage: 'serve [FLAGS]',
  what: 'Runs the sandbox.',
  flags: serveFlags,
  section: 'serve',
  groups: serveGroups,
  examples: [
    ['teebox serve --port 0', 'a free port instead of 4653'],
    ['teebox serve --now 2026-06-01T08:00:00Z', 'a frozen clock'],
    ['teebox serve --scenario payment-pi-failed', 'every booking fails with this payment error'],
    ['teebox serve --state world.json', 'keep the state in a file'],
  ],
  run({ values, positionals, terminal }) {
    refuseWords(positionals);
    return serveCommand(values, terminal);
  },
});

/** Starts the sandbox and keeps it until a signal ends the process. */
async function serveCommand(values: ServeValues, console: Terminal): Promise<never> {
  const { 'max-worlds': maxWorlds, 'world-idle': idle, 'memory-budget': budget } = values;
  const lines = lineBatch(console.err);
  const terminal = { ...console, err: told(console.err, lines) };
  const log = logOptionsOf(values, console.colour, lines.add);
  const bounds = defined({
    onWorldEnd: worldLog(log),
    onCallback: callbackLog(log),
    maxWorlds,
    idle,
    memoryBudget: budget === undefined ? defaultBudget() : budget * MIB,
    bookingBudget: Math.max(2 * MIB * (budget ?? 0), BOOKED_SHARE * getHeapStatistics().heap_size_limit),
  });
  const { worlds, file } = await openWorlds(values, terminal, exchangeLog(log), bounds);
  const { main: sandbox } = worlds;
  const hostname = values.host ?? '127.0.0.1';
  const admin = !values['no-admin'];
  const adminToken = admin ? (values['admin-token'] ?? (await ownTokenFor(hostname))) : null;
  const port = values.port ?? DEFAULT_PORT;
  const token = adminToken ? { adminToken } : {};
  const server = await listenOrExplain(worlds, {
    port,
    hostname,
    admin,
    ...token,
    ...defined({ onStray: strayLog(log) }),
  });
  const ended = untilSignal(server, file, terminal.err);
  announce(sandbox, { ...server, adminToken }, values, terminal);
  if (listensWider(hostname)) {
    terminal.err(`Listening on ${hostname}: other machines can reach this sandbox, and its credentials are public.`);
  }
  return ended;
}

/** The worlds of a server, and the file that keeps the state of the main one. */
export interface OpenWorlds {
  readonly worlds: ServedWorlds;
  readonly file: StateFile | undefined;
}

/** A token of its own for a server that other machines can reach. */
async function ownTokenFor(hostname: string): Promise<string | null> {
  return listensWider(hostname) ? (await import('../admin-token-check.js')).makeAdminToken() : null;
}

type WorldBounds = Pick<
  WorldsOptions,
  'maxWorlds' | 'idle' | 'memoryBudget' | 'bookingBudget' | 'onWorldEnd' | 'onCallback'
>;

/**
 * Creates the worlds of a server, from the file of --state if there is one.
 *
 * @throws {UsageError} as {@link startWorlds}, and for a file that cannot be used.
 */
export async function openWorlds(
  values: Values<typeof worldFlags & Pick<typeof serveFlags, 'state' | 'state-sync'>>,
  terminal: Terminal,
  onExchange?: SandboxOptions['onExchange'],
  bounds: WorldBounds = {},
): Promise<OpenWorlds> {
  const file = await openState(values, terminal);
  const worlds = await startWorlds(values, onExchange, {
    ...bounds,
    ...(file ? { changes: file.changes } : {}),
    ...(file?.state === undefined ? {} : { state: file.state, callbacks: file.callbacks }),
  }).catch((error: unknown) => {
    const isOfFile = error instanceof ValidationError && (error.input === 'state' || error.input === 'callbacks');
    throw file && isOfFile ? file.unfit(error.message) : error;
  });
  file?.follow(worlds.main.snapshot);
  return { worlds, file };
}

/** The code that keeps the state is loaded only if --state is set. */
async function openState(
  { state, 'state-sync': sync = 'interval' }: Values<Pick<typeof serveFlags, 'state' | 'state-sync'>>,
  terminal: Terminal,
): Promise<StateFile | undefined> {
  if (state === undefined) return undefined;
  const { openStateFile } = await import('../state/state-file.js');
  return openStateFile(state, sync, terminal.err);
}

export function logOptionsOf(
  values: Values<Pick<typeof serveFlags, 'log-level'> & Partial<Pick<typeof serveFlags, 'log-format'>>>,
  colour: boolean,
  write: LogOptions['write'],
): LogOptions {
  return { level: values['log-level'] ?? 'info', format: values['log-format'] ?? 'pretty', colour, write };
}

/** Tells a line at once, after those of the log that came before it. */
function told(tell: Terminal['err'], lines: LineBatch): Terminal['err'] {
  return (line) => {
    lines.flush();
    tell(line);
  };
}

/**
 * Creates the main sandbox and its worlds from the flags.
 *
 * @throws {UsageError} if a file cannot be loaded or a scenario is invalid.
 */
export async function startWorlds(
  values: Values<typeof worldFlags>,
  onExchange?: SandboxOptions['onExchange'],
  bounds: WorldBounds & Pick<WorldsOptions, 'state' | 'callbacks' | 'changes'> = {},
): Promise<ServedWorlds> {
  const { now, seed, facilities, world: own, dialect: file, scenario, scenarios: folder, chaos, pure } = values;
  const { 'no-magic': noMagic, 'expires-in': lifetime } = values;
  const dialect = file === undefined ? undefined : await readJson(file, 'dialect', parseDialectCard);
  const ownScenarios = folder === undefined ? undefined : await ownScenariosOf(folder);
  const worlds = createServedWorlds(
    {
      ...bounds,
      version,
      allowCallback: values['allow-callback'] ?? [],
      clock: () => Date.now(),
      ...defined({
        now,
        seed,
        facilities,
        world: await ownWorldOf(own),
        expiresIn: lifetime === undefined ? undefined : lifetime / 1000,
        scenarios: scenario,
        chaos,
        ownScenarios,
        magic: noMagic === undefined ? undefined : !noMagic,
        pure,
        dialect,
        onExchange,
      }),
    },
    sendCallback,
  );
  return worlds.catch(async (error: unknown) => {
    if (!(error instanceof ValidationError) || error.input === 'state' || error.input === 'callbacks') throw error;
    if (own !== undefined && error.input === 'world' && error.pointer !== undefined)
      throw await (await import('../world-file.js')).worldFault(own, error);
    const ofScenarios = scenario === undefined ? `dialect ${file}` : '--scenario';
    const where = error.input === undefined ? ofScenarios : `--${error.input}`;
    throw new UsageError(`${where}: ${error.advice}`);
  });
}

/** What sends is loaded with the first callback. */
const sendCallback: OwnFetch = async (url, init) => (await import('../network/own-fetch.js')).ownFetch(url, init);

/** The YAML parser is loaded only for a world file. */
export async function ownWorldOf(file: string | undefined): Promise<SandboxOptions['world']> {
  return file === undefined ? undefined : (await import('../world-file.js')).readWorld(file);
}

/** The YAML parser is loaded only if --scenarios is set. */
async function ownScenariosOf(folder: string): Promise<readonly unknown[]> {
  return (await import('../scenario-files.js')).readScenarioFolder(folder);
}

/**
 * Serves a sandbox.
 *
 * @throws {UsageError} if the server cannot listen on the address, with the reason and the remedy.
 */
export async function listenOrExplain(
  sandbox: Pick<Sandbox, 'handle'>,
  options: Parameters<typeof serveEarly>[1] & { readonly port: number; readonly hostname: string },
): Promise<RunningServer> {
  try {
    return await serveEarly(sandbox, options);
  } catch (error) {
    throw listeningError(error as NodeJS.ErrnoException, options);
  }
}

/** Why a server cannot listen on an address, and what helps. */
export function listeningError(
  { code, message }: NodeJS.ErrnoException,
  { hostname, port }: { readonly hostname: string; readonly port: number },
): UsageError {
  const why: Record<string, string> = {
    EADDRINUSE: 'the port is in use. Use --port 0 for a free one.',
    EACCES: 'permission denied for this port. Use one above 1023.',
    EADDRNOTAVAIL: 'this machine does not have this address.',
    ENOTFOUND: 'the host name is unknown.',
  };
  return new UsageError(`Failed to listen on ${hostname}:${port}: ${why[code ?? ''] ?? message}`);
}

interface Announced extends Pick<RunningServer, 'url'> {
  /** Null if no token is required. */
  readonly adminToken: string | null;
}

/** Prints the banner (first the URL, then a curl command that works), or one line of JSON. */
function announce(
  sandbox: ServedWorlds['main'],
  { url, adminToken }: Announced,
  values: ServeValues,
  { out }: Terminal,
): void {
  const credentials = sandbox.credentials();
  if (values.json) {
    const adminUrl = values['no-admin'] ? null : `${url}/__admin`;
    const channels = credentials.map(({ revoked: _revoked, ...rest }) => rest);
    out(JSON.stringify({ event: 'ready', baseUrl: url, adminUrl, adminToken, channels }));
    return;
  }
  const { username, password } = credentials.find(({ revoked }) => !revoked) ?? credentials[0]!;
  out(url);
  out(`curl -u ${username}:${password} ${url}/api/v3/countries`);
  out('');
  const width = Math.max(...credentials.map((channel) => `${channel.username}:${channel.password}`.length));
  for (const channel of credentials) {
    const basic = `${channel.username}:${channel.password}`.padEnd(width);
    out(`  ${basic}  refresh token ${channel.refreshToken ?? 'revoked'}${channel.revoked ? ', password revoked' : ''}`);
  }
  // A token that the user set is not printed: the output may be kept in a log.
  if (adminToken !== null && !values['admin-token']) out(`  admin token ${adminToken}`);
  out('');
  out(`${sandbox.summary}; press Ctrl-C to stop; run \`npx --no-install teebox list rules\` to list the rules`);
}
