// An answer that breaks its schema is still read as far as it can be: "1019" is facility 1019. The rules of the fields look at
// the JSON as it came, and report what is wrong there; whatever else builds on an answer reads it here.
import type { OperationId } from '../../contract/index.js';
import { Contract, type Schema } from './contract.js';

let contract: Contract | undefined;

/** What was read of a payload before: answers with the same text share it. */
const known = new WeakMap<object, Map<OperationId, unknown>>();

/** The payload of a successful answer with values of the types that the contract has; unreadable ones are as they came. */
export function readData(operation: OperationId, data: unknown): unknown {
  if (typeof data !== 'object' || data === null) return data;
  const before = known.get(data);
  if (before?.has(operation)) return before.get(operation);
  contract ??= new Contract();
  const { schema } = contract.deref(contract.answer(operation).schema);
  const own = schema.properties?.['data'];
  const found = own ? readValue(contract, own, data) : data;
  known.set(data, (before ?? new Map<OperationId, unknown>()).set(operation, found));
  return found;
}

function readValue(document: Contract, schema: Schema, value: unknown, field?: string): unknown {
  const { name, schema: own } = document.deref(schema);
  if (typeof value !== 'object' || value === null) return readPlain(own.type, name, value, field);
  const { anyOf, oneOf, items, prefixItems, properties } = own;
  if (Array.isArray(value)) {
    const list = value as readonly unknown[];
    if (!items && !prefixItems) return list;
    const read = (item: unknown, index: number): unknown => {
      const one = prefixItems?.[index] ?? items;
      return one ? readValue(document, one, item) : item;
    };
    return changed(list, (item, index) => read(item, index));
  }
  const alternatives = anyOf ?? oneOf;
  if (alternatives) {
    const fits = alternatives.find((one) => hasAll(document, one, value as Record<string, unknown>));
    return fits ? readValue(document, fits, value) : value;
  }
  if (!properties) return readPart(own.type, value as Record<string, unknown>);
  return readFields(document, properties, value as Record<string, unknown>);
}

function readFields(
  document: Contract,
  properties: Readonly<Record<string, Schema>>,
  value: Record<string, unknown>,
): unknown {
  let copy: Record<string, unknown> | undefined;
  for (const field in properties) {
    // A name with other letters: `teeId` for `teeid`.
    const name = field in value ? field : Object.keys(value).find((one) => one.toLowerCase() === field.toLowerCase());
    if (name === undefined) continue;
    const found = readValue(document, properties[field]!, value[name], field);
    if (found !== value[field]) (copy ??= { ...value })[field] = found;
  }
  return copy ?? value;
}

/** The list itself, as long as nothing in it is read as something else. */
function changed(list: readonly unknown[], read: (item: unknown, index: number) => unknown): readonly unknown[] {
  let copy: unknown[] | undefined;
  for (const [index, item] of list.entries()) {
    const found = read(item, index);
    if (found !== item) (copy ??= [...list])[index] = found;
  }
  return copy ?? list;
}

/** Whether an object has the fields by which alternatives differ. */
function hasAll(document: Contract, schema: Schema, value: Record<string, unknown>): boolean {
  return Object.keys(document.deref(schema).schema.properties ?? {}).every((name) => name in value);
}

/** Texts that requests name. A number in the place of another text is as wrong as any other value. */
const named: ReadonlySet<string | undefined> = new Set(['bookingId', 'course', 'round', 'courseName']);

const NUMBER = /^\s*(-?\d{1,15}(?:\.\d+)?)(?:\s*(?:holes?|players?))?\s*$/i;
const MOMENT = /^\s*(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d)(?::(\d\d))?(?:\.\d+)?(?:Z|[+-]\d\d:?\d\d)?\s*$/i;

/** A value that is neither a list nor an object. */
function readPlain(type: Schema['type'], name: string | undefined, value: unknown, field?: string): unknown {
  if (typeof value === 'string') {
    if (type === 'integer' || type === 'number') {
      const [, digits] = NUMBER.exec(value) ?? [];
      return digits === undefined ? value : Number(digits);
    }
    if (type === 'boolean' && /^(true|false)$/i.test(value)) return value.toLowerCase() === 'true';
    if (name !== 'DateTime') return value;
    const [, day, minute, second = '00'] = MOMENT.exec(value) ?? [];
    return day === undefined ? value : `${day}T${minute}:${second}`;
  }
  return type === 'string' && typeof value === 'number' && named.has(field) ? String(value) : value;
}

/** An object in the place of one value, which it names: an amount with its currency, or a country with its code. */
function readPart(type: Schema['type'], value: Record<string, unknown>): unknown {
  const { amount, name, id } = value;
  if (type === 'number' && amount !== undefined) return readPlain(type, undefined, amount);
  if (type === 'integer' && id !== undefined) return readPlain(type, undefined, id);
  return type === 'string' && typeof name === 'string' ? name : value;
}
