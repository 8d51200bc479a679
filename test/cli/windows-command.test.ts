import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { findOf, plansOf } from '../../src/cli/init/test-tools.js';
import { lookAt } from '../../src/cli/init/project.js';
import { commandWord, startOnWindows } from '../../src/cli/process/windows-command.js';

const env = { PATH: String.raw`C:\Program Files\nodejs;"C:\tools"`, PATHEXT: '.COM;.EXE;.BAT;.CMD', ComSpec: 'cmd' };
const files = [
  String.raw`C:\Program Files\nodejs\node.exe`,
  String.raw`C:\Program Files\nodejs\npx.cmd`,
  // A shell of Unix finds this one.
  String.raw`C:\Program Files\nodejs\npx`,
  String.raw`C:\tools\run.bat`,
  String.raw`node_modules\.bin\vitest.cmd`,
  'both.exe',
  'both.cmd',
];
const exists = (path: string) => files.some((file) => file.toLowerCase() === path.toLowerCase().replaceAll('/', '\\'));
const npx = String.raw`C:\Program^ Files\nodejs\npx.cmd`;

test.each<[command: string, args: readonly string[], line: string | undefined]>([
  ['npx', ['vitest', 'run'], `${npx} ^"vitest^" ^"run^"`],
  ['npx.cmd', [], npx],
  ['npx', ['a b', 'c&d', '%PATH%', ''], `${npx} ^"a^ b^" ^"c^&d^" ^"^%PATH^%^" ^"^"`],
  ['npx', ['say "hi"', 'C:\\dir\\'], String.raw`${npx} ^"say^ \^"hi\^"^" ^"C:\dir\\^"`],
  ['run', ['x'], String.raw`C:\tools\run.bat ^"x^"`],
  [String.raw`C:\tools\run`, ['x'], String.raw`C:\tools\run.bat ^"x^"`],
  ['C:/tools/run.bat', ['x'], String.raw`C:\tools\run.bat ^"x^"`],
  ['./node_modules/.bin/vitest', ['a b'], String.raw`node_modules\.bin\vitest.cmd ^^^"a^^^ b^^^"`],
  // What Windows starts by itself, and what does not exist.
  ['node', ['a b'], undefined],
  ['both', [], undefined],
  [String.raw`C:\Program Files\nodejs\node.exe`, ['x'], undefined],
  ['nothing', [], undefined],
])('%s %j is started by the shell of Windows if it is a batch file', (command, args, line) => {
  const want =
    line === undefined
      ? { file: command, args }
      : { file: 'cmd', args: ['/d', '/s', '/c', `"${line}"`], windowsVerbatimArguments: true };
  const found = startOnWindows(command, args, env, (path) => exists(path.replace(/^\.[\\/]/, '')));
  expect(found).toEqual(want);
});

test.each<[text: string, unix: string, windows: string]>([
  ['src/a.test.ts', 'src/a.test.ts', 'src/a.test.ts'],
  [String.raw`src\a.test.ts`, String.raw`'src\a.test.ts'`, String.raw`src\a.test.ts`],
  ['my tests/a.ts', "'my tests/a.ts'", '"my tests/a.ts"'],
  ['app/(shop)/$id.ts', "'app/(shop)/$id.ts'", '"app/(shop)/$id.ts"'],
  ["it's", String.raw`'it'\''s'`, '"it\'s"'],
])('%s is one word of a command line', (text, unix, windows) => {
  expect([commandWord(text, 'linux'), commandWord(text, 'win32')]).toEqual([unix, windows]);
});

test('init runs a test below a folder with signs of the shell in its name', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'teebox-init-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'app/(shop)/$id.test.ts');
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{"devDependencies":{"vitest":"4.0.0"}}');
  writeFileSync(path, "import { test } from 'vitest';\ntest('it', () => {});\n");
  const project = lookAt(folder);
  const [first] = await plansOf('vitest', project, findOf('vitest', project));
  expect(Object.keys(first!.files)).toEqual(['app/(shop)/teebox.test.ts']);
  expect(first!.command).toBe(`npx vitest run ${commandWord('app/(shop)/teebox.test.ts')}`);
});
