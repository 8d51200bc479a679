import { rules as catalogue } from '../../src/contract/index.js';
import { type OperationId, operations } from '../../src/contract/generated/operations.js';
import type { Report } from '../../src/conformance/client/types.js';
import type { Layer } from './deployment.js';

/** A field of an answer that later requests are built from, and the operations that show it. */
interface Field {
  readonly name: string;
  readonly operations: readonly OperationId[];
}

const versionsOf = (name: string): readonly OperationId[] =>
  operations.filter((one) => one.name === name).map(({ id }) => id);

const fields: readonly Field[] = [
  { name: 'id', operations: [...versionsOf('listFacilities'), ...versionsOf('findFacility')] },
  { name: 'country', operations: versionsOf('listCountries') },
  { name: 'teeid', operations: ['v4.listTeeTimes', 'v5.listTeeTimes'] },
  { name: 'id', operations: ['v2.listTeeTimes', 'v3.listTeeTimes'] },
  { name: 'time', operations: versionsOf('listTeeTimes') },
  { name: 'holes', operations: versionsOf('listTeeTimes') },
  { name: 'mid', operations: ['v4.listTeeTimes', 'v5.listTeeTimes'] },
  { name: 'amount', operations: versionsOf('listTeeTimes') },
  { name: 'available', operations: ['v4.listTeeTimes', 'v5.listTeeTimes', 'v5.listPrices'] },
  ...['facilityId', 'courseId', 'productId', 'date', 'time', 'price'].map((name): Field => {
    return { name, operations: ['v5.listPrices'] };
  }),
  { name: 'bookingId', operations: [...versionsOf('listBookings'), 'v5.createBooking', 'v2.createBooking'] },
  { name: 'bookingId', operations: ['v3.createBulkBooking'] },
];

/** What may be wrong with a field: another type, another form of the same value, or no value. */
export const faults = {
  type: (value: unknown) => (typeof value === 'string' ? { name: value } : String(value)),
  form: (value: unknown) =>
    typeof value === 'number'
      ? ` ${value} `
      : /^\d{4}-.*T/.test(String(value))
        ? String(value).replace('T', ' ')
        : value,
  missing: () => undefined,
  null: () => null,
} as const;
export type Fault = keyof typeof faults;

export interface BrokenField {
  readonly operation: OperationId;
  readonly field: string;
  readonly fault: Fault;
}

/** Each field in each version with each fault. A form that is the same is none. */
export const brokenFields: readonly BrokenField[] = fields.flatMap(({ name: field, operations: ids }) =>
  ids.flatMap((operation) => (Object.keys(faults) as Fault[]).map((fault) => ({ operation, field, fault }))),
);

/** A deployment whose answers to one operation have one field that is wrong. */
export function breaking({ operation, field, fault }: BrokenField): Layer {
  const { method, path } = operations.find(({ id }) => id === operation)!;
  const shape = new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`);
  return async (request, through) => {
    const response = await through(request);
    if (request.method !== method || !shape.test(new URL(request.url).pathname) || !response.ok) return response;
    const body = (await response.json()) as { data: unknown };
    const data = Array.isArray(body.data) && field === 'country' ? body.data.map(faults[fault]) : broken(body.data);
    return Response.json({ ...body, data }, { status: response.status });
  };

  function broken(value: unknown): unknown {
    if (Array.isArray(value)) return value.map(broken);
    if (typeof value !== 'object' || value === null) return value;
    const entries = Object.entries(value).map(([name, one]) => [
      name,
      name === field && (typeof one !== 'object' || one === null) ? faults[fault](one) : broken(one),
    ]);
    return Object.fromEntries(entries);
  }
}

const judged: readonly string[] = ['pass', 'observed', 'fail', 'warn'];

/** The rules that were evaluated. */
const judgedIn = ({ rules }: Report): ReadonlySet<string> =>
  new Set(rules.filter(({ verdict }) => judged.includes(verdict)).map(({ id }) => id));

/** Of the rules that were evaluated without the fault and are not about the operation: those that no longer are. */
export function lostIn(whole: Report, report: Report, { operation, field, fault }: BrokenField) {
  const now = judgedIn(report);
  // A payment names the identifier of the booking: without one, there is nothing to pay.
  const isUnnamed = field === 'bookingId' && /\.create/.test(operation) && (fault === 'missing' || fault === 'null');
  const name = operation.split('.')[1]!;
  const version = operation.split('.')[0]!;
  const concerns = (id: string): boolean => {
    const rule = catalogue.find((one) => one.id === id);
    const { operations: own = [], versions = [] } = (rule ?? {}) as {
      readonly operations?: readonly string[];
      readonly versions?: readonly string[];
    };
    if (isUnnamed && own.some((one) => one.startsWith('confirm'))) return true;
    return own.includes(name) && (versions.length === 0 || versions.includes(version));
  };
  const unconcerned = [...judgedIn(whole)].filter((id) => !concerns(id));
  return { lost: unconcerned.filter((id) => !now.has(id)), of: unconcerned.length };
}
