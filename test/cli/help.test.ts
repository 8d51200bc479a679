import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { onCommandLine, readArguments } from '../../src/cli/args.js';
import { parted } from '../../src/cli/commands/command.js';
import { commands } from '../../src/cli/commands/table.js';
import { pageText, partOf, topicNames, topics } from '../../src/cli/help/page-text.js';
import { commandHelp, generalHelp } from '../../src/cli/help/usage.js';
import { runCli } from '../support/network/process.js';

const root = new URL('../../', import.meta.url);
const pageOf = (file: string): string => readFileSync(new URL(file, root), 'utf8');

test.each<[name: string, markdown: string, text: string]>([
  ['a heading', '# One `two`', 'One `two`\n========='],
  ['a heading before a paragraph', '## One\nTwo.', 'One\n---\n\nTwo.'],
  ['lines of a paragraph', 'One\ntwo **three**.', 'One two three.'],
  ['links', '[Page](page.md#part), [Site](https://a.example)', 'Page, Site <https://a.example>'],
  ['comments, images and HTML', '<!-- x: generated -->\n![a](b.png)<br>One\n<!-- /x -->', 'One'],
  ['code', 'One:\n\n```sh\ncurl a \\\n  b\n```\n\nTwo.', 'One:\n\n    curl a \\\n      b\n\nTwo.'],
  ['a list', '- One\n  more\n- Two', '- One more\n- Two'],
  ['a table of two columns', '| a | b |\n|---|---|\n| `x\\|y` | means |', '  `x|y`\n      means'],
  ['a table of more columns', '| a | b | c |\n|---|---|---|\n| x | | z |', '  x\n      c: z'],
  ['a table at a paragraph', 'One:\n\n| a | b |\n|---|---|\n| x | y |\n\nTwo.', 'One:\n\n  x\n      y\n\nTwo.'],
  ['a placeholder in code', 'Write `<id>` here.', 'Write `<id>` here.'],
  ['front matter', '---\ntitle: One\n---\n\nTwo.', 'Two.'],
])('the text of a page: %s', (_name, markdown, text) => {
  expect(pageText(markdown)).toBe(text);
});

test('a part of a page ends at the next heading of its depth', () => {
  const page = '# One\n\n## Two\n\na\n\n### Three\n\nb\n\n## Four\n\nc\n';
  expect(partOf(page, 'Two')).toBe('## Two\n\na\n\n### Three\n\nb\n');
  expect(partOf(page, 'Four')).toBe('## Four\n\nc\n');
  expect(partOf(page, 'Five')).toBeUndefined();
});

