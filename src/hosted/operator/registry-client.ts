import type { Configured, RegistryCalls } from '../calls.js';
import type { ListedWorld } from './registry-table.js';
import type { WorldLimits, WorldSettings, WorldUsage } from './settings.js';

/** The outcome of making a world. */
export type WorldMaking =
  | { readonly world: ListedWorld; readonly channels: Extract<Configured, { channels: unknown }>['channels'] }
  | Extract<Configured, { validationError: string }>
  | { readonly refused: 'taken' | 'unsettled' | 'full' };

/** What the operator's requests ask of the registry. Only plain data passes between objects. */
export interface RegistryClient extends RegistryCalls {
  create(settings: WorldSettings, most: number): Promise<WorldMaking>;
  list(after: number, limit: number): Promise<{ readonly count: number; readonly worlds: readonly ListedWorld[] }>;
  find(name: string): Promise<ListedWorld | null>;
  usage(name: string): Promise<{ readonly world: ListedWorld; readonly usage: WorldUsage | null } | null>;
  /** False if the world is not there, or has ended. */
  change(name: string, changed: WorldChanges): Promise<boolean>;
  remove(name: string): Promise<boolean>;
}

/** What can change of a world after it was made. */
export interface WorldChanges {
  readonly expiresAt?: number | null;
  readonly limits?: WorldLimits;
  readonly tokenHash?: string;
}
