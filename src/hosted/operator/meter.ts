import { operations } from '../../contract/index.js';
import type { WorldLimits, WorldUsage } from './settings.js';

/** Counts of a world, as they are stored. */
export interface WorldCounts {
  /** The day in UTC of the counts of today, in days since 1970. */
  readonly day: number;
  readonly requestsToday: number;
  readonly requests: number;
  readonly callbacksToday: number;
  readonly callbacks: number;
  /** Epoch milliseconds; null: never. */
  readonly lastUsedAt: number | null;
}

export type LimitName = 'requests-per-minute' | 'bookings' | 'storage-bytes' | 'callbacks-per-day';

/** A request that a limit of the world refuses. */
export interface LimitRefusal {
  readonly limit: LimitName;
  readonly status: 429 | 507;
  readonly message: string;
  /** Seconds until the next request passes. */
  readonly retryAfter?: number;
}

/** What the meter must know of a request. */
export interface MeteredRequest {
  readonly method: string;
  /** Decoded, below the base URL of the world: `/api/v5/bookings`. */
  readonly path: string;
  /** Epoch milliseconds of the host. */
  readonly now: number;
  /** Bytes of the body, if the caller says so. */
  readonly length: number | undefined;
  readonly bookings: () => number;
  /** Bytes that the world has stored. */
  readonly storageBytes: () => number;
}

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

const bookingPaths: ReadonlySet<string> = new Set(
  operations.filter(({ name }) => /^create(Bulk)?Booking$/.test(name)).map(({ path }) => path),
);
/** What stores more and makes nothing smaller. Cancelling, deleting, resetting and reading always pass. */
const storing = /^(PUT (state|dialect|snapshots\/[^/]+)|POST (plans|chaos|tee-sheets\/[^/]+\/changes))$/;
const advice = 'Ask the operator for more, or make room: `POST __admin/reset` goes back to the baseline.';

/** Counts what a world uses and holds it to its limits, before its sandbox sees a request. */
export class WorldMeter {
  #counts: WorldCounts;
  /** Requests that would pass at once: it fills up evenly, to those of a minute. */
  #tokens: number;
  #filledAt: number | undefined;

  constructor(
    public limits: WorldLimits,
    stored?: WorldCounts,
  ) {
    const none = { day: 0, requestsToday: 0, requests: 0, callbacksToday: 0, callbacks: 0, lastUsedAt: null };
    this.#counts = { ...none, ...stored };
    this.#tokens = limits.requestsPerMinute;
  }

  /** Counts a request; the refusal if it must not pass. */
  refuses(request: MeteredRequest): LimitRefusal | undefined {
    const { now } = request;
    this.#refill(now);
    if (this.#tokens < 1) return this.#tooFast();
    this.#tokens -= 1;
    const { requests, requestsToday } = this.#today(now);
    this.#counts = { ...this.#counts, requests: requests + 1, requestsToday: requestsToday + 1, lastUsedAt: now };
    return this.#tooMuch(request);
  }

  /** Counts an attempt to post a callback; the reason if it must not be made. */
  takeCallback(now: number): string | undefined {
    const { callbacksPerDay } = this.limits;
    const { callbacks, callbacksToday } = this.#today(now);
    if (callbacksToday >= callbacksPerDay) {
      return `The world has posted ${callbacksToday} callbacks today; its limit is ${callbacksPerDay} a day (UTC).`;
    }
    this.#counts = { ...this.#counts, callbacks: callbacks + 1, callbacksToday: callbacksToday + 1 };
    return undefined;
  }

  /** The counts, to be stored. */
  get counts(): WorldCounts {
    return this.#counts;
  }

  usage(now: number, bookings: number, storageBytes: number): Omit<WorldUsage, 'expiresAt' | 'limits'> {
    const { requests, requestsToday, callbacks, callbacksToday, lastUsedAt } = this.#today(now);
    return {
      requests: { today: requestsToday, total: requests },
      bookings,
      storageBytes,
      callbacks: { today: callbacksToday, total: callbacks },
      lastUsedAt,
    };
  }

  /** The counts, of which those of today begin anew with each day. */
  #today(now: number): WorldCounts {
    const day = Math.floor(now / DAY);
    if (day !== this.#counts.day) this.#counts = { ...this.#counts, day, requestsToday: 0, callbacksToday: 0 };
    return this.#counts;
  }

  #refill(now: number): void {
    const { requestsPerMinute } = this.limits;
    const passed = Math.max(0, now - (this.#filledAt ?? now));
    this.#tokens = Math.min(requestsPerMinute, this.#tokens + (passed * requestsPerMinute) / MINUTE);
    this.#filledAt = now;
  }

  #tooFast(): LimitRefusal {
    const { requestsPerMinute } = this.limits;
    const retryAfter = Math.ceil(((1 - this.#tokens) / requestsPerMinute) * 60);
    const message = `This world answers ${requestsPerMinute} requests a minute. Try again after ${retryAfter} s.`;
    return { limit: 'requests-per-minute', status: 429, message, retryAfter };
  }

  #tooMuch({ method, path, length, bookings, storageBytes }: MeteredRequest): LimitRefusal | undefined {
    const { limits } = this;
    const trimmed = path.replace(/\/$/, '');
    const books = method === 'POST' && bookingPaths.has(trimmed);
    if (!books && !(trimmed.startsWith('/__admin/') && storing.test(`${method} ${trimmed.slice(9)}`))) return undefined;
    if (books && bookings() >= limits.bookings) {
      const message = `This world has ${bookings()} bookings; its limit is ${limits.bookings}. ${advice}`;
      return { limit: 'bookings', status: 507, message };
    }
    if (trimmed === '/__admin/state' && (length ?? Infinity) > limits.storageBytes) {
      const message = `This world stores at most ${limits.storageBytes} bytes; send a state of this \`Content-Length\`.`;
      return { limit: 'storage-bytes', status: 507, message };
    }
    if (storageBytes() < limits.storageBytes) return undefined;
    const message = `This world stores ${storageBytes()} bytes; its limit is ${limits.storageBytes}. ${advice}`;
    return { limit: 'storage-bytes', status: 507, message };
  }
}
