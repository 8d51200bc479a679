import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process';
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);
const root = new URL('../../..', import.meta.url).pathname;

/** podman with a store of its own. runc and cgroupfs also work where there is no systemd. */
export class Podman {
  readonly #folder = mkdtempSync(join(tmpdir(), 'teebox-podman-'));
  readonly #global = ['--runtime', 'runc', '--cgroup-manager', 'cgroupfs', '--root', join(this.#folder, 'store')];

  #service: ChildProcess | undefined;

  async call(...args: readonly string[]): Promise<string> {
    try {
      return (await run('podman', [...this.#global, ...args], { cwd: root, maxBuffer: 1 << 26 })).stdout.trim();
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
      throw new Error('podman was not found. Install podman, runc and busybox-static, as .ci/run does.', {
        cause: error,
      });
    }
  }

  /** Builds the image of the Dockerfile on a base made of this machine's own Node. */
  async build(tag: string): Promise<void> {
    await this.#importBase('localhost/node:test');
    const args = [
      '--isolation',
      'chroot',
      '--network',
      'host',
      '--pull=never',
      '--build-arg',
      'NODE_IMAGE=localhost/node:test',
    ];
    // `docker` has health checks, which the default format leaves out.
    await this.call('build', '--format', 'docker', ...args, ...registryOf(), '--tag', tag, '.');
  }

  /** Starts the API that clients of Docker use, and returns its address. Limits are those of `start` in the tests. */
  async serve(): Promise<string> {
    const socket = join(this.#folder, 'podman.sock');
    const settings = join(this.#folder, 'containers.conf');
    writeFileSync(settings, '[containers]\ndefault_ulimits = ["nofile=1024:1024", "nproc=1000:1000"]\n');
    const env = { ...process.env, CONTAINERS_CONF: settings };
    const args = [...this.#global, 'system', 'service', '--time', '0', `unix://${socket}`];
    this.#service = spawn('podman', args, { env, stdio: 'ignore' });
    while (!existsSync(socket)) {
      if (this.#service.exitCode !== null) throw new Error('`podman system service` has ended.');
      await sleep(50);
    }
    return `unix://${socket}`;
  }

  async close(): Promise<void> {
    this.#service?.kill();
    await this.call('rm', '--all', '--force').catch(() => {});
    // podman leaves its store mounted.
    await run('umount', [join(this.#folder, 'store/overlay')]).catch(() => {});
    rmSync(this.#folder, { recursive: true, force: true });
  }

  async #importBase(tag: string): Promise<void> {
    const folder = join(this.#folder, 'base');
    makeBase(folder);
    const archive = join(this.#folder, 'base.tar');
    execFileSync('tar', ['-C', folder, '-cf', archive, '.']);
    await this.call('import', archive, tag);
  }
}

/**
 * The part of the official Node image that the Dockerfile uses: a shell, Node, npm and the user 1000. The image itself
 * is in a registry that a test cannot count on.
 */
function makeBase(folder: string): void {
  for (const name of ['bin', 'etc', 'proc', 'root', 'tmp', 'usr/bin', 'usr/lib/node_modules']) {
    mkdirSync(join(folder, name), { recursive: true });
  }
  copyFileSync('/bin/busybox', join(folder, 'bin/busybox'));
  execFileSync('chroot', [folder, '/bin/busybox', '--install', '-s', '/bin']);
  symlinkSync('/bin/env', join(folder, 'usr/bin/env'));
  copyFileSync(process.execPath, join(folder, 'usr/bin/node'));
  const linked = execFileSync('ldd', [process.execPath], { encoding: 'utf8' }).match(/\/\S+/g) ?? [];
  // The image has the whole C library; native packages link to a part of it that Node does not need.
  const rt = linked.flatMap((path) => (path.endsWith('/libc.so.6') ? [path.replace('libc.so.6', 'librt.so.1')] : []));
  const libraries = [...linked, ...rt];
  for (const library of libraries) {
    mkdirSync(join(folder, dirname(library)), { recursive: true });
    copyFileSync(library, join(folder, library));
  }
  const globals = execFileSync('npm', ['root', '--global'], { encoding: 'utf8' }).trim();
  cpSync(join(globals, 'npm'), join(folder, 'usr/lib/node_modules/npm'), { recursive: true });
  symlinkSync('../lib/node_modules/npm/bin/npm-cli.js', join(folder, 'usr/bin/npm'));
  writeFileSync(join(folder, 'etc/passwd'), 'root:x:0:0:root:/root:/bin/sh\nnode:x:1000:1000::/home/node:/bin/sh\n');
  writeFileSync(join(folder, 'etc/group'), 'root:x:0:\nnode:x:1000:\n');
}

/** Lets npm in the build use the registry that npm uses here. */
function registryOf(): string[] {
  const setting = (name: string): string =>
    execFileSync('npm', ['config', 'get', name], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  const authority = setting('cafile');
  const registry = ['--env', `npm_config_registry=${setting('registry')}`];
  if (authority === '' || authority === 'null' || authority === 'undefined') return registry;
  return [...registry, '--volume', `${authority}:/etc/ca.pem:ro`, '--env', 'npm_config_cafile=/etc/ca.pem'];
}

/** A file of the repository. */
export const read = (path: string): string => readFileSync(join(root, path), 'utf8');
