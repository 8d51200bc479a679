import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { operations } from '../../src/contract/generated/operations.js';
import type { Schema } from './contract.js';
import { builtFolder } from './folders.js';
import { code, table } from './markdown.js';

const versions = [...new Set(operations.map(({ version }) => version))].filter((version) => version !== '*').sort();

/** The operations in the words of the page. */
const words: Readonly<Record<(typeof operations)[number]['name'], string>> = {
  refreshToken: 'exchange a refresh token',
  listCountries: 'list the countries',
  listFacilities: 'list the facilities of a country',
  findFacility: 'find a facility',
  facilityDetails: 'get the verbose details of a facility',
  listTeeTimes: 'list the tee times of one day',
  searchTeeTimes: 'search several facilities, by callback',
  listPrices: 'list prices day by day',
  createBooking: 'book',
  createBulkBooking: 'book several tee times at once',
  listBookings: 'list the bookings',
  confirmPayment: 'confirm a payment',
  confirmBulkPayment: 'confirm the payment of a group',
};

/** Which version has which operation, with method and path below `/api/vN`. */
export function operationMatrix(): string {
  const rows = Object.entries(words).map(([name, text]) => {
    const own = operations.filter((one) => one.name === name);
    const cells = versions.map((version) => {
      const some = own.filter((one) => one.version === version || one.version === '*');
      const path = some[0]?.path.replace(/^\/api\/[^/]+/, '');
      return path === undefined ? '' : code(`${some.map(({ method }) => method).join(' or ')} ${path}`);
    });
    return [text, ...cells];
  });
  return table(['', ...versions], rows);
}

type Schemas = Readonly<Record<string, Schema>>;

/** One thing that several versions show: the schemas of its parts, by version. */
interface Shape {
  readonly of: Readonly<Record<string, readonly string[]>>;
  /** Whether the table says which fields are required, as for requests. */
  readonly request?: true;
}

const shapes: Readonly<Record<string, Shape>> = {
  facility: { of: { 'v1, v2': ['FacilityItem'], v3: ['FacilityRecord', 'FacilityTerms'] } },
  'tee time': { of: { v2: ['TeeTimeRound'], v3: ['TeeTimeV2'], 'v4, v5': ['TeeTimeV3'] } },
  'booking request': {
    of: { v2: ['BookingRequestV2'], 'v3 bulk': ['BookingRequestV3'], v5: ['BookingRequestV5'] },
    request: true,
  },
  'listed booking': { of: { v1: ['BookingV1'], v2: ['BookingV2'], v4: ['BookingV4'] } },
};

function readSchemas(): Schemas {
  const text = readFileSync(resolve(builtFolder, 'openapi.json'), 'utf8');
  return (JSON.parse(text) as { components: { schemas: Schemas } }).components.schemas;
}

/** The fields of something by version. */
export function fieldTable(name: string): string {
  const { of, request } = shapes[name]!;
  const schemas = readSchemas();
  const parts = Object.values(of).map((names) => names.map((one) => schemas[one]!));
  const fields = [...new Set(parts.flat().flatMap(({ properties }) => Object.keys(properties!)))];
  const rows = fields.map((field) => [code(field), ...parts.map((some) => fieldCell(schemas, some, field, request))]);
  return table([`field of a ${name}`, ...Object.keys(of)], rows);
}

function fieldCell(schemas: Schemas, parts: readonly Schema[], field: string, request?: true): string {
  const part = parts.find(({ properties }) => properties && field in properties);
  if (!part) return '';
  if (!request) return typeText(schemas, part.properties![field]!);
  if (part.required?.includes(field)) return 'required';
  return isContactName(schemas, part, field) ? 'one of the two forms' : 'optional';
}

/** Whether it belongs to one of the two ways to name the contact. */
function isContactName(schemas: Schemas, { allOf }: Schema, field: string): boolean {
  const ways = ((allOf ?? []) as { anyOf?: readonly Schema[] }[]).flatMap(({ anyOf }) => anyOf ?? []);
  return ways.some((way) => field in (schemas[refName(way)]?.properties ?? {}));
}

function refName(schema: Schema): string {
  return String(schema['$ref'] ?? '')
    .split('/')
    .at(-1)!;
}

/** A type in a word: `integer`, `string`, `list`, or the name of the object. */
function typeText(schemas: Schemas, schema: Schema): string {
  const name = refName(schema);
  const target = schemas[name];
  if (target) return target.type === 'object' ? 'object' : typeText(schemas, target);
  const { type } = schema;
  const known = Array.isArray(type) ? type.join(' or ') : type;
  return known === 'array' ? 'list' : (known ?? 'any');
}
