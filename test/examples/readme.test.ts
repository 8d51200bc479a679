import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readmeText } from '../../spec/generate/readme.js';
import { readKnown } from '../../src/conformance/known.js';
import { fileReporters } from '../../src/conformance/reporters/index.js';
import { permissions, verdicts } from '../../src/conformance/types.js';
import { parseDialectCard } from '../../src/index.js';
import { checkFlags } from '../../src/node/commands/check-flags.js';
import { runCli, type Started, startCli } from '../support/process.js';

const run = promisify(execFile);
const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');

/** The code blocks of a language below a heading, in order. */
function blocks(heading: string, language: string): string[] {
  const start = readme.indexOf(`## ${heading}\n`);
  const section = readme.slice(start, readme.indexOf('\n## ', start));
  return [...section.matchAll(new RegExp(`\`\`\`${language}\n([\\s\\S]*?)\n\`\`\``, 'g'))].map((match) => match[1]!);
}

test('its tables and its example are those of the sources', () => {
  expect(readmeText(readme)).toBe(readme);
});

describe('its commands', () => {
  let server: Started;
  beforeAll(async () => {
    server = await startCli();
  });
  afterAll(() => server.stop());

  const shell = async (command: string): Promise<string> => {
    const here = command.replaceAll('http://127.0.0.1:4653', server.baseUrl);
    return (await run('sh', ['-c', here.replace('curl ', 'curl -s ')])).stdout;
  };

  test('the first curl answers what is shown', async () => {
    const [, curl] = blocks('Start', 'sh');
    expect(await shell(curl!)).toBe(blocks('Start', 'json')[0]);
  });

  test('the refusal is the one shown', async () => {
    const [curl] = blocks('Why was I refused?', 'sh');
    const got = (await shell(curl!)).replaceAll('\r', '').split('\n');
    const [shown] = blocks('Why was I refused?', '');
    for (const line of shown!.split('\n').filter((one) => !one.startsWith('teebox-request-id')))
      expect(got).toContain(line);
  });

  test('the way back to the start is open', async () => {
    const [reset] = /curl -X POST \S+\/reset/.exec(readme)!;
    expect(JSON.parse(await shell(reset))).toEqual({ status: 'reset' });
  });
});

test('every command of the table is one, and rules named in the text exist', async () => {
  const commands = [...readme.matchAll(/^\| `teebox (\w+)/gm)].map((match) => match[1]!);
  for (const command of commands) expect((await runCli([command, '--help'])).code).toBe(0);
  expect(commands).toEqual(['serve', 'exec', 'check', 'rules', 'questions', 'scenarios', 'spec']);
  const [rule] = /(?<=`teebox rules )[\w.]+(?=` tells)/.exec(readme)!;
  expect((await runCli(['rules', rule])).stdout).toContain(`${rule}  (stated)`);
});

test('the dialect card is one', () => {
  expect(parseDialectCard(JSON.parse(blocks('Dialects', 'json')[0]!)).name).toBe('staging');
});

test('what it says of check is so: flags, baseline, verdicts, leave, exit codes', () => {
  const start = readme.indexOf('## Does a deployment conform?\n');
  const section = readme.slice(start, readme.indexOf('\n## ', start));
  const flags = [...section.matchAll(/(?<![\w-])--([a-z][a-z-]+)/g)].map(([, name]) => name!);
  expect(flags.filter((name) => !Object.hasOwn(checkFlags, name))).toEqual([]);
  expect(readKnown(JSON.parse(blocks('Does a deployment conform?', 'json')[0]!))).toHaveLength(1);
  const firstCells = [...section.matchAll(/^\| ((?:`[a-z][a-z-]+`(?:, )?)+) \|/gm)].flatMap(([, cell]) =>
    cell!.split(', '),
  );
  expect(firstCells.sort()).toEqual([...permissions, ...verdicts].map((word) => `\`${word}\``).sort());
  expect([...section.matchAll(/^\| (\d) \|/gm)].map(([, code]) => code)).toEqual(['0', '1', '2', '3', '4']);
  for (const format of Object.keys(fileReporters)) expect(section).toContain(`\`${format}\``);
});

test('every entry of the package is in the table, and no other', () => {
  const { exports } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
  const entries = Object.keys(exports).filter((name) => name !== './package.json');
  const rows = [...readme.matchAll(/^\| (`teebox[`/][^|]*) \|/gm)].flatMap(([, cell]) => cell!.split(', '));
  expect(rows.sort()).toEqual(entries.map((name) => `\`${name.replace('.', 'teebox')}\``).sort());
});

test('the shorter examples fit a screen', () => {
  const headings = ['In unit tests, with MSW', 'In a browser', 'With Vitest', 'With Jest and others', 'Types'];
  const more = ['Assertions on state', 'A failure in a test', "In the service's own tests"];
  const examples = [...headings, ...more].map((one) => blocks(one, 'ts'));
  expect(examples.map((some) => some.length)).toEqual([4, 1, 2, 1, 1, 1, 1, 1]);
  for (const code of examples.flat()) expect(code.split('\n').length).toBeLessThanOrEqual(25);
});

test('the example in process runs', async () => {
  const [code] = blocks('In process', 'ts');
  const bundle = new URL('../../dist/index.js', import.meta.url).href;
  const file = join(mkdtempSync(join(tmpdir(), 'teebox-readme-')), 'example.mjs');
  const script = code!.replace("'teebox'", `'${bundle}'`).replaceAll(']!', ']');
  writeFileSync(file, `${script}\nconsole.log(JSON.stringify({ data, cancelled }));\n`);
  const { data, cancelled } = JSON.parse((await run(process.execPath, [file])).stdout);
  expect(data.length).toBeGreaterThan(0);
  expect(cancelled.length).toBeGreaterThan(0);
  expect(cancelled.every(({ status }: { status: string }) => status === 'CANCELED')).toBe(true);
});