test.each(topicNames)('the topic %s is a part of the documentation that fits a terminal', (name) => {
  const { file, ...topic } = topics[name];
  const part = partOf(pageOf(`docs/${file}`), 'heading' in topic ? topic.heading : undefined);
  const text = pageText(part!);
  expect(text.length).toBeGreaterThan(100);
  expect(text.match(/^#+ |<!--|\]\([^)]*\.md/m)).toBeNull();
  expect(Object.keys(commands)).not.toContain(name);
});

test('help lists commands and topics, explains each, and refuses others', async () => {
  const { stdout } = await runCli(['help']);
  for (const name of [...topicNames, ...Object.keys(commands)]) expect(stdout).toContain(`  ${name} `);
  const heading = 'Exit codes\n----------\n\n  0\n';
  expect(await runCli(['help', 'exit-codes'])).toMatchObject({ code: 0, stdout: expect.stringContaining(heading) });
  const refused = await runCli(['help', 'exitcodes']);
  expect(refused).toMatchObject({ code: 2, stderr: 'teebox: There is no topic exitcodes. Did you mean exit-codes?\n' });
  expect(await runCli(['help', 'state', 'worlds'])).toMatchObject({ code: 2 });
});

test('the general help explains six commands, and names the others', async () => {
  const { stdout } = await runCli(['--help']);
  const [, list = ''] = /Commands:\n\n([^]*?)\n\n/.exec(stdout) ?? [];
  const explained = [...list.matchAll(/^  (\w+)/gm)].map(([, name]) => name!);
  expect(explained).toEqual(['serve', 'exec', 'check', 'twin', 'certify', 'scenarios']);
  const [, more = ''] = /More commands: ([^.]*)\./.exec(stdout.replaceAll('\n', ' ')) ?? [];
  expect([...explained, ...more.split(', '), 'help'].sort()).toEqual(Object.keys(commands).sort());
  expect(stdout).not.toContain('--port');
});

test.each([40, 60, 80, 100])('the help wraps at a terminal of %i characters, and says the same', async (width) => {
  const words = (text: string) => text.split(/\s+/);
  const texts = await Promise.all(
    Object.values(commands).map(async ({ load }) => {
      const command = await load();
      return [commandHelp(command, width), commandHelp(command)] as const;
    }),
  );
  for (const [narrow, usual] of [...texts, [generalHelp(commands, width), generalHelp(commands)]]) {
    expect(words(narrow!)).toEqual(words(usual!));
    // A call, a word and the name of a flag with its value stay in one line.
    const prose = narrow!
      .split('\n')
      .filter((line) => !/^  (#|teebox|--|[a-z])/.test(line) && /\S\s+\S/.test(line.trim()));
    expect(prose.filter((line) => line.length > width)).toEqual([]);
  }
});

test.each([60, 80, 120])('a paragraph of the help fills its lines of %i characters', async (width) => {
  for (const { load } of Object.values(commands)) {
    const command = await load();
    const [, ...paragraphs] = commandHelp(command, width).split('\n\n');
    expect(paragraphs.slice(0, 2).join(' ').replaceAll('\n', ' ')).toContain(
      command.what.replaceAll(/\n+/g, ' ').slice(0, 40),
    );
    for (const paragraph of paragraphs.filter((one) => /^[A-Z].*[^:]$/m.test(one.split('\n')[0]!))) {
      const lines = paragraph.split('\n');
      const short = lines.slice(1).filter((line, at) => lines[at]!.length + 1 + line.split(' ')[0]!.length <= width);
      expect(short, command.usage).toEqual([]);
    }
  }
});

describe.each(Object.entries(commands))('the help of %s', (name, { load }) => {
  test('has each flag in one group', async () => {
    const { flags, groups } = await load();
    if (!groups) return expect(Object.keys(flags).length).toBeLessThan(6);
    expect(groups.flatMap(([, names]) => names).sort()).toEqual(Object.keys(onCommandLine(flags)).sort());
  });

  test('has examples that it reads, before the flags', async () => {
    const command = await load();
    const { flags, examples = [], takesCommand } = command;
    for (const [call] of examples) {
      const words = [...call.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain!);
      expect(words.slice(0, 2)).toEqual(['teebox', name]);
      const own = takesCommand ? parted(words.slice(2)).own : words.slice(2);
      expect(() => readArguments(flags, own, {})).not.toThrow();
    }
    const text = commandHelp(command);
    const places = [
      ...examples.map(([call]) => call),
      ...Object.keys(flags)
        .slice(0, 1)
        .map((flag) => `\n  --${flag}`),
    ];
    expect(places.filter((place) => !text.includes(place))).toEqual([]);
    if (examples.length > 0) expect(text.indexOf('Examples:')).toBeLessThan(text.indexOf('\n  --'));
    expect(Math.max(...text.split('\n').map(({ length }) => length))).toBeLessThan(110);
  });
});

test('bash completes commands, flags and topics', async () => {
  const { stdout: script } = await runCli(['completion', 'bash']);
  const complete = async (...words: string[]): Promise<string[]> => {
    const line = `${script}\nCOMP_WORDS=(teebox "$@"); COMP_CWORD=$#; _teebox; printf '%s\\n' "\${COMPREPLY[@]}"`;
    const { stdout } = await promisify(execFile)('bash', ['-c', line, 'bash', ...words]);
    return stdout.trim().split('\n');
  };
  expect(await complete('ce')).toEqual(['certify']);
  expect(await complete('check', '--second-b')).toEqual(['--second-basic']);
  expect(await complete('help', 'exi')).toEqual(['exit-codes']);
  expect(await complete('completion', 'z')).toEqual(['zsh']);
  expect(await complete('--por')).toEqual(['--port']);
  expect(await complete('check', '--none')).toEqual(['']);
});
