import { type Certification, compareCertifications } from '../../certification/index.js';
import { consoleLine } from '../../common/index.js';
import type { Variables } from '../commands/command.js';
import { given } from '../commands/judging.js';
import { BY_SIGNAL, PassedSignals } from '../process/child.js';
import { constants } from 'node:os';
import type { Terminal } from '../terminal.js';
import { readCertificate, refuseItsFlags } from './certificate-file.js';
import type { ClientTests } from './client-tests.js';
import { type ExamOptions, examOptions, repeatedOptions } from './options.js';
import { type CertifyOutput, type CertifyValues, openCertifyOutput } from './output.js';
import { takeExamsBy } from './take-exams.js';

const EXIT_NOT_STARTED = 3;
const DEFAULT_TIMEOUT = 300;

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
  env: Variables,
): Promise<number> {
  const certificate = await certificateOf(values);
  const own = certificate ? repeatedOptions(certificate, values) : await examOptions(values);
  const output = await openCertifyOutput(values, terminal, env);
  const stop = new AbortController();
  const tests = clientTests(values, command, output, stop);
  const options: ExamOptions = {
    ...own,
    client: { ...given('name', values.name), command: [command.name, ...command.args].join(' ') },
    onEvent: output.onEvent,
    capsules: values.capsules !== undefined,
  };
  const taken = takeExamsBy(tests, options, stop.signal);
  const code = await certified(taken, output, certificate).catch((error: unknown) => {
    if (!(error instanceof ExamsStopped)) throw error;
    output.tell(`teebox: ${error.message}`);
    return error.exitCode;
  });
  // Pending callbacks and hanging answers would keep the process alive.
  process.exit(code);
}

/** The command as the client's tests. It stops the exams if it cannot be started, and so does a signal. */
function clientTests(
  values: CertifyValues,
  { name, args }: CommandWords,
  { tell }: CertifyOutput,
  stop: AbortController,
): ClientTests {
  const stopped = (signal: NodeJS.Signals): ExamsStopped =>
    new ExamsStopped(`Stopped by ${signal}; nothing was written.`, BY_SIGNAL + constants.signals[signal]);
  return {
    command: name,
    args,
    timeout: (values.timeout ?? DEFAULT_TIMEOUT) * 1000,
    showOutput: values['show-output'] ?? false,
    tell,
    notStarted: (why) => stop.abort(new ExamsStopped(why, EXIT_NOT_STARTED)),
    signals: new PassedSignals((signal) => stop.abort(stopped(signal))),
  };
}

async function certificateOf(values: CertifyValues): Promise<Certification | undefined> {
  if (values.verify === undefined) return undefined;
  refuseItsFlags(values);
  return readCertificate(values.verify);
}

async function certified(
  taken: Promise<Certification>,
  output: CertifyOutput,
  certificate: Certification | undefined,
): Promise<number> {
  const certification = await taken;
  await output.finish(certification);
  if (!certificate) return certification.exitCode;
  const { isSame, message, differences } = compareCertifications(certificate, certification);
  for (const text of [...differences.map((difference) => `  ${difference}`), message]) output.line(consoleLine(text));
  return isSame ? 0 : 1;
}
