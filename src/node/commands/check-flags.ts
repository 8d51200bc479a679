import { FEW_REQUESTS } from '../../conformance/check-options.js';
import { anyGlob } from '../../conformance/globs.js';
import { type ReportFormat, fileReporters } from '../../conformance/reporters/index.js';
import { type Permission, permissions } from '../../conformance/types.js';
import { rules } from '../../generated/catalogue.js';
import { type Flag, type Flags, toggle, wholeNumber } from '../args.js';

/** A report to write: its format and file, `-` for stdout. */
export interface ReportTarget {
  readonly format: ReportFormat;
  readonly file: string;
}

const headerName = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]{1,64}$/;
const formats = Object.keys(fileReporters) as ReportFormat[];

const some = (due: string): Pick<Flag<string>, 'read' | 'due'> => ({ due, read: (text) => text.trim() || undefined });
const file = some('the path of a file');

const userAndPassword: Pick<Flag<{ username: string; password: string }>, 'read' | 'due'> = {
  due: 'a user name and a password with a colon between them',
  read(text) {
    const at = text.indexOf(':');
    return at > 0 ? { username: text.slice(0, at), password: text.slice(at + 1) } : undefined;
  },
};

/** One that matches nothing is a slip of the pen, which a run would pass over in silence. */
const ruleGlob: Pick<Flag<string>, 'read' | 'due'> = {
  due: 'the id of a rule or a glob that matches some, as `teebox rules` lists them',
  read: (text) => (rules.some(({ id }) => anyGlob([text.trim()])(id)) ? text.trim() : undefined),
};

const FIRST = { variable: 'TEEBOX_', whose: 'the channel' };
const SECOND = { variable: 'TEEBOX_SECOND_', whose: 'a second channel' };
type Channel = typeof FIRST;

const basicFlag = ({ variable, whose }: Channel) => ({
  value: 'USER:PASSWORD',
  env: [`${variable}BASIC`],
  secret: true,
  help: `user name and password of ${whose}`,
  ...userAndPassword,
});

const refreshTokenFlag = ({ variable, whose }: Channel) => ({
  value: 'TOKEN',
  env: [`${variable}REFRESH_TOKEN`],
  secret: true,
  help: `the newest refresh token of ${whose}, which is single use: the file is where the next one goes`,
  ...some('a refresh token'),
});

const tokenFileFlag = ({ variable, whose }: Channel) => ({
  value: 'FILE',
  env: [`${variable}TOKEN_FILE`],
  help: `where the tokens of ${whose} are kept from run to run`,
  ...file,
});

/** A list of words after one flag: `tokens,bookings` or `all`. */
const leave: Pick<Flag<readonly Permission[]>, 'read' | 'due'> = {
  due: `a list of ${permissions.join(', ')}, or all`,
  read(text) {
    if (text === 'all') return permissions;
    const words = text.split(',').map((word) => permissions.find((permission) => permission === word.trim()));
    return words.every((word) => word !== undefined) ? (words as Permission[]) : undefined;
  },
};

const reportTarget: Pick<Flag<ReportTarget>, 'read' | 'due'> = {
  due: `FORMAT=FILE, the format one of ${formats.join(', ')}`,
  read(text) {
    const at = text.indexOf('=');
    const format = formats.find((name) => name === text.slice(0, at));
    const path = text.slice(at + 1);
    return format && path !== '' ? { format, file: path } : undefined;
  },
};

const webAddress: Pick<Flag<string>, 'read' | 'due'> = {
  due: 'an http or https URL',
  read: (text) => (/^https?:\/\/[^\s/]/.test(text) && URL.canParse(text) ? text : undefined),
};

const number = (min: number, max: number, due: string): Pick<Flag<number>, 'read' | 'due'> => ({
  due,
  read(text) {
    const value = text.trim() === '' ? NaN : Number(text);
    return value >= min && value <= max ? value : undefined;
  },
});

/** The flags of `check`. */
export const checkFlags = {
  basic: basicFlag(FIRST),
  'refresh-token': refreshTokenFlag(FIRST),
  'token-file': tokenFileFlag(FIRST),
  'second-basic': basicFlag(SECOND),
  'second-refresh-token': refreshTokenFlag(SECOND),
  'second-token-file': tokenFileFlag(SECOND),
  'forget-tokens': toggle(
    'keep no new refresh tokens: for a sandbox, whose channels start anew',
    'TEEBOX_FORGET_TOKENS',
  ),
  'bearer-header': {
    value: 'NAME',
    help: 'the header that carries the bearer token (Authorization)',
    due: 'the name of a header',
    read: (text: string) => (headerName.test(text) ? text : undefined),
  },
  allow: {
    value: 'WHAT',
    env: ['TEEBOX_ALLOW'],
    help: `what may be done beyond reading: ${permissions.join(', ')}, or all (nothing)`,
    ...leave,
  },
  'max-bookings': {
    value: 'N',
    help: 'the most bookings to be made, refused ones not counted (25)',
    ...wholeNumber(0, 100_000),
  },
  'max-requests': {
    value: 'N',
    help: `the most requests, with one version for most rules; 0 for as many as it takes (${FEW_REQUESTS} with nothing allowed, else 0)`,
    ...wholeNumber(0, 1_000_000),
  },
  'callback-url': {
    value: 'URL',
    help: 'where the deployment reaches this machine, such as a tunnel to --callback-port (loopback)',
    ...webAddress,
  },
  'callback-port': {
    value: 'PORT',
    help: 'where to listen for callbacks; 0 takes a free one (0)',
    ...wholeNumber(0, 65_535),
  },
  replay: {
    value: 'FILE',
    help: 'judge the recorded traffic of an HTTP Archive in place of a deployment, and send nothing',
    ...file,
  },
  plan: toggle('print the requests that would be sent, and send none'),
  report: {
    value: 'FORMAT=FILE',
    repeatable: true,
    help: `write a report: ${formats.join(', ')}; - for stdout; repeatable`,
    ...reportTarget,
  },
  'dialect-out': { value: 'FILE', help: 'write how the open questions are answered, for `serve --dialect`', ...file },
  dialect: { value: 'FILE', help: 'a dialect card to compare the deployment with', ...file },
  only: {
    value: 'GLOB',
    repeatable: true,
    help: 'judge these rules alone, such as "facilities.*"; repeatable',
    ...ruleGlob,
  },
  skip: { value: 'GLOB', repeatable: true, help: 'leave these rules out; repeatable', ...ruleGlob },
  known: { value: 'FILE', help: 'findings that are known and do not fail the run; one that is gone does', ...file },
  strict: toggle('what the document implies fails too, not only what it states'),
  'min-conclusive': {
    value: 'PERCENT',
    help: 'how many of the rules must be judged (any)',
    ...number(0, 100, 'a number from 0 to 100'),
  },
  timeout: {
    value: 'SECONDS',
    help: 'how long an answer or a callback may take (10); given, a retry of a callback is waited for as long',
    ...number(0.001, 3600, 'a number of seconds up to 3600'),
  },
  rps: {
    value: 'N',
    help: 'the most requests a second (as fast as answers come)',
    ...number(0.01, 100_000, 'a number above 0'),
  },
} as const satisfies Flags;
