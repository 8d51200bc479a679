import type { Env } from './env.js';
import type { WorldSettings } from './operator/settings.js';
import type { WorldEnd } from './world-storage.js';

const DAY = 86_400_000;

/** When a world ends because nobody uses it; null: never. */
export function idleAt({ IDLE_DAYS }: Pick<Env, 'IDLE_DAYS'>, lastUsedAt: number): number | null {
  const days = Number(IDLE_DAYS ?? 0);
  return days > 0 ? lastUsedAt + days * DAY : null;
}

/** The end of a world, if it has come: it expired, or it was idle for too long. */
export function endOf(
  { name, expiresAt }: WorldSettings,
  idle: number | null,
  now: number,
): Omit<WorldEnd, 'at'> | undefined {
  if (expiresAt !== null && expiresAt <= now) return { name, reason: 'expired' };
  return idle !== null && idle <= now ? { name, reason: 'idle' } : undefined;
}

/** Why a world is gone, for those who still ask for it. */
export function goneWords({ name, reason }: Omit<WorldEnd, 'at'>): string {
  const why = reason === 'expired' ? 'has expired' : 'has ended because nobody used it';
  return `The world \`${name}\` ${why}, and its data is deleted. Ask the operator of this service for a new one.`;
}
