import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { Facility } from '../../src/engine/model/world.js';
import { completed, type FacilityCore } from '../../src/engine/store/complete-facility.js';
import { type Contract, deref, placedOperations, type Schema } from './contract.js';
import { fixturesFolder, header, quote } from './folders.js';

const fixtureNames = ['facilities', 'channels', 'bookings', 'places'] as const;

/** `fixtures.ts`: the world as JSON text, which starts faster than the same data as code. */
export function fixturesFile(): string {
  const rows = fixtureNames.map((name) => `  ${name}: ${quote(fixtureText(name))},\n`);
  return `${header}/** The committed world as JSON text; the store parses what it needs. */
export const fixturesJson: Readonly<Record<${fixtureNames.map(quote).join(' | ')}, string>> = {
${rows.join('')}};
`;
}

/** Without characters beyond Latin-1: one of them would double the memory that the whole text takes. */
function fixtureText(name: string): string {
  const file = resolve(fixturesFolder, `${name}.json`);
  if (!existsSync(file)) return '[]';
  const rows = JSON.parse(readFileSync(file, 'utf8')) as unknown[];
  const text = JSON.stringify(name === 'facilities' ? (rows as Facility[]).map(coreOf) : rows);
  return text.replace(/[\u0100-\uffff]/g, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** A facility without what the store completes. */
function coreOf(facility: Facility): FacilityCore {
  const { reservationsContact, address, services, extraProducts, courses } = facility;
  const core = {
    ...without(facility, 'email'),
    address: without(address, 'mid'),
    services: without(services, 'mid'),
    reservationsContact: without(reservationsContact, 'email'),
    extraProducts: extraProducts.map((extra) => without(extra, 'mid')),
    courses: courses.map((course) => ({
      ...without(course, 'id', 'facilityId', 'ordinal'),
      products: course.products.map((product) => without(product, 'mid', 'courseId')),
    })),
  };
  if (!isDeepStrictEqual(completed(core), facility)) {
    throw new Error(
      `Failed to embed facility ${facility.id}: its ids or addresses are not those that the store makes.`,
    );
  }
  return core;
}

function without<T extends object, Name extends keyof T>(value: T, ...names: readonly Name[]): Omit<T, Name> {
  return Object.fromEntries(Object.entries(value).filter(([name]) => !names.includes(name as Name))) as Omit<T, Name>;
}

/** What the suite reads of a schema. */
const read = new Set(['$ref', 'type', 'properties', 'additionalProperties', 'items', 'prefixItems', 'anyOf', 'oneOf']);

/** `answer-schemas.ts`: the schemas and examples of the answers of the contract, as text. */
export function answerSchemasFile(contract: Contract): string {
  const rows = placedOperations(contract).map(({ operation: { operationId, responses } }) => {
    const { schema, examples } = deref(contract, responses['200']!).content!['application/json'];
    const [first] = Object.values(examples ?? {});
    return [operationId, { schema: structureOf(schema), example: first && deref(contract, first).value }];
  });
  const schemas = Object.entries(contract.components.schemas).map(([name, one]) => [name, structureOf(one)]);
  const whole = { answers: Object.fromEntries(rows), schemas: Object.fromEntries(schemas) };
  return `${header}/** The answer of each operation that succeeds, and the schemas that they refer to, as JSON text. */
export const answerSchemas: string = ${quote(JSON.stringify(whole))};
`;
}

/** A schema without texts and bounds. */
function structureOf(schema: Schema): Schema {
  const entries = Object.entries(schema).flatMap(([keyword, value]) => {
    if (!read.has(keyword)) return [];
    if (keyword === 'properties') {
      const properties = Object.entries(value as Record<string, Schema>);
      return [[keyword, Object.fromEntries(properties.map(([name, one]) => [name, structureOf(one)]))]];
    }
    if (keyword === 'type') return [[keyword, value]];
    if (Array.isArray(value)) return [[keyword, value.map(structureOf)]];
    return [[keyword, typeof value === 'object' && value !== null ? structureOf(value as Schema) : value]];
  });
  return Object.fromEntries(entries) as Schema;
}

/** A contract as the JSON that users see, without white space: it is in the package several times. */
export function documentText(document: Contract): string {
  return `${JSON.stringify(readable(document))}\n`;
}

/** Removes the keys that only the generator reads. `x-rule` stays, since readers can look it up. */
export function readable(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(readable);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(([key]) => !key.startsWith('x-teebox-'));
  return Object.fromEntries(entries.map(([key, item]) => [key, readable(item)]));
}
