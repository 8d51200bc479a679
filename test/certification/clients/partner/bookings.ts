import type { components } from '../../../../src/contract/generated/types.js';
import { addDays, type Day, queryDate } from './dates.js';
import { type BookingProblem, problemOf, ServiceFailure } from './failure.js';
import { bulkBody, fullBody, roundBody, type Wish } from './wishes.js';
import type { Transport } from './transport.js';

type Listed = components['schemas']['BookingV4'];

/** What was booked together. */
export interface Booked {
  readonly bookingIds: readonly string[];
  readonly group?: { readonly id: number; readonly version: 'v3' | 'v4' };
}

/** The ways to book: the three bodies of v5, the list of v3 and the round of v2. */
export type Way = 'single' | 'multiple' | 'with payment' | 'bulk' | 'round';

/** So many wishes from tee sheets that are read now, none of them at the tee times to avoid. */
export type Finder = (count: number, avoid: ReadonlySet<number>) => Promise<readonly Wish[]>;

/** Nothing is free for a customer. */
export class NothingFree extends Error {
  override readonly name = 'NothingFree';
}

const ATTEMPTS = 3;

/** Books, so that one wish becomes one booking whatever fails. */
export class Bookings {
  /** Identifiers of the bookings that belong to a wish. */
  readonly known = new Set<string>();

  constructor(readonly transport: Transport) {}

  async book(way: Way, count: number, find: Finder): Promise<Booked> {
    const avoid = new Set<number>();
    const made: string[] = [];
    let wishes = await this.wishesFrom(find, count, avoid);
    for (let attempt = 1; ; attempt += 1) {
      try {
        return this.booked(await this.send(way, wishes), made);
      } catch (error) {
        if (!(error instanceof ServiceFailure)) throw error;
        made.push(...(await this.madeAllTheSame(error, wishes)));
        if (made.length === count) return { bookingIds: made };
        if (!this.mayRetry(error, attempt) || (made.length > 0 && wishes[0]!.linkedTeeTimeRef)) throw error;
        if (error.kind === 'refused' && problemOf(error) === 'cart')
          for (const { offer } of wishes) avoid.add(offer.teeId);
        await this.transport.host.sleep(error.retryAfter ?? 2000 * attempt);
        wishes = await this.afterFailure(error, wishes, () => this.wishesFrom(find, count - made.length, avoid));
      }
    }
  }

  /** The wishes of the next attempt: prices and free slots may have changed, so the tee sheets are read again. */
  afterFailure(
    _error: ServiceFailure,
    _last: readonly Wish[],
    anew: () => Promise<readonly Wish[]>,
  ): Promise<readonly Wish[]> {
    return anew();
  }

  async wishesFrom(find: Finder, count: number, avoid: ReadonlySet<number>): Promise<readonly Wish[]> {
    const wishes = await find(count, avoid);
    if (wishes.length < count) throw new NothingFree(`${count} tee times were wanted, and ${wishes.length} are free.`);
    return wishes;
  }

  /** A transfer asks for no retry, and the others end by asking for one (section "Errors", list 2). */
  mayRetry(error: ServiceFailure, attempt: number): boolean {
    if (attempt >= ATTEMPTS || error.kind === 'unauthorized') return false;
    const problem: BookingProblem | undefined = error.kind === 'refused' ? problemOf(error) : undefined;
    return problem !== 'transfer';
  }

  /** The bookings of wishes that were made although the answer was a failure, or never came. */
  async madeAllTheSame(_error: ServiceFailure, wishes: readonly Wish[]): Promise<string[]> {
    const days = wishes.map(({ offer }) => offer.time.slice(0, 10)).sort();
    const listed = await this.list(days[0]!, days.at(-1)!);
    return wishes.flatMap((wish) => {
      const found = listed.find((one) => !this.known.has(one.bookingId) && isOf(wish, one));
      if (found) this.known.add(found.bookingId);
      return found ? [found.bookingId] : [];
    });
  }

  booked(now: Booked, before: readonly string[]): Booked {
    for (const id of now.bookingIds) this.known.add(id);
    return before.length === 0 ? now : { bookingIds: [...before, ...now.bookingIds] };
  }

  /** The bookings with a tee time from a day to another. Whether `toDate` belongs to them is not shown. */
  async list(from: Day, to: Day): Promise<readonly Listed[]> {
    const params = { query: { fromDate: queryDate(from), toDate: queryDate(addDays(to, 1)) } };
    return (await this.transport.data(this.transport.call.GET('/api/v4/bookings', { params }))) ?? [];
  }

  /** The bookings to come, in every form that our shop still reads. */
  async upcoming(): Promise<{ readonly id: string; readonly title: string }[]> {
    const { call } = this.transport;
    const query = { params: { query: {} } };
    const v4 = (await this.transport.data(call.GET('/api/v4/bookings', query))) ?? [];
    const v2 = (await this.transport.data(call.GET('/api/v2/bookings', query))) ?? [];
    const v1 = (await this.transport.data(call.GET('/api/v1/bookings', query))) ?? [];
    const title = (course: string | null, name: string | null) => `${course ?? ''}, ${name?.trim() ?? ''}`;
    return [
      ...v4.map((one) => ({ id: one.bookingId, title: title(one.course, one.contactLastName) })),
      ...v2.map((one) => ({ id: one.bookingId, title: title(one.round, one.contactLastName) })),
      ...v1.map((one) => ({ id: one.bookingId, title: title(one.round, one.contactName) })),
    ];
  }

  async send(way: Way, wishes: readonly Wish[]): Promise<Booked> {
    const { transport } = this;
    const { contact } = transport.agreement;
    if (way === 'round') {
      const body = roundBody(wishes[0]!, contact);
      return single(await transport.data(transport.call.POST('/api/v2/bookings', { body })));
    }
    if (way === 'bulk') {
      const body = wishes.map((wish) => bulkBody(wish, contact, () => transport.host.newId()));
      const { bulkBookingId, bookingIds } = await transport.data(transport.call.POST('/api/v3/bulkbookings', { body }));
      return { bookingIds: bookingIds.map(({ bookingId }) => bookingId), group: { id: bulkBookingId, version: 'v3' } };
    }
    const all = wishes.map((wish) => fullBody(wish, contact));
    const body = way === 'single' ? all[0]! : way === 'multiple' ? all : { details: all, paymentIntent: this.intent() };
    const data = await transport.data(transport.call.POST('/api/v5/bookings', { body }));
    if (!('groupId' in data)) return single(data);
    return {
      bookingIds: data.bookingIds.map(({ bookingId }) => bookingId),
      group: { id: data.groupId, version: 'v4' },
    };
  }

  /** The identifier of a payment intent, which our payment provider gives us. */
  intent(): string {
    return `pi_${this.transport.host.newId().replaceAll('-', '')}`;
  }
}

function single({ bookingId }: { readonly bookingId: string }): Booked {
  return { bookingIds: [bookingId] };
}

/** Whether a listed booking is that of a wish. A field that the list leaves empty says nothing. */
function isOf({ offer, players, guest }: Wish, listed: Listed): boolean {
  const same = (given: string, shown: string | null | undefined) => !shown || shown === given;
  return (
    listed.status === 'BOOKED' &&
    listed.teeId === offer.teeId &&
    listed.players === players &&
    same(guest.lastName, listed.contactLastName) &&
    same(guest.email, listed.contactEmail)
  );
}
