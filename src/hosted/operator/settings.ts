import type { operatorComponents as components, WorldFile } from '../../contract/index.js';
import type { DialectCard } from '../../engine/index.js';

/** What a world may use. */
export type WorldLimits = Readonly<components['schemas']['Limits']>;

/** What a world is made of. */
export interface WorldSettings {
  readonly name: string;
  /** The SHA-256 of its token in hex. */
  readonly tokenHash: string;
  readonly seed?: number;
  readonly facilities?: number;
  /** Its own facilities. */
  readonly world?: WorldFile;
  /** Freezes its clock at this instant. Without it, the clock runs with the time of the host. */
  readonly now?: string;
  readonly dialect?: DialectCard;
  /** Epoch milliseconds; null: never. */
  readonly expiresAt: number | null;
  readonly limits: WorldLimits;
}

/** What a world has used. */
export interface WorldUsage {
  readonly requests: { readonly today: number; readonly total: number };
  readonly bookings: number;
  readonly storageBytes: number;
  readonly callbacks: { readonly today: number; readonly total: number };
  readonly lastUsedAt: number | null;
  readonly expiresAt: number | null;
  readonly limits: WorldLimits;
}
