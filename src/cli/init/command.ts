import { existsSync } from 'node:fs';
import { createInterface } from 'node:readline/promises';
import { closest, consoleLine } from '../../common/index.js';
import type { Flags } from '../args.js';
import { defineCommand } from '../commands/command.js';
import { UsageError } from '../usage-error.js';
import { ciJob, type CiName } from './ci-jobs.js';
import { setUp } from './set-up.js';
import type { ToolName } from './test-texts.js';
import { tools } from './test-tools.js';
import { writeAll } from './write.js';

type Kind = ToolName | CiName;

/** What `teebox init` can set a project up for, with its question. */
const kinds: Readonly<Record<Kind, string>> = {
  vitest: 'Unit tests with Vitest',
  jest: 'Unit tests with Jest',
  playwright: 'End-to-end tests with Playwright',
  github: 'A check of a deployment in GitHub Actions',
  gitlab: 'A check of a deployment in GitLab CI/CD',
};
const names = Object.keys(kinds) as readonly Kind[];
const known: readonly string[] = [...names, 'ci'];
const DEPLOYMENT = 'https://staging.example.com';

const flags = {
  url: {
    value: 'URL',
    help: `the base URL of the deployment that a CI job checks (${DEPLOYMENT})`,
    read: (text: string) => (/^https?:\/\/[\w.:/~-]+$/.test(text) ? text : undefined),
    due: 'a base URL, such as https://staging.example.com',
  },
} as const satisfies Flags;

export const command = defineCommand({
  usage: 'init [KIND ...] [FLAGS]',
  what: `Adds a first test or a CI job to a project. KIND is vitest, jest or playwright for a test, and github or gitlab for a
CI job that checks a deployment; ci is github, or gitlab in a folder with a .gitlab-ci.yml. Without KIND, it asks for each.
It looks at the package manager, the configuration and the tests of the project, writes what fits, and runs the test if
the tool and Teebox are installed. If the project's own configuration does not run it, the test gets one of its own.
A file that exists is kept.

Exit codes: 0 written or kept, 1 the test failed and nothing was written, 2 usage error.`,
  flags,
  examples: [
    ['teebox init', 'ask what to write'],
    ['teebox init vitest', 'a test with a sandbox of its own'],
    ['teebox init gitlab --url https://staging.example.com', 'a GitLab job that checks a deployment'],
  ],
  completes: known,
  async run({ values, positionals, terminal }) {
    for (const word of positionals) {
      if (known.includes(word)) continue;
      const guess = closest(word, known);
      const hint = guess ? ` Did you mean ${guess}?` : '';
      throw new UsageError(`init knows ${known.join(', ')}, but not \`${word}\`.${hint}`);
    }
    const chosen = positionals.length > 0 ? positionals.map(kindOf) : await asked();
    if (chosen.length === 0) throw new UsageError(`Nothing was chosen. Run \`teebox init\` with ${names.join(', ')}.`);
    let passed = true;
    for (const kind of new Set(chosen)) {
      if (kind in tools) passed = (await setUp(kind as ToolName, process.cwd(), terminal)) && passed;
      else await addJob(kind as CiName, values.url, terminal.out);
    }
    return passed ? 0 : 1;
  },
});

async function addJob(name: CiName, url: string | undefined, out: (line: string) => void): Promise<void> {
  const files = await writeAll('.', await ciJob(name, url ?? DEPLOYMENT));
  for (const { path, kept } of files) out(consoleLine(kept ? `kept  ${path}, which exists` : `wrote ${path}`));
  const secret = name === 'github' ? 'secret' : 'masked variable';
  const steps = [
    ...(url ? [] : [`write the base URL of your deployment over ${DEPLOYMENT} in ${files[0]!.path}`]),
    `put user:password of a sales channel into the ${secret} TEEBOX_BASIC`,
    ...(name === 'gitlab' ? ['if .gitlab-ci.yml was kept, add .gitlab/teebox.yml to its `include`'] : []),
  ];
  out(`  next: ${steps.join('; ')}`);
}

function kindOf(word: string): Kind {
  if (word !== 'ci') return word as Kind;
  return existsSync('.gitlab-ci.yml') ? 'gitlab' : 'github';
}

/** The kinds that the user says yes to, one question each; the end of the input says no. */
async function asked(): Promise<readonly Kind[]> {
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  const answers = lines[Symbol.asyncIterator]();
  const chosen: Kind[] = [];
  for (const kind of names) {
    process.stderr.write(`${kinds[kind]}? [y/N] `);
    const { value } = await answers.next();
    // Nobody has ended the line of the question.
    if (!process.stdin.isTTY) process.stderr.write('\n');
    if (/^y(es)?$/i.test(String(value ?? '').trim())) chosen.push(kind);
  }
  lines.close();
  return chosen;
}
