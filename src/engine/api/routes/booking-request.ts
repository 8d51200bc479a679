import type { JsonObject } from '../../../common/index.js';
import type { BookingRequest } from '../../model/booking.js';
import { parseBookingTime } from '../../model/calendar.js';
import { invalid, Refusal } from '../../model/refusal.js';
import { type Answers, type BodyField, bodyFields, type BodyFields, type RuleId } from '../../../contract/index.js';

/** The request schemas of the three booking bodies. */
export type RequestForm = 'BookingRequestV5' | 'BookingRequestV3' | 'BookingRequestV2';

/** A generated validator: a predicate that stores its errors in a property of itself. */
export interface BodyValidator {
  (body: unknown): boolean;
  errors?: readonly { instancePath: string; keyword: string; params: Record<string, unknown> }[] | null;
}

/** The requirement of each field in words, as the schema states it. */
const due: Readonly<Record<string, string>> = {
  facilityId: 'must be a facility id, a whole number',
  teetime: 'must be an existing date and time in the format yyyy-mm-dd HH:MM:ss',
  course: 'must be the name of the course',
  round: 'must be the name of the course',
  players: 'must be a whole number from 1 to 4',
  teeId: 'must be a tee time id, a whole number',
  holes: 'must be 9 or 18',
  productId: 'must be a product id, a whole number',
  contactFirstName: 'must be a non-empty string',
  contactLastName: 'must be a non-empty string',
  contactName: 'must be a non-empty string',
  contactPhone: 'must be a phone number',
  contactEmail: 'must be an e-mail address',
  netRate: 'must be an amount: a number of at least 0, or a string with such a number',
  extraProduct: 'must be a list of objects with the whole numbers `mid` and `quantity`',
  'extraProduct.mid': 'must be the id of an extra product, a whole number',
  'extraProduct.quantity': 'must be a whole number of at least 1',
  comments: 'must be a string',
  additionalPlayers: 'must be a list of objects with `firstName` and `lastName`',
  'additionalPlayers.firstName': 'must be a string',
  'additionalPlayers.lastName': 'must be a string',
  linkedTeeTimeRef: 'must be a UUID',
  providerPlayerTypeId: 'must be a string',
};

/** The requirement of a value above the fields of a booking: the body, a list in it, or an item of the list. */
function dueAbove(pointer: string, whole: RuleId): string {
  if (/\/\d+$/.test(pointer) || (pointer === '' && whole === 'bookings.create.single'))
    return 'must be a booking object';
  return pointer === '/paymentIntent' ? 'must be a string' : 'must be a non-empty list of bookings';
}

const fieldRule = (field: string): RuleId => `bookings.request.${field}` as RuleId;

/** `/details/1/players` in the notation of messages: `details[1].players`. */
function fieldPath(pointer: string): string {
  return pointer
    .split('/')
    .slice(1)
    .map((part) => (/^\d+$/.test(part) ? `[${part}]` : `.${part}`))
    .join('')
    .replace(/^\./, '');
}

/** The field of a booking that a pointer names, such as `extraProduct.mid`, in whatever list the booking is. */
function fieldAt(pointer: string): string | undefined {
  const names = pointer.split('/').filter((part) => !/^\d*$/.test(part));
  const start = names.findIndex((name) => Object.hasOwn(due, name));
  return start < 0 ? undefined : names.slice(start).join('.');
}

function valueAt(body: unknown, pointer: string): unknown {
  return pointer
    .split('/')
    .slice(1)
    .reduce<unknown>((value, part) => (value as Record<string, unknown> | undefined)?.[part], body);
}

/** The optional fields of each form, which may be null by `booking.null-optional`. */
const optional: Readonly<Record<RequestForm, readonly string[]>> = {
  BookingRequestV5: optionalIn('BookingRequestV5'),
  BookingRequestV3: optionalIn('BookingRequestV3'),
  BookingRequestV2: optionalIn('BookingRequestV2'),
};

function optionalIn(form: RequestForm): readonly string[] {
  const fields = Object.entries(bodyFields[form] as BodyFields);
  return fields.filter(([name, { required }]) => required === 'no' && !isContactName(name)).map(([name]) => name);
}

