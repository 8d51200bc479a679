import type { HostAnswer, HostOrder } from './callbacks/host-orders.js';
import type { WorldSettings, WorldUsage } from './operator/settings.js';

/** The outcome of `configure`: plain data, as classes of errors are lost between objects. */
export type Configured =
  | { readonly channels: readonly { name: string; username: string; password: string; refreshToken: string }[] }
  | { readonly validationError: string; readonly fits: readonly string[] };

/** What the registry asks of a world. */
export interface WorldCalls {
  /** Makes the world, or makes it anew. If the settings do not fit, nothing is stored. */
  configure(settings: WorldSettings): Promise<Configured>;
  /** False if there is no such world. */
  adjust(settings: Partial<Pick<WorldSettings, 'expiresAt' | 'limits' | 'tokenHash'>>): Promise<boolean>;
  /** Null if there is no such world. */
  usage(): Promise<WorldUsage | null>;
  /** Lists, verifies or removes hosts of callbacks; `null` if there is no such world. */
  hosts(order: HostOrder): Promise<HostAnswer | null>;
  /** Deletes everything. */
  end(reason: string): Promise<void>;
}

/** What a world and the router ask of the registry. */
export interface RegistryCalls {
  /** Whether a world was made with this name and not deleted. */
  has(name: string): Promise<boolean>;
  /** Takes note of the end of a world. */
  ended(name: string, reason: string, at: number): Promise<void>;
}
