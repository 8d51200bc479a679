import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { rootFolder } from './folders.js';
import { code, table } from './markdown.js';

/** Where the programs of the quick starts are, and where the tests run them. */
export const quickStartFolder = 'test/examples/quick-starts';

/** The same day of a partner in one language. The tests run what this says, and the pages say what the tests run. */
export interface QuickStart {
  /** The name of the page, and the beginning of its sections. */
  readonly page: string;
  readonly title: string;
  readonly file: string;
  /** The language of its code blocks. */
  readonly fence: string;
  /** The command that the page shows. */
  readonly run: string;
  /** What the tests run the program with. The output of its `version` command has the words of `says`. */
  readonly tool: { readonly name: string; readonly version: string; readonly says: RegExp; readonly packages: string };
  /** What the tests do instead of `run`. The page shows it as well, with the reason. */
  readonly instead?: { readonly build: string; readonly run: string; readonly note: string };
}

export const quickStarts: readonly QuickStart[] = [
  {
    page: 'curl',
    title: 'curl',
    file: 'partner.sh',
    fence: 'sh',
    run: 'sh partner.sh',
    tool: {
      name: 'curl and jq',
      version: 'curl --version && jq --version',
      says: /^curl [^]*^jq-/m,
      packages: 'curl jq',
    },
  },
  {
    page: 'typescript',
    title: 'TypeScript',
    file: 'partner.ts',
    fence: 'ts',
    run: 'npx tsx partner.ts',
    tool: { name: 'tsx', version: 'npx tsx --version', says: /^tsx v/m, packages: 'tsx, with npm ci' },
  },
  {
    page: 'python',
    title: 'Python',
    file: 'partner.py',
    fence: 'python',
    run: 'python3 partner.py',
    tool: { name: 'Python 3', version: 'python3 --version', says: /^Python 3\./m, packages: 'python3' },
  },
  {
    page: 'java',
    title: 'Java',
    file: 'partner.java',
    fence: 'java',
    run: 'java -cp /usr/share/java/gson.jar partner.java',
    tool: {
      name: 'Java 17',
      version: 'java -version',
      says: /version "17\./,
      packages: 'openjdk-17-jdk-headless libgoogle-gson-java',
    },
  },
  {
    page: 'csharp',
    title: 'C#',
    file: 'partner.cs',
    fence: 'csharp',
    run: 'dotnet run partner.cs',
    tool: {
      name: 'Mono 6',
      version: 'mono --version',
      says: /compiler version 6\./,
      packages: 'mono-mcs libmono-system-net-http4.0-cil libmono-system-json4.0-cil',
    },
    instead: {
      build:
        'mcs -langversion:latest -main:EntryPoint -r:System.Net.Http -r:System.Json -out:partner.exe ' +
        'partner.cs ../../e2e/docs/quick-starts/mono.cs',
      run: 'mono partner.exe',
      note: 'Mono has no `System.Text.Json`, so a [stand-in](../../test/e2e/docs/quick-starts/mono.cs) takes its place. They do not run it with .NET.',
    },
  },
  {
    page: 'go',
    title: 'Go',
    file: 'partner.go',
    fence: 'go',
    run: 'go run partner.go',
    tool: { name: 'Go 1', version: 'go version', says: /go version go1\./, packages: 'golang-go' },
  },
  {
    page: 'php',
    title: 'PHP',
    file: 'partner.php',
    fence: 'php',
    run: 'php partner.php',
    tool: { name: 'PHP 8', version: 'php --version', says: /^PHP 8\./m, packages: 'php-cli php-curl' },
  },
];

/** A program in two parts: how it calls the service, and the day, which begins with step 1. */
function partsOf({ file }: QuickStart): { readonly calls: string; readonly day: string } {
  const text = readFileSync(resolve(rootFolder, quickStartFolder, file), 'utf8');
  const start = text.lastIndexOf('\n', text.indexOf(' 1. Trade ')) + 1;
  if (start === 0) throw new Error(`${file} has no step "1. Trade", where the page begins. Please restore it.`);
  const day = text.slice(start).trimEnd();
  // Methods of a class: without its indent, and without the brace that ends it.
  const flat = day.startsWith('    ') ? day.replaceAll(/^ {4}/gm, '').replace(/\n\}$/, '') : day;
  return { calls: text.slice(0, start).trim(), day: flat };
}

function fenced(language: string, text: string): string {
  return `\`\`\`${language}\n${text}\n\`\`\``;
}

/** Folded, so that the day comes first and the page stays short. */
function folded(summary: string, text: string): string {
  return `<details>\n<summary>${summary}</summary>\n\n${text}\n\n</details>`;
}

function runSection({ file, run, tool, instead }: QuickStart): string {
  const where = `The program is [${quickStartFolder}/${file}](../../${quickStartFolder}/${file}).`;
  const label = `**Our tests run it with ${tool.name}.**`;
  const shown = (...lines: readonly string[]): string => fenced('sh', [`cd ${quickStartFolder}`, ...lines].join('\n'));
  if (!instead) return `${where} ${label}\n\n${shown(run)}`;
  const packages = `On Debian, \`apt-get install ${tool.packages}\` installs it.`;
  return [where, shown(run), `${label} ${instead.note} ${packages}`, shown(instead.build, instead.run)].join('\n\n');
}

function overview(): string {
  const rows = quickStarts.map(({ page, title, file, run, tool }) => [
    `[${title}](${page}.md)`,
    `[${file}](../../${quickStartFolder}/${file})`,
    code(run),
    tool.name,
  ]);
  return table(['language', 'program', 'command', 'our tests run it with'], rows);
}

/** The generated sections of the pages in `docs/quick-starts`. */
export const quickStartSections: Readonly<Record<string, () => string>> = {
  'quick-starts': overview,
  ...Object.fromEntries(
    quickStarts.flatMap((one) => [
      [`${one.page}-run`, () => runSection(one)],
      [`${one.page}-day`, () => fenced(one.fence, partsOf(one).day)],
      [`${one.page}-calls`, () => folded('The code of the calls', fenced(one.fence, partsOf(one).calls))],
    ]),
  ),
};
