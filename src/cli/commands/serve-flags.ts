import { clockInstant } from '../../engine/index.js';
import { scenarios } from '../../contract/index.js';
import { ADMIN_TOKEN_DUE, isAdminToken } from '../admin-token.js';
import { duration, type Flags, oneOf, type Reader, toggle, wholeNumber } from '../args.js';
import { configFlag } from './config-flag.js';
import type { FlagGroup } from '../help/usage.js';

const hostName = /^[a-z0-9.\-:[\]]+$/i;
const hostAndPort = /^(\[[\da-f:.]+\]|[\w.-]+)(:\d{1,5})?$/i;

function instant(text: string): string | undefined {
  try {
    clockInstant(text);
    return text;
  } catch {
    return undefined;
  }
}

const text = (due: string, fits: (text: string) => boolean): Reader<string> => ({
  due,
  read: (value) => (fits(value) ? value : undefined),
});

/** The flags of the sandbox that `serve` and `exec` share. */
export const worldFlags = {
  seed: {
    value: 'N',
    env: ['TEEBOX_SEED'],
    help: 'seed of the generated tee sheets, prices and facilities (1)',
    ...wholeNumber(0, Number.MAX_SAFE_INTEGER),
  },
  facilities: {
    value: 'N',
    env: ['TEEBOX_FACILITIES'],
    help: 'number of facilities (81)',
    ...wholeNumber(1, 100_000),
  },
  world: {
    value: 'FILE',
    env: ['TEEBOX_WORLD'],
    help: 'your own facilities, courses, products and prices, in YAML or JSON, in place of the generated ones',
    ...text('the path of a file', (value) => value !== ''),
  },
  now: {
    value: 'ISO',
    env: ['TEEBOX_NOW'],
    help: 'freeze the clock at an instant, such as 2026-06-01T08:00:00Z (the real time)',
    due: 'an existing instant from 2000 to 2199 in ISO 8601 with a time zone, such as 2026-06-01T08:00:00Z',
    read: instant,
  },
  dialect: {
    value: 'FILE',
    env: ['TEEBOX_DIALECT'],
    help: 'dialect card with answers to the open questions',
    ...text('the path of a file', (value) => value !== ''),
  },
  'expires-in': {
    value: 'DURATION',
    env: ['TEEBOX_EXPIRES_IN'],
    help: 'lifetime of access tokens (1h)',
    ...duration('1s', '100000h', 1000),
  },
  scenario: {
    value: 'SPEC',
    env: ['TEEBOX_SCENARIO'],
    repeatable: true,
    help: 'scenario that every matching request triggers, such as "payment-pi-failed; phase=after-commit"; repeatable',
    ...text('a scenario listed by `npx --no-install teebox scenarios`', (value) => value.trim() !== ''),
    choices: scenarios.map(({ id }) => id),
  },
  chaos: {
    value: 'SPEC',
    env: ['TEEBOX_CHAOS'],
    help: 'random mix of scenarios, such as "rate=5%; seed=7; only=slow,server-error"',
    ...text('a rate with a seed and scenarios, such as "rate=5%; seed=7"', (value) => value.trim() !== ''),
  },
  scenarios: {
    value: 'DIR',
    env: ['TEEBOX_SCENARIOS'],
    help: 'folder with your own scenarios in YAML or JSON',
    ...text('the path of a folder', (value) => value !== ''),
  },
  'no-magic': toggle('ignore names, comments and facilities that trigger scenarios', 'TEEBOX_NO_MAGIC'),
  pure: toggle('omit the Teebox-* response headers', 'TEEBOX_PURE'),
  'allow-callback': {
    value: 'HOST[:PORT]',
    env: ['TEEBOX_ALLOW_CALLBACK'],
    repeatable: true,
    help: 'allow callbacks to a host, or to one port of it; required even for this machine if the caller is elsewhere; repeatable',
    ...text('a host name with an optional port', (value) => hostAndPort.test(value)),
  },
} as const satisfies Flags;

