import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';

/** How much of each step of the gate runs after a change of some paths. */
function amounts(...paths: string[]): Record<string, string> {
  const lines = execFileSync(process.execPath, ['.ci/touched.mjs', ...paths], { encoding: 'utf8' })
    .trim()
    .split('\n');
  return Object.fromEntries(lines.map((line) => line.split(' ')));
}

const suite = { kill: 'none', suite: 'none', dialects: 'none', clients: 'none' };

test.each<[change: string, paths: string[], wanted: Record<string, string>]>([
  ['a page of the docs', ['docs/certify.md', 'README.md'], { ...suite, docs: 'whole', browser: 'tenth' }],
  ['the console', ['src/console/style/page.css'], { ...suite, browser: 'whole', processes: 'tenth', docs: 'tenth' }],
  ['a page and the engine', ['docs/certify.md', 'src/engine/sandbox.ts'], { suite: 'tenth', dialects: 'whole' }],
  ['the engine', ['src/engine/sandbox.ts'], { clients: 'whole', workers: 'whole', msw: 'whole', browser: 'tenth' }],
  [
    'a rule',
    ['src/conformance/rules/prices.ts'],
    { kill: 'whole', suite: 'whole', dialects: 'whole', clients: 'tenth', processes: 'tenth', browser: 'tenth' },
  ],
  [
    'the report of the suite',
    ['src/conformance/report/html.ts'],
    { suite: 'whole', clients: 'whole', browser: 'whole' },
  ],
  ['the text of a rule', ['spec/rules/prices.yaml'], { suite: 'whole', clients: 'whole', browser: 'whole' }],
  [
    'a test of the engine',
    ['test/engine/rules/fields.test.ts'],
    { suite: 'tenth', clients: 'tenth', workers: 'tenth' },
  ],
  ['a package', ['package-lock.json'], { suite: 'whole', node24: 'whole', containers: 'whole' }],
  ['nothing that is known', ['--all'], { kill: 'whole', suite: 'whole', docs: 'whole', node24: 'whole' }],
])('the gate runs after a change of %s what it concerns', (_, paths, wanted) => {
  expect(amounts(...paths)).toMatchObject(wanted);
});
