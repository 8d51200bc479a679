import type { RuleId } from '../../../src/generated/rule-basis.js';
import type { OperationSpec, ParameterSpec } from '../../../src/generated/operations.js';
import { everyOperation, pathOf } from '../operations.js';

/** A request that must be refused, and what the answer must say. */
export interface BadRequest {
  readonly given: string;
  readonly method: string;
  readonly path: string;
  readonly headers?: Record<string, string>;
  /** Sent as it is. */
  readonly body?: string;
  readonly want: {
    readonly status: number;
    readonly rule: RuleId;
    /** Named at the start of the message, with the rule at its end. */
    readonly field?: string;
    readonly says?: string | RegExp;
  };
}

/** Undefined leaves the parameter out. */
type Bad = readonly [value: string | undefined, says: string];

const missing = undefined;
const day = 'must be a date that exists, written dd-mm-yyyy';
const noDays = ['', '31-02-2026', '29-02-2027', '00-06-2026', '11-13-2026', '11/06/2026', '11-06-26', 'tomorrow'];
const days: readonly Bad[] = [...noDays, '2026-06-11', '11-06-2026 10:00'].map((value) => [value, day]);
const daysOfSearch: readonly Bad[] = [...noDays, '2026-02-31', '2026-6-1'].map((value) => [value, 'must be a date']);
const number = 'must be a whole number';
const noId: readonly Bad[] = ['x', '1.5', '1e3', '0x3E9', '1001,1002'].map((value) => [value, number]);
const ids: readonly Bad[] = ['', 'x', ',', '1001,', '1001;1002', '1001,x', '1.5'].map((value) => [
  value,
  'must be facility ids separated by commas',
]);
const atLeast = ['', '-1', 'x', '1.5', '1e1'].map((value): Bad => [value, 'must be a whole number of at least 0']);
const players = ['', '0', '5', '-1', '1.5', 'two', '2e0'].map((value): Bad => [value, `${number} from 1 to 4`]);
const holes = ['', '12', '0', '27', '-9', 'nine', '9.5'].map((value): Bad => [value, 'must be 9 or 18']);
const connected = ['', 'maybe', '1', 'TRUE'].map((value): Bad => [value, 'must be true or false']);
const addresses = ['', 'nowhere', '/results', 'ftp://127.0.0.1/x', 'javascript:1'].map((value): Bad => [value, 'must']);

/** The names of operations, and for each parameter its rule and the values it may not have. */
const tables: Readonly<Record<string, Readonly<Record<string, readonly [RuleId, readonly Bad[]]>>>> = {
  listCountries: { connected: ['countries.query.connected', connected] },
  listFacilities: {
    country: ['facilities.query.country', ['', missing].map((value): Bad => [value, 'must not be empty'])],
    connected: ['facilities.query.connected', connected],
  },
  findFacility: { facilityId: ['facilities.path.facilityId', noId] },
  facilityDetails: { facilityId: ['facilities.path.facilityId', noId] },
  listTeeTimes: {
    facilityId: ['teetimes.path.facilityId', noId],
    courseId: ['teetimes.path.courseId', noId],
    bookingDate: ['teetimes.query.bookingDate', [[missing, day], ...days]],
    players: ['teetimes.query.players', [[missing, 'from 1 to 4'], ...players]],
    holes: ['teetimes.query.holes', [[missing, '9 or 18'], ...holes]],
  },
  searchTeeTimes: {
    facilityIds: ['search.query.facilityIds', [[missing, 'must be facility ids'], ...ids]],
    fromDate: ['search.query.fromDate', [[missing, 'must be a date'], ...daysOfSearch]],
    toDate: ['search.query.toDate', [[missing, 'must be a date'], ...daysOfSearch, ['10-06-2026', '`fromDate`']]],
    players: ['search.query.players', [[missing, 'from 1 to 4'], ...players]],
    holes: ['search.query.holes', [[missing, '9 or 18'], ...holes]],
    callbackUrl: ['search.query.callbackUrl', [[missing, 'must not be empty'], ...addresses]],
  },
  listPrices: {
    facilityIds: ['prices.query.facilityIds', [[missing, 'must be facility ids'], ...ids]],
    fromDate: ['prices.query.fromDate', [[missing, day], ...days]],
    toDate: ['prices.query.toDate', [[missing, day], ...days, ['10-06-2026', 'must not be before `fromDate`']]],
    offset: ['prices.query.offset', atLeast],
    limit: ['prices.query.limit', atLeast],
  },
  listBookings: {
    fromDate: ['bookings.list.fromDate', days],
    toDate: ['bookings.list.toDate', days],
  },
  confirmBulkPayment: { bulkBookingId: ['payments.path.bulkBookingId', noId] },
};

