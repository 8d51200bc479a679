/** Worlds as the operator API shows them. */
import type { operatorComponents as components } from '../../contract/index.js';
import type { Env } from '../env.js';
import type { ListedWorld } from './registry-table.js';
import type { WorldUsage } from './settings.js';

type OperatorSchemas = components['schemas'];

/** Whether a world is there for requests; a world past its expiry is not, even before its data is deleted. */
export function statusOf(
  { endedAt, endedBy, expiresAt }: ListedWorld,
  now: number,
): OperatorSchemas['WorldFields']['status'] {
  if (endedAt !== null) return endedBy === 'idle' ? 'idle' : 'expired';
  return expiresAt !== null && expiresAt <= now ? 'expired' : 'active';
}

/** A world as the operator sees it. */
export function shownWorld(row: ListedWorld, origin: string, now: number): OperatorSchemas['HostedWorld'] {
  const { name, createdAt, expiresAt, endedAt, seed, facilities, dialect, limits } = row;
  const status = statusOf(row, now);
  return {
    name,
    baseUrl: `${origin}/w/${name}`,
    status,
    createdAt: instant(createdAt),
    expiresAt: expiresAt === null ? null : instant(expiresAt),
    endedAt: status === 'active' ? null : instant(endedAt ?? expiresAt!),
    seed,
    facilities,
    dialect,
    limits,
  };
}

export function shownUsage(usage: WorldUsage): OperatorSchemas['Usage'] {
  const { requests, bookings, storageBytes, callbacks, lastUsedAt } = usage;
  return { requests, bookings, storageBytes, callbacks, lastUsedAt: lastUsedAt === null ? null : instant(lastUsedAt) };
}

/** The origin of base URLs: as the deployment says, since a proxy in front of it may have another one. */
export function originOf(request: Request, { PUBLIC_ORIGIN }: Env): string {
  return PUBLIC_ORIGIN ? PUBLIC_ORIGIN.replace(/\/$/, '') : new URL(request.url).origin;
}

function instant(epoch: number): string {
  return new Date(epoch).toISOString();
}
