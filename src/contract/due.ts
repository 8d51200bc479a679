import type { InputSchema } from './generated/built/input-validators.js';
import { alternatives } from '../common/index.js';

/** The requirement of a schema in words: "a whole number from 1 to 4". */
export function dueOf(schema: InputSchema): string {
  const { due, type, oneOf } = schema;
  if (due !== undefined) return due;
  const values = valuesOf(schema);
  if (values) return alternatives(values);
  if (oneOf) return oneOf.map(dueOf).join(' or ');
  if (Array.isArray(type)) return type.map((one) => (one === 'null' ? 'null' : typeDue(one, schema))).join(' or ');
  return typeDue(type as string | undefined, schema);
}

/** What fits, for programs: the allowed values, otherwise examples, otherwise the words. */
export function fitsOf(schema: InputSchema): string[] {
  const values = valuesOf(schema) ?? schema.examples;
  return values ? values.map((value) => (typeof value === 'string' ? value : JSON.stringify(value))) : [dueOf(schema)];
}

function valuesOf(schema: InputSchema): readonly unknown[] | undefined {
  return 'const' in schema ? [schema.const] : schema.enum;
}

function typeDue(type: string | undefined, schema: InputSchema): string {
  switch (type) {
    case 'integer':
      return `a whole number${rangeOf(schema)}`;
    case 'number':
      return `a number${rangeOf(schema)}`;
    case 'boolean':
      return 'true or false';
    case 'array':
      return schema.minItems === undefined ? 'a list' : `a list of at least ${schema.minItems}`;
    case 'object':
      return `an object${schema.properties ? ` with ${Object.keys(schema.properties).join(', ')}` : ''}`;
    default:
      return schema.pattern === undefined ? 'a string' : `a string that matches ${schema.pattern}`;
  }
}

function rangeOf({ minimum, maximum = Infinity, exclusiveMinimum }: InputSchema): string {
  if (exclusiveMinimum !== undefined) return ` greater than ${exclusiveMinimum}`;
  if (minimum === undefined) return '';
  return maximum >= Number.MAX_SAFE_INTEGER ? ` of at least ${minimum}` : ` from ${minimum} to ${maximum}`;
}
