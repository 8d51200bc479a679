import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { OPERATOR_TOKEN } from './workerd.js';

const folder = new URL('../../../deploy/cloudflare', import.meta.url).pathname;

/** The folder of the installed packages `node` and `wrangler`. */
function modules(): string {
  const path = process.env['TEEBOX_WRANGLER'] ?? '';
  if (path !== '' && existsSync(join(path, 'wrangler'))) return path;
  throw new Error(
    `There is no wrangler in \`${path}\`. Install it with \`npm install --prefix /tmp/wrangler --engine-strict=false ` +
      'node@24.21.0 wrangler@4.86.0` and set TEEBOX_WRANGLER=/tmp/wrangler/node_modules.',
  );
}

/** A run of wrangler in `deploy/cloudflare`. */
export class Wrangler {
  readonly #child: ChildProcess;
  readonly #exit: Promise<unknown[]>;
  output = '';

  constructor(words: readonly string[]) {
    const place = modules();
    const path = `${join(place, '.bin')}:${process.env['PATH'] ?? ''}`;
    this.#child = spawn(join(place, '.bin/node'), [join(place, 'wrangler/bin/wrangler.js'), ...words], {
      cwd: folder,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, PATH: path, WRANGLER_SEND_METRICS: 'false', CI: '1', NO_COLOR: '1' },
    });
    this.#exit = once(this.#child, 'exit');
    for (const stream of [this.#child.stdout!, this.#child.stderr!]) {
      stream.on('data', (data: Buffer) => (this.output += data));
    }
  }

  /** Serves the deployment on this machine, with its data in a folder, and gives its address. */
  static async dev(data: string): Promise<{ readonly wrangler: Wrangler; readonly url: string }> {
    const options = ['--ip', '127.0.0.1', '--port', '0', '--persist-to', data, '--show-interactive-dev-session=false'];
    const wrangler = new Wrangler(['dev', ...options, '--var', `OPERATOR_TOKEN:${OPERATOR_TOKEN}`]);
    return { wrangler, url: await wrangler.#address() };
  }

  async #address(): Promise<string> {
    for (;;) {
      const [, url] = /Ready on (http:\/\/\S+)/.exec(this.output) ?? [];
      if (url !== undefined) return url;
      if (this.#child.exitCode !== null) throw new Error(`wrangler ended: ${this.output}`);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }

  /** The exit code. */
  async ended(): Promise<number> {
    const [code] = await this.#exit;
    return code as number;
  }

  async stop(): Promise<void> {
    this.#child.kill('SIGTERM');
    await this.#exit;
  }
}
