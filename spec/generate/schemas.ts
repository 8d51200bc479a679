import type { Schema } from './contract.js';

/** Keywords that validators do not need; only the linter reads `unevaluatedProperties`. */
const annotations = /^(x-.*|description|examples?|title|format|unevaluatedProperties)$/;
const mapsOfSchemas = new Set(['properties', 'patternProperties', '$defs']);

export interface Preparation {
  /** Accepts what open questions leave to a deployment: unknown properties, and empty fields left out or null. */
  readonly open: boolean;
}

/** A schema of the contract as AJV takes it: references are schema names, and annotations are removed. */
export function prepare(schema: Schema, how: Preparation): Schema {
  const wider = schema['x-teebox-open'] as Schema | undefined;
  const source = how.open ? opened(wider ?? schema) : requiredAnyhow(schema);
  const entries = Object.entries(source).filter(([keyword]) => !annotations.test(keyword));
  return Object.fromEntries(entries.map(([keyword, value]) => [keyword, prepareValue(keyword, value, how)]));
}

function prepareValue(keyword: string, value: unknown, how: Preparation): unknown {
  if (keyword === '$ref') return (value as string).split('/').at(-1);
  if (mapsOfSchemas.has(keyword)) {
    const properties = Object.entries(value as Record<string, Schema>);
    return Object.fromEntries(properties.map(([name, property]) => [name, prepare(property, how)]));
  }
  if (Array.isArray(value)) return value.map((item) => prepareValue('', item, how));
  return typeof value === 'object' && value !== null ? prepare(value as Schema, how) : value;
}

/** Without the fields that only some dialects require: those are judged by the dialect in force. */
function requiredAnyhow(schema: Schema): Schema {
  const every = schema['x-teebox-required-every'] as string[] | undefined;
  return every ? { ...schema, required: schema.required!.filter((name) => !every.includes(name)) } : schema;
}

function opened(schema: Schema): Schema {
  const { additionalProperties: _closed, ...rest } = schema;
  const optional = (schema['x-teebox-optional'] as string[] | undefined) ?? [];
  if (optional.length === 0) return rest;
  const neverNull = (schema['x-teebox-never-null'] as string[] | undefined) ?? [];
  const properties = Object.entries(schema.properties!).map(([name, property]) => [
    name,
    optional.includes(name) && !neverNull.includes(name) ? { anyOf: [property, { type: 'null' }] } : property,
  ]);
  const required = schema.required!.filter((name) => !optional.includes(name));
  return { ...rest, properties: Object.fromEntries(properties) as Record<string, Schema>, required };
}
