import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { nodeFault } from '../../src/cli/node-version.js';
import manifest from '../../package.json' with { type: 'json' };

test.each(['0.10.48', '12.22.12', '16.20.2', '18.20.8', '19.9.0', '20.0.0', '20.18.3'])(
  'Node %s is too old',
  (version) => {
    expect(nodeFault(version)).toMatch(
      new RegExp(`^Node 20\\.19 or later is needed; this is ${version.replaceAll('.', '\\.')}\\.`),
    );
  },
);

test.each(['20.19.0', '20.20.1', '21.0.0', '22.11.0', '24.0.0', '100.1.0'])('Node %s is new enough', (version) => {
  expect(nodeFault(version)).toBeUndefined();
});

test('the version is that of the manifest, and the program loads nothing before it looks', () => {
  expect(manifest.engines.node).toBe('>=20.19');
  const program = readFileSync('src/cli/cli.ts', 'utf8');
  expect(program.match(/^import .*$/gm)).toEqual(["import { nodeFault } from './node-version.js';"]);
  expect(readFileSync('src/cli/node-version.ts', 'utf8')).not.toMatch(/^import /m);
});
