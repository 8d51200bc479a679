import type { RuleId } from '../../../src/contract/generated/rule-basis.js';
import { inconvertible } from './inconvertible.js';
import type { BadRequest } from './parameters.js';

type Fields = Record<string, unknown>;

/** A place that takes a body, the rule of the body as such, and a good one for it. */
export interface Place {
  readonly name: string;
  readonly path: string;
  readonly whole: RuleId;
  /** Where a booking stands in the body, as messages write it; undefined where there is none. */
  readonly at?: string;
  readonly wrap: (item: Fields) => unknown;
}

const asItIs = (item: Fields): unknown => item;

export const REFRESH: Place = {
  name: 'refreshToken',
  path: '/api/v5/token/refreshToken',
  whole: 'tokens.refresh.body',
  wrap: asItIs,
};

/** The five ways to book, over all versions. */
export const bookingPlaces: readonly Place[] = [
  { name: 'v5 single', path: '/api/v5/bookings', whole: 'bookings.create.single', at: '', wrap: asItIs },
  { name: 'v5 array', path: '/api/v5/bookings', whole: 'bookings.create.multiple', at: '[0].', wrap: (item) => [item] },
  {
    name: 'v5 details',
    path: '/api/v5/bookings',
    whole: 'bookings.create.with-payment',
    at: 'details[0].',
    wrap: (item) => ({ details: [item] }),
  },
  { name: 'v3 bulk', path: '/api/v3/bulkbookings', whole: 'bookings.create.bulk', at: '[0].', wrap: (item) => [item] },
  { name: 'v2 single', path: '/api/v2/bookings', whole: 'bookings.create.single', at: '', wrap: asItIs },
];

/** Every operation that takes a body, by one place each. */
const bodyPlaces = [REFRESH, ...bookingPlaces.filter(({ name }) => !/array|details/.test(name))];

const post = (place: Place, given: string, body: string, want: BadRequest['want']): BadRequest => ({
  given: `${place.name}: ${given}`,
  method: 'POST',
  path: place.path,
  body,
  want,
});

const broken = ['', '{', '{"a":', "{'a':1}", '[1,]', '{"a":1}}', 'undefined', 'NaN', '\u0000', '{"a":"\n"}', '{} {}'];

/** Text that is no JSON. */
export const malformed = bodyPlaces.flatMap((place) =>
  broken.map((text) =>
    post(place, `JSON that is ${JSON.stringify(text)}`, text, {
      status: 400,
      rule: 'envelope.json-body',
      field: 'body',
      says: 'must be well-formed JSON',
    }),
  ),
);

const otherTypes = ['text/plain', 'application/xml', 'application/x-www-form-urlencoded', 'application/jsonx', 'json'];

/** Good JSON that is called something else. */
export const mistyped = bodyPlaces.flatMap((place) =>
  otherTypes.map((type) => ({
    ...post(place, `a body of ${type}`, '{}', {
      status: 415,
      rule: 'envelope.json-body' as const,
      says: '`Content-Type: application/json`',
    }),
    headers: { 'content-type': type },
  })),
);

/** The field that each place misses in a body that is no booking and no token. */
function dueIn({ name, whole }: Place): BadRequest['want'] {
  const field = name === 'refreshToken' ? 'refresh_token' : 'body';
  return { status: 400, rule: whole, field, says: 'must be' };
}

/** JSON of another shape; an object is what a single booking needs, and fails by its fields. */
export const misshapen = bodyPlaces.flatMap((place) =>
  ['null', '1', 'true', '"text"'].map((text) => post(place, `JSON that is ${text}`, text, dueIn(place))),
);

/** Lists without an element, wherever a list is due or stands. */
export const emptied: readonly BadRequest[] = [
  ...bodyPlaces.map((place) => {
    const list = place.path === '/api/v5/bookings' ? { rule: 'bookings.create.multiple' as const } : {};
    return post(place, 'an empty array', '[]', { ...dueIn(place), ...list });
  }),
  post(bookingPlaces[2]!, 'an empty array of details', '{"details":[]}', {
    status: 400,
    rule: 'bookings.create.with-payment',
    field: 'details',
    says: 'must be a non-empty list of bookings',
  }),
];

const TWO_MB = 2 * 1024 * 1024;

