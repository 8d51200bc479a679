import { depths, type Permission, permissions, severities } from '../../conformance/index.js';
import { type RuleId, rules } from '../../contract/index.js';
import {
  duration,
  filePath,
  type Flag,
  type Flags,
  globOf,
  number,
  oneOf,
  type Reader,
  toggle,
  token,
  wholeNumber,
} from '../args.js';
import type { FlagGroup } from '../help/usage.js';
import { configFlag } from './config-flag.js';
import { reachFlags, userAndPassword } from './reach-flags.js';
import { reportFlags } from '../result-files.js';
import { scopeFlags } from './scope-flags.js';

const headerName = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]{1,64}$/;

const ruleGlob = globOf(
  rules.map(({ id }) => id),
  'a rule id, or a glob that matches at least one; `npx --no-install teebox list rules` lists the ids',
);

const FIRST = { variable: 'TEEBOX_', whose: 'the channel' };
const SECOND = { variable: 'TEEBOX_SECOND_', whose: 'a second channel' };
type ChannelFlags = typeof FIRST;

const basicFlag = ({ variable, whose }: ChannelFlags) => ({
  value: 'USER:PASSWORD',
  env: [`${variable}BASIC`],
  secret: true,
  help: `user name and password of ${whose}`,
  ...userAndPassword,
});

const refreshTokenFlag = ({ variable, whose }: ChannelFlags) => ({
  value: 'TOKEN',
  env: [`${variable}REFRESH_TOKEN`],
  secret: true,
  help: `the newest refresh token of ${whose}; it is single use, so the token file keeps the next one`,
  ...token('a refresh token'),
});

const tokenFileFlag = ({ variable, whose }: ChannelFlags) => ({
  value: 'FILE',
  env: [`${variable}TOKEN_FILE`],
  help: `the file that keeps the tokens of ${whose} between runs`,
  ...filePath,
});

const everyPermission: readonly Permission[] = [...permissions, 'lockout'];

/** A list of words after one flag: `tokens,bookings` or `all`. */
const permissionList: Pick<Flag<readonly Permission[]>, 'read' | 'due' | 'join'> = {
  due: `a list of ${everyPermission.join(', ')}, or all, which is all of them but lockout`,
  read(text) {
    const words = text.split(',').map((word) => word.trim());
    const read = words.flatMap((word) =>
      word === 'all' ? permissions : everyPermission.filter((one) => one === word),
    );
    const known = words.every((word) => word === 'all' || everyPermission.some((one) => one === word));
    return known ? [...new Set(read)] : undefined;
  },
  join: (before, more) => [...new Set([...before, ...more])],
};

const webAddress: Reader<string> = {
  due: 'an http or https URL',
  read: (text) => (/^https?:\/\/[^\s/]/.test(text) && URL.canParse(text) ? text : undefined),
};

/** The flags of each command for a deployment: how to log in, how to reach it, and which part of it exists. */
export const accessFlags = {
  basic: basicFlag(FIRST),
  'refresh-token': refreshTokenFlag(FIRST),
  'token-file': tokenFileFlag(FIRST),
  'second-basic': basicFlag(SECOND),
  'second-refresh-token': refreshTokenFlag(SECOND),
  'second-token-file': tokenFileFlag(SECOND),
  'forget-tokens': toggle(
    'do not keep new refresh tokens, for a sandbox that is reset after each run',
    'TEEBOX_FORGET_TOKENS',
  ),
  'bearer-header': {
    inFile: true,
    value: 'NAME',
    help: 'header that carries the bearer token (Authorization)',
    due: 'the name of a header',
    read: (text: string) => (headerName.test(text) ? text : undefined),
  },
  ...reachFlags,
  ...scopeFlags,
} as const satisfies Flags;

