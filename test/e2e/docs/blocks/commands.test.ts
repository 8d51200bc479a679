import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { readArguments } from '../../../../src/cli/args.js';
import { commonFlags, parted } from '../../../../src/cli/commands/command.js';
import { type CommandName, commands } from '../../../../src/cli/commands/table.js';
import { parseYaml } from '../../../../src/cli/yaml.js';
import { checkedBlocks } from './exceptions.js';
import { allBlocks, inlineCurls, placeOf } from './pages.js';
import { commandsOf, type ShellCommand, teeboxArguments } from './shell.js';

const root = new URL('../../../../', import.meta.url);
const { scripts } = JSON.parse(readFileSync(new URL('package.json', root), 'utf8')) as {
  readonly scripts: Readonly<Record<string, string>>;
};

/** Reads a command as the command line does, without running it. */
async function readCommand(words: ShellCommand): Promise<void> {
  const [program, verb, script = ''] = words;
  if (program === 'npm' && verb === 'run' && !Object.hasOwn(scripts, script))
    throw new Error(`npm has no script ${script}`);
  const args = teeboxArguments(words);
  if (!args) return;
  const [first = ''] = args;
  const named = first !== '' && !first.startsWith('-') && first !== 'help';
  if (named && !Object.hasOwn(commands, first)) throw new Error(`teebox has no command ${first}`);
  const command = await commands[(named ? first : 'serve') as CommandName].load();
  const rest = named ? args.slice(1) : args;
  const { own, after } = command.takesCommand ? parted(rest) : { own: rest };
  const values = own.map((word) => (/^\$\w+$/.test(word) ? 'https://example.com' : word));
  readArguments({ ...command.flags, ...commonFlags }, values, {});
  if (after) await readCommand(after);
}

/** The commands in the texts of a workflow. */
function textsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsOf) : [];
}

test('the commands of teebox and npm that the pages show are ones', async () => {
  const blocks = allBlocks();
  const scripts = [
    ...checkedBlocks(blocks, 'commands', ['sh']).map((block) => [block, block.code] as const),
    ...checkedBlocks(blocks, 'commands', ['yaml']).flatMap((block) =>
      textsOf(parseYaml(block.code))
        .filter((text) => /^(npx |npm |teebox )/.test(text))
        .map((text) => [block, text] as const),
    ),
  ];
  const wrong: string[] = [];
  let read = 0;
  for (const [block, script] of scripts) {
    for (const words of commandsOf(script)) {
      if (teeboxArguments(words)) read += 1;
      await readCommand(words).catch((error: Error) => wrong.push(`${placeOf(block)}: ${error.message}`));
    }
  }
  expect(wrong).toEqual([]);
  expect(read).toBeGreaterThan(20);
});

/** What zsh takes for a pattern of file names, and refuses if no file has such a name. */
function patternsIn(script: string): string[] {
  const plain = script.replace(/<<-?\s*'?(\w+)'?\n[^]*?\n\1(?=\n|$)/g, '').replaceAll(/'[^']*'|"[^"]*"/g, "''");
  return plain
    .split('\n')
    .flatMap((line) => /\b(?:curl|npx|npm|teebox)\b.*?(\S*[?*[]\S*)/.exec(line.split('#')[0]!)?.[1] ?? []);
}

test('no command that the pages show has a pattern that zsh refuses', () => {
  const blocks = allBlocks().filter(({ language, code }) => language === 'sh' && !code.includes('Usage'));
  const wrong = blocks.flatMap((block) => patternsIn(block.code).map((word) => `${placeOf(block)}: ${word}`));
  expect([
    ...wrong,
    ...inlineCurls().flatMap(({ page, code }) => patternsIn(code).map((word) => `${page}: ${word}`)),
  ]).toEqual([]);
  expect(patternsIn('curl http://127.0.0.1/x?a=1')).toEqual(['http://127.0.0.1/x?a=1']);
});

test.each<[script: string, wanted: readonly ShellCommand[]]>([
  ['teebox check URL --basic a:b # why', [['teebox', 'check', 'URL', '--basic', 'a:b']]],
  ['a \'b c\' "d e" && f | g; h', [['a', 'b c', 'd e'], ['f'], ['g'], ['h']]],
  ['a \\\n  b > out 2>&1\nc', [['a', 'b'], ['1'], ['c']]],
  ["cat > x <<'END'\nteebox nonsense\nEND\na", [['cat'], ['a']]],
  ['a "b \\" $(c "d") e"', [['a', 'b \\" $(c "d") e']]],
  ['x=$(cat a b) y', [['x=$(cat a b)', 'y']]],
])('%s is read as commands', (script, wanted) => {
  expect(commandsOf(script)).toEqual(wanted);
});

test.each<[command: string, message: string]>([
  ['teebox serve --prot 1', 'Unknown flag --prot'],
  ['npx --no-install teebox chek x', 'teebox has no command chek'],
  ['PORT=1 teebox --port x', '--port must be'],
  ['teebox exec -- npx --no-install teebox check x --allow nothing', '--allow must be'],
  ['npm start -- --nonsense', 'Unknown flag --nonsense'],
  ['npm run absent', 'npm has no script absent'],
])('%s is found', async (command, message) => {
  await expect(readCommand(commandsOf(command)[0]!)).rejects.toThrow(message);
});