/** The groups of `worldFlags` in the help. */
export const worldGroups = [
  ['World', ['world', 'seed', 'facilities', 'now', 'dialect', 'expires-in']],
  ['Failures', ['scenario', 'scenarios', 'chaos', 'no-magic']],
  ['Responses and callbacks', ['pure', 'allow-callback']],
] as const satisfies readonly FlagGroup<keyof typeof worldFlags>[];

const logLevel = {
  value: 'LEVEL',
  env: ['TEEBOX_LOG_LEVEL'],
  ...oneOf('silent', 'error', 'warn', 'info', 'debug'),
} as const;

/** The flags of `exec`: its command has the terminal, so the log is silent by default. */
export const execFlags = {
  ...worldFlags,
  'log-level': { ...logLevel, help: 'log level of the sandbox: silent, error, warn, info or debug (silent)' },
} as const satisfies Flags;

export const execGroups = [...worldGroups, ['Output', ['log-level']]] as const satisfies readonly FlagGroup<
  keyof typeof execFlags
>[];

export const serveFlags = {
  config: configFlag,
  port: {
    value: 'PORT',
    env: ['TEEBOX_PORT', 'PORT'],
    help: 'port to listen on; 0 picks a free one (4653)',
    ...wholeNumber(0, 65_535),
  },
  host: {
    value: 'HOST',
    env: ['TEEBOX_HOST'],
    help: 'address to listen on (127.0.0.1)',
    ...text('a host name or an address', (value) => hostName.test(value)),
  },
  ...worldFlags,
  'no-admin': toggle('turn the admin API off, except for its health check', 'TEEBOX_NO_ADMIN'),
  'admin-token': {
    value: 'TOKEN',
    env: ['TEEBOX_ADMIN_TOKEN'],
    secret: true,
    help: 'bearer token of 16 or more characters that the admin API requires (none on loopback; otherwise generated and printed)',
    ...text(ADMIN_TOKEN_DUE, isAdminToken),
  },
  state: {
    value: 'FILE',
    env: ['TEEBOX_STATE'],
    help: 'load the main world from a file and save every change to it; --now, --dialect, --scenario and --chaos override the file',
    ...text('the path of a file', (value) => value !== ''),
  },
  'state-sync': {
    inFile: true,
    value: 'WHEN',
    env: ['TEEBOX_STATE_SYNC'],
    help: 'when changes to the --state file are flushed to disk: always (before each response) or interval (every second) (interval)',
    ...oneOf('always', 'interval'),
  },
  'max-worlds': {
    inFile: true,
    value: 'N',
    env: ['TEEBOX_MAX_WORLDS'],
    help: 'maximum number of worlds below /w/; 0 turns them off (100)',
    ...wholeNumber(0, 10_000),
  },
  'memory-budget': {
    inFile: true,
    value: 'MIB',
    env: ['TEEBOX_MEMORY_BUDGET'],
    help: 'memory that all worlds may hold, in MiB; caches are dropped first, then bodies in journals, then worlds (512, or a third of the heap of Node if that is less)',
    ...wholeNumber(16, 1_048_576),
  },
  'world-idle': {
    inFile: true,
    value: 'DURATION',
    env: ['TEEBOX_WORLD_IDLE'],
    help: 'idle timeout of a world (1h)',
    ...duration('1s', '100000h'),
  },
  'log-format': {
    value: 'FORMAT',
    env: ['TEEBOX_LOG_FORMAT'],
    help: 'log format: pretty or json (pretty)',
    ...oneOf('pretty', 'json'),
  },
  'log-level': { ...logLevel, help: 'log level: silent, error, warn, info or debug (info)' },
  json: toggle('print one line of JSON instead of the banner', 'TEEBOX_JSON'),
} as const satisfies Flags;

/** The groups of `serveFlags` in the help. */
export const serveGroups = [
  ['Where to listen', ['port', 'host', 'no-admin', 'admin-token', 'config']],
  ...worldGroups,
  ['State', ['state']],
  ['Output', ['log-format', 'log-level', 'json']],
] as const satisfies readonly FlagGroup<keyof typeof serveFlags>[];