/** Parameters that stand on paths and may be any text, so that none of it is malformed. */
const anyText = ['serviceBookingId', 'version'];

/** The path of an operation, good but for one parameter. */
function spoilt(operation: OperationSpec, { name, in: place }: ParameterSpec, value: string | undefined): string {
  if (place === 'path') {
    const others = operation.path.replace(`{${name}}`, encodeURIComponent(value!));
    return pathOf({ ...operation, path: others });
  }
  const [path, query] = pathOf(operation).split('?');
  const all = new URLSearchParams(query);
  if (value === undefined) all.delete(name);
  else all.set(name, value);
  return all.size === 0 ? path! : `${path}?${all}`;
}

/** Every parameter of every operation, with every value it may not have. */
export function badParameters(): readonly BadRequest[] {
  return everyOperation.flatMap((operation) => {
    const checked = operation.parameters.filter(({ name }) => !anyText.includes(name));
    return checked.flatMap((parameter) => {
      const [rule, values] = tables[operation.name]![parameter.name]!;
      return values.map(([value, says]) => ({
        given: `${operation.id} with ${parameter.name} ${value === undefined ? 'missing' : JSON.stringify(value)}`,
        method: operation.method,
        path: spoilt(operation, parameter, value),
        want: { status: 400, rule, field: parameter.name, says },
      }));
    });
  });
}

const FACILITIES = [1001, 1002, 1003, 1004, 1005, 1006];

function pricesOrder(query: Record<string, string>): string {
  return `/api/v5/price/insideDateRange?${new URLSearchParams({ facilityIds: '1001', ...query })}`;
}

/** Parameters that are good one by one. */
export const badTogether: readonly BadRequest[] = [
  ...['v1', 'v2', 'v4'].map((version): BadRequest => ({
    given: `${version}.listBookings from a day after the last`,
    method: 'GET',
    path: `/api/${version}/bookings?fromDate=12-06-2026&toDate=11-06-2026`,
    want: { status: 400, rule: 'bookings.list.toDate', field: 'toDate', says: 'must not be before `fromDate`' },
  })),
  {
    given: 'prices from a day after the last, in another year',
    method: 'GET',
    path: pricesOrder({ fromDate: '01-01-2027', toDate: '31-12-2026' }),
    want: { status: 400, rule: 'prices.query.toDate', field: 'toDate', says: 'must not be before `fromDate`' },
  },
  ...[FACILITIES, Array<number>(6).fill(1001)].map((facilities): BadRequest => ({
    given: `prices of six facilities, ${facilities}`,
    method: 'GET',
    path: pricesOrder({ facilityIds: facilities.join(), fromDate: '11-06-2026', toDate: '11-06-2026' }),
    want: { status: 400, rule: 'prices.facility-ids-limit', field: 'facilityIds', says: 'at most 5' },
  })),
  {
    given: 'an escape in a query that is none',
    method: 'GET',
    path: '/api/v3/facilities?country=%zz',
    want: { status: 400, rule: 'versions.path', field: 'query', says: 'must be percent-encoded' },
  },
];
