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
  calls = 0;
  hasGroups = false;
  hasOlder = false;
  hasErrors = false;

  call(call: ClientCall): void {
    this.calls += 1;
    const name = nameOf(call);
    if (name !== undefined) this.#names.add(name);
    this.hasGroups ||= requestedBookingsOf(call).length > 1;
    this.hasOlder ||= call.operation !== undefined && older.has(call.operation);
    this.hasErrors ||= !isSuccess(call);
  }

  /** Whether it called any of these operations. */
  did(...names: readonly string[]): boolean {
    return names.some((name) => this.#names.has(name));
  }

  /** Why an exam cannot be reached; undefined if it can. */
  lacks(needs: readonly Need[]): string | undefined {
    const missing: Need | undefined = this.calls === 0 ? 'calls' : needs.find((need) => !conditions[need].isMet(this));
    return missing && `On the happy path, the client ${conditions[missing].lacking}.`;
  }
}

const books = (use: HappyUse): boolean => use.did('createBooking', 'createBulkBooking');
const pays = (use: HappyUse): boolean => use.did('confirmPayment', 'confirmBulkPayment');
const readsTeeTimes = (use: HappyUse): boolean => use.did('listTeeTimes', 'searchTeeTimes');

/** The needs of exams: whether a client meets one, and what it did not do otherwise. */
const conditions = {
  calls: { isMet: ({ calls }) => calls > 0, lacking: 'sent no request' },
  tokens: { isMet: (use) => use.did('refreshToken'), lacking: 'refreshed no token' },
  bookings: { isMet: books, lacking: 'booked nothing' },
  groups: { isMet: ({ hasGroups }) => hasGroups, lacking: 'sent no request with several bookings' },
  payments: { isMet: pays, lacking: 'confirmed no payment' },
  searches: { isMet: (use) => use.did('searchTeeTimes'), lacking: 'searched no tee times of several facilities' },
  prices: { isMet: (use) => use.did('listPrices'), lacking: 'read no prices' },
  'tee sheets': { isMet: (use) => use.did('listTeeTimes'), lacking: 'read no tee sheet' },
  'tee times': { isMet: readsTeeTimes, lacking: 'read no tee times' },
  extras: {
    isMet: (use) => readsTeeTimes(use) || use.did('facilityDetails'),
    lacking: 'read neither tee times nor details of a facility',
  },
  lists: {
    isMet: (use) => readsTeeTimes(use) || use.did('facilityDetails', 'listPrices'),
    lacking: 'read no answer with a list that may be empty',
  },
  'course names': {
    isMet: (use) => readsTeeTimes(use) || use.did('listPrices', 'listBookings'),
    lacking: 'read no answer with the name of a course',
  },
  currencies: {
    isMet: (use) => readsTeeTimes(use) || use.did('listPrices', 'findFacility'),
    lacking: 'read no answer with a currency',
  },
  'optional fields': {
    isMet: (use) => use.did('listFacilities', 'findFacility', 'facilityDetails', 'listBookings', 'listPrices'),
    lacking: 'read no answer with an optional field',
  },
  'made or accepted': {
    isMet: (use) => books(use) || use.did('searchTeeTimes'),
    lacking: 'neither booked nor searched tee times of several facilities',
  },
  'booking forms': {
    isMet: (use) => books(use) || use.did('listBookings'),
    lacking: 'neither booked nor listed bookings',
  },
  errors: { isMet: (use) => books(use) || use.hasErrors, lacking: 'booked nothing, and no request failed' },
  'payments or older versions': {
    isMet: (use) => pays(use) || use.hasOlder,
    lacking: 'confirmed no payment, and used only the newest version of each operation',
  },
} satisfies Readonly<Record<string, { isMet(use: HappyUse): boolean; lacking: string }>>;

/** What a client must do for an exam to differ from the happy path. */
export type Need = keyof typeof conditions;
