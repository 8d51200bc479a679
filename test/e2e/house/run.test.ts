import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';

test.each(['enigne', 'test/engine/nosuch', 'test/run.mjs'])('npm test -- %s names the wings', (word) => {
  const { status, stderr } = spawnSync(process.execPath, ['test/run.mjs', word], { encoding: 'utf8' });
  expect([status, stderr]).toEqual([
    2,
    expect.stringContaining(`\`${word}\` in its path. Give a part of a path in test/, or a wing: common,`),
  ]);
});
