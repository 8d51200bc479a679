import type { RuleId } from '../../../../src/contract/generated/rule-basis.js';
import { type Item, refusing, rewriting, taking } from '../layers/creations.js';
import type { Mutant } from '../mutant.js';

const some =
  (wrong: (item: Item) => boolean) =>
  (items: readonly Item[]): boolean =>
    items.some(wrong);

const isText = (value: unknown): boolean => typeof value === 'string';
const UNKNOWN_ID = 2_000_000_000;

/** A check of a field that a version does not make. */
function unchecked(field: string, version: string, defect: string, wrong: (item: Item) => boolean): Mutant {
  return {
    rule: `bookings.request.${field}` as RuleId,
    defect: `${version} ${defect}`,
    layer: taking(version, some(wrong)),
  };
}

/** A check of a field that v5 does not make in one of its shapes. */
function inDetails(field: string, defect: string, value: unknown): Mutant {
  const isIn = ({ details = [] }: Item): boolean => details.some((item: Item) => item[field] === value);
  return unchecked(field, 'v5', `${defect} in \`details\``, isIn);
}

const lacks = (field: string, version: string): Mutant =>
  unchecked(field, version, `books without ${field}`, (item) => item[field] === undefined);

const mistyped = (field: string, version: string): Mutant =>
  unchecked('form', version, `accepts an object as ${field}`, (item) => typeof item[field] === 'object');

const contact = ['contactFirstName', 'contactLastName', 'contactPhone', 'contactEmail'];

/** Checks of a field that a deployment forgets. */
const forgotten: readonly Mutant[] = [
  ...contact.map((field, index) => lacks(field, ['v2', 'v3', 'v5'][index % 3]!)),
  mistyped('contactPhone', 'v5'),
  ...['facilityId', 'teetime', 'course', 'players'].map((field) => lacks(field, 'v3')),
  ...['teeId', 'holes', 'round'].map((field) => lacks(field, 'v2')),
  ...['productId', 'course', 'teeId'].map((field) => lacks(field, 'v5')),
  { ...lacks('netRate', 'v3'), rule: 'bookings.request.netRate.bulk' },
  inDetails('productId', 'books without productId', undefined),
  inDetails('holes', 'books 12 holes', 12),
  unchecked('facilityId', 'v5', 'accepts a facility id that is not a number', ({ facilityId }) => facilityId === 'abc'),
  unchecked(
    'teetime.check',
    'v5',
    'books a tee time in the past',
    ({ teetime }) => String(teetime) < '2021' && teetime !== undefined,
  ),
  unchecked('teetime.check', 'v2', 'accepts 30 February', ({ teetime }) => /-02-30/.test(teetime)),
  unchecked('players', 'v2', 'books zero players', ({ players }) => players === 0),
  unchecked('players', 'v5', 'books five players', ({ players }) => players === 5),
  unchecked('teeId', 'v3', 'books a tee time that does not exist', ({ teeId }) => teeId > UNKNOWN_ID),
  unchecked('holes', 'v5', 'books twelve holes', ({ holes }) => holes === 12),
  unchecked('productId', 'v5', 'books a product that is not for sale', ({ productId }) => productId > UNKNOWN_ID),
  mistyped('comments', 'v2'),
  mistyped('comments', 'v5'),
  mistyped('round', 'v2'),
  mistyped('providerPlayerTypeId', 'v5'),
  unchecked('form', 'v5', 'accepts text as an amount', ({ netRate }) => netRate === 'a lot'),
  unchecked('form', 'v5', 'accepts text as the list of extra products', (item) => isText(item['extraProduct'])),
  unchecked(
    'extraProduct.unknown',
    'v5',
    'accepts any extra product',
    (item) => item['extraProduct']?.[0]?.mid > UNKNOWN_ID,
  ),
  unchecked('form', 'v3', 'accepts text as an extra product', (item) => isText(item['extraProduct']?.[0])),
  unchecked('extraProduct.mid', 'v5', 'accepts text as the id of an extra product', (item) =>
    isText(item['extraProduct']?.[0]?.mid),
  ),
  unchecked('extraProduct.quantity', 'v3', 'accepts text as a quantity', (item) =>
    isText(item['extraProduct']?.[0]?.quantity),
  ),
  unchecked('form', 'v5', 'accepts text as the list of additional players', (item) =>
    isText(item['additionalPlayers']),
  ),
  unchecked('additionalPlayers.firstName', 'v3', 'accepts an object as a first name', (item) =>
    isObject(item['additionalPlayers']?.[0]?.firstName),
  ),
  unchecked('additionalPlayers.lastName', 'v5', 'accepts an object as a last name', (item) =>
    isObject(item['additionalPlayers']?.[0]?.lastName),
  ),
  unchecked(
    'linkedTeeTimeRef',
    'v5',
    'accepts any text as a reference',
    (item) => item['linkedTeeTimeRef'] === 'not-a-uuid',
  ),
  ...['contactPhone', 'round'].map((field) => ({
    ...lacks(field, 'v2'),
    rule: 'bookings.request.v2-required' as const,
  })),
];

