import { spawnSync } from 'node:child_process';
import { openSync } from 'node:fs';
import { expect, test } from 'vitest';
import { CLI } from '../support/network/process.js';

const rows = [
  ['serve', '--port', '0', '--json'],
  ['serve', '--port', '0', '--log-level', 'silent'],
  ['list', 'rules', '--json'],
  ['check', 'http://127.0.0.1:2', '--basic', 'a:b', '--report', 'json=-'],
  ['exec', '--help'],
];
test.runIf(process.platform === 'linux').each(rows)('%s %s to a full device ends in words', (...args) => {
  const stdio = ['ignore', openSync('/dev/full', 'w'), 'pipe'] as const;
  const { status, stderr } = spawnSync(process.execPath, [CLI, ...args], { stdio: [...stdio], timeout: 30_000 });
  const text = String(stderr);
  expect({ status, text }).toEqual({
    status: 2,
    text: expect.stringContaining('Failed to write the output: no space'),
  });
  expect(text).not.toMatch(/^\s+at /m);
});

test.runIf(process.platform === 'linux')('a log that cannot be written does not end a command', () => {
  const stdio = ['ignore', 'pipe', openSync('/dev/full', 'w')] as const;
  const { status, stdout } = spawnSync(process.execPath, [CLI, 'exec', '--', 'echo', 'fine'], { stdio: [...stdio] });
  expect({ status, text: String(stdout) }).toEqual({ status: 0, text: 'fine\n' });
});
