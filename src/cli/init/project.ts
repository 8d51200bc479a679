import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { UsageError } from '../usage-error.js';

interface Manifest {
  readonly type?: string;
  readonly packageManager?: string;
  readonly workspaces?: unknown;
  readonly scripts?: Readonly<Record<string, string>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly [key: string]: unknown;
}

/** How a package manager runs a command of a package, and installs one. */
export interface Manager {
  readonly name: string;
  readonly run: string;
  readonly add: string;
}

const managers: readonly (Manager & { readonly locks: readonly string[] })[] = [
  {
    name: 'pnpm',
    run: 'pnpm exec',
    add: 'pnpm add --save-dev',
    locks: ['pnpm-lock.yaml', 'pnpm-workspace.yaml'],
  },
  { name: 'yarn', run: 'yarn', add: 'yarn add --dev', locks: ['yarn.lock'] },
  { name: 'bun', run: 'bun run', add: 'bun add --dev', locks: ['bun.lock', 'bun.lockb'] },
  {
    name: 'npm',
    run: 'npx',
    add: 'npm install --save-dev',
    locks: ['package-lock.json', 'npm-shrinkwrap.json'],
  },
];

/** A file that looks like a test, with its beginning. */
export interface TestFile {
  /** Its path from the folder of the project, with slashes. */
  readonly path: string;
  readonly text: string;
}

/** What `teebox init` sees of a project before it writes anything. */
export interface Project {
  readonly folder: string;
  readonly manifest: Manifest;
  readonly manager: Manager;
  /** The names of the files in its folder. */
  readonly names: readonly string[];
  /** Its tests, those in the fewest folders first. */
  readonly tests: readonly TestFile[];
  /** Whether Yarn keeps its packages elsewhere than in node_modules. */
  readonly plugAndPlay: boolean;
  /** The language of its files, as far as it has any. */
  readonly language: 'typescript' | 'javascript' | undefined;
}

const TEST_NAME = /[._-](test|spec|e2e)\.[cm]?[jt]sx?$/;
const TEST_FOLDER = /(^|\/)(__tests__|tests?|specs?|e2e)\//;
const CODE = /(?<!\.d)\.[cm]?[jt]sx?$/;
const skipped = new Set(['node_modules', 'dist', 'build', 'coverage', 'out']);
/** The most folders that are looked into, and how deep. */
const MOST_FOLDERS = 2000;
const DEEPEST = 6;
/** As much of a file as says what it imports. */
const HEAD = 16_384;

/** The folder and those above it. */
function upwards(folder: string): string[] {
  const above = dirname(folder);
  return above === folder ? [folder] : [folder, ...upwards(above)];
}

/**
 * Looks at the project in a folder.
 *
 * @throws {UsageError} if its package.json cannot be read.
 */
export function lookAt(folder: string): Project {
  const names = readdirSync(folder);
  const manifest = manifestOf(join(folder, 'package.json')) ?? {};
  const tests = testsIn(folder);
  const code = [...names, ...tests.map(({ path }) => path)].filter((name) => CODE.test(name));
  const typescript = names.includes('tsconfig.json') || code.some((name) => /\.[cm]?tsx?$/.test(name));
  return {
    folder,
    manifest,
    manager: managerOf(folder),
    names,
    tests,
    plugAndPlay: upwards(folder).some((at) => existsSync(join(at, '.pnp.cjs'))),
    language: typescript ? 'typescript' : code.length > 0 ? 'javascript' : undefined,
  };
}

function manifestOf(path: string): Manifest | undefined {
  if (!existsSync(path)) return undefined;
  try {
    const value: unknown = JSON.parse(readFileSync(path, 'utf8').replace(/^\uFEFF/, ''));
    if (typeof value !== 'object' || value === null) throw new SyntaxError('it is no object');
    return value as Manifest;
  } catch (error) {
    throw new UsageError(
      `Failed to read ${path}: ${(error as Error).message}. Correct it, then run \`teebox init\` again.`,
    );
  }
}

/** The package manager of the project, or of the monorepo that it is in: what package.json names, or else the lock file. */
function managerOf(folder: string): Manager {
  for (const at of upwards(folder)) {
    const named = manifestOf(join(at, 'package.json'))?.packageManager?.split('@')[0];
    const found = managers.find(({ name, locks }) =>
      named === undefined ? locks.some((lock) => existsSync(join(at, lock))) : name === named,
    );
    if (found) return found;
  }
  return managers.at(-1)!;
}

function testsIn(folder: string): TestFile[] {
  const tests: TestFile[] = [];
  const folders: { at: string; depth: number }[] = [{ at: folder, depth: 0 }];
  // Folders near the root come first.
  for (let next = 0; next < folders.length && next < MOST_FOLDERS; next += 1) {
    const { at, depth } = folders[next]!;
    for (const entry of entriesOf(at)) {
      const path = join(at, entry.name);
      if (entry.isDirectory()) {
        if (depth < DEEPEST && !entry.name.startsWith('.') && !skipped.has(entry.name))
          folders.push({ at: path, depth: depth + 1 });
        continue;
      }
      const inside = relative(folder, path).replaceAll('\\', '/');
      if (!entry.isFile() || !(TEST_NAME.test(inside) || (TEST_FOLDER.test(inside) && CODE.test(inside)))) continue;
      const text = readFileSync(path, 'utf8').slice(0, HEAD);
      if (/\b(test|it|describe)\s*[.(]/.test(text)) tests.push({ path: inside, text });
    }
  }
  return tests;
}

function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return []; // a folder that may not be read has no tests for us
  }
}

/** Where a package is installed for the project: in its own folder, or hoisted to one above. */
export function installedAt({ folder }: Project, name: string): string | undefined {
  const found = upwards(folder).find((at) => existsSync(join(at, 'node_modules', name, 'package.json')));
  return found && relative(folder, join(found, 'node_modules', name)).replaceAll('\\', '/');
}

/** The version of an installed package. */
export function versionOf(project: Project, name: string): string | undefined {
  const at = installedAt(project, name);
  return at && String(manifestOf(join(project.folder, at, 'package.json'))?.['version']);
}

/** Whether a test of the project can import a package. */
export function has(project: Project, name: string): boolean {
  return installedAt(project, name) !== undefined || (project.plugAndPlay && dependsOn(project, name));
}

export function dependsOn({ manifest }: Project, name: string): boolean {
  return name in { ...manifest.dependencies, ...manifest.devDependencies };
}

/** The members of a monorepo whose root the folder is: their folders, as far as they have a package.json. */
export function membersOf({ folder, manifest, names }: Project): readonly string[] {
  if (manifest.workspaces === undefined && !names.includes('pnpm-workspace.yaml')) return [];
  const near = ['.', 'packages', 'apps', 'libs', 'modules'].flatMap((group) =>
    entriesOf(join(folder, group))
      .filter((entry) => entry.isDirectory() && !skipped.has(entry.name))
      .map(({ name }) => (group === '.' ? name : `${group}/${name}`)),
  );
  return near.filter((path) => existsSync(join(folder, path, 'package.json')));
}
