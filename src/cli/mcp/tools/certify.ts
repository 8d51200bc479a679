import * as z from 'zod';
import type { CertifyEvent } from '../../../certification/index.js';
import { defined } from '../../../common/index.js';
import { readArguments } from '../../args.js';
import type { ClientTests } from '../../certify/client-tests.js';
import { certifyFlags } from '../../certify/flags.js';
import { type ExamOptions, examOptions, takeExamsBy } from '../../certify/take-exams.js';
import type { ToolContext } from '../tool-context.js';
import { globs, versionList, waitSeconds, wordsOf } from '../inputs.js';
import type { JobStep } from '../jobs.js';
import { defineTool, ToolError } from '../tool.js';
import { outcomeOf } from './report.js';

const input = {
  exams: globs.describe(
    'Take only these exams, by id or glob, such as "happy-day". Default: all, which takes minutes.',
  ),
  skip: globs.describe('Skip these exams.'),
  only: globs.describe('Evaluate only these obligations, such as "tokens.*".'),
  versions: versionList.describe('Those that the client uses.'),
  jobs: z
    .int()
    .min(1)
    .max(64)
    .optional()
    .describe('How many exams the command takes at the same time, each at a port of its own. Default: 1.'),
  timeout_seconds: z.int().min(1).max(3600).default(60).describe('How long the command may take in one exam.'),
  wait_seconds: waitSeconds.describe('How long to wait for the result.'),
};

export const certifyTool = (context: ToolContext) =>
  defineTool({
    name: 'certify',
    title: 'Certify the client',
    description:
      'Checks the client under test: runs its own tests once for each exam, each in a fresh sandbox with other ' +
      'failures, and returns the obligations that the client violated. The command is the one after `--` of this server; ' +
      'it finds the sandbox in TEEBOX_BASE_URL, TEEBOX_USERNAME, TEEBOX_PASSWORD and TEEBOX_REFRESH_TOKEN. Use it ' +
      'when the tests pass, first with one exam. A long run goes on in the background, and read_report waits for it.',
    input,
    hints: { readOnlyHint: false, destructiveHint: true, openWorldHint: true },
    run: async ({ timeout_seconds: timeout, wait_seconds: seconds, versions, ...ask }, call) => {
      const [command = '', ...args] = context.command;
      if (command === '') {
        throw new ToolError(
          'This server was started without a command that runs the tests of the client. A person can add it, as in ' +
            '`teebox mcp -- npm test`. Or run `npx --no-install teebox certify --certificate certificate.json -- COMMAND` in a ' +
            'terminal, and read that file with read_report.',
        );
      }
      const { values } = readArguments(certifyFlags, wordsOf(ask), {}, defined({ versions }));
      const own = await examOptions({ ...context.world, ...values });
      const { signals, log: tell } = context;
      const printed = (_exam: string, lines: readonly string[]): void => lines.forEach(tell);
      const tests = { command, args, timeout: timeout * 1000, showOutput: false, tell, printed, signals };
      const started = context.jobs.start('certify', (signal, step) => certified(tests, own, signal, step));
      return outcomeOf(await context.jobs.wait(started, call, seconds));
    },
  });

/** The certificate as JSON. If the job is stopped, the command is as well. */
async function certified(
  tests: Omit<ClientTests, 'notStarted'>,
  options: ExamOptions,
  signal: AbortSignal,
  step: JobStep,
): Promise<unknown> {
  const stop = new AbortController();
  const end = (): void => {
    stop.abort(new ToolError('The exams were stopped.'));
    tests.signals.kill('SIGTERM');
  };
  signal.addEventListener('abort', end, { once: true });
  let [done, total] = [0, 0];
  const onEvent = (event: CertifyEvent): void => {
    if (event.type === 'start') total = event.exams.length;
    if (event.type === 'skipped') total -= event.skipped.length;
    if (event.type === 'exam' && event.state === 'ended') done += 1;
    step(done, total);
  };
  const client = { command: [tests.command, ...tests.args].join(' ') };
  const notStarted = (why: string): void => stop.abort(new ToolError(why));
  const certification = await takeExamsBy(
    { ...tests, notStarted },
    { ...options, client, onEvent, signal: stop.signal },
  );
  return JSON.parse(JSON.stringify(certification));
}
