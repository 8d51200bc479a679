import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The mock servers, as they are published on npm, and a Node on which all of them run. */
const packages = {
  node: '24.21.0',
  '@hono/node-server': '2.1.8',
  '@mockoon/cli': '9.9.0',
  '@scalar/mock-server': '0.14.4',
  '@stoplight/prism-cli': '5.16.0',
  wiremock: '3.13.2',
} as const;

export type PeerPackage = keyof typeof packages;

/** Where the mock servers are. */
export interface Peers {
  readonly directory: string;
  readonly node: string;
  /** A file of a package. */
  file(name: PeerPackage, path: string): string;
  version(name: PeerPackage): string;
}

/** Installs the mock servers into a folder for temporary files, unless they are there. */
export function installPeers(): Peers {
  const directory = join(tmpdir(), 'teebox-peers');
  const file = (name: PeerPackage, path: string) => join(directory, 'node_modules', name, path);
  const version = (name: PeerPackage): string => JSON.parse(readFileSync(file(name, 'package.json'), 'utf8')).version;
  const isThere = (name: PeerPackage) => existsSync(file(name, 'package.json')) && version(name) === packages[name];
  if (!(Object.keys(packages) as PeerPackage[]).every(isThere)) {
    process.stderr.write(`  installing ${Object.keys(packages).join(', ')} into ${directory} ...\n`);
    mkdirSync(directory, { recursive: true });
    const manifest = { private: true, type: 'module', dependencies: packages };
    writeFileSync(join(directory, 'package.json'), JSON.stringify(manifest, null, 2));
    const { status } = spawnSync('npm', ['install', '--no-audit', '--no-fund', '--loglevel=error'], {
      cwd: directory,
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    if (status !== 0) throw new Error('npm could not install the mock servers. They need a registry of npm.');
  }
  return { directory, node: file('node', 'bin/node'), file, version };
}
