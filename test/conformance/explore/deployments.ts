import { exploreDeployment } from '../../../src/conformance/explore/explore.js';
import type { Exploration, ExploreOptions } from '../../../src/conformance/explore/options.js';
import type { Host } from '../../../src/conformance/client/types.js';
import type { SandboxOptions } from '../../../src/engine/library.js';
import { BASE_URL, deploy, type Layer, STEP } from '../deployment.js';
import { everything } from '../full-run.js';

/** Explores the sandbox behind a layer, with everything allowed. */
export async function exploreSandbox(
  changes: Partial<ExploreOptions> = {},
  settings: SandboxOptions = {},
  layer?: Layer,
): Promise<Exploration> {
  const { sandbox, options } = await deploy(settings, layer);
  const host = flowing(options.host, settings.rivals === undefined ? 0 : COST);
  return exploreDeployment({
    ...options,
    ...everything(sandbox),
    host,
    baseUrl: BASE_URL,
    maxBookings: 5000,
    ...changes,
  });
}

/** What a request costs where others book meanwhile, in milliseconds; and turns of this process after which a response is late. */
const [COST, TURNS] = [50, 20];

/** A host whose time passes with each request, and while a response is held back. */
function flowing(host: Host, cost: number): Host {
  const fetch = async (request: Request): Promise<Response> => {
    if (cost > 0) await host.sleep(cost);
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

/** Disturbances of a sandbox that are no defects. */
export const disturbances: Readonly<Record<string, (seed: number) => SandboxOptions>> = {
  nothing: () => ({}),
  'competing buyers': (seed) => ({ rivals: { rate: 10_000, seed } }),
  chaos: (seed) => ({ chaos: { rate: '5%', seed } }),
  'chaos and competing buyers': (seed) => ({ chaos: { rate: '2%', seed }, rivals: { rate: 1000, seed } }),
};

/** What an exploration complains of, with the story of each finding. */
export function storiesOf({ findings }: Pick<Exploration, 'findings'>): readonly string[] {
  return findings.filter(({ counts }) => counts).map(({ id, story }) => [id, ...story].join('\n'));
}
