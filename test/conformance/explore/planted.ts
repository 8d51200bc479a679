import { flat } from '../../../src/conformance/explore/steps.js';
import { defective } from './defective.js';
import { defects } from './defects.js';
import { exploreSandbox } from './deployments.js';

const [WALKS, STEPS] = [200, 24];
/** Requests after which a defect counts as missed, so that a rare one does not take a minute. */
const REQUESTS = 10_000;
const deletes = { dialect: { answers: { 'booking.cancel': 'delete' } } } as const;

/** What an exploration finds of a planted defect: the calls of the smallest walk, and its story; undefined for nothing. */
export async function findingOf(name: string): Promise<{ readonly calls: number; readonly story: string } | undefined> {
  const seed = [...name].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 65_521, 7);
  const result = await exploreSandbox(
    { seed, walks: WALKS, steps: STEPS, maxFindings: 1, maxRequests: REQUESTS },
    deletes,
    defective(defects[name]!),
  );
  const first = result.findings.find(({ counts }) => counts);
  return first && { calls: flat(first.walk.steps).length, story: [first.id, ...first.story].join('\n') };
}

const names = Object.keys(defects);

/** A half of the defects: each half is a file, so that both run at the same time. */
export function half(part: 0 | 1): readonly string[] {
  return names.filter((_, at) => at % 2 === part);
}

/** Calls of a finding that is small. */
export const MOST_CALLS = 5;
/** Defects of a half that may be missed, or not be made small: one in ten. */
export const mostMissed = Math.floor(names.length / 20);
