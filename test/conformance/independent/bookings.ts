import { isPlain } from './plain.js';
import { queryDate } from './civil.js';
import type { Ask, Channel } from './desk.js';
import { type Item, type Order, Orders } from './orders.js';
import type { Slot } from './sheets.js';

export interface Booking {
  readonly id: string;
  readonly channel: Channel;
  readonly slot: Slot;
  readonly players: number;
  readonly item: Item;
  readonly createdAt: string;
  status: string;
  group: number | undefined;
}

/** Bookings: made, listed and, by the staff of a facility, cancelled. */
export class Bookings extends Orders {
  bookings: Booking[] = [];
  groups = 4000;

  book({ body, channel, version }: Ask): unknown {
    if (Array.isArray(body)) return this.bookGroup(body, channel, version);
    if (isPlain(body) && 'details' in body) return this.bookCart(body, channel, version);
    return this.bookOne(body, channel, version);
  }

  bookOne(body: unknown, channel: Channel, version: number): unknown {
    const [order] = this.orders([body], channel, version);
    return { bookingId: this.enter(order!, channel).id };
  }

  bookCart({ details, paymentIntent }: Item, channel: Channel, version: number): unknown {
    if (!Array.isArray(details)) throw this.failed('details must be a list');
    if (paymentIntent !== undefined && typeof paymentIntent !== 'string') {
      throw this.failed('paymentIntent must be text');
    }
    return this.bookGroup(details, channel, version);
  }

  bookBulk({ body, channel, version }: Ask): unknown {
    if (!Array.isArray(body)) throw this.failed('the body must be a list');
    const { groupId, bookingIds } = this.bookGroup(body, channel, version);
    return { bulkBookingId: groupId, bookingIds };
  }

  bookGroup(items: readonly unknown[], channel: Channel, version: number): { groupId: number; bookingIds: unknown } {
    const orders = this.orders(items, channel, version);
    this.groups += 1;
    const made = orders.map((order) => this.enter(order, channel, this.groups));
    return { groupId: this.groups, bookingIds: made.map((booking) => this.writeMade(booking)) };
  }

  writeMade({ id, slot }: Booking): Record<string, unknown> {
    return { bookingId: id, teetime: slot.time, courseId: slot.course.id };
  }

  enter({ item, slot, players }: Order, channel: Channel, group?: number): Booking {
    const createdAt = this.stamp();
    const booking = { id: this.newId(slot), channel, slot, players, item, createdAt, status: 'BOOKED', group };
    this.bookings.push(booking);
    this.hold(slot, players);
    return booking;
  }

  stamp(): string {
    return new Date(this.around.now()).toISOString().slice(0, 23);
  }

  newId({ club, id }: Slot): string {
    return `GB-${club.id}-${id}-${(this.bookings.length + 46_655).toString(36)}`;
  }

  hold(slot: Slot, players: number): void {
    this.held.set(slot.id, (this.held.get(slot.id) ?? 0) + players);
  }

  cancel(booking: Booking): void {
    booking.status = 'CANCELED';
    this.hold(booking.slot, -booking.players);
  }

  list({ query, channel, version }: Ask): unknown {
    const [from, to] = ['fromDate', 'toDate'].map((name) => {
      const text = query.get(name);
      if (text === null) return undefined;
      const date = queryDate(text);
      if (!date) throw this.invalid(name, 'a date, dd-mm-yyyy');
      return date;
    });
    return this.bookings
      .filter((booking) => this.isOwn(booking, channel) && this.isWithin(booking, from, to))
      .map((booking) => this.write(booking, version));
  }

  isOwn(booking: Booking, channel: Channel): boolean {
    return booking.channel === channel;
  }

  isWithin({ slot }: Booking, from: string | undefined, to: string | undefined): boolean {
    const after = from === undefined ? !this.isPast(slot) : slot.date >= from;
    return after && (to === undefined || slot.date <= to);
  }

  write(booking: Booking, version: number): Record<string, unknown> {
    const { slot, players, item, createdAt, id, status } = booking;
    const { contactPhone, contactEmail } = item;
    const where = version === 4 ? { course: slot.course.name, facilityId: slot.club.id } : { round: slot.course.name };
    const contact = { ...this.person(item, version), contactPhone, contactEmail };
    return { teetime: slot.time, ...where, players, teeId: slot.id, ...contact, createdAt, bookingId: id, status };
  }

  person(item: Item, version: number): Record<string, unknown> {
    const { contactName, contactFirstName, contactLastName } = item as Record<string, string | undefined>;
    const whole = contactName ?? `${contactFirstName} ${contactLastName}`;
    if (version === 1) return { contactName: whole };
    const [first, ...rest] = whole.split(' ');
    return {
      contactFirstName: contactFirstName ?? first,
      contactLastName: contactLastName ?? rest.join(' '),
    };
  }
}
