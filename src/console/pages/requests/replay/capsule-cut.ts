import type { AdminType } from '../../../data/api.js';

export type CapsuleFile = AdminType<'Capsule'>;
export type CapsuleStep = CapsuleFile['steps'][number];

/**
 * A capsule up to a step, counted from 1. Whatever goes on later is under way at its end. What came before stays, for
 * it decided the responses.
 */
export function cutCapsule(capsule: CapsuleFile, end: number): CapsuleFile {
  const rest = capsule.steps.slice(end);
  const isLater = (id = '') => rest.some((step) => step.kind === 'resume' && step.of === id);
  const steps = capsule.steps.slice(0, end).map((step, _index, kept) => {
    if (step.kind !== 'request' || !isLater(step.id)) return step;
    const { response: _response, ...open } = step;
    return { ...open, resumed: kept.filter((one) => one.kind === 'resume' && one.of === step.id).length };
  });
  return { ...capsule, steps };
}

/** The step with which the last of some requests is over; 0 if the capsule has none of them. */
export function endOf({ steps }: CapsuleFile, ids: ReadonlySet<string>): number {
  return steps.findLastIndex((step) => ids.has(idOf(step))) + 1;
}

/** The request that a step is about. */
function idOf(step: CapsuleStep): string {
  return (step.kind === 'resume' ? step.of : step.id) ?? '';
}
