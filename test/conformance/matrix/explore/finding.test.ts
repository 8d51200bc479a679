import { expect, test } from 'vitest';
import { exploreReporters } from '../../../../src/conformance/report/explore-report.js';
import { reportFormats } from '../../../../src/conformance/report/index.js';
import type { Layer } from '../../deployment.js';
import { defective } from '../../explore/defective.js';
import { defects } from '../../explore/defects.js';
import { exploreSandbox } from '../../explore/deployments.js';

const leaking = 'leaks the slots of a list when its third item fails';

// Some of these begin on tee times with few free slots, on others their steps go otherwise.
test.each([3, 4, 7])(
  'a finding is made small, repeats, and its walk finds it again in another run (%i)',
  async (seed) => {
    const layer = (): Layer => defective(defects[leaking]!);
    const result = await exploreSandbox({ seed, walks: 60, maxFindings: 1 }, {}, layer());
    const finding = result.findings.find(({ counts }) => counts)!;
    expect(finding).toMatchObject({
      id: 'explore.slots',
      severity: 'major',
      isRace: false,
      repeated: { times: 5, of: 5 },
    });
    expect(finding.walk.steps.length).toBeLessThanOrEqual(5);
    expect(finding.story.at(-1)).toMatch(/tee sheet shows \d free slots? of tee time \w; the bookings leave \d/);
    expect(finding.commands.join('\n')).toMatch(/^curl -i -X POST .*-u "\$TEEBOX_BASIC".*--data-raw/m);
    const walk = JSON.parse(JSON.stringify(finding.walk));
    const again = await exploreSandbox({ again: walk }, {}, layer());
    expect(again).toMatchObject({
      exitCode: 1,
      walks: 5,
      findings: [{ id: 'explore.slots', repeated: { times: 5, of: 5 } }],
    });
    expect(await exploreSandbox({ again: walk })).toMatchObject({ exitCode: 0, walks: 5, findings: [] });
    for (const format of reportFormats) {
      const text = exploreReporters[format](result, '0.0.0');
      if (format !== 'har' && format !== 'badge') expect(text).toContain('explore.slots');
    }
    const page = exploreReporters.html(result, '0.0.0');
    for (const title of ['The smallest walk of explore.slots', 'Triples of operations that were tried']) {
      expect(page).toContain(title);
    }
    // Beside each step of the smallest walk are the free slots that it leaves.
    for (const { facts } of finding.timeline) expect(page).toContain(facts);
    expect(finding.timeline.map(({ facts }) => facts).join('\n')).toMatch(/^A \d/m);
  },
);
