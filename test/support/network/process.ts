import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The command as users have it: the bundle. */
export const CLI = new URL('../../../dist/cli.js', import.meta.url).pathname;

export interface Finished {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

type Environment = Readonly<Record<string, string>>;

/** An environment without the variables that the command itself reads. */
function cleanEnvironment(extra: Environment): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(
    ([name]) => !/^(TEEBOX_|PORT$|NO_COLOR$|FORCE_COLOR$)/.test(name),
  );
  return { ...Object.fromEntries(inherited), ...extra };
}

/** Runs the command to its end. */
export async function runCli(args: readonly string[], env: Environment = {}): Promise<Finished> {
  const child = spawn(process.execPath, [CLI, ...args], { env: cleanEnvironment(env) });
  const output = collect(child);
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, ...output() };
}

const tellPeak = `import { readFileSync, writeFileSync } from 'node:fs';
process.on('exit', () => writeFileSync(process.env.STATUS, readFileSync('/proc/self/status')));`;

/**
 * Runs the command to its end, and tells the most memory that it took, in KiB. What Node says of its own peak is at least
 * that of the program by which it was started.
 */
export async function runMeasured(args: readonly string[]): Promise<Finished & { readonly peak: number }> {
  const folder = mkdtempSync(join(tmpdir(), 'teebox-peak-'));
  const [status, preload] = [join(folder, 'status'), `data:text/javascript,${encodeURIComponent(tellPeak)}`];
  try {
    const finished = await runCli(args, { NODE_OPTIONS: `--import=${preload}`, STATUS: status });
    return { ...finished, peak: peakIn(readFileSync(status, 'utf8')) };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The most memory of a process by its file in `/proc`, in KiB. */
export function peakIn(status: string): number {
  return Number(/VmHWM:\s+(\d+) kB/.exec(status)![1]);
}

export interface Started {
  readonly child: ChildProcess;
  readonly baseUrl: string;
  /** The line on stdout that told it was ready. */
  readonly ready: {
    readonly event: string;
    readonly adminUrl: string;
    readonly channels: readonly Record<string, string>[];
  };
  output(): Omit<Finished, 'code'>;
  /** Sends a signal and waits for the end; gives back the exit code. */
  stop(signal?: NodeJS.Signals): Promise<number | null>;
}

/**
 * Starts `serve` on a free port and waits until it is ready.
 *
 * @param through A command that starts the command behind it.
 */
export async function startCli(
  args: readonly string[] = [],
  env: Environment = {},
  through: readonly string[] = [],
): Promise<Started> {
  const [command, ...words] = [...through, process.execPath, CLI, 'serve', '--port', '0', '--json', ...args];
  const child = spawn(command!, words, { env: cleanEnvironment(env) });
  const output = collect(child);
  const closed = once(child, 'close');
  while (!output().stdout.includes('\n')) {
    const ended = await Promise.race([closed.then(() => true), once(child.stdout, 'data').then(() => false)]);
    if (ended) throw new Error(`serve ended before it was ready: ${output().stderr}`);
  }
  const ready = JSON.parse(output().stdout);
  const stop = async (signal: NodeJS.Signals = 'SIGTERM') => {
    child.kill(signal);
    const [code] = (await closed) as [number | null];
    return code;
  };
  return { child, baseUrl: ready.baseUrl, ready, output, stop };
}

/** A command that runs until a signal ends it. */
export interface Running {
  readonly child: ChildProcess;
  /** Its first line on stdout. */
  readonly line: string;
  /** Its exit code, when it has ended. */
  readonly closed: Promise<number | null>;
}

/** Starts a command and waits for its first line on stdout. */
export async function startCommand(args: readonly string[], env: Environment = {}): Promise<Running> {
  const child = spawn(process.execPath, [CLI, ...args], { env: cleanEnvironment(env) });
  const output = collect(child);
  const closed = once(child, 'close').then(([code]) => code as number | null);
  while (!output().stdout.includes('\n')) {
    const ended = await Promise.race([closed.then(() => true), once(child.stdout, 'data').then(() => false)]);
    if (ended) throw new Error(`${args[0]} ended before it was ready: ${output().stderr}`);
  }
  return { child, line: output().stdout.split('\n', 1)[0]!, closed };
}

function collect(child: ChildProcess): () => Omit<Finished, 'code'> {
  let stdout = '';
  let stderr = '';
  child.stdout!.on('data', (chunk) => (stdout += chunk));
  child.stderr!.on('data', (chunk) => (stderr += chunk));
  return () => ({ stdout, stderr });
}
