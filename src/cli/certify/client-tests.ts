import type { ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';
import { Transform } from 'node:stream';
import { stripVTControlCharacters } from 'node:util';
import type { AttemptResult, ExamEnvironment } from '../../certification/index.js';
import { consoleLine } from '../../common/index.js';
import { BY_SIGNAL, PassedSignals, runChild, signalGroup, whyNotStarted } from '../process/child.js';

/** Lines of one run that are kept to be shown if it fails. */
const MOST_LINES = 20;
/** Bytes that are kept of one line: a command may print without an end. */
const MOST_OF_LINE = 65_536;
const NEWLINE = 0x0a;
/** How long a command may take to end after it was asked to, and its output to arrive after its end. */
const [GRACE_MS, DRAIN_MS] = [5000, 500];

/** A line such as `TypeError: fetch failed`; `[cause]` may be before it, but not a stack or a member that is dumped. */
const namesError = /(?:^|[\s.\]])\w*(?:Error|Exception)\b(?: \[\w+\])?:/;

/** The command that runs the client's own tests. */
export interface ClientTests {
  readonly command: string;
  readonly args: readonly string[];
  /** Milliseconds that one run may take. */
  readonly timeout: number;
  /** Whether to show the output as it arrives; otherwise only that of a run that fails. */
  readonly showOutput: boolean;
  /** Shows a line at once. */
  readonly tell: (line: string) => void;
  /** Shows what a run has printed that failed. */
  readonly printed: (exam: string, lines: readonly string[]) => void;
  /** The command cannot be started: no exam can be taken. */
  readonly notStarted: (why: string) => void;
  readonly signals: PassedSignals;
}

/** Runs the client's tests in an exam. */
export async function runClientTests(tests: ClientTests, environment: ExamEnvironment): Promise<AttemptResult> {
  const { command, args, signals } = tests;
  const output = new ClientOutput(tests, environment.exam.id);
  const limit = new TimeLimit(tests.timeout, environment.signal);
  try {
    const code = await runChild({
      command,
      args,
      signals,
      variables: variablesOf(environment),
      stdio: ['ignore', 'pipe', 'pipe'],
      isApart: true,
      begun: (child) => {
        output.follow(child);
        limit.begin(child);
      },
    });
    await output.drained();
    if (code === 0 && !limit.isOver) return { ok: true };
    output.showKept();
    return { ok: false, said: output.saidBy(code, limit), ...(limit.isOver ? { hung: true as const } : {}) };
  } catch (error) {
    tests.notStarted(`Failed to run ${command}: ${whyNotStarted(error as NodeJS.ErrnoException, tests)}`);
    return { ok: false, said: 'it could not be started' };
  } finally {
    limit.end();
  }
}

function variablesOf({ exam, baseUrl, username, password, refreshToken, sandbox }: ExamEnvironment) {
  return {
    TEEBOX_BASE_URL: baseUrl,
    TEEBOX_USERNAME: username,
    TEEBOX_PASSWORD: password,
    TEEBOX_REFRESH_TOKEN: refreshToken,
    TEEBOX_EXAM: exam.id,
    TEEBOX_NOW: new Date(sandbox.clock.now()).toISOString(),
  };
}

/**
 * Ends a command that takes too long, with all that it has started: asks it first. One that goes on after the exams were
 * stopped is ended as well.
 */
class TimeLimit {
  isOver = false;
  #timer: NodeJS.Timeout | undefined;
  #child: ChildProcess | undefined;
  #stopped = (): void => {};

  constructor(
    readonly milliseconds: number,
    readonly stop: AbortSignal,
  ) {}

  begin(child: ChildProcess): void {
    this.#child = child;
    const endSoon = (): void => {
      clearTimeout(this.#timer);
      this.#timer = setTimeout(() => signalGroup(child, 'SIGKILL'), GRACE_MS);
    };
    this.#timer = setTimeout(() => {
      this.isOver = true;
      signalGroup(child, 'SIGTERM');
      endSoon();
    }, this.milliseconds);
    this.#stopped = endSoon;
    this.stop.addEventListener('abort', endSoon, { once: true });
  }

  end(): void {
    clearTimeout(this.#timer);
    this.stop.removeEventListener('abort', this.#stopped);
    // The command may be a script that ends before the tests that it has started.
    if (this.#child && (this.isOver || this.stop.aborted)) signalGroup(this.#child, 'SIGKILL');
  }
}

/** What a command prints: line by line, with the exam before each line. */
class ClientOutput {
  readonly #kept: string[] = [];
  #left = 0;
  /** The last line of its errors, and the last one that names an error. */
  #lastLine = '';
  #lastError = '';
  #ends: Promise<unknown> = Promise.resolve();

  constructor(
    readonly tests: Pick<ClientTests, 'showOutput' | 'tell' | 'printed'>,
    readonly exam: string,
  ) {}

  follow({ stdout, stderr }: ChildProcess): void {
    if (!stdout || !stderr) return;
    const streams = [stdout, stderr].map((stream) => {
      const lines = createInterface({ input: stream.pipe(shortLines()) });
      lines.on('line', (line) => this.#take(line, stream === stderr));
      return new Promise((resolve) => lines.once('close', resolve));
    });
    this.#ends = Promise.all(streams);
  }

  #take(printed: string, isError: boolean): void {
    const line = stripVTControlCharacters(printed);
    if (isError && line.trim() !== '') this.#lastLine = line.trim();
    if (isError && namesError.test(line)) this.#lastError = line.trim();
    const text = `${this.exam} | ${line}`;
    if (this.tests.showOutput) return this.tests.tell(consoleLine(text));
    this.#kept.push(text);
    if (this.#kept.length <= MOST_LINES) return;
    this.#kept.shift();
    this.#left += 1;
  }

  /** Resolves when all that was printed is here. A process that the command left behind may keep its output open. */
  async drained(): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise((resolve) => (timer = setTimeout(resolve, DRAIN_MS)));
    await Promise.race([this.#ends, late]);
    clearTimeout(timer);
  }

  showKept(): void {
    const before = this.#left > 0 ? [`${this.exam} | ... (${this.#left} lines before)`] : [];
    this.tests.printed(this.exam, [...before, ...this.#kept.map(consoleLine)]);
  }

  saidBy(code: number, { isOver, milliseconds }: TimeLimit): string {
    if (isOver) return `still running after ${milliseconds / 1000} s, and ended then`;
    const words = this.#lastError || this.#lastLine;
    const last = words === '' ? '' : `: ${words.slice(0, 300)}`;
    return `exit code ${code}${code > BY_SIGNAL ? ' (by a signal)' : ''}${last}`;
  }
}

/** Cuts off what is too long of each line. */
function shortLines(): Transform {
  let length = 0;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      const kept: Buffer[] = [];
      for (let at = 0; at < chunk.length;) {
        const end = chunk.indexOf('\n', at) + 1 || chunk.length;
        const line = chunk.subarray(at, end);
        kept.push(line.subarray(0, Math.max(0, MOST_OF_LINE - length)));
        length += line.length;
        if (line.at(-1) === NEWLINE) {
          if (length > MOST_OF_LINE) kept.push(line.subarray(-1));
          length = 0;
        }
        at = end;
      }
      done(null, Buffer.concat(kept));
    },
  });
}
