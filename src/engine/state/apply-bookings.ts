import type { Amendment } from '../model/amend.js';
import type { BookingState } from '../model/booking.js';
import { misfit } from '../../common/index.js';
import { groupNumber, isGroup } from '../store/groups.js';
import type { StoreState } from '../store/state.js';
import type { AmendedChange, BookedChange, CanceledChange, PaidChange } from '../store/store-change.js';

/** The bookings of a state, to which changes are applied. */
export class BookingsDraft {
  /** In order of their numbers. */
  readonly all: BookingState[];
  #sequence: number;
  #groups: number;
  readonly #bulks: Set<number>;

  constructor({ bookings, sequence, groups, bulks }: StoreState) {
    this.all = [...bookings];
    this.#sequence = sequence;
    this.#groups = groups;
    this.#bulks = new Set(bulks);
  }

  get parts(): Pick<StoreState, 'sequence' | 'groups' | 'bulks'> {
    return { sequence: this.#sequence, groups: this.#groups, bulks: [...this.#bulks] };
  }

  book({ bookings, bulk }: BookedChange, at: string): void {
    for (const [index, booking] of bookings.entries()) {
      const { sequence, groupId } = booking;
      if (sequence !== this.#sequence + 1) {
        throw misfit(`${at}.bookings[${index}].sequence`, `${this.#sequence + 1}, the next one`, sequence);
      }
      this.#sequence = sequence;
      this.all.push(booking);
      if (groupId === null) continue;
      if (!isGroup(groupId, this.#groups + 1)) {
        throw misfit(
          `${at}.bookings[${index}].groupId`,
          'null or the id of a group of the state or the next one',
          groupId,
        );
      }
      this.#groups = Math.max(this.#groups, groupNumber(groupId));
      if (bulk) this.#bulks.add(groupId);
    }
  }

  cancel({ sequence, canceledAt }: CanceledChange, at: string): void {
    const index = this.#indexOf(sequence, at);
    const booking = this.all[index]!;
    if (booking.status !== 'BOOKED')
      throw misfit(`${at}.sequence`, 'the number of a booking that is not cancelled', sequence);
    this.all[index] = { ...booking, status: 'CANCELED', canceledAt };
  }

  pay({ sequence, paymentConfirmedAt }: PaidChange, at: string): void {
    const index = this.#indexOf(sequence, at);
    const booking = this.all[index]!;
    if (booking.paymentConfirmedAt !== null)
      throw misfit(`${at}.sequence`, 'the number of a booking that is not paid', sequence);
    this.all[index] = { ...booking, paymentConfirmedAt };
  }

  /** Numbers ascend, so this is a binary search. */
  #indexOf(sequence: number, at: string): number {
    let low = 0;
    let high = this.all.length - 1;
    while (low <= high) {
      const middle = (low + high) >> 1;
      // The bookings of the state are not checked yet.
      const found = (this.all[middle] as Partial<BookingState> | null)?.sequence ?? Infinity;
      if (found === sequence) return middle;
      if (found < sequence) low = middle + 1;
      else high = middle - 1;
    }
    throw misfit(`${at}.sequence`, 'the number of a booking of the state', sequence);
  }
}

/** Replaces the last changes by operators. */
export function draftAmendments(all: Amendment[], { kept, amendments }: AmendedChange, at: string): void {
  if (kept > all.length) throw misfit(`${at}.kept`, `at most ${all.length}, the number of changes by operators`, kept);
  all.length = kept;
  for (const one of amendments) all.push(one);
}
