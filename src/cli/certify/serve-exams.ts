import { certify, CertifyProgress, type ExamEnvironment } from '../../certification/index.js';
import { defined, ValidationError } from '../../common/index.js';
import { createSandboxAt } from '../../engine/index.js';
import type { Environment } from '../network/proxy.js';
import { DEFAULT_PORT } from '../server.js';
import type { Terminal } from '../terminal.js';
import { UsageError } from '../usage-error.js';
import { startExamServer } from './exam-server.js';
import { type ExamOptions, examOptions } from './take-exams.js';
import { type CertifyValues, openCertifyOutput } from './output.js';

/** The exit code of a second Ctrl-C, as in shells. */
const EXIT_INTERRUPTED = 130;
const ofCommands = ['timeout', 'show-output', 'jobs'] as const;

/** Serves all exams at once until a signal, and returns the exit code. */
export async function serveExams(values: CertifyValues, terminal: Terminal, env: Environment): Promise<number> {
  const stray = ofCommands.find((name) => values[name] !== undefined);
  if (stray !== undefined) throw new UsageError(`--${stray} is for a COMMAND, and not for --serve.`);
  const own = await examOptions(values);
  const output = await openCertifyOutput(values, terminal, env);
  const progress = new CertifyProgress(new Date().toISOString());
  const main = await mainSandbox(own, progress);
  const server = await startExamServer(values.port ?? DEFAULT_PORT, main.handle);
  const stopped = untilStopped();
  const begun: ExamEnvironment[] = [];
  const certification = await certify({
    ...own,
    ...(values.name === undefined ? {} : { client: { name: values.name } }),
    isOpen: true,
    listen: server.listen,
    capsules: values.capsules !== undefined,
    onEvent(event) {
      progress.onEvent(event);
      output.onEvent(event);
    },
    async attempt(environment) {
      begun.push(environment);
      if (begun.length === progress.exams) announce(begun, server.url, values, terminal);
      await stopped;
      return {};
    },
  }).catch((error: unknown) => {
    throw error instanceof ValidationError ? new UsageError(error.advice) : error;
  });
  await output.finish(certification);
  await server.close();
  // Pending callbacks and hanging answers would keep the process alive.
  process.exit(certification.exitCode);
}

/** The sandbox at the origin has the console. Its requests are not checked. */
function mainSandbox(options: ExamOptions, certification: CertifyProgress) {
  const { seed, facilities, world, now, clock, version, dialect } = options;
  return createSandboxAt({ certification }, defined({ seed, facilities, world, now, clock, version, dialect }));
}

/** The first signal ends the exams, so that what was seen is reported. A second one ends the process. */
function untilStopped(): Promise<void> {
  return new Promise((resolve) => {
    let isStopping = false;
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
      process.on(signal, () => {
        if (isStopping) process.exit(EXIT_INTERRUPTED);
        isStopping = true;
        resolve();
      });
    }
  });
}

/** Prints the address of each exam and the credentials, which are the same in all of them. */
function announce(begun: readonly ExamEnvironment[], url: string, values: CertifyValues, { out }: Terminal): void {
  const { username, password, refreshToken } = begun[0]!;
  if (values.json) {
    const exams = begun.map((one) => ({ id: one.exam.id, baseUrl: one.baseUrl }));
    out(JSON.stringify({ event: 'ready', url, username, password, refreshToken, exams }));
    return;
  }
  const width = Math.max(...begun.map(({ baseUrl }) => baseUrl.length));
  out('Run your client in each exam; each has its own address:');
  out('');
  for (const { baseUrl, exam } of begun) out(`  ${baseUrl.padEnd(width)}  ${exam.does}`);
  out('');
  out(`The credentials are the same in each: ${username}:${password}, refresh token ${refreshToken}`);
  out(`Live progress: ${url}/__admin/#/certification; press Ctrl-C to end the exams and get the verdict`);
}
