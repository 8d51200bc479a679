import { spawn } from 'node:child_process';
import { HAS_GROUPS, signalGroup } from '../process/child.js';

/** How long a test may take that is one request to a sandbox: the project may start a server first. */
const LONGEST_MS = 120_000;
/** As much of the end of an output as says why a run failed. */
const TAIL = 4000;

export interface Attempt {
  readonly passed: boolean;
  /** The end of what the command printed. */
  readonly output: string;
}

/** Runs a command as the user would, in the folder of the project. */
export function attempt(command: string, folder: string): Promise<Attempt> {
  // Playwright would show its report in a browser.
  const env = { ...process.env, NO_COLOR: '1', FORCE_COLOR: '0', PLAYWRIGHT_HTML_OPEN: 'never' };
  const child = spawn(command, {
    cwd: folder,
    shell: true,
    env,
    detached: HAS_GROUPS,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  const add = (text: string): void => void (output = (output + text).slice(-TAIL));
  child.stdout.setEncoding('utf8').on('data', add);
  child.stderr.setEncoding('utf8').on('data', add);
  const timer = setTimeout(() => {
    add(`\nIt did not end within ${LONGEST_MS / 1000} seconds.`);
    // The command is a shell with the tool below it.
    signalGroup(child, 'SIGKILL');
  }, LONGEST_MS);
  return new Promise((resolve) => {
    const settle = (passed: boolean): void => {
      clearTimeout(timer);
      resolve({ passed, output: output.trim() });
    };
    child.once('error', ({ message }) => {
      add(message);
      settle(false);
    });
    child.once('close', (code) => settle(code === 0));
  });
}
