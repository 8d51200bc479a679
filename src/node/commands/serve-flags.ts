import { epochOf } from '../../domain/clock.js';
import { ADMIN_TOKEN_DUE, isAdminToken } from '../admin-token.js';
import { type Flag, type Flags, oneOf, toggle, wholeNumber } from '../args.js';

const hostName = /^[a-z0-9.\-:[\]]+$/i;

function instant(text: string): string | undefined {
  try {
    epochOf(text);
    return text;
  } catch {
    return undefined;
  }
}

const text = (due: string, fits: (text: string) => boolean): Pick<Flag<string>, 'read' | 'due'> => ({
  due,
  read: (value) => (fits(value) ? value : undefined),
});

/** What shapes the world, however it is reached: the flags that `serve` and `exec` share. */
export const worldFlags = {
  seed: {
    value: 'N',
    env: ['TEEBOX_SEED'],
    help: 'another world: tee sheets, prices, facilities (1)',
    ...wholeNumber(0, Number.MAX_SAFE_INTEGER),
  },
  facilities: {
    value: 'N',
    env: ['TEEBOX_FACILITIES'],
    help: 'how many facilities the world has (81)',
    ...wholeNumber(1, 100_000),
  },
  now: {
    value: 'ISO',
    env: ['TEEBOX_NOW'],
    help: 'the instant at which the clock stands, such as 2026-06-01T08:00:00Z (the running clock)',
    due: 'an instant that exists, ISO 8601 with a zone, such as 2026-06-01T08:00:00Z',
    read: instant,
  },
  dialect: {
    value: 'FILE',
    env: ['TEEBOX_DIALECT'],
    help: 'a dialect card: how the open questions are answered',
    ...text('the path of a file', (value) => value !== ''),
  },
  'expires-in': {
    value: 'SECONDS',
    env: ['TEEBOX_EXPIRES_IN'],
    help: 'lifetime of an access token (3600)',
    ...wholeNumber(1, 1_000_000_000),
  },
  scenario: {
    value: 'SPEC',
    env: ['TEEBOX_SCENARIO'],
    repeatable: true,
    help: 'a failure that strikes always, such as "payment-pi-failed; phase=after-commit"; repeatable',
    ...text('a scenario of `teebox scenarios`', (value) => value.trim() !== ''),
  },
  scenarios: {
    value: 'DIR',
    env: ['TEEBOX_SCENARIOS'],
    help: 'a folder with scenarios of your own, in YAML or JSON',
    ...text('the path of a folder', (value) => value !== ''),
  },
  'no-magic': toggle('names, comments and facilities of bookings switch no scenario on', 'TEEBOX_NO_MAGIC'),
  pure: toggle('no response headers of our own', 'TEEBOX_PURE'),
  'allow-callback': {
    value: 'HOST',
    env: ['TEEBOX_ALLOW_CALLBACK'],
    repeatable: true,
    help: 'a host besides loopback that callbacks may reach; repeatable',
    ...text('a host name, with a port if need be', (value) => hostName.test(value)),
  },
} as const satisfies Flags;

export const serveFlags = {
  port: {
    value: 'PORT',
    env: ['TEEBOX_PORT', 'PORT'],
    help: 'where to listen; 0 takes a free one (4653)',
    ...wholeNumber(0, 65_535),
  },
  host: {
    value: 'HOST',
    env: ['TEEBOX_HOST'],
    help: 'the address to listen on (127.0.0.1)',
    ...text('a host name or an address', (value) => hostName.test(value)),
  },
  ...worldFlags,
  'no-admin': toggle('no admin API but its health', 'TEEBOX_NO_ADMIN'),
  'admin-token': {
    value: 'TOKEN',
    env: ['TEEBOX_ADMIN_TOKEN'],
    secret: true,
    help: 'the bearer token that the admin API needs (none on loopback; else one is made and printed)',
    ...text(ADMIN_TOKEN_DUE, isAdminToken),
  },
  state: {
    value: 'FILE',
    env: ['TEEBOX_STATE'],
    help: 'a file to start from and to save every change of the main world to; --now, --dialect and --scenario go before it',
    ...text('the path of a file', (value) => value !== ''),
  },
  'max-worlds': {
    value: 'N',
    env: ['TEEBOX_MAX_WORLDS'],
    help: 'how many worlds there may be below /w/ at a time; 0 turns them off (100)',
    ...wholeNumber(0, 10_000),
  },
  'world-idle': {
    value: 'SECONDS',
    env: ['TEEBOX_WORLD_IDLE'],
    help: 'how long a world stays that nobody asks (3600)',
    ...wholeNumber(1, 1_000_000_000),
  },
  'log-format': {
    value: 'FORMAT',
    env: ['TEEBOX_LOG_FORMAT'],
    help: 'pretty or json (pretty)',
    ...oneOf('pretty', 'json'),
  },
  'log-level': {
    value: 'LEVEL',
    env: ['TEEBOX_LOG_LEVEL'],
    help: 'silent, error, warn, info or debug (info)',
    ...oneOf('silent', 'error', 'warn', 'info', 'debug'),
  },
  json: toggle('one line of JSON on stdout when ready, in place of the banner', 'TEEBOX_JSON'),
} as const satisfies Flags;