/** A body without the optional fields of its bookings that are null, where null means the same as no field. */
export function withoutNulls(body: unknown, form: RequestForm, answers: Answers): unknown {
  if (answers['booking.null-optional'] === 'refused' || typeof body !== 'object' || body === null) return body;
  if (Array.isArray(body)) return body.map((item) => withoutNulls(item, form, answers));
  const isUnset = ([name, value]: [string, unknown]): boolean => value === null && optional[form].includes(name);
  const set = Object.fromEntries(Object.entries(body).filter((field) => !isUnset(field)));
  const { details } = set;
  return Array.isArray(details) ? { ...set, details: withoutNulls(details, form, answers) } : set;
}

/**
 * Checks a body against its schema.
 *
 * @throws {Refusal} `invalid`, naming the first missing or malformed field and its rule. `whole` is the rule of the
 *   body itself.
 */
export function checkBody(validator: BodyValidator, body: unknown, whole: RuleId): void {
  if (validator(body)) return;
  // Missing names of the contact are refused before; here one of its forms is there, with a value that is wrong.
  const error = validator.errors!.find(({ keyword }) => keyword !== 'required') ?? validator.errors![0]!;
  const missing = error.keyword === 'required' ? `/${error.params['missingProperty'] as string}` : '';
  const pointer = error.instancePath + missing;
  const field = fieldAt(pointer);
  if (field === undefined) {
    throw invalid(whole, fieldPath(pointer) || 'body', dueAbove(pointer, whole), valueAt(body, pointer));
  }
  // An item that is not an object is an error of its list.
  const place = pointer.replace(/\/\d+$/, '');
  throw invalid(fieldRule(field), fieldPath(place), due[field]!, missing ? undefined : valueAt(body, place));
}

/**
 * Refuses bookings that lack fields, before anything else is said of them: all missing fields at once.
 *
 * @param at The list that they are in, such as `details`; null for a single booking.
 * @throws {Refusal} `invalid` by the rule of the first missing field.
 */
export function refuseIncomplete(
  items: readonly unknown[],
  form: RequestForm,
  at: string | null,
  answers: Answers,
): void {
  const missing: Missing[] = [];
  for (const [index, item] of items.entries()) {
    if (typeof item !== 'object' || item === null || Array.isArray(item)) return;
    const place = at === null ? '' : `${at}[${index}].`;
    for (const field of missingIn(item as JsonObject, form, answers)) missing.push({ field, path: place + field });
  }
  const [first] = missing;
  if (!first) return;
  const { required } = (bodyFields[form] as BodyFields)[first.field]!;
  const rule = required === 'every' ? 'bookings.request.v3-every' : fieldRule(first.field);
  if (missing.length === 1) throw invalid(rule, first.path, due[first.field]!);
  throw new Refusal('invalid', rule, { words: `${listed(missing.map(({ path }) => path))} are missing` });
}

interface Missing {
  readonly field: string;
  readonly path: string;
}

function requirableIn(form: RequestForm): [string, BodyField][] {
  const fields = Object.entries<BodyField>(bodyFields[form]);
  return fields.filter(([field, { required }]) => required !== 'no' || isContactName(field));
}

/** The fields of each form that some dialect requires, in the order of the form. */
const requirable: Readonly<Record<RequestForm, readonly [string, BodyField][]>> = {
  BookingRequestV5: requirableIn('BookingRequestV5'),
  BookingRequestV3: requirableIn('BookingRequestV3'),
  BookingRequestV2: requirableIn('BookingRequestV2'),
};

function isContactName(field: string): boolean {
  return field === 'contactName' || field === 'contactFirstName' || field === 'contactLastName';
}