export const checkFlags = {
  config: { ...configFlag, help: 'the file of targets for `check NAME` (teebox.config.yaml, .yml or .json)' },
  ...accessFlags,
  allow: {
    value: 'WHAT',
    env: ['TEEBOX_ALLOW'],
    help: `what the run may do beyond reading: ${permissions.join(', ')}, or all of these; lockout must be named; repeatable (default: nothing)`,
    ...permissionList,
  },
  depth: {
    value: 'LEVEL',
    help: `how much the run reads for comparisons: ${depths.join(', ')} (standard)`,
    ...oneOf(...depths),
  },
  'max-bookings': {
    value: 'N',
    help: 'maximum number of bookings; those that the deployment refused count until its list shows none (100)',
    ...wholeNumber(0, 100_000),
  },
  'max-requests': {
    value: 'N',
    help: 'stop after this many requests; rules that need more are not run (0: no limit)',
    ...wholeNumber(0, 1_000_000),
  },
  'callback-url': {
    inFile: true,
    value: 'URL',
    help: 'the URL at which the deployment reaches this machine, such as a tunnel to callback-port (loopback)',
    ...webAddress,
  },
  'callback-port': {
    inFile: true,
    value: 'PORT',
    help: 'the port that listens for callbacks; 0 picks a free one (0)',
    ...wholeNumber(0, 65_535),
  },
  replay: {
    value: 'FILE',
    help: 'evaluate the recorded traffic of a HAR file instead of a deployment; nothing is sent',
    ...filePath,
  },
  plan: toggle('print the requests that a run would send, and send none'),
  ...reportFlags,
  quiet: toggle('print only findings and the verdict'),
  'show-personal-data': {
    inFile: true,
    ...toggle('do not mask names, phone numbers and e-mail addresses in bookings that the run did not create'),
  },
  explain: {
    value: 'RULE',
    help: 'print every comparison of a rule, such as prices.agrees-teetimes',
    due: 'the id of an observable rule; `npx --no-install teebox list rules` lists the ids',
    read: (text: string) => rules.find(({ id, observable }) => id === text && observable)?.id as RuleId | undefined,
  },
  leftovers: {
    value: 'FILE',
    help: 'write what the run leaves behind, as JSON: bookings that it could not cancel, and payments',
    ...filePath,
  },
  'dialect-out': {
    value: 'FILE',
    help: 'write a dialect card with the observed answers, for `serve --dialect`',
    ...filePath,
  },
  dialect: { value: 'FILE', help: 'dialect card to compare the deployment with', ...filePath },
  only: {
    value: 'GLOB',
    repeatable: true,
    help: 'check only these rules, such as "facilities.*"; repeatable',
    ...ruleGlob,
  },
  skip: { value: 'GLOB', repeatable: true, help: 'skip these rules; repeatable', ...ruleGlob },
  known: {
    value: 'FILE',
    help: 'a baseline of known findings, which do not fail the run; an entry whose rule passes again does',
    ...filePath,
  },
  'write-known': {
    value: 'FILE',
    help: 'write a baseline of the findings of this run, one entry for each operation; it does not change the exit code',
    ...filePath,
  },
  'max-p95': {
    inFile: true,
    value: 'DURATION',
    help: 'warn of operations whose 95th percentile of latency is above this, such as 800ms; it never fails the run (no limit)',
    ...duration('1ms', '1h'),
  },
  'fail-on': {
    value: 'SEVERITY',
    help: `the lowest severity at which a violated rule fails: ${severities.join(', ')}, at which a difference from the --dialect card fails too (stated rules: minor, implied: major)`,
    ...oneOf(...severities),
  },
  'min-conclusive': {
    value: 'PERCENT',
    help: 'the minimum share of the observable rules in scope that must be evaluated (0; 60 where a budget ended the run)',
    ...number(0, 100),
  },
  timeout: {
    value: 'DURATION',
    help: 'timeout of a response and of a callback (10s); if set, also how long to wait for a callback retry',
    ...duration('1ms', '1h'),
  },
  settle: {
    inFile: true,
    value: 'DURATION',
    help: 'how long a list or a tee sheet may take to show a booking or payment (3s)',
    ...duration('0s', '10m'),
  },
  deadline: {
    value: 'DURATION',
    help: 'timeout of the whole run with its reports, such as 10m; the remaining rules are not run (no limit)',
    ...duration('1ms', '168h'),
  },
  'max-errors': {
    inFile: true,
    value: 'PERCENT',
    help: 'the share of requests that may fail (no response, 502, 503, 504, too long) before the run is unhealthy (2)',
    ...number(0, 100),
  },
  'max-body': {
    inFile: true,
    value: 'MIB',
    help: 'maximum size of a response body in MiB; larger ones are abandoned (8)',
    ...number(0.001, 256, 'a number of MiB up to 256'),
  },
  'max-evidence': {
    inFile: true,
    value: 'MIB',
    help: 'maximum memory for all responses in MiB; rules that need more are not run (80; 160 with --depth thorough)',
    ...number(1, 65_536, 'a number of MiB from 1 to 65536'),
  },
  parallel: {
    value: 'N',
    help: 'maximum number of concurrent reads; 1 sends them one after the other (4)',
    ...wholeNumber(1, 16),
  },
  rps: {
    value: 'N',
    help: 'maximum number of requests per second (no limit)',
    ...number(0.01, 100_000, 'a number above 0'),
  },
} as const satisfies Flags;

/** The groups of the flags that each command for a deployment has. */
export const accessGroups = [
  [
    'How to log in',
    [
      'basic',
      'refresh-token',
      'token-file',
      'second-basic',
      'second-refresh-token',
      'second-token-file',
      'forget-tokens',
    ],
  ],
  ['How to reach it', ['header', 'ca', 'cert', 'key', 'insecure']],
] as const satisfies readonly FlagGroup<keyof typeof checkFlags>[];

/** The groups of `checkFlags` in the help. */
export const checkGroups = [
  ['What to check', ['config', 'facility', 'only', 'skip', 'replay']],
  ...accessGroups,
  [
    'How far to go',
    ['allow', 'depth', 'plan', 'max-bookings', 'max-requests', 'parallel', 'rps', 'timeout', 'deadline'],
  ],
  ['What fails', ['fail-on', 'known', 'dialect', 'min-conclusive']],
  ['What to write', ['report', 'explain', 'write-known', 'dialect-out', 'leftovers', 'quiet']],
] as const satisfies readonly FlagGroup<keyof typeof checkFlags>[];
