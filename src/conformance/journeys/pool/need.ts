import type { ListedTeeSheet, ListedTeeTime, PriceRecord } from './reads.js';

/** A tee time that was handed out, and the tee sheet it is on. */
export interface TakenTeeTime {
  readonly sheet: ListedTeeSheet;
  readonly teeTime: ListedTeeTime;
}

/** What a rule needs of a tee time. */
export interface TeeTimeNeed {
  /** In words, for the report. */
  readonly what: string;
  fits(teeTime: ListedTeeTime, sheet: ListedTeeSheet): boolean;
  /** Whether the price records of a day promise such a tee time; by default, any day with free slots does. */
  promised?(records: readonly PriceRecord[]): boolean;
  /** What a facility has on most of its days or on none: a few days without it are enough to know. */
  readonly trait?: (teeTime: ListedTeeTime) => boolean;
}
