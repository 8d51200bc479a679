import { type Certification, compareCertifications } from '../../certification/index.js';
import { consoleLine, defined, isObject, shellWord } from '../../common/index.js';
import type { Environment } from '../network/proxy.js';
import { BY_SIGNAL, PassedSignals } from '../process/child.js';
import { constants } from 'node:os';
import type { Terminal } from '../terminal.js';
import type { ClientTests } from './client-tests.js';
import { type ExamOptions, examOptions, repeatedOptions, takeExamsBy } from './take-exams.js';
import { type CertifyOutput, type CertifyValues, openCertifyOutput } from './output.js';
import { readJson } from '../json-file.js';
import { UsageError } from '../usage-error.js';

/**
 * Reads a certificate in JSON.
 *
 * @throws {UsageError} if the file is none.
 */
export function readCertificate(file: string): Promise<Certification> {
  return readJson(file, 'certificate', (value) => {
    if (!isCertification(value)) {
      throw new Error('it is no certificate of `teebox certify --certificate FILE.json`, or a part of it is missing.');
    }
    return value;
  });
}

function isCertification(value: unknown): value is Certification {
  if (!isObject(value)) return false;
  const { digest, seed, facilities, now, teebox, dialect, exams, obligations, versions } = value;
  const isList = (list: unknown): boolean =>
    Array.isArray(list) && list.every((one) => isObject(one) && typeof one['id'] === 'string');
  return (
    [digest, now, teebox].every((one) => typeof one === 'string') &&
    [seed, facilities].every((one) => Number.isSafeInteger(one)) &&
    isObject(dialect) &&
    isObject(dialect['answers']) &&
    Array.isArray(versions) &&
    isList(exams) &&
    (exams as readonly Record<string, unknown>[]).every(({ results }) => isList(results)) &&
    isList(obligations)
  );
}

const itsFlags = ['exams', 'skip', 'only', 'seed', 'facilities', 'dialect', 'known', 'versions'] as const;

/** @throws {UsageError} for a flag whose value a certificate has. */
export function refuseItsFlags(values: CertifyValues): void {
  const given = itsFlags.find((name) => values[name] !== undefined);
  if (given === undefined) return;
  throw new UsageError(
    `--verify takes ${given} from the certificate. Remove the flag, the setting or the variable of ${given}.`,
  );
}

const EXIT_NOT_STARTED = 3;
const DEFAULT_TIMEOUT = 300_000;

interface CommandWords {
  readonly name: string;
  readonly args: readonly string[];
}

/** Why no exam can go on: a signal, or a command that cannot be started. */
class ExamsStopped extends Error {
  constructor(
    message: string,
    readonly exitCode: number,
  ) {
    super(message);
  }
}

/** Lets a command take the exams, and returns the exit code. */
export async function runExams(
  values: CertifyValues,
  command: CommandWords,
  terminal: Terminal,
  env: Environment,
): Promise<number> {
  const certificate = await certificateOf(values);
  const own = certificate ? await repeatedOptions(certificate, values) : await examOptions(values);
  const output = await openCertifyOutput(values, terminal, env);
  const [failed, stop] = [new AbortController(), new AbortController()];
  const tests = clientTests(values, command, output, { failed, stop });
  const resume = values.resume === undefined ? undefined : await readCertificate(values.resume);
  const options: ExamOptions = {
    ...own,
    ...defined({ resume }),
    client: defined({ name: values.name, command: [command.name, ...command.args].join(' ') }),
    onEvent: output.onEvent,
    capsules: values.capsules !== undefined,
    signal: failed.signal,
    stop: stop.signal,
  };
  const taken = takeExamsBy(tests, options);
  const code = await certified(taken, output, { certificate, stop: stop.signal, goOn: wayOn(values) }).catch(
    (error: unknown) => {
      if (!(error instanceof ExamsStopped)) throw error;
      output.tell(`teebox: ${error.message}`);
      return error.exitCode;
    },
  );
  // Pending callbacks and hanging answers would keep the process alive.
  process.exit(code);
}

/** The command as the client's tests. It ends the exams if it cannot be started, and so does a signal. */
function clientTests(
  values: CertifyValues,
  { name, args }: CommandWords,
  { tell, printed }: CertifyOutput,
  { failed, stop }: Readonly<Record<'failed' | 'stop', AbortController>>,
): ClientTests {
  const stopped = (signal: NodeJS.Signals): ExamsStopped =>
    new ExamsStopped(`Stopped by ${signal} before an exam was over.`, BY_SIGNAL + constants.signals[signal]);
  return {
    command: name,
    args,
    timeout: values.timeout ?? DEFAULT_TIMEOUT,
    showOutput: values['show-output'] ?? false,
    tell,
    printed,
    notStarted: (why) => failed.abort(new ExamsStopped(why, EXIT_NOT_STARTED)),
    signals: new PassedSignals((signal) => stop.abort(stopped(signal))),
  };
}

async function certificateOf(values: CertifyValues): Promise<Certification | undefined> {
  if (values.verify === undefined) return undefined;
  refuseItsFlags(values);
  return readCertificate(values.verify);
}

interface Certified {
  readonly certificate: Certification | undefined;
  readonly stop: AbortSignal;
  /** How a run goes on that was stopped. */
  readonly goOn: string;
}

function wayOn({ certificate = [] }: CertifyValues): string {
  const [file] = certificate.flatMap((one) => (one.format === 'json' ? [one.file] : []));
  if (file === undefined)
    return 'With `--certificate FILE.json`, a run that is stopped can go on later: `--resume FILE.json`.';
  return `To go on with the exams that are left, add \`--resume ${shellWord(file)}\`.`;
}

async function certified(
  taken: Promise<Certification>,
  output: CertifyOutput,
  { certificate, stop, goOn }: Certified,
): Promise<number> {
  const certification = await taken;
  await output.finish(certification);
  if (stop.aborted) output.line(goOn);
  if (!certificate || stop.aborted) return certification.exitCode;
  const { isSame, message, differences } = compareCertifications(certificate, certification);
  for (const text of [...differences.map((difference) => `  ${difference}`), message]) output.line(consoleLine(text));
  return isSame ? 0 : 1;
}
