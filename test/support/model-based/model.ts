import type { Json, TeeTime } from '../scenes.js';
import { listOf, LONG_AGO } from '../booking-list.js';
import type { Client } from '../client.js';
import { teeTimesOf } from '../scenes.js';

/** A booking that the service said it made. */
export interface Made {
  readonly bookingId: string;
  readonly groupId: number | null;
  readonly channel: string;
  readonly teeId: number;
  readonly players: number;
}

/** Few places, each open to all three channels, so that they meet. */
export const FACILITIES = [1022, 1040, 1058];
export const DAYS = [20, 21];

/**
 * What must be true of availability and bookings, told from the answers alone: what an untouched twin shows free,
 * less what was booked.
 */
export class Model {
  readonly made: Made[] = [];
  readonly taken = new Map<number, number>();
  readonly sheets = new Map<string, readonly TeeTime[]>();
  readonly tokens = new Map<string, string>();
  /** How many bookings each channel starts with. */
  readonly planted = new Map<string, number>();

  /** Reads the tee times of all places from a twin that nobody books on, as each channel is shown them. */
  async learn(twins: readonly Client[]): Promise<void> {
    for (const client of twins) {
      this.planted.set(client.channel, (await listOf(client, 'v4', { fromDate: LONG_AGO })).length);
      for (const facilityId of FACILITIES) {
        for (const days of DAYS) {
          for (const holes of [9, 18]) {
            const found = await teeTimesOf(client, { facilityId, days, holes });
            this.sheets.set(sheetKey(client.channel, facilityId, days, holes), found);
          }
        }
      }
    }
  }

  /** A model that has learned the same, of a sandbox on which nothing was booked yet. */
  untouched(): Model {
    const model = new Model();
    for (const [key, sheet] of this.sheets) model.sheets.set(key, sheet);
    for (const [channel, count] of this.planted) model.planted.set(channel, count);
    return model;
  }

  record(made: Made): void {
    this.made.push(made);
    this.taken.set(made.teeId, this.takenOf(made.teeId) + made.players);
  }

  takenOf(teeId: number): number {
    return this.taken.get(teeId) ?? 0;
  }

  /** A copy of what is taken now, to compare with what a batch changed. */
  marked(): { readonly count: number; takenOf(teeId: number): number } {
    const before = new Map(this.taken);
    return { count: this.made.length, takenOf: (teeId) => before.get(teeId) ?? 0 };
  }
}

export function sheetKey(channel: string, facilityId: number, days: number, holes: number): string {
  return [channel, facilityId, days, holes].join(' ');
}

/** Free places of a tee time as the untouched twin shows it. */
export function freeAtFirst({ products }: TeeTime): number {
  return products[0].available;
}

/** Id and free places in every form of a tee time. */
export function shownFree(item: Json): readonly [teeId: number, free: number] {
  return item.products ? [item.teeid, item.products[0].available] : [item.id, item.players];
}