/** Two megabytes: of blanks around a body, and inside of a field. */
export function oversized(good: (place: Place) => Fields): readonly BadRequest[] {
  const want = { status: 413, rule: 'limits.body-size' as const, says: 'larger than 1048576 bytes' };
  return [REFRESH, ...bookingPlaces].flatMap((place) => {
    const item = good(place);
    const long = JSON.stringify(place.wrap({ ...item, comments: 'x'.repeat(TWO_MB) }));
    const padded = JSON.stringify(place.wrap(item)) + ' '.repeat(TWO_MB);
    return [post(place, '2 MB of comments', long, want), post(place, '2 MB of blanks', padded, want)];
  });
}

const noTimes = [
  [undefined, null, '', '2026-02-31 10:00:00', '11-06-2026 10:00:00', '2026-06-11T10:00:00', '2026-06-11', 1],
  ['2026-06-11 24:00:00', '2026-06-11 10:60:00', '2026-06-11 10:00', ' 2026-06-11 10:00:00'],
].flat();

/** A field of a booking and the values it may not have; undefined leaves it out. */
const badFields: Readonly<Record<string, readonly [says: string | RegExp, ...values: unknown[]]>> = {
  facilityId: ['a whole number', undefined, null, 'x', 1.5, '1.5', [1001], [inconvertible], true],
  teetime: ['must be an existing date and time in the format yyyy-mm-dd HH:MM:ss', ...noTimes],
  players: ['must be a whole number from 1 to 4', undefined, null, 0, 5, -1, 1.5, '2', [1], {}],
  teeId: ['a whole number', undefined, null, 'x', 1.5, '5'],
  holes: ['must be 9 or 18', undefined, null, 12, 0, 27, '18', 9.5],
  contactPhone: ['must be a phone number', undefined, null, '', 5],
  contactEmail: ['must be an e-mail address', undefined, null, '', 'ada', 5],
  contactFirstName: ['must be a non-empty string', undefined, null, '', 5],
  contactLastName: ['must be a non-empty string', undefined, null, '', 5],
};

/** Fields that only some forms have. */
const badFieldsOf: Readonly<Record<string, typeof badFields>> = {
  v5: {
    course: ['must be the name of the course', undefined, null, 7],
    productId: ['a whole number', undefined, null, 'x', 1.5],
    linkedTeeTimeRef: ['must be a UUID', 'no-uuid', '', 5, '3f1d2c4b-5a69-4788-9706-15243342516'],
    netRate: ['must be an amount', -1, 'x', {}],
    extraProduct: ['must be a list', {}, 'x'],
    additionalPlayers: ['must be a list', {}, 'x'],
  },
  v3: {
    course: ['must be the name of the course', undefined, null, 7],
    netRate: ['must be an amount', undefined, null, -1, 'x'],
    extraProduct: ['must be a list', undefined, {}, 'x'],
    comments: ['must be a string', undefined, 5],
    additionalPlayers: ['must be a list', undefined, {}, 'x'],
    linkedTeeTimeRef: ['must be a UUID', null, 'not-a-uuid', '', 5],
  },
  v2: { round: ['must be the name of the course', undefined, null, 7], comments: ['must be a string', 5] },
};

/** Fields that are optional elsewhere and missing in v3 break the words for its form. */
function ruleOf(field: string, value: unknown): RuleId {
  const isOptional = ['extraProduct', 'comments', 'additionalPlayers'].includes(field);
  return isOptional && value === undefined ? 'bookings.request.v3-every' : (`bookings.request.${field}` as RuleId);
}

/** Every field of every form, with every value it may not have, wherever a booking may stand. */
export function badBookings(good: (place: Place) => Fields): readonly BadRequest[] {
  return bookingPlaces.flatMap((place) => {
    const table = { ...badFields, ...badFieldsOf[place.name.slice(0, 2)] };
    return Object.entries(table).flatMap(([field, [says, ...values]]) =>
      [...values, inconvertible].map((value) =>
        post(
          place,
          `${field} ${value === undefined ? 'missing' : JSON.stringify(value)}`,
          JSON.stringify(place.wrap({ ...good(place), [field]: value })),
          { status: 400, rule: ruleOf(field, value), field: place.at + field, says },
        ),
      ),
    );
  });
}
