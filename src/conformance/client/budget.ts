import { isObject, type Reply } from './exchange.js';
import { Inconclusive, NotAllowed } from './outcome.js';
import type { Litter } from './types.js';

/** Counts requests up to a limit. */
export class RequestBudget {
  #used = 0;

  constructor(readonly max = Infinity) {}

  /** The number of requests sent. */
  get used(): number {
    return this.#used;
  }

  get isSpent(): boolean {
    return this.#used >= this.max;
  }

  /** @throws {NotAllowed} where the limit is reached. */
  readonly ready = (): void => {
    if (this.isSpent) throw new NotAllowed('budget', `more than ${this.max} requests (--max-requests)`);
  };

  /** Counts a request that is sent now, and returns its number. */
  take(): number {
    return (this.#used += 1);
  }
}

/** Counts bookings before they are sent, and remembers those that were made: the service cannot cancel a booking. */
export class WriteBudget {
  readonly #litter: Litter[] = [];
  #used = 0;

  constructor(readonly max: number) {}

  /** How many more bookings may be made. */
  get left(): number {
    return this.max - this.#used;
  }

  get litter(): readonly Litter[] {
    return this.#litter;
  }

  /**
   * Reserves the bookings of a body, whether or not they are expected to succeed.
   *
   * @throws {Inconclusive} when fewer are left; then nothing may be sent.
   */
  reserve(body: unknown): number {
    const count = itemsOf(body).length;
    if (count > this.left) {
      throw new Inconclusive(
        'budget',
        `${count} more ${count === 1 ? 'booking' : 'bookings'} (--max-bookings, now ${this.max})`,
      );
    }
    this.#used += count;
    return count;
  }

  /** Settles a reservation by the answer: a refusal releases it, no answer keeps it. */
  settle(reserved: number, body: unknown, channel: string, reply: Reply | undefined, exchange: string): void {
    const items = itemsOf(body);
    const what = items.map(inWords).join('; ');
    if (!reply) {
      this.#litter.push({ kind: 'perhaps', channel, what, exchange });
      return;
    }
    const made = reply.ok ? bookingsIn(reply.data) : { ids: [] };
    this.#used -= reserved - (reply.ok ? Math.max(made.ids.length, 1) : 0);
    for (const [index, bookingId] of made.ids.entries()) {
      const group = made.group === undefined ? {} : { group: made.group };
      this.#litter.push({ kind: 'booking', bookingId, ...group, channel, what: inWords(items[index]), exchange });
    }
    if (reply.ok && made.ids.length === 0) this.#litter.push({ kind: 'perhaps', channel, what, exchange });
  }
}

/** The single bookings of a body in any of its shapes; a body that is not JSON counts as one. */
function itemsOf(body: unknown): readonly unknown[] {
  let value = body;
  if (typeof body === 'string') {
    try {
      value = JSON.parse(body);
    } catch {
      return [body];
    }
  }
  if (isObject(value) && Array.isArray(value['details'])) value = value['details'];
  return Array.isArray(value) ? value : [value];
}

/** The ids of the bookings in the answer to a creation, and the number of their group. */
export function bookingsIn(data: unknown): { readonly ids: readonly string[]; readonly group?: number } {
  if (!isObject(data)) return { ids: [] };
  if (!Array.isArray(data['bookingIds'])) return { ids: idOf(data) };
  const group = data['groupId'] ?? data['bulkBookingId'];
  return { ids: data['bookingIds'].flatMap(idOf), ...(typeof group === 'number' ? { group } : {}) };
}

function idOf(item: unknown): string[] {
  const id = isObject(item) ? item['bookingId'] : undefined;
  return typeof id === 'string' ? [id] : [];
}

/** A booking as the list of what was left behind shows it. */
export function inWords(item: unknown): string {
  if (!isObject(item)) return 'a malformed body';
  const { facilityId, teetime, players } = item;
  const group = players === 1 ? '1 player' : `${String(players)} players`;
  return `facility ${String(facilityId)}, ${String(teetime)}, ${group}`;
}
