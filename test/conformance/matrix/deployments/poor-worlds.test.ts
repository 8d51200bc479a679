import { expect, test } from 'vitest';
import { anyGlob } from '../../../../src/conformance/run/globs.js';
import { idsWith } from '../../deployment.js';
import { complaintsOf, fullRun } from '../../full-run.js';

import { never, poorWorld, poorWorlds } from '../../poor-worlds.js';

test.each(poorWorlds)('every rule that can be judged is judged: %s', async (_, poverty, lacking) => {
  const settings = await poorWorld(poverty);
  const excused = anyGlob([...lacking, ...never]);
  for (const changes of [{}, { allow: [] }]) {
    const report = await fullRun(settings, changes);
    expect(complaintsOf(report)).toEqual([]);
    expect(idsWith(report, 'inconclusive').filter((id) => !excused(id))).toEqual([]);
    expect(report.counts['not-run'] > 0).toBe('allow' in changes);
  }
});

test.each(poorWorlds)('no rule is excused without need: %s', async (_, poverty, lacking) => {
  const ids = idsWith(await fullRun(await poorWorld(poverty)), 'inconclusive');
  expect(lacking.filter((glob) => !ids.some(anyGlob([glob])))).toEqual([]);
});
