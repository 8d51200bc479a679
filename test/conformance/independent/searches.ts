import type { Club } from './clubs.js';
import { queryDate, realDate } from './civil.js';
import type { Ask, Message } from './desk.js';
import { type Booking, Bookings } from './bookings.js';

/** A search for several facilities. */
export interface Search {
  readonly clubs: readonly Club[];
  readonly dates: readonly string[];
  readonly players: number;
  readonly holes: number;
  readonly url: string;
}

const PAUSED = 'Payment confirmation to providers is temporarily paused.';

/** Payments, and the search whose result is posted. */
export class Searches extends Bookings {
  /** Milliseconds from an accepted search to its result. */
  delay = 400;
  readonly paid: string[] = [];

  /** The message of a payment that is paused, undefined when it was made. */
  pay({ args, channel, version }: Ask): string | undefined {
    const booking = this.bookings.find(({ id }) => id === args[0]);
    this.settle(booking && this.mayPay(booking, channel) ? [booking] : []);
    return version === 5 ? PAUSED : undefined;
  }

  payGroup({ args, channel, version }: Ask): string | undefined {
    if (!/^\d+$/.test(args[0]!)) throw this.invalid('bulkBookingId', 'an integer');
    this.settle(this.bookings.filter((one) => one.group === Number(args[0]) && this.mayPay(one, channel)));
    return version === 5 ? PAUSED : undefined;
  }

  mayPay(booking: Booking, channel: Ask['channel']): boolean {
    return booking.channel === channel;
  }

  settle(bookings: readonly Booking[]): void {
    if (bookings.length === 0) throw this.unknown('booking');
    this.paid.push(...bookings.map(({ id }) => id));
  }

  search({ query, channel }: Ask): null {
    const search = {
      clubs: this.clubsAsked(query, channel, 50),
      dates: this.searchDays(query),
      players: this.playersAsked(query),
      holes: this.holesAsked(query),
      url: this.callbackAsked(query),
    };
    this.around.schedule(() => this.deliver(search), this.delay);
    return null;
  }

  /** The API specification writes these dates in two ways. */
  searchDays(query: URLSearchParams): readonly string[] {
    const [from, to] = ['fromDate', 'toDate'].map((name) => {
      const text = this.given(query, name);
      const date = this.searchDate(text);
      if (!date) throw this.invalid(name, 'a date');
      return date;
    });
    return this.daysAsked(from!, to!);
  }

  searchDate(text: string): string | undefined {
    return queryDate(text) ?? realDate(text);
  }

  callbackAsked(query: URLSearchParams): string {
    const text = this.given(query, 'callbackUrl');
    if (!/^https?:\/\/./.test(text) || !URL.canParse(text)) throw this.invalid('callbackUrl', 'a URL');
    return text;
  }

  deliver(search: Search): void {
    void this.around.post(search.url, this.message({ success: true, data: this.result(search) }));
  }

  message(body: unknown): Message {
    return { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
  }

  result({ clubs, dates, players, holes }: Search): readonly Record<string, unknown>[] {
    return clubs.map((club) => {
      const found = dates.flatMap((date) => this.find(club, club.courses, date, players, holes));
      return { facilityId: club.id, teeTimeV3: found.map((slot) => this.writeSlot(slot, 5)) };
    });
  }
}
