import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, posix } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readPages, writtenPages } from '../../spec/generate/pages.js';
import { readKnown } from '../../src/conformance/run/known.js';
import { fileReporters } from '../../src/conformance/report/index.js';
import { permissions, verdicts } from '../../src/conformance/client/types.js';
import { parseDialectCard } from '../../src/engine/library.js';
import { questions } from '../../src/contract/generated/built/catalogue.js';
import { onCommandLine } from '../../src/cli/args.js';
import { checkFlags } from '../../src/cli/commands/check-flags.js';
import { command as proxy } from '../../src/cli/proxy/command.js';
import { command as certify } from '../../src/cli/certify/command.js';
import { command as diff } from '../../src/cli/commands/diff.js';
import { commands as table } from '../../src/cli/commands/table.js';
import { runCli, type Started, startCli } from '../support/network/process.js';

const root = new URL('../../', import.meta.url);
const run = promisify(execFile);
const pages = readPages();
const pageOf = (name: string): string => pages.get(name)!;
const readme = pageOf('README.md');

/** The code blocks of a language in a page, in order; below a heading of the page where one is given. */
function blocks(name: string, language: string, heading?: string): string[] {
  const page = pageOf(name);
  const start = heading === undefined ? 0 : page.indexOf(`## ${heading}\n`);
  const end = heading === undefined ? undefined : page.indexOf('\n## ', start);
  const section = page.slice(start, end === -1 ? undefined : end);
  return [...section.matchAll(new RegExp(`\`\`\`${language}\n([\\s\\S]*?)\n\`\`\``, 'g'))].map((match) => match[1]!);
}

// `npm run check:generated` compares them, too.
test('tables and examples are those of the sources', { tags: ['slow'] }, () => {
  expect([...writtenPages(pages)]).toEqual([...pages]);
});

test('the README is short', () => {
  expect(readme.split('\n').length).toBeLessThan(200);
});

