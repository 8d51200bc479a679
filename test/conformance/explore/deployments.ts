import { exploreDeployment } from '../../../src/conformance/explore/explore.js';
import type { Exploration, ExploreOptions } from '../../../src/conformance/explore/options.js';
import type { Host } from '../../../src/conformance/client/types.js';
import type { SandboxOptions } from '../../../src/engine/library.js';
import { BASE_URL, deploy, type Layer, STEP } from '../deployment.js';
import { everything } from '../full-run.js';
import type { Busy } from '../others-book.js';

/** Explores the sandbox behind a layer, with everything allowed. */
export async function exploreSandbox(
  changes: Partial<ExploreOptions> = {},
  settings: SandboxOptions = {},
  layer?: Layer,
): Promise<Exploration> {
  const { sandbox, options } = await deploy(settings, layer);
  return exploreDeployment({
    ...options,
    ...everything(sandbox),
    host: flowing(options.host),
    baseUrl: BASE_URL,
    maxBookings: 5000,
    ...changes,
  });
}

/** Turns of this process after which a response is late. */
const TURNS = 20;

/** A host whose time passes while a response is held back. */
function flowing(host: Host): Host {
  const fetch = async (request: Request): Promise<Response> => {
    const late = { isOver: false };
    const response = Promise.resolve(host.fetch(request)).finally(() => (late.isOver = true));
    response.catch(() => {});
    for (let turn = 0; !late.isOver && !request.signal.aborted; turn += 1) {
      await new Promise((resolve) => setImmediate(resolve));
      if (turn > TURNS && !late.isOver) await host.sleep(STEP);
    }
    return response;
  };
  return { ...host, fetch };
}

/** What disturbs a sandbox and is no defect. */
interface Disturbance {
  readonly settings?: SandboxOptions;
  /** How others book and cancel meanwhile. */
  readonly busy?: Busy;
}

export const disturbances: Readonly<Record<string, (seed: number) => Disturbance>> = {
  nothing: () => ({}),
  'others who book': (seed) => ({ busy: { every: 12, seed } }),
  chaos: (seed) => ({ settings: { chaos: { rate: '5%', seed } } }),
  'chaos and others who book': (seed) => ({ settings: { chaos: { rate: '2%', seed } }, busy: { every: 30, seed } }),
};

/** What an exploration complains of, with the story of each finding. */
export function storiesOf({ findings }: Pick<Exploration, 'findings'>): readonly string[] {
  return findings.filter(({ counts }) => counts).map(({ id, story }) => [id, ...story].join('\n'));
}
