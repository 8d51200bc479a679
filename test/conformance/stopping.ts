import type { Report } from '../../src/conformance/client/types.js';
import { deploy, type Layer } from './deployment.js';
import { everything } from './full-run.js';

/** How a deployment goes down: a gateway answers in its place, or it closes its connections. */
export const endings = {
  '503': () => new Response('<h1>Service unavailable</h1>', { status: 503 }),
  'closed connections': (): Response => {
    throw new TypeError('fetch failed', { cause: { code: 'ECONNRESET' } });
  },
} as const;
export type Ending = keyof typeof endings;

/** A run against a deployment that goes down after so many requests. */
export async function runUntil(requests: number, ending: Ending): Promise<Report> {
  let left = requests;
  const layer: Layer = async (request, through) => ((left -= 1) >= 0 ? through(request) : endings[ending]());
  const { sandbox, check } = await deploy({}, layer);
  return check({ ...everything(sandbox), depth: 'quick' });
}

/** The rules that stumbled over it, with what they say. */
export const stumbling = ({ rules }: Report): readonly string[] =>
  rules.filter(({ verdict }) => verdict === 'error').map(({ id, message }) => `${id}: ${message}`);
