// Prints how much of each step of the gate a change needs, a line each: `STEP whole|tenth|none`. A step is whole if the change
// touches its tests, the wing that they test, or a wing that this one imports (the project references say which). The change is
// all since the commit in .ci/green, at which everything was last green; where that commit is not known, every step is whole.
// `node .ci/touched.mjs PATH ...` says it of a change of these paths.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';

/** The wing that each step tests, and other paths that concern it. Steps that are not here always run as they are. */
const steps = {
  kill: { wing: 'conformance', tests: ['test/conformance'] },
  suite: { wing: 'conformance', tests: ['test/conformance'] },
  dialects: {
    wing: 'conformance',
    also: ['engine'],
    tests: ['test/conformance/matrix/dialects', 'test/engine/scenarios'],
  },
  clients: { wing: 'certification', tests: ['test/certification'] },
  processes: { wing: 'cli', tests: ['test/cli', 'test/certification/process.test.ts'] },
  browser: { wing: 'console', tests: ['test/e2e/browser'] },
  package: { wing: 'bindings', tests: ['test/e2e/package', 'build.mjs', 'templates'] },
  workers: { wing: 'hosted', tests: ['test/hosted'] },
  wrangler: { wing: 'hosted', tests: ['test/hosted/wrangler', 'deploy'] },
  containers: { tests: ['test/e2e/containers', 'deploy', 'Dockerfile', 'compose.yaml', '.dockerignore', 'build.mjs'] },
  docs: { tests: ['test/e2e/docs', 'test/examples', 'docs', 'README.md', 'spec'] },
  msw: { wing: 'bindings', tests: ['test/bindings', 'test/support/msw'] },
  // Node 24: what differs from Node 20 is in the packages and in Node.
  node24: { tests: ['package.json'] },
  processes24: { tests: ['package.json'] },
};
/** These test the suite, which no page can change. */
const ofTheSuite = ['kill', 'suite', 'dialects', 'clients'];
const harmless = ['docs', 'src/console', 'test/console', 'test/e2e', 'templates', 'actions', '.changeset', '.github'];
/** Sources of what every wing is made of. */
const madeOf = { contract: ['spec', 'fixtures', 'scenarios'] };
const everywhere = ['package-lock.json', 'test/support'];
/** What a wing keeps to itself: others import its reports, which say the same of any rule. */
const inner = { conformance: ['src/conformance/rules'] };

const git = (...args) => execFileSync('git', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
const below = (path, folders) => folders.some((folder) => path === folder || path.startsWith(`${folder}/`));

/** The paths that differ from the last commit at which everything was green, or undefined if that is not known. */
function changedPaths() {
  try {
    const green = readFileSync(new URL('green', import.meta.url), 'utf8').trim();
    return git('diff', '--name-only', green, 'HEAD')
      .split('\n')
      .filter((path) => path !== '' && !below(path, ['.ci']));
  } catch {
    return undefined;
  }
}

function importedBy(wing) {
  const file = `src/${wing}/tsconfig.json`;
  if (!existsSync(file)) throw new Error(`The gate names a wing that does not exist: ${wing}.`);
  return (JSON.parse(readFileSync(file, 'utf8')).references ?? []).map(({ path }) => path.replace('../', ''));
}

function amountOf(name, paths) {
  if (paths === undefined) return 'whole';
  const { wing, also = [], tests } = steps[name];
  const wings = wing ? [wing, ...importedBy(wing), ...also] : [];
  const folders = wings.flatMap((one) => [`src/${one}`, ...(madeOf[one] ?? [])]);
  const hidden = Object.entries(inner).flatMap(([owner, own]) => (owner === wing ? [] : own));
  const isTouched = (path) => below(path, [...everywhere, ...tests]) || (below(path, folders) && !below(path, hidden));
  if (paths.some(isTouched)) return 'whole';
  const isHarmless = paths.length > 0 && paths.every((path) => path.endsWith('.md') || below(path, harmless));
  return isHarmless && ofTheSuite.includes(name) ? 'none' : 'tenth';
}

const given = process.argv.slice(2);
const paths = given.length === 0 ? changedPaths() : given[0] === '--all' ? undefined : given;
for (const name of Object.keys(steps)) console.log(name, amountOf(name, paths));
