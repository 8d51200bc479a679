import type { RuleId } from '../../../src/generated/rule-basis.js';
import { type Item, refusing, rewriting, taking } from './creations.js';
import type { Mutant } from './mutant.js';

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

const lacks = (field: string, version: string): Mutant =>
  unchecked(field, version, `books without ${field}`, (item) => item[field] === undefined);

const mistyped = (field: string, version: string): Mutant =>
  unchecked(field, version, `takes an object as ${field}`, (item) => typeof item[field] === 'object');

const contact = ['contactFirstName', 'contactLastName', 'contactPhone', 'contactEmail'];

/** Checks of a field that a deployment forgets. */
const forgotten: readonly Mutant[] = [
  ...contact.flatMap((field, index) => [lacks(field, ['v2', 'v3', 'v5'][index % 3]!), mistyped(field, 'v5')]),
  ...['facilityId', 'teetime', 'course', 'players'].map((field) => lacks(field, 'v3')),
  ...['teeId', 'holes', 'round'].map((field) => lacks(field, 'v2')),
  ...['productId', 'course', 'teeId'].map((field) => lacks(field, 'v5')),
  lacks('netRate', 'v3'),
  unchecked('facilityId', 'v5', 'takes a facility id that is no number', ({ facilityId }) => facilityId === 'abc'),
  unchecked('teetime', 'v5', 'books the past', ({ teetime }) => String(teetime) < '2021' && teetime !== undefined),
  unchecked('teetime', 'v2', 'rolls the 30th of February over', ({ teetime }) => /-02-30/.test(teetime)),
  unchecked('players', 'v2', 'books nobody', ({ players }) => players === 0),
  unchecked('players', 'v5', 'books five players', ({ players }) => players === 5),
  unchecked('teeId', 'v3', 'books a tee time that does not exist', ({ teeId }) => teeId > UNKNOWN_ID),
  unchecked('holes', 'v5', 'books twelve holes', ({ holes }) => holes === 12),
  unchecked('productId', 'v5', 'books a product that is not for sale', ({ productId }) => productId > UNKNOWN_ID),
  mistyped('comments', 'v2'),
  mistyped('comments', 'v5'),
  mistyped('round', 'v2'),
  mistyped('providerPlayerTypeId', 'v5'),
  unchecked('netRate', 'v5', 'takes words for an amount', ({ netRate }) => netRate === 'a lot'),
  unchecked('extraProduct', 'v5', 'takes a name for a list of extra products', (item) => isText(item['extraProduct'])),
  unchecked('extraProduct', 'v3', 'takes names for extra products', (item) => isText(item['extraProduct']?.[0])),
  unchecked('extraProduct.mid', 'v5', 'takes words for the id of an extra product', (item) =>
    isText(item['extraProduct']?.[0]?.mid),
  ),
  unchecked('extraProduct.quantity', 'v3', 'takes words for a quantity', (item) =>
    isText(item['extraProduct']?.[0]?.quantity),
  ),
  unchecked('additionalPlayers', 'v5', 'takes a name for a list of players', (item) =>
    isText(item['additionalPlayers']),
  ),
  unchecked('additionalPlayers.firstName', 'v3', 'takes an object for a first name', (item) =>
    isObject(item['additionalPlayers']?.[0]?.firstName),
  ),
  unchecked('additionalPlayers.lastName', 'v5', 'takes an object for a last name', (item) =>
    isObject(item['additionalPlayers']?.[0]?.lastName),
  ),
  unchecked(
    'linkedTeeTimeRef',
    'v5',
    'takes any text as a reference',
    (item) => item['linkedTeeTimeRef'] === 'not-a-uuid',
  ),
  ...['contactPhone', 'round'].map((field) => ({
    ...lacks(field, 'v2'),
    rule: 'bookings.request.v2-required' as const,
  })),
];

/** Bookings that a deployment answers otherwise than the correct one does. */
const answeredOtherwise: readonly Mutant[] = [
  otherwise('contactName', 'v5', 'takes no single contact name', ({ contactName }) => contactName !== undefined),
  otherwise('facilityId.string', 'v5', 'takes no facility id in quotes', ({ facilityId }) => isText(facilityId)),
  otherwise('netRate.form', 'v5', 'takes no net rate in quotes', ({ netRate }) => isText(netRate)),
  otherwise(
    'linkedTeeTimeRef.single',
    'v5',
    'takes no reference of a single booking',
    (item, asList) => !asList && item['linkedTeeTimeRef'] !== undefined,
  ),
  otherwise('unknown-fields', 'v5', 'takes no field that it does not know', (item) => 'x-unknown' in item),
  otherwise('v2-fields', 'v2', 'needs a product', ({ productId }) => productId === undefined),
  otherwise('v3-fields', 'v3', 'needs a product', ({ productId }) => productId === undefined),
  {
    rule: 'bookings.request.netRate.check',
    defect: 'v5 compares no net rates any more',
    layer: rewriting('v5', (item) => ({ ...item, netRate: undefined })),
    settings: { dialect: { answers: { 'booking.net-rate-check': 'checked' } } },
  },
  {
    rule: 'bookings.request.v3-required',
    defect: 'v3 does without lists that are empty',
    layer: taking(
      'v3',
      some(({ extraProduct, additionalPlayers }) => !extraProduct && !additionalPlayers),
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
export const bookingRequestMutants: readonly Mutant[] = [...forgotten, ...answeredOtherwise];
