import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { closest, consoleLine } from '../../common/index.js';
import type { Flags } from '../args.js';
import { defineCommand } from '../commands/command.js';
import { UsageError } from '../usage-error.js';
import { filesOf, type Kind, kinds } from './files.js';

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
  what: `Writes the first files of a project. KIND is vitest, jest or playwright for a test, and github or gitlab for a CI job
that checks a deployment; ci is github, or gitlab in a folder with a .gitlab-ci.yml. Without KIND, it asks for each.
A file that exists is kept. Exit codes: 0 written or kept, 2 usage error.`,
  flags,
  examples: [
    ['teebox init', 'ask what to write'],
    ['teebox init vitest', 'a test with a sandbox of its own'],
    ['teebox init gitlab --url https://staging.example.com', 'a GitLab job that checks a deployment'],
  ],
  completes: known,
  async run({ values, positionals, terminal: { out } }) {
    for (const word of positionals) {
      if (known.includes(word)) continue;
      const guess = closest(word, known);
      const hint = guess ? ` Did you mean ${guess}?` : '';
      throw new UsageError(`init knows ${known.join(', ')}, but not \`${word}\`.${hint}`);
    }
    const chosen = positionals.length > 0 ? positionals.map(kindOf) : await asked();
    if (chosen.length === 0) throw new UsageError(`Nothing was chosen. Run \`teebox init\` with ${names.join(', ')}.`);
    for (const kind of new Set(chosen)) {
      for (const [path, text] of Object.entries(await filesOf(kind, values.url ?? DEPLOYMENT)))
        out(consoleLine(await written(path, text)));
      out(`  next: ${kinds[kind].next}`);
    }
    return 0;
  },
});

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
    process.stderr.write(`${kinds[kind].asks}? [y/N] `);
    const { value } = await answers.next();
    // Nobody has ended the line of the question.
    if (!process.stdin.isTTY) process.stderr.write('\n');
    if (/^y(es)?$/i.test(String(value ?? '').trim())) chosen.push(kind);
  }
  lines.close();
  return chosen;
}

/** Writes a file, and says so; never over one that somebody may have changed. */
async function written(path: string, text: string): Promise<string> {
  try {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text, { flag: 'wx' });
    return `wrote ${path}`;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') return `kept  ${path}, which exists`;
    throw new UsageError(`Failed to write ${path}: ${code}. Run \`teebox init\` in a folder where you can write.`);
  }
}
