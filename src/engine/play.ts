/**
 * Plays capsules.
 *
 * @module
 */
import type { Capsule } from './record/capsule.js';
import { playCapsule as play, type Playback } from './record/capsule-play.js';
import { sliceCapsule as slice } from './record/capsule-slice.js';
import type { Sandbox, SandboxOptions } from './options.js';
import { createSandboxAt } from './sandbox.js';
import { withDatabase } from './store/collections.js';

export type { Capsule, CapsuleStep } from './record/capsule.js';
export type { Playback, PlayDifference } from './record/capsule-play.js';
export type { Sandbox } from './options.js';

/**
 * Plays a capsule: sends its requests to a fresh sandbox, at the same clock and in the same order, and compares the
 * responses byte for byte. The sandbox stays as it is after the last one.
 *
 * @throws {ValidationError} for what is no capsule, and for a replay that takes longer than two minutes of the `clock`.
 * @example
 * const { same, differences } = await playCapsule(JSON.parse(await readFile('failure.json', 'utf8')));
 */
export function playCapsule(
  capsule: unknown,
  options: Pick<SandboxOptions, 'version' | 'clock'> = {},
): Promise<Playback<Sandbox>> {
  return play<Sandbox>(
    capsule,
    async (own, recordingBy) => withDatabase(await createSandboxAt({ recordingBy }, { ...own, ...options })),
    options.clock,
  );
}

/**
 * The part of a capsule from a request on, with as much of the state before it as it needs to play with the same responses.
 * After thousands of requests it is a small part of the whole. Where there is no such part, it is the whole.
 *
 * @example
 * const small = await sliceCapsule(await sandbox.capsule(), 'req-19998');
 */
export function sliceCapsule(capsule: Capsule, from: string): Promise<Capsule> {
  return slice(capsule, from, (one) => playCapsule(one));
}