/** The missing fields of a booking in the order of its form, by the dialect in force. */
function missingIn(item: JsonObject, form: RequestForm, answers: Answers): readonly string[] {
  const contact = answers['booking.contact'];
  const single = contact === 'single' || (contact === 'either' && item['contactName'] !== undefined);
  const inV3 = answers['booking.v3-required'];
  let missing: string[] | undefined;
  for (const [field, { required }] of requirable[form]) {
    if (item[field] !== undefined) continue;
    const isName = isContactName(field) && (field === 'contactName') === single;
    const isInEvery = inV3 === 'every' || (inV3 === 'every-but-reference' && field !== 'linkedTeeTimeRef');
    if (isName || required === 'always' || (required === 'every' && isInEvery)) (missing ??= []).push(field);
  }
  return missing ?? NONE;
}

const NONE: readonly string[] = [];

const MOST_LISTED = 30;

/** `a`, `b` and `c` */
function listed(paths: readonly string[]): string {
  const shown = paths.slice(0, MOST_LISTED).map((path) => `\`${path}\``);
  const rest = paths.length - shown.length;
  const last = rest > 0 ? `${rest} more` : shown.pop()!;
  return `${shown.join(', ')} and ${last}`;
}

/** The body of one booking in the form that all versions share. `at` is its path in the body. */
export function readBooking(body: JsonObject, form: RequestForm, at: string, answers: Answers): BookingRequest {
  const refuse = (field: string, got?: unknown) => invalid(fieldRule(field), `${at}${field}`, due[field]!, got);
  checkDialect(body, form, answers, refuse, at);
  const teetime = body['teetime'] as string;
  if (!parseBookingTime(teetime)) throw refuse('teetime', teetime);
  const [contactFirstName, contactLastName] = contactOf(body);
  // Only fields of this version are read. All others are unchecked and ignored.
  const known = <T>(field: string, absent: T): T =>
    field in bodyFields[form] ? ((body[field] as T) ?? absent) : absent;
  return {
    facilityId: Number(body['facilityId']),
    teeId: body['teeId'] as number,
    time: teetime.replace(' ', 'T'),
    course: known('course', '') || known('round', ''),
    holes: body['holes'] as number,
    players: body['players'] as number,
    productId: known<number | null>('productId', null),
    contactFirstName,
    contactLastName,
    contactPhone: body['contactPhone'] as string,
    contactEmail: body['contactEmail'] as string,
    netRate: centsOf(known<number | string | null>('netRate', null)),
    extraProducts: known<BookingRequest['extraProducts']>('extraProduct', []),
    comments: known<string | null>('comments', null),
    additionalPlayers: known<BookingRequest['additionalPlayers']>('additionalPlayers', []),
    linkedTeeTimeRef: known<string | null>('linkedTeeTimeRef', null),
    providerPlayerTypeId: known<string | null>('providerPlayerTypeId', null),
  };
}

/** Refuses what some dialects do not accept. The schema accepts the union of all dialects. */
function checkDialect(
  body: JsonObject,
  form: RequestForm,
  answers: Answers,
  refuse: (field: string, got?: unknown) => Error,
  at: string,
): void {
  const fields: Readonly<Record<string, { readonly required: string }>> = bodyFields[form];
  if (answers['booking.facility-id'] === 'integer' && typeof body['facilityId'] !== 'number') {
    throw refuse('facilityId', body['facilityId']);
  }
  if (answers['booking.net-rate-form'] === 'number' && 'netRate' in fields && typeof body['netRate'] === 'string') {
    throw refuse('netRate', body['netRate']);
  }
  if (answers['booking.unknown-fields'] !== 'refused') return;
  const stray = Object.keys(body).find((field) => !Object.hasOwn(fields, field));
  if (stray !== undefined) {
    throw invalid(
      'bookings.request.unknown-fields',
      `${at}${stray}`,
      'is not a field of a booking; remove it',
      body[stray],
    );
  }
}

/** First and last name. A single name, as in the samples, is split at its last space. */
function contactOf(body: JsonObject): [string, string] {
  const first = body['contactFirstName'];
  const last = body['contactLastName'];
  if (typeof first === 'string' && typeof last === 'string') return [first, last];
  const name = (body['contactName'] as string).trim();
  const space = name.lastIndexOf(' ');
  return space < 0 ? ['', name] : [name.slice(0, space).trim(), name.slice(space + 1)];
}

function centsOf(amount: number | string | null): number | null {
  return amount === null ? null : Math.round(Number(amount) * 100);
}
