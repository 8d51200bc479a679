import { expect, test } from 'vitest';
import { anyGlob } from '../../../../src/common/texts.js';
import { idsWith } from '../../deployment.js';
import { complaintsOf, fullRun } from '../../full-run.js';

import { never, poorWorld, poorWorlds } from '../../poor-worlds.js';

test.each(poorWorlds)(
  'every rule that can be judged is judged, and none is excused: %s',
  async (_, poverty, lacking) => {
    const settings = await poorWorld(poverty);
    const excused = anyGlob([...lacking, ...never]);
    for (const changes of [{}, { allow: [] }]) {
      const report = await fullRun(settings, changes);
      const ids = idsWith(report, 'inconclusive');
      expect(complaintsOf(report)).toEqual([]);
      expect(ids.filter((id) => !excused(id))).toEqual([]);
      expect(report.counts['not-run'] > 0).toBe('allow' in changes);
      if (!('allow' in changes)) expect(lacking.filter((glob) => !ids.some(anyGlob([glob])))).toEqual([]);
    }
  },
);
