import { filePath, type Flags, number, type Reader, toggle } from '../args.js';
import { accessFlags, checkFlags } from '../commands/check-flags.js';
import type { FlagGroup } from '../help/usage.js';
import { reportFlags } from '../result-files.js';

const date: Reader<string> = {
  due: 'a date such as 2026-07-01',
  read(text) {
    const instant = Date.parse(`${text}T00:00:00Z`);
    const isDate = /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(instant);
    return isDate && new Date(instant).toISOString().startsWith(text) ? text : undefined;
  },
};

const {
  'second-basic': _basic,
  'second-refresh-token': _token,
  'second-token-file': _file,
  ...oneChannel
} = accessFlags;

/** The flags of `twin`: those of `check` that say where, how to log in and how far to go, and its own. */
export const twinFlags = {
  config: { ...checkFlags.config, help: 'the file of targets for `twin NAME`, which it shares with check' },
  ...oneChannel,
  facility: {
    ...accessFlags.facility,
    help: 'a facility to read, and no others; repeatable (every connected facility)',
  },
  from: { value: 'DATE', help: 'the first day of the tee sheets and prices (today at each facility)', ...date },
  to: { value: 'DATE', help: 'the last day of them (27 days after the first)', ...date },
  har: {
    value: 'FILE',
    repeatable: true,
    help: 'read the recorded traffic of a HAR file instead of a deployment; nothing is sent; repeatable',
    ...filePath,
  },
  out: { value: 'FILE', help: 'write the world file; - for stdout', ...filePath },
  compare: {
    value: 'FILE',
    help: 'a world file of an earlier run: print what has changed since',
    ...filePath,
  },
  'min-same': {
    value: 'PERCENT',
    help: 'the minimum share of the answers that must be the same (0)',
    ...number(0, 100),
  },
  'max-requests': {
    ...checkFlags['max-requests'],
    help: 'stop after this many requests; the file has what was read (0: no limit)',
  },
  parallel: checkFlags.parallel,
  rps: checkFlags.rps,
  timeout: { ...checkFlags.timeout, help: 'timeout of a response (10s)' },
  deadline: {
    ...checkFlags.deadline,
    help: 'timeout of the whole run, such as 10m; the file has what was read (no limit)',
  },
  'max-errors': checkFlags['max-errors'],
  'max-body': checkFlags['max-body'],
  plan: toggle('print the requests that would be sent, and send none'),
  ...reportFlags,
  quiet: toggle('print only differences and the verdict'),
} as const satisfies Flags;

/** The groups of `twinFlags` in the help. */
export const twinGroups = [
  ['What to read', ['config', 'facility', 'from', 'to', 'har']],
  ['How to log in', ['basic', 'refresh-token', 'token-file', 'forget-tokens']],
  ['How to reach it', ['header', 'ca', 'cert', 'key', 'insecure']],
  ['How far to go', ['plan', 'max-requests', 'parallel', 'rps', 'timeout', 'deadline']],
  ['What fails', ['min-same', 'compare']],
  ['What to write', ['out', 'report', 'quiet']],
] as const satisfies readonly FlagGroup<keyof typeof twinFlags>[];
