import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { createInterface } from 'node:readline';

const root = new URL('../../..', import.meta.url).pathname;
export const OPERATOR_TOKEN = 'the-operator-token-of-tests';

/** The workerd that TEEBOX_WORKERD names, or an installed one. */
function binary(): string {
  const path = process.env['TEEBOX_WORKERD'] ?? join(root, 'node_modules/.bin/workerd');
  if (existsSync(path)) return path;
  throw new Error(
    `There is no workerd at ${path}. Install it with \`npm install --prefix /tmp/workerd workerd@1.20261117.1\` ` +
      'and set TEEBOX_WORKERD=/tmp/workerd/node_modules/.bin/workerd.',
  );
}

/** The configuration as it is, or one with which worlds can post to receivers on this machine. */
function configuration(reaches: 'public' | 'local'): string {
  const own = join(root, 'deploy/workerd/config.capnp');
  if (reaches === 'public') return own;
  // As deep as its original, and no part of the package.
  const folder = join(root, 'node_modules/.cache');
  mkdirSync(folder, { recursive: true });
  const changed = join(folder, 'workerd-local.capnp');
  const text = readFileSync(own, 'utf8').replace('["public"]', '["public", "local", "private"]');
  writeFileSync(changed, text.replace('"console.js"', '"../../deploy/workerd/console.js"'));
  return changed;
}

/** A process of workerd with the configuration of `deploy/workerd`, on a free port and with a folder of its own. */
export class Workerd {
  readonly folder = mkdtempSync(join(tmpdir(), 'teebox-workerd-'));
  #child: ChildProcess | undefined;
  #port = 0;
  #log = '';

  constructor(
    readonly environment: Readonly<Record<string, string>> = {},
    readonly reaches: 'public' | 'local' = 'public',
  ) {}

  static async start(...given: ConstructorParameters<typeof Workerd>): Promise<Workerd> {
    const workerd = new Workerd(...given);
    await workerd.start();
    return workerd;
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  get pid(): number {
    return this.#child!.pid!;
  }

  /** What the process has written. */
  get log(): string {
    return this.#log;
  }

  /** Starts the process, the first time on a free port and then on the same again. */
  async start(): Promise<void> {
    const folder = `data=${this.folder}`;
    const options = ['--socket-addr', `http=127.0.0.1:${this.#port}`, '--directory-path', folder, '--control-fd', '3'];
    const child = spawn(binary(), ['serve', configuration(this.reaches), ...options], {
      stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
      env: { ...process.env, TEEBOX_OPERATOR_TOKEN: OPERATOR_TOKEN, ...this.environment },
    });
    this.#child = child;
    for (const stream of [child.stdout!, child.stderr!]) {
      stream.on('data', (data: Buffer) => (this.#log = `${this.#log}${data}`.slice(-100_000)));
    }
    for await (const line of createInterface({ input: child.stdio[3] as Readable })) {
      const { event, port } = JSON.parse(line) as { event: string; port: number };
      if (event !== 'listen') continue;
      this.#port = port;
      return;
    }
    throw new Error(`workerd did not start: ${this.#log}`);
  }

  /** Kills the process at once, as a crash would. Its folder stays. */
  async kill(): Promise<void> {
    const child = this.#child;
    this.#child = undefined;
    if (child?.exitCode !== null || child.signalCode !== null) return;
    const gone = once(child, 'exit');
    child.kill('SIGKILL');
    await gone;
  }

  async restart(): Promise<void> {
    await this.kill();
    await this.start();
  }

  /** Ends the process and removes its folder. */
  async close(): Promise<void> {
    await this.kill();
    rmSync(this.folder, { recursive: true, force: true });
  }
}