const optional = ['netRate', 'extraProduct', 'additionalPlayers', 'providerPlayerTypeId'];

/** Optional fields that a deployment requires, or that it refuses. */
const notOptional: readonly Mutant[] = [
  ...['v2', 'v5'].map((version) =>
    otherwise('comments', version, 'requires comments', ({ comments }) => comments === undefined),
  ),
  ...optional.map((field) => otherwise(field, 'v5', `requires ${field}`, (item) => item[field] === undefined)),
  ...['netRate', 'extraProduct', 'additionalPlayers'].map((field) =>
    otherwise(field, 'v5', `refuses ${field}`, (item) => item[field] !== undefined),
  ),
];

/** Bookings that a deployment answers otherwise than the correct one does. */
const answeredOtherwise: readonly Mutant[] = [
  otherwise('contactName', 'v5', 'refuses a single contact name', ({ contactName }) => contactName !== undefined),
  otherwise('facilityId.string', 'v5', 'refuses a facility id that is a string', ({ facilityId }) =>
    isText(facilityId),
  ),
  otherwise('netRate.form', 'v5', 'refuses a net rate that is a string', ({ netRate }) => isText(netRate)),
  otherwise(
    'linkedTeeTimeRef.single',
    'v5',
    'refuses a reference in a single booking',
    (item, asList) => !asList && item['linkedTeeTimeRef'] !== undefined,
  ),
  otherwise('unknown-fields', 'v5', 'refuses unknown fields', (item) => 'x-unknown' in item),
  otherwise('extraProduct', 'v5', 'refuses two extra products', ({ extraProduct }) => extraProduct?.length > 1),
  {
    rule: 'bookings.request.null-optional',
    defect: 'v5 takes null for an optional field',
    layer: rewriting('v5', (item) => Object.fromEntries(Object.entries(item).filter(([, value]) => value !== null))),
  },
  otherwise('v2-fields', 'v2', 'requires a product', ({ productId }) => productId === undefined),
  otherwise('v3-fields', 'v3', 'requires a product', ({ productId }) => productId === undefined),
  {
    rule: 'bookings.request.netRate.check',
    defect: 'v5 does not check the net rate',
    layer: rewriting('v5', (item) => ({ ...item, netRate: undefined })),
    settings: { dialect: { answers: { 'booking.net-rate-check': 'checked' } } },
  },
  {
    rule: 'bookings.request.v3-required',
    defect: 'v3 does not require empty lists',
    layer: taking(
      'v3',
      some(({ extraProduct, additionalPlayers }) => !extraProduct || !additionalPlayers),
    ),
  },
];

function otherwise(
  field: string,
  version: string,
  defect: string,
  when: (item: Item, asList: boolean) => boolean,
): Mutant {
  const layer = refusing(version, (items, asList) => items.some((item) => when(item, asList)));
  return { rule: `bookings.request.${field}` as RuleId, defect: `${version} ${defect}`, layer };
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null;
}

/** Defects in what a booking request may be. */
export const bookingRequestMutants: readonly Mutant[] = [...forgotten, ...notOptional, ...answeredOtherwise];
