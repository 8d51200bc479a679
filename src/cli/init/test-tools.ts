import { readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { commandWord } from '../process/windows-command.js';
import { dependsOn, installedAt, type Project } from './project.js';
import { textOf, type ToolName } from './test-texts.js';

/** Files to write, and the command that runs the test in them. */
export interface Plan {
  readonly files: Readonly<Record<string, string>>;
  readonly command: string;
}

/** A runner of tests: the names under which it finds its configuration, and where its tests may be. */
interface Tool {
  readonly title: string;
  readonly package: string;
  /** What a project without the tool has to install. */
  readonly installs: string;
  /** The words of its command. */
  readonly command: string;
  readonly configs: RegExp;
  /** The settings that say where tests are: patterns of files, and folders. */
  readonly patterns: string;
  readonly folders: string;
  /** What a test file says that is this tool's, and what one says that is another's. */
  readonly own: RegExp;
  readonly foreign: RegExp;
  readonly usual: string;
}

export const tools: Readonly<Record<ToolName, Tool>> = {
  vitest: {
    title: 'Vitest',
    package: 'vitest',
    installs: 'vitest',
    command: 'vitest run',
    configs: /^(vitest\.(config|workspace)|vite\.config)\.[cm]?[jt]s$/,
    patterns: 'include',
    folders: 'dir',
    own: /['"]vitest['"]/,
    foreign: /['"](@playwright\/test|@jest\/globals|node:test|cypress)['"]/,
    usual: 'teebox.test',
  },
  jest: {
    title: 'Jest',
    package: 'jest',
    installs: 'jest @babel/core @babel/preset-env',
    command: 'jest',
    configs: /^jest\.config\.([cm]?[jt]s|json)$/,
    patterns: 'testMatch',
    folders: 'roots',
    own: /['"]@jest\/globals['"]|\bjest\.\w+\(/,
    foreign: /['"](@playwright\/test|vitest|node:test|cypress)['"]/,
    usual: 'teebox.test',
  },
  playwright: {
    title: 'Playwright',
    package: '@playwright/test',
    installs: '@playwright/test',
    command: 'playwright test',
    configs: /^playwright\.config\.[cm]?[jt]s$/,
    patterns: 'testMatch',
    folders: 'testDir',
    own: /['"]@playwright\/test['"]/,
    foreign: /^(?![^]*['"]@playwright\/test['"])/,
    usual: 'teebox.spec',
  },
};

/** What a project has of a tool. */
export interface Found {
  /** Its configurations, by where they are: files, a key of package.json, a flag in a script. */
  readonly configs: readonly string[];
  readonly tests: readonly string[];
  /** Whether the project uses the tool already, with a configuration or with the defaults. */
  readonly used: boolean;
}

export function findOf(name: ToolName, project: Project): Found {
  const tool = tools[name];
  const { manifest, names, tests } = project;
  const files = names.filter((file) => tool.configs.test(file));
  const key = name === 'jest' && manifest['jest'] !== undefined ? ['"jest" in package.json'] : [];
  const flag = scriptOf(name, project).config;
  const own = tests.filter(({ text }) => tool.own.test(text));
  const near = own.length > 0 ? own : tests.filter(({ text }) => !tool.foreign.test(text));
  const uses = dependsOn(project, tool.package) || scriptOf(name, project).text !== undefined;
  const configs = [...new Set([...files, ...key, ...(flag === undefined ? [] : [flag])])];
  return {
    configs,
    tests: near.map(({ path }) => path),
    used: configs.length > 0 || own.length > 0 || (uses && (name === 'jest' || near.length > 0)),
  };
}

/** The script of package.json that runs the tool, and the configuration that it names. */
function scriptOf(name: ToolName, { manifest }: Project): { readonly text?: string; readonly config?: string } {
  const word = new RegExp(String.raw`(^|[\s;&/])${tools[name].command.split(' ')[0]}(\.js)?(\s|$)`);
  const texts = Object.values(manifest.scripts ?? {}).filter((text) => word.test(text));
  const configured = texts.find((text) => /\s(-c|--config)[\s=]/.test(text));
  const text = configured ?? texts[0];
  const config = configured && /\s(?:-c|--config)[\s=]["']?([^\s"']+)/.exec(configured)?.[1];
  return { ...(text !== undefined && { text }), ...(config !== undefined && { config: posix.normalize(config) }) };
}

/** The ways in which a test can be added, in the order in which they fit the project. */
export async function plansOf(name: ToolName, project: Project, found: Found): Promise<readonly Plan[]> {
  if (!found.used) return [await fresh(name, project)];
  const { config, text = '' } = scriptOf(name, project);
  const flag = config === undefined ? '' : ` --config ${commandWord(config)}`;
  const habits = [];
  for (const path of placesOf(name, project, found))
    habits.push({
      files: { [path]: await textOf(name, path, project, found.tests) },
      command: commandOf(name, project, `${flag} ${commandWord(path)}`, text.includes('experimental-vm-modules')),
    });
  return [...habits, await apart(name, project)];
}

/** A command of a tool, as the project's package manager runs it. */
function commandOf(name: ToolName, project: Project, rest: string, modules = false): string {
  const { run } = project.manager;
  const { command } = tools[name];
  // The flag of Node that lets Jest load ES modules; a variable of the environment would be written otherwise on Windows.
  if (modules) {
    const at = installedAt(project, 'jest');
    if (at === undefined && project.plugAndPlay) return `yarn node --experimental-vm-modules $(yarn bin jest)${rest}`;
    return `node --experimental-vm-modules ${at ?? 'node_modules/jest'}/bin/jest.js${rest}`;
  }
  const plain = `${run} ${command}${rest}`;
  if (name !== 'playwright') return plain;
  return `${run === 'npx' ? 'npx --no-install teebox' : `${run} teebox`} exec -- ${plain}`;
}

/** In a project that does not have the tool yet. */
async function fresh(name: ToolName, project: Project): Promise<Plan> {
  const text = (path: string) => textOf(name, path, project, []);
  if (name === 'jest') {
    const test = 'teebox.test.cjs';
    return {
      files: { 'jest.config.cjs': await textOf(name, 'jest.config.cjs', project, []), [test]: await text(test) },
      command: commandOf(name, project, ` ${test}`),
    };
  }
  if (name === 'playwright') {
    // A runner of unit tests does not take a file with this name for one of its own.
    const [config, test] = ['playwright.config.ts', 'e2e/teebox.e2e.ts'];
    const own = `import { defineConfig } from '@playwright/test';\n\nexport default defineConfig({ testDir: 'e2e', testMatch: '**/*.e2e.ts', fullyParallel: true });\n`;
    return { files: { [config]: own, [test]: await text(test) }, command: commandOf(name, project, '') };
  }
  const test = `teebox.test.${project.language === 'javascript' ? 'js' : 'ts'}`;
  return { files: { [test]: await text(test) }, command: commandOf(name, project, ` ${test}`) };
}

/** Besides the project's own tests, with a configuration that the tool does not find by itself. */
async function apart(name: ToolName, project: Project): Promise<Plan> {
  const config = `${name}.teebox.config.mjs`;
  const test = name === 'jest' ? 'teebox.jest.mjs' : `teebox.${name}.ts`;
  const settings: Readonly<Record<ToolName, string>> = {
    vitest: `{ test: { include: ['${test}'] } }`,
    jest: `{ testMatch: ['<rootDir>/${test}'], transform: {} }`,
    playwright: `{ testMatch: '${test}' }`,
  };
  return {
    files: { [config]: `export default ${settings[name]};\n`, [test]: await textOf(name, test, project, []) },
    command: commandOf(name, project, ` --config ${config}`, name === 'jest'),
  };
}

/** Where the project's own configuration may look for a test: as it says, as its other tests are, as the tool does by itself. */
function placesOf(name: ToolName, project: Project, { configs, tests }: Found): readonly string[] {
  const tool = tools[name];
  // Jest needs something that compiles TypeScript; Playwright takes the language of its configuration.
  const typescript =
    name === 'jest'
      ? project.language === 'typescript'
      : project.language !== 'javascript' &&
        !(name === 'playwright' && configs.some((file) => /\.[cm]?js$/.test(file)));
  const text = configs.map((config) => configText(config, project)).join('\n');
  const folders = settingsIn(text, tool.folders).map((folder) => pathOf(folder, typescript));
  const patterns = settingsIn(text, tool.patterns).map((pattern) => pathOf(pattern, typescript));
  const usual = `${tool.usual}.${typescript ? 'ts' : 'js'}`;
  const files = patterns.filter((path) => /\.[cm]?[jt]sx?$/.test(path ?? ''));
  const stated = folders.flatMap((folder) =>
    [...files, usual].map((file) => folder && file && posix.join(folder, file)),
  );
  const beside = tests.map((path) =>
    posix.join(posix.dirname(path), `teebox${TAIL.exec(posix.basename(path))?.[0] ?? ''}`),
  );
  const places = [...(folders.length > 0 ? stated : files), ...beside, usual];
  return [...new Set(places.filter((path) => path !== undefined))]
    .filter((path) => !path.startsWith('..'))
    .slice(0, MOST_PLACES);
}

/** What the name of a test ends with: all that says that it is one. */
const TAIL = /(?:\.\w+|[_-](?:test|spec|e2e))?\.[cm]?[jt]sx?$/;
/** Each one is tried, which takes seconds. */
const MOST_PLACES = 4;

function configText(config: string, { folder, manifest }: Project): string {
  if (config.startsWith('"')) {
    const { jest } = manifest;
    return typeof jest === 'string' ? configText(jest, { folder, manifest } as Project) : JSON.stringify(jest);
  }
  try {
    return readFileSync(join(folder, config), 'utf8');
  } catch {
    return ''; // a script may name a file that does not exist
  }
}

/** The strings of a setting in the text of a configuration, as far as it has them as such. */
function settingsIn(text: string, setting: string): string[] {
  const one = `"[^"]*"|'[^']*'`;
  const value = new RegExp(
    String.raw`(?<![\w.])["']?${setting}["']?\s*:\s*(\[\s*(?:(?:${one})\s*(?:,\s*)?)*\]|${one})`,
    'g',
  );
  return [...text.matchAll(value)].flatMap(([, list]) =>
    [...list!.matchAll(/"([^"]*)"|'([^']*)'/g)].map(([, double, single]) => double ?? single!),
  );
}

/** A path that fits a pattern; undefined for a pattern of another kind. */
function pathOf(pattern: string, typescript: boolean): string | undefined {
  const choose = (options: string, separator: string): string => {
    const all = options.split(separator);
    return all.find((one) => one === (typescript ? 'ts' : 'js')) ?? all[0]!;
  };
  const path = pattern
    .replace(/^<rootDir>\/?/, '')
    .replaceAll(/\?\([^()]*\)/g, '')
    .replaceAll(/[@+]?\(([^()]*)\)/g, (_, options: string) => choose(options, '|'))
    .replaceAll(/\{([^{}]*)\}/g, (_, options: string) => choose(options, ','))
    .replaceAll(/\[([^[\]]*)\]/g, (_, letters: string) => (letters.includes('t') && typescript ? 't' : letters[0]!))
    .replaceAll('**/', '')
    .replaceAll(/\*+/g, 'teebox');
  return /[()[\]{}?!|+]/.test(path) ? undefined : posix.normalize(path || '.');
}
