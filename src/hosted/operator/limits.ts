import { Problem } from '../../engine/index.js';
import type { operatorComponents as components } from '../../contract/index.js';
import type { Env } from '../env.js';
import type { WorldLimits } from './settings.js';

type GivenLimits = components['schemas']['GivenLimits'];

/** The limits of a world unless the deployment or the operator sets others. */
const usual: WorldLimits = {
  requestsPerMinute: 600,
  bookings: 10_000,
  storageBytes: 100_000_000,
  callbacksPerDay: 1000,
};
const USUAL_WORLDS = 10_000;

/** The limits of a new world: as given, otherwise as the deployment has them. */
export function limitsOf(env: Env, given: GivenLimits = {}): WorldLimits {
  return {
    requestsPerMinute: given.requestsPerMinute ?? wholeOf(env, 'REQUESTS_PER_MINUTE', usual.requestsPerMinute),
    bookings: given.bookings ?? wholeOf(env, 'MAX_BOOKINGS', usual.bookings),
    storageBytes: given.storageBytes ?? wholeOf(env, 'MAX_STORAGE_BYTES', usual.storageBytes),
    callbacksPerDay: given.callbacksPerDay ?? wholeOf(env, 'CALLBACKS_PER_DAY', usual.callbacksPerDay),
  };
}

/** Maximum number of worlds of the deployment that have not ended. */
export function mostWorlds(env: Env): number {
  return wholeOf(env, 'MAX_WORLDS', USUAL_WORLDS);
}

type LimitVariable = 'REQUESTS_PER_MINUTE' | 'MAX_BOOKINGS' | 'MAX_STORAGE_BYTES' | 'CALLBACKS_PER_DAY' | 'MAX_WORLDS';

/** @throws {Problem} for a variable that is no whole number. */
function wholeOf(env: Env, name: LimitVariable, usually: number): number {
  const set = env[name];
  // A variable that is not set is null in workerd.
  if (set === undefined || set === null || set === '') return usually;
  const value = Number(set);
  if (Number.isSafeInteger(value) && value >= 0) return value;
  throw new Problem(
    503,
    `The variable \`${name}\` of this deployment must be a whole number; got \`${set}\`. Correct it.`,
  );
}
