import type { MessagePort } from 'node:worker_threads';
import { isatty } from 'node:tty';
import type { Environment } from './network/proxy.js';

/** The output of a command, and what ends it early: results go to `out`, everything else to `err`. */
export interface Terminal {
  out(line: string): void;
  err(line: string): void;
  /** Writes over one line of stderr; absent where that is no terminal. */
  readonly progress?: (text: string) => void;
  /** Characters of a line of stdout, if that is a terminal: of 40 or more. */
  readonly width?: number;
  /** Whether lines to `err` may be coloured. */
  readonly colour: boolean;
  /** Whether lines to `out` may be coloured. */
  readonly outColour: boolean;
  /** From now on, the first signal is kept from ending the process, and stops this instead. A second one ends the process. */
  untilStopped(): AbortSignal;
}

/** What a command in a thread asks of the process. */
export type Asked =
  | { readonly to: 'out' | 'err' | 'progress'; readonly text: string }
  | { readonly to: 'stop'; readonly text?: never };

/** Lines that are shorter or longer than this cannot be read well. */
const [LEAST_WIDTH, MOST_WIDTH] = [40, 100];

/** The terminal of this process. */
export function processTerminal({ stdout, stderr, env }: NodeJS.Process): Terminal {
  return {
    out: (line) => void stdout.write(`${line}\n`),
    err: (line) => void stderr.write(`${line}\n`),
    ...shown(env, (text) => void stderr.write(`\r\u001B[K${text}`)),
    ...(stdout.columns >= LEAST_WIDTH ? { width: Math.min(stdout.columns, MOST_WIDTH) } : {}),
    untilStopped() {
      const stop = new AbortController();
      for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort());
      return stop.signal;
    },
  };
}

/**
 * The terminal of the process, for a command in a thread. The streams of a thread would wait for a reader that has closed
 * early, and signals reach the process alone.
 */
export function threadTerminal(port: MessagePort, env: Environment): Terminal {
  const ask = (asked: Asked): void => port.postMessage(asked);
  return {
    out: (text) => ask({ to: 'out', text }),
    err: (text) => ask({ to: 'err', text }),
    ...shown(env, (text) => ask({ to: 'progress', text })),
    untilStopped() {
      const stop = new AbortController();
      port.once('message', () => stop.abort());
      port.unref();
      ask({ to: 'stop' });
      return stop.signal;
    },
  };
}

/** What depends on whether somebody watches. */
function shown(
  env: Environment,
  progress: (text: string) => void,
): Pick<Terminal, 'colour' | 'outColour' | 'progress'> {
  const [out, err] = [isatty(1), isatty(2)];
  return { colour: err && !env['NO_COLOR'], outColour: out && !env['NO_COLOR'], ...(err ? { progress } : {}) };
}
