import { exams, obligationSpecs } from '../../certification/index.js';
import { duration, filePath, type Flags, globOf, number, type Reader, some, toggle, wholeNumber } from '../args.js';
import { configFlag } from '../commands/config-flag.js';
import { scopeFlags } from '../commands/scope-flags.js';
import { serveFlags, worldFlags } from '../commands/serve-flags.js';
import type { FlagGroup } from '../help/usage.js';
import { reportFlags } from '../result-files.js';

/** A certificate to write. */
export interface CertificateFile {
  readonly format: 'html' | 'json';
  readonly file: string;
}

const examGlob = globOf(
  exams.map(({ id }) => id),
  'the id of an exam, or a glob that matches at least one; `npx --no-install teebox certify --list` lists them',
);
const obligationGlob = globOf(
  obligationSpecs.map(({ id }) => id),
  'an id of an obligation, or a glob that matches at least one; `npx --no-install teebox list obligations` lists them',
);

const certificateFile: Reader<CertificateFile> = {
  due: 'a file that ends in .html or .json',
  read(text) {
    const [, format] = /\.(html|json)$/i.exec(text) ?? [];
    return format === undefined ? undefined : { format: format.toLowerCase() as CertificateFile['format'], file: text };
  },
};

export const certifyFlags = {
  config: configFlag,
  serve: toggle('give each exam an address, and wait for a person or a program until Ctrl-C, instead of a COMMAND'),
  verify: {
    value: 'FILE.json',
    help: 'repeat the exams of a certificate, and compare the results',
    ...some('the path of a certificate in JSON'),
  },
  resume: {
    value: 'FILE.json',
    help: 'go on with the exams that the run of a certificate, which was stopped, did not take',
    ...some('the path of a certificate in JSON'),
  },
  list: toggle('list the exams'),
  exams: { value: 'GLOB', repeatable: true, help: 'run only these exams; repeatable (all)', ...examGlob },
  skip: { value: 'GLOB', repeatable: true, help: 'skip these exams; repeatable', ...examGlob },
  only: {
    value: 'GLOB',
    repeatable: true,
    help: 'check only these obligations, such as "tokens.*"; repeatable (all)',
    ...obligationGlob,
  },
  versions: {
    ...scopeFlags.versions,
    help: 'the versions of the service that the client uses, such as v4,v5; exams of other versions are skipped (all)',
  },
  known: {
    value: 'FILE',
    help: 'a baseline of known failures, which do not count; an entry whose obligation no longer fails makes the run fail',
    ...filePath,
  },
  'write-known': {
    value: 'FILE',
    help: 'write a baseline of the failures of this run; the exit code stays as it is',
    ...filePath,
  },
  ...reportFlags,
  certificate: {
    value: 'FILE',
    repeatable: true,
    help: 'write the certificate to FILE.html or FILE.json; repeatable',
    ...certificateFile,
  },
  capsules: {
    value: 'DIR',
    help: 'write the first exam of each failure as a capsule to DIR/EXAM.json, for `teebox replay`',
    ...some('the path of a folder'),
  },
  name: {
    inFile: true,
    value: 'NAME',
    help: 'the name of the client in reports and on the certificate',
    due: 'a name of at most 80 characters',
    read: (text: string) => (text.trim() !== '' && text.length <= 80 ? text.trim() : undefined),
  },
  'min-seen': {
    value: 'PERCENT',
    help: 'the minimum percentage of obligations that must be seen (0; a run that sees none never succeeds)',
    ...number(0, 100),
  },
  deliberate: {
    value: 'GLOB',
    repeatable: true,
    help: 'do not count mistakes on purpose: tests with this `Teebox-Test` header, or refused requests that violate these obligations; repeatable',
    ...some('a glob of test names or obligation ids'),
  },
  jobs: {
    value: 'N',
    help: 'how many exams run at the same time, each with its own server and port (1)',
    ...wholeNumber(1, 64),
  },
  timeout: {
    value: 'DURATION',
    help: 'how long the COMMAND may take in each exam (5m)',
    ...duration('1s', '24h'),
  },
  'show-output': toggle('show what the COMMAND prints as it runs (only where it fails)'),
  world: worldFlags.world,
  seed: worldFlags.seed,
  facilities: worldFlags.facilities,
  now: {
    ...worldFlags.now,
    help: 'the instant at which the clock of each exam starts, such as 2026-06-01T08:00:00Z (the real time)',
  },
  dialect: {
    ...worldFlags.dialect,
    help: 'dialect card of the deployment that the client is for; no exam changes its answers',
  },
  'allow-callback': worldFlags['allow-callback'],
  port: { ...serveFlags.port, env: [], help: 'port for --serve; 0 picks a free one (4653)' },
  json: toggle('with --serve, print the exams as one line of JSON'),
} as const satisfies Flags;

/** The groups of `certifyFlags` in the help. */
export const certifyGroups = [
  ['Which exams', ['exams', 'skip', 'list', 'verify', 'resume']],
  ['How to run them', ['serve', 'port', 'jobs', 'timeout', 'show-output', 'config']],
  ['World', ['world', 'seed', 'facilities', 'now', 'dialect', 'allow-callback']],
  ['What fails', ['only', 'known', 'deliberate', 'min-seen']],
  ['What to write', ['report', 'certificate', 'write-known', 'capsules', 'json']],
] as const satisfies readonly FlagGroup<keyof typeof certifyFlags>[];