test('links lead to pages and headings that exist', () => {
  const anchorsOf = (text: string): string[] =>
    [...text.matchAll(/^#+ (.+)$/gm)].map(([, title]) =>
      title!
        .toLowerCase()
        .replace(/[^\w\s-]/g, '')
        .trim()
        .replaceAll(' ', '-'),
    );
  const broken = [...pages].flatMap(([name, text]) =>
    [...text.replaceAll(/```[^]*?```/g, '').matchAll(/\]\((?!https?:)([^)#]*)(?:#([^)]+))?\)/g)].flatMap(
      ([link, path, anchor]) => {
        const file = path === '' ? name : posix.join(posix.dirname(name), path!);
        if (!existsSync(new URL(file, root))) return [`${name}: ${link}`];
        const target = pages.get(file);
        return anchor === undefined || (target && anchorsOf(target).includes(anchor)) ? [] : [`${name}: ${link}`];
      },
    ),
  );
  expect(broken).toEqual([]);
});

describe('the commands that are shown', () => {
  let server: Started;
  beforeAll(async () => {
    server = await startCli();
  });
  afterAll(() => server.stop());

  const cwd = mkdtempSync(join(tmpdir(), 'teebox-pages-'));
  const shell = async (command: string): Promise<string> => {
    const here = command.replaceAll('http://127.0.0.1:4653', server.baseUrl);
    return (await run('sh', ['-c', here.replace('curl ', 'curl -s ')], { cwd })).stdout;
  };

  test('the first curl answers what is shown', async () => {
    const [, curl] = blocks('README.md', 'sh', 'Run it');
    expect(await shell(curl!)).toBe(blocks('README.md', 'json', 'Run it')[0]);
  });

  test('the token, the booking and the failure are those shown', async () => {
    const [refresh, book] = blocks('README.md', 'sh', 'Book a tee time');
    const [fail, list] = blocks('README.md', 'sh', 'Make a booking fail');
    const shown = [
      ...blocks('README.md', 'json', 'Book a tee time'),
      ...blocks('README.md', 'json', 'Make a booking fail'),
    ];
    const booked = { teeId: 302614705, contactLastName: 'Lovelace', status: 'BOOKED' };
    // The README begins with a reset, so that its order works again.
    for (let turn = 1; turn <= 2; turn += 1) {
      await shell(blocks('README.md', 'sh', 'Run it')[2]!);
      const got: string[] = [];
      for (const command of [refresh, book, fail]) got.push(await shell(command!));
      expect(got).toEqual(shown);
      expect(JSON.parse(await shell(list!))).toMatchObject({ success: true, data: [booked, booked] });
    }
  });

  test('the refusal is the one shown', async () => {
    const [curl] = blocks('docs/failures.md', 'sh', 'Why a request was refused');
    const got = (await shell(curl!)).replaceAll('\r', '').split('\n');
    const [shown] = blocks('docs/failures.md', '', 'Why a request was refused');
    for (const line of shown!.split('\n').filter((one) => !one.startsWith('teebox-request-id')))
      expect(got).toContain(line);
  });

  test('the clock moves, and the inbox has the result', async () => {
    const page = 'docs/time-and-callbacks.md';
    const moves = blocks(page, 'sh', 'The clock')[0]!.split('\n');
    const shown: { now?: string; mode?: string }[] = [];
    for (const move of moves) shown.push(JSON.parse(await shell(move)));
    expect(shown.map(({ mode }) => mode)).toEqual(['running', 'running', undefined, 'standing', 'running']);
    expect(shown[1]!.now).toMatch(/^2030-06-03T09:00:/);
    const got = await shell(blocks(page, 'sh', 'Receive callbacks')[0]!);
    expect(got).toContain('{"success":true,"data":null}');
    expect(got).toContain('"facilityId":1001');
  });

  test('the reset works', async () => {
    const [reset] = /curl -X POST \S+\/reset/.exec(readme)!;
    expect(JSON.parse(await shell(reset))).toEqual({ status: 'reset' });
  });
});

test('the table has every command, and the rule named in the text exists', async () => {
  const commands = [...pageOf('docs/command-line.md').matchAll(/^\| \[`teebox (\w+)`\]/gm)].map((match) => match[1]!);
  expect(commands).toEqual(Object.keys(table));
  const [rule] = /(?<=`teebox list rules )[\w.]+(?=` prints)/.exec(pageOf('docs/failures.md'))!;
  expect((await runCli(['list', 'rules', rule])).stdout).toMatch(new RegExp(`^${rule}\n[^]*What a deployment must do`));
});

test('the dialect card is one', () => {
  expect(parseDialectCard(JSON.parse(blocks('docs/dialects.md', 'json')[0]!)).name).toBe('staging');
});

test('the page for operators has every question, and ranks questions that exist', () => {
  const [before, after] = pageOf('docs/operators.md').split('## All questions') as [string, string];
  const idsIn = (text: string): string[] => [...text.matchAll(/`([a-z-]+\.[a-z0-9.-]+)`/g)].map(([, id]) => id!);
  const known = questions.map(({ id }) => id);
  expect(idsIn(before.slice(before.indexOf('## Answer these first'))).filter((id) => !known.includes(id))).toEqual([]);
  expect(known.filter((id) => !after.includes(`** \`${id}\`\n`))).toEqual([]);
});

test('the page about the proxy names flags that there are', () => {
  const flags = [...pageOf('docs/proxy.md').matchAll(/(?<![\w-]|npx )--([a-z][a-z0-9-]+)/g)].map(([, name]) => name!);
  const others = ['replay', 'scenario'];
  expect(flags.filter((name) => !Object.hasOwn(proxy.flags, name) && !others.includes(name))).toEqual([]);
});

test('the page about certify tells the truth: flags, verdicts, exit codes', () => {
  const page = pageOf('docs/certify.md');
  const flags = [...page.matchAll(/(?<![\w-]|npx )--([a-z][a-z0-9-]+)/g)].map(([, name]) => name!);
  expect(flags.filter((name) => !Object.hasOwn(certify.flags, name))).toEqual([]);
  const verdictRows = [...page.matchAll(/^\| `(pass|fail|not-seen)` \|/gm)].map(([, verdict]) => verdict);
  expect(verdictRows).toEqual(['pass', 'fail', 'not-seen']);
  expect([...page.matchAll(/^\| (\d) \|/gm)].map(([, code]) => code)).toEqual(['0', '1', '2', '3', '4']);
});

test('the page about check tells the truth: flags, baseline, verdicts, permissions, exit codes', () => {
  const section = pageOf('docs/conformance.md');
  const flags = [...section.matchAll(/(?<![\w-]|npx )--([a-z][a-z0-9-]+)/g)].map(([, name]) => name!);
  const known = { ...onCommandLine(checkFlags), ...diff.flags };
  expect(flags.filter((name) => !Object.hasOwn(known, name))).toEqual([]);
  expect(readKnown(JSON.parse(blocks('docs/conformance.md', 'json')[0]!))).toHaveLength(2);
  const firstCells = [...section.matchAll(/^\| ((?:`(?:--allow )?[a-z][a-z-]+`(?:, )?)+) \|/gm)].flatMap(([, cell]) =>
    cell!.replace('--allow ', '').split(', '),
  );
  expect(firstCells.sort()).toEqual([...permissions, 'lockout', ...verdicts].map((word) => `\`${word}\``).sort());
  expect([...section.matchAll(/^\| (\d) \|/gm)].map(([, code]) => code)).toEqual(['0', '1', '2', '3', '4']);
  for (const format of Object.keys(fileReporters)) expect(section).toContain(`\`${format}\``);
});

test('every entry of the package is in the table, and no other', () => {
  const { exports } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
  const entries = Object.keys(exports).filter((name) => name !== './package.json');
  const rows = [...pageOf('docs/library.md').matchAll(/^\| (`teebox[`/][^|]*) \|/gm)].flatMap(([, cell]) =>
    cell!.split(', '),
  );
  expect(rows.sort()).toEqual(entries.map((name) => `\`${name.replace('.', 'teebox')}\``).sort());
});

test('the shorter examples fit a screen', () => {
  const headings = [
    'MSW',
    'Vitest',
    'Jest and other runners',
    'node:test',
    'Types',
    'Assertions on state',
    'A failure in a test',
  ];
  const examples = [
    ...headings.map((one) => blocks('docs/unit-tests.md', 'ts', one)),
    blocks('docs/front-ends.md', 'ts'),
    blocks('docs/end-to-end.md', 'ts'),
    blocks('docs/conformance.md', 'ts'),
  ];
  // Each heading and page has at least one.
  expect(examples.filter((some) => some.length === 0)).toEqual([]);
  for (const code of examples.flat()) expect(code.split('\n').length).toBeLessThanOrEqual(25);
});

test('the example of the README runs', async () => {
  const [code] = blocks('README.md', 'ts');
  const bundle = new URL('../../dist/index.js', import.meta.url).href;
  const file = join(mkdtempSync(join(tmpdir(), 'teebox-pages-')), 'example.mjs');
  const script = code!.replace("'teebox'", `'${bundle}'`).replaceAll(']!', ']');
  writeFileSync(file, `${script}\nconsole.log(JSON.stringify({ data, cancelled }));\n`);
  const { data, cancelled } = JSON.parse((await run(process.execPath, [file])).stdout);
  expect(data.length).toBeGreaterThan(0);
  expect(cancelled.length).toBeGreaterThan(0);
  expect(cancelled.every(({ status }: { status: string }) => status === 'CANCELED')).toBe(true);
});
