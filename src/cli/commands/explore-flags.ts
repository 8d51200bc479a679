import { duration, filePath, type Flags, toggle, wholeNumber } from '../args.js';
import type { FlagGroup } from '../help/usage.js';
import { reportFlags } from '../result-files.js';
import { accessFlags, accessGroups, checkFlags } from './check-flags.js';

/** The flags of `explore`: those of `check` that say where, how to log in and how far to go, and its own. */
export const exploreFlags = {
  config: { ...checkFlags.config, help: 'the file of targets for `explore NAME`, which it shares with check' },
  ...accessFlags,
  'callback-url': checkFlags['callback-url'],
  'callback-port': checkFlags['callback-port'],
  allow: {
    ...checkFlags.allow,
    help: checkFlags.allow.help.replace('what the run may do', 'what the walks may do'),
  },
  walks: {
    value: 'N',
    help: 'the number of walks (50; with --for, as many as fit)',
    ...wholeNumber(1, 1_000_000),
  },
  steps: { value: 'N', help: 'the number of steps of a walk (40)', ...wholeNumber(1, 1000) },
  parallel: { ...checkFlags.parallel, help: checkFlags.parallel.help.replace('reads', 'steps') },
  seed: {
    value: 'N',
    help: 'the seed of the walks: the same seed generates the same walks (random; the summary prints it)',
    ...wholeNumber(0, 4_294_967_295),
  },
  for: {
    value: 'DURATION',
    help: 'start no more steps after this time, such as 5m (no limit)',
    ...duration('1ms', '168h'),
  },
  shrink: {
    inFile: true,
    value: 'DURATION',
    help: 'the time for making a failing walk smaller (60s)',
    ...duration('0s', '24h'),
  },
  'max-bookings': {
    ...checkFlags['max-bookings'],
    help: 'maximum number of bookings; those that the deployment refused count until its list shows none (500)',
  },
  'max-requests': { ...checkFlags['max-requests'], help: 'stop after this many requests (0: no limit)' },
  rps: checkFlags.rps,
  timeout: { ...checkFlags.timeout, help: 'timeout of a response and of a callback (10s)' },
  settle: checkFlags.settle,
  deadline: {
    ...checkFlags.deadline,
    help: 'timeout of the whole run, such as 10m; the reports are written (no limit)',
  },
  'max-errors': checkFlags['max-errors'],
  'max-body': checkFlags['max-body'],
  'max-evidence': {
    ...checkFlags['max-evidence'],
    help: 'maximum memory for the stored responses in MiB (32)',
  },
  plan: toggle('print the requests that the walks would send, and send none'),
  again: { value: 'FILE', help: 'repeat the walk of a file five times, and take no other', ...filePath },
  save: { value: 'FILE', help: 'write the smallest walk of the first finding, for --again', ...filePath },
  'to-test': { value: 'FILE', help: 'write the smallest walk of the first finding as a Vitest file', ...filePath },
  ...reportFlags,
  leftovers: checkFlags.leftovers,
  quiet: toggle('print only findings and the verdict'),
  'show-personal-data': checkFlags['show-personal-data'],
} as const satisfies Flags;

/** The groups of `exploreFlags` in the help. */
export const exploreGroups = [
  ['What to explore', ['config', 'walks', 'steps', 'parallel', 'seed', 'again', 'facility']],
  ...accessGroups,
  ['How far to go', ['allow', 'plan', 'for', 'max-bookings', 'max-requests', 'rps', 'timeout', 'deadline']],
  ['What to write', ['report', 'save', 'to-test', 'leftovers', 'quiet']],
] as const satisfies readonly FlagGroup<keyof typeof exploreFlags>[];
