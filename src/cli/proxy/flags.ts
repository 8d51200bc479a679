import { obligations, rules } from '../../contract/index.js';
import { filePath, type Flags, globOf, some, toggle, wholeNumber } from '../args.js';
import { configFlag } from '../commands/config-flag.js';
import { checkFlags } from '../commands/check-flags.js';
import { reachFlags } from '../commands/reach-flags.js';
import { serveFlags } from '../commands/serve-flags.js';
import type { FlagGroup } from '../help/usage.js';
import { reportFlags } from '../result-files.js';

const eitherGlob = globOf(
  [...rules, ...obligations].map(({ id }) => id),
  'the id of a rule or an obligation, or a glob that matches at least one',
);

const { header, ca, cert, key, insecure } = reachFlags;
const { host, chaos } = serveFlags;
const { allow, 'callback-url': callbackUrl } = checkFlags;

export const proxyFlags = {
  config: configFlag,
  port: { value: 'PORT', help: 'the port to listen on; 0 picks a free one (4654)', ...wholeNumber(0, 65_535) },
  host: { value: 'HOST', help: 'the address to listen on (127.0.0.1)', due: host.due, read: host.read },
  header: { ...header, help: 'a header for every request, which replaces any of the same name; repeatable' },
  ca,
  cert,
  key,
  insecure,
  inject: {
    value: 'SCENARIO',
    repeatable: true,
    help: 'break the traffic with a network scenario, such as slow or "truncated-body; delay=800ms"; repeatable',
    ...some('a scenario, such as slow'),
  },
  chaos: {
    value: "'rate=5%; ...'",
    help: 'break some of the traffic, such as "rate=5%; seed=7; only=slow,server-error"',
    due: chaos.due,
    read: chaos.read,
  },
  allow: {
    value: 'WHAT',
    due: allow.due,
    read: allow.read,
    help: 'writes that --inject and --chaos may break before they are sent: tokens, bookings, callbacks, payments, or all (none)',
  },
  callbacks: {
    value: 'URL',
    due: callbackUrl.due,
    read: callbackUrl.read,
    help: 'route callbacks through the proxy, which the deployment reaches at this URL; rewrites callbackUrl',
  },
  json: toggle('print events as lines of JSON on stdout'),
  ...reportFlags,
  har: {
    value: 'FILE',
    help: 'record all exchanges, masked, as a HAR file for `check --replay`',
    ...filePath,
  },
  'show-personal-data': {
    inFile: true,
    ...toggle('do not mask names, phone numbers and e-mail addresses in reports and the HAR file'),
  },
  dialect: checkFlags.dialect,
  only: {
    value: 'GLOB',
    repeatable: true,
    help: 'check only these rules and obligations, such as "tokens.*"; repeatable',
    ...eitherGlob,
  },
  skip: { value: 'GLOB', repeatable: true, help: 'skip these rules and obligations; repeatable', ...eitherGlob },
  known: { ...checkFlags.known, help: 'a baseline of known findings of both sides, which do not fail the run' },
  'fail-on': {
    ...checkFlags['fail-on'],
    help: 'the lowest severity at which a violated rule or obligation fails: critical, major, minor, at which a difference from the --dialect card fails too',
  },
  'min-conclusive': checkFlags['min-conclusive'],
  'max-p95': checkFlags['max-p95'],
  'max-body': {
    ...checkFlags['max-body'],
    help: 'maximum size of a checked body in MiB; larger ones still pass through (8)',
  },
  'max-evidence': {
    ...checkFlags['max-evidence'],
    help: 'maximum memory for the responses that are checked together, in MiB (64)',
  },
  window: {
    inFile: true,
    value: 'N',
    help: 'how many of the latest exchanges are checked together and kept for the reports (1000)',
    ...wholeNumber(10, 100_000),
  },
  'no-judge': toggle('check nothing; --har and --inject still work'),
} as const satisfies Flags;

/** The groups of `proxyFlags` in the help. */
export const proxyGroups = [
  ['Where to listen', ['port', 'host', 'config']],
  ['How to reach the target', ['header', 'ca', 'cert', 'key', 'insecure', 'callbacks']],
  ['Failures', ['inject', 'chaos', 'allow']],
  ['What to check', ['only', 'skip', 'no-judge']],
  ['What fails', ['fail-on', 'known', 'dialect', 'min-conclusive']],
  ['What to write', ['report', 'har', 'json']],
] as const satisfies readonly FlagGroup<keyof typeof proxyFlags>[];
