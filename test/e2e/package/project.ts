import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

export interface Outcome {
  readonly code: number;
  /** All that was printed. */
  readonly output: string;
}

/** A project of somebody else's, in which the package is installed as from the registry. */
export interface Project {
  readonly folder: string;
  /** What npm printed when it installed the packages. */
  readonly installed: string;
  write(files: Readonly<Record<string, string>>): void;
  /** Runs a program by its arguments; `node` and those that packages bring. */
  run(program: string, ...args: readonly string[]): Promise<Outcome>;
  /** Runs a program of the machine in the folder, by its path. */
  execute(path: string, ...args: readonly string[]): Promise<Outcome>;
  /** Runs a command of a package that is not installed. */
  npx(packed: string, ...command: readonly string[]): Promise<Outcome>;
  remove(): void;
}

const root = new URL('../../..', import.meta.url).pathname;
const { devDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  readonly devDependencies: Readonly<Record<string, string>>;
};

/** Tools that this project does not use itself; Playwright Test has the version of the library. */
const runners: Readonly<Record<string, string>> = {
  '@playwright/test': devDependencies['playwright-core']!,
  jest: '30.5.2',
  '@babel/core': '7.29.13',
  '@babel/preset-env': '7.29.14',
  yarn: '1.22.22',
  orval: '8.38.0',
  'swagger-typescript-api': '13.13.0',
  '@hey-api/openapi-ts': '0.95.0',
  '@apidevtools/swagger-cli': '4.0.4',
  'jest-fixed-jsdom': '0.0.11',
  'jest-environment-jsdom': '30.5.2',
};

function versionOf(name: string): string {
  return devDependencies[name] ?? runners[name]!;
}

function execute(cwd: string, program: string, args: readonly string[]): Promise<Outcome> {
  return new Promise((resolve) => {
    execFile(program, args, { cwd, maxBuffer: 64_000_000 }, (error, stdout, stderr) => {
      resolve({ code: error ? Number(error.code) || 1 : 0, output: stdout + stderr });
    });
  });
}

async function succeed(cwd: string, program: string, ...args: readonly string[]): Promise<string> {
  const { code, output } = await execute(cwd, program, args);
  if (code !== 0) throw new Error(`Failed to run \`${program} ${args.join(' ')}\`: ${output}`);
  return output;
}

/**
 * Node 24, which the gate installs beside its other tools.
 *
 * @throws {Error} if it is missing, with how to install it.
 */
export function newerNode(): string {
  const folder = join(process.env['TEEBOX_TOOLS'] ?? 'TEEBOX_TOOLS', 'wrangler');
  const path = join(folder, 'node_modules/node/bin/node');
  if (existsSync(path)) return path;
  throw new Error(
    `Node 24 is missing. Run \`npm install --prefix $TEEBOX_TOOLS/wrangler node@24\`; looked for ${path}.`,
  );
}

/** Packs the package and installs it, with others that this project has too, into an empty project. */
export async function installPackage(...others: readonly string[]): Promise<Project> {
  const folder = mkdtempSync(join(tmpdir(), 'teebox-package-'));
  const write: Project['write'] = (files) => {
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(join(folder, dirname(name)), { recursive: true });
      writeFileSync(join(folder, name), text);
    }
  };
  await succeed(root, 'npm', 'pack', '--pack-destination', folder);
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { readonly version: string };
  write({ 'package.json': JSON.stringify({ name: 'partner', private: true, type: 'module' }) });
  const versions = others.map((name) => `${name}@${versionOf(name)}`);
  const installed = await succeed(
    folder,
    'npm',
    'install',
    '--no-audit',
    '--no-fund',
    `./teebox-${version}.tgz`,
    ...versions,
  );
  return {
    folder,
    installed,
    write,
    run: (program, ...args) =>
      program === 'node'
        ? execute(folder, process.execPath, args)
        : execute(folder, join(folder, 'node_modules/.bin', program), args),
    execute: (path, ...args) => execute(folder, path, args),
    npx: (packed, ...command) => execute(folder, 'npx', ['--yes', '--package', packed, ...command]),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
