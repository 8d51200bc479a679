import { exploreDeployment } from '../../../src/conformance/explore/explore.js';
import type { Exploration, ExploreOptions } from '../../../src/conformance/explore/options.js';
import type { SandboxOptions } from '../../../src/engine/library.js';
import { BASE_URL, deploy, type Layer } from '../deployment.js';
import { everything } from '../full-run.js';

/** Explores the sandbox behind a layer, with everything allowed. */
export async function exploreSandbox(
  changes: Partial<ExploreOptions> = {},
  settings: SandboxOptions = {},
  layer?: Layer,
): Promise<Exploration> {
  const { sandbox, options } = await deploy(settings, layer);
  return exploreDeployment({ ...options, ...everything(sandbox), baseUrl: BASE_URL, maxBookings: 5000, ...changes });
}

/** What an exploration complains of, with the story of each finding. */
export function storiesOf({ findings }: Pick<Exploration, 'findings'>): readonly string[] {
  return findings.filter(({ counts }) => counts).map(({ id, story }) => [id, ...story].join('\n'));
}
