/**
 * What a client may have meant otherwise in a request that is answered all the same. The log and the journal have it.
 */
import { closest, isObject, type JsonObject, placeAfter, repeatedNames } from '../../common/index.js';
import { fieldsOf, type OperationName, type OperationSpec } from '../../contract/index.js';
import { DAY_MS, formatQueryDate } from '../model/calendar.js';
import { bodiesIn } from '../scenarios/scenarios.js';
import type { HeaderReader } from './authenticate.js';
import { otherCharset } from './body.js';
import type { RequestContext } from './request-context.js';

const MOST_NAMES = 5;
const SHOWN = 40;

/** Query parameters that the operation does not have: the service ignores them. */
export function strayWarnings(names: readonly string[], { parameters }: OperationSpec): string[] {
  const known = parameters.filter((one) => one.in === 'query').map(({ name }) => name);
  return unknownNames('query parameter', names, known, known);
}

/** @param free The names that may have been meant instead. */
function unknownNames(
  kind: string,
  names: readonly string[],
  known: readonly string[],
  free: readonly string[],
): string[] {
  const listed = known.length === 0 ? 'It has none.' : `It has ${known.join(', ')}.`;
  return names.slice(0, MOST_NAMES).map((name) => {
    const guess = closest(name, free);
    const hint = guess ? `Did you mean \`${guess}\`?` : listed;
    return `The ${kind} \`${name.slice(0, SHOWN)}\` is unknown to this operation and is ignored. ${hint}`;
  });
}

/** What the service ignores in a body: fields that it does not have, those sent again, and bytes that are no text. */
export function bodyWarnings(
  { name, bodies = [] }: OperationSpec,
  { body, text, header }: Pick<RequestContext, 'body' | 'text' | 'header'>,
): readonly string[] {
  // Whatever stands in the place of a token may be one, names included.
  if (name === 'refreshToken') return NONE;
  const [form = ''] = bodies;
  const items = bodiesIn(body);
  const isWhole = items[0] === body;
  const warnings = items.flatMap((item) => strayFields(item, form));
  if (!isWhole && isObject(body)) warnings.push(...strayFields(body, 'BookingsWithPayment'));
  if (text !== undefined && text.length <= MOST_SCANNED) warnings.push(...repeatedFields(text, body));
  if (text?.includes(NO_TEXT)) warnings.push(undecoded(text, header));
  return warnings.length === 0 ? NONE : [...new Set(warnings)].slice(0, MOST_NAMES);
}

function strayFields(item: JsonObject, form: string): string[] {
  const fields = fieldsOf(form);
  const strays = Object.keys(item).filter((name) => !Object.hasOwn(fields, name));
  if (strays.length === 0) return [];
  const known = Object.keys(fields);
  const free = known.filter((name) => !Object.hasOwn(item, name));
  return unknownNames('field', strays, known, free);
}

/** Characters of a body that are looked through for fields sent again. */
const MOST_SCANNED = 65_536;

function repeatedFields(text: string, body: unknown): readonly string[] {
  // Most clients write what any serializer would: then nothing is repeated.
  if (JSON.stringify(body) === text) return NONE;
  return repeatedNames(text).map(({ name, line, column }) => {
    const again = `again in line ${line}, column ${column}`;
    return `The field \`${name.slice(0, SHOWN)}\` is in the same object ${again}. Only the last value is read.`;
  });
}

/** What a decoder writes for bytes that are not UTF-8. */
const NO_TEXT = '\ufffd';

function undecoded(text: string, header: HeaderReader): string {
  const { line, column } = placeAfter(text.slice(0, text.indexOf(NO_TEXT)));
  const charset = otherCharset(header);
  const declared = charset === undefined ? '' : `, and \`Content-Type\` says ${charset}`;
  return `Line ${line}, column ${column} of the body is not UTF-8, so it was read as U+FFFD. JSON is sent in UTF-8${declared}.`;
}

/** The last day that an operation looks at. A list of bookings may well look back. */
const lastDays: { readonly [Name in OperationName]?: string } = {
  listTeeTimes: 'bookingDate',
  listPrices: 'toDate',
  searchTeeTimes: 'toDate',
};

/** Hours by which the westernmost zone is behind UTC: what is past there is past everywhere. */
const WEST = 12;

const NONE: readonly string[] = [];

/** A day that is past, on which nothing is for sale any more. */
export function pastWarnings(
  { name }: OperationSpec,
  params: Readonly<Record<string, unknown>>,
  now: number,
): readonly string[] {
  const field = lastDays[name as OperationName];
  const day = field === undefined ? undefined : params[field];
  if (typeof day !== 'number' || day >= Math.floor(now / DAY_MS - WEST / 24)) return NONE;
  const clock = new Date(now).toISOString().replace(/\.\d+Z$/, 'Z');
  return [`\`${field}\` ${formatQueryDate(day)} is in the past: the clock of the sandbox is at ${clock}.`];
}
