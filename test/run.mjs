// `npm test [-- WING | PATH ...]` and `npm run verify -- WING`: the name of a wing stands for its folder of tests.
// Without either, tests with the tag `slow` are left out; with `--all`, as in `npm run test:all`, they run, too.
// TEEBOX_STRESS=1 runs them beside two busy processes, twice in a row.
import { spawn, spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';

const wings = [
  'common',
  'contract',
  'engine',
  'conformance',
  'certification',
  'console',
  'bindings',
  'cli',
  'hosted',
  'e2e',
];

function run(command, ...args) {
  const { status } = spawnSync(process.execPath, [`node_modules/${command}`, ...args], { stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}

/** What a wing has besides its own folder: the examples of the docs are tests of the bindings. */
const foldersOf = Object.fromEntries(wings.map((wing) => [wing, [`test/${wing}/`]]));
foldersOf.bindings.push('test/examples/');
foldersOf.engine.push('test/support/');

/** Vitest answers a word that fits no file with a page of patterns. A word after a flag may be its value. */
function refuseUnknown(words) {
  const files = readdirSync('test', { recursive: true }).map((file) => `test/${file.replaceAll('\\', '/')}`);
  const paths = files.filter((file) => file.endsWith('.test.ts'));
  const isKnown = (word) => word in foldersOf || paths.some((path) => path.includes(word.replace(/^\.\/|:\d+$/g, '')));
  const stray = words.find((word, at) => !word.startsWith('-') && !words[at - 1]?.startsWith('-') && !isKnown(word));
  if (stray === undefined) return;
  console.error(
    `No test has \`${stray}\` in its path. Give a part of a path in test/, or a wing: ${wings.join(', ')}.`,
  );
  process.exit(2);
}

function test(words) {
  refuseUnknown(words);
  const args = words.filter((word) => word !== '--all').flatMap((word) => foldersOf[word] ?? [word]);
  const isWhole = words.some((word) => word === '--all' || !word.startsWith('-'));
  const filter = isWhole ? [] : ['--tags-filter', '!slow'];
  run('vitest/vitest.mjs', 'run', '--config', 'test/vitest.config.ts', ...filter, ...args);
}

function verify(words) {
  const chosen = words.filter((word) => wings.includes(word));
  if (chosen.length === 0 || chosen.length < words.length) {
    console.error(`npm run verify needs the name of a wing: ${wings.join(', ')}.`);
    process.exit(2);
  }
  const folders = chosen.flatMap((wing) => (wing === 'e2e' ? ['test/e2e'] : [`src/${wing}`, `test/${wing}`]));
  run('@typescript/native/bin/tsc', '-b');
  run('oxlint/bin/oxlint', '--deny-warnings', ...folders);
  run('oxfmt/bin/oxfmt', '--check', ...folders);
  test(chosen);
}

/** As on a machine that is busy with something else: what is red here only is red for its time. */
function stress(words) {
  // Nothing but work, until whoever started it is gone.
  const busy = 'for (const starter = process.ppid; process.ppid === starter;);';
  const others = [1, 2].map(() => spawn(process.execPath, ['-e', busy]));
  process.on('exit', () => others.forEach((one) => one.kill()));
  test(words);
  test(words);
  process.exit();
}

const words = process.argv.slice(2);
if (words[0] === '--verify') verify(words.slice(1));
else if (process.env['TEEBOX_STRESS']) stress(words);
else test(words);
