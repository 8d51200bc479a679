import { operations } from '../contract/index.js';
import { requestedBookingsOf } from './obligations/bookings/requested-bookings.js';
import { isSuccess, nameOf } from './obligations/operations.js';
import type { ClientCall } from './obligations/traffic.js';

const newest = new Map<string, string>();
for (const { name, version } of operations) {
  if (version > (newest.get(name) ?? '')) newest.set(name, version);
}
const older = new Set<string>(
  operations.filter(({ name, version }) => version < newest.get(name)!).map(({ id }) => id),
);

/** What a client did on the happy path. Until an exam differs from it, the client does the same in that exam. */
export class HappyUse {
  readonly #names = new Set<string>();
  #calls = 0;
  #hasGroups = false;
  #hasOlder = false;
  #hasErrors = false;

  call(call: ClientCall): void {
    this.#calls += 1;
    const name = nameOf(call);
    if (name !== undefined) this.#names.add(name);
    this.#hasGroups ||= requestedBookingsOf(call).length > 1;
    this.#hasOlder ||= call.operation !== undefined && older.has(call.operation);
    this.#hasErrors ||= !isSuccess(call);
  }

  /** Why an exam cannot be reached; undefined if it can. */
  lacks(needs: readonly Need[]): string | undefined {
    const missing: Need | undefined = this.#calls === 0 ? 'calls' : needs.find((need) => !this.#has(need));
    return missing && `On the happy path, the client ${lacking[missing]}.`;
  }

  #has(need: Need): boolean {
    const did = (...names: readonly string[]): boolean => names.some((name) => this.#names.has(name));
    const books = did('createBooking', 'createBulkBooking');
    const pays = did('confirmPayment', 'confirmBulkPayment');
    const readsTeeTimes = did('listTeeTimes', 'searchTeeTimes');
    switch (need) {
      case 'calls':
        return this.#calls > 0;
      case 'tokens':
        return did('refreshToken');
      case 'bookings':
        return books;
      case 'groups':
        return this.#hasGroups;
      case 'payments':
        return pays;
      case 'searches':
        return did('searchTeeTimes');
      case 'prices':
        return did('listPrices');
      case 'tee sheets':
        return did('listTeeTimes');
      case 'tee times':
        return readsTeeTimes;
      case 'extras':
        return readsTeeTimes || did('facilityDetails');
      case 'lists':
        return readsTeeTimes || did('facilityDetails', 'listPrices');
      case 'course names':
        return readsTeeTimes || did('listPrices', 'listBookings');
      case 'optional fields':
        return did('listFacilities', 'findFacility', 'facilityDetails', 'listBookings', 'listPrices');
      case 'made or accepted':
        return books || did('searchTeeTimes');
      case 'booking forms':
        return books || did('listBookings');
      case 'errors':
        return books || this.#hasErrors;
      case 'payments or older versions':
        return pays || this.#hasOlder;
    }
  }
}

/** What the client did not do, for each need of an exam. */
const lacking = {
  calls: 'sent no request',
  tokens: 'refreshed no token',
  bookings: 'booked nothing',
  groups: 'sent no request with several bookings',
  payments: 'confirmed no payment',
  searches: 'searched no tee times of several facilities',
  prices: 'read no prices',
  'tee sheets': 'read no tee sheet',
  'tee times': 'read no tee times',
  extras: 'read neither tee times nor details of a facility',
  lists: 'read no answer with a list that may be empty',
  'course names': 'read no answer with the name of a course',
  'optional fields': 'read no answer with an optional field',
  'made or accepted': 'neither booked nor searched tee times of several facilities',
  'booking forms': 'neither booked nor listed bookings',
  errors: 'booked nothing, and no request failed',
  'payments or older versions': 'confirmed no payment, and used only the newest version of each operation',
} as const;

/** What a client must do for an exam to differ from the happy path. */
export type Need = keyof typeof lacking;
