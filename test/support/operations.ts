import {
  type OperationName,
  operations,
  type OperationSpec,
  type ParameterSpec,
} from '../../src/contract/generated/operations.js';
import type { CallOptions } from './client.js';
import { dayIn, OPEN_FACILITY } from './scenes.js';
import { NOWHERE } from './views.js';

/** Every operation, seen as its type. */
export const everyOperation: readonly OperationSpec[] = operations;

/** All but the refresh of tokens, which needs no credentials. */
export const dataOperations = everyOperation.filter(({ auth }) => auth);

/** The versions that have an operation, oldest first. */
export function versionsWith(name: OperationName): readonly string[] {
  return [...new Set(everyOperation.filter((one) => one.name === name).map(({ version }) => version))].sort();
}

/** The only course of the facility that the tests use. */
export const OPEN_COURSE = 10011;

const known: Readonly<Record<string, string>> = {
  facilityId: String(OPEN_FACILITY),
  courseId: String(OPEN_COURSE),
  country: 'the Netherlands',
  callbackUrl: NOWHERE,
  facilityIds: String(OPEN_FACILITY),
  serviceBookingId: 'no-such-booking',
  bulkBookingId: '2147483646',
  version: 'v5',
  holes: '18',
};

/** Something well-formed for a parameter, so that a request fails for the reason under test alone. */
function valueOf({ name, kind }: ParameterSpec): string {
  return known[name] ?? (kind.startsWith('date') ? dayIn(10).query : '1');
}

/** The path of an operation with parameters that are well-formed and, but for bookings, name what exists. */
export function pathOf({ path, parameters }: OperationSpec): string {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    valueOf(parameters.find((one) => one.name === name)!),
  );
  const query = parameters.filter(({ in: place, required }) => place === 'query' && required);
  const entries = query.map((one): [string, string] => [one.name, valueOf(one)]);
  return entries.length === 0 ? filled : `${filled}?${new URLSearchParams(entries)}`;
}

/** The paths of operations in the versions that do not have them, by the contract. */
export const unlistedPaths: readonly string[] = (() => {
  const shapeOf = (path: string): string => path.replaceAll(/\{\w+\}/g, '{}');
  const listed = new Set(everyOperation.map(({ path }) => shapeOf(path)));
  const versions = new Set(dataOperations.map(({ version }) => version));
  const moved = dataOperations.flatMap((one) =>
    [...versions].map((version) => ({ ...one, path: one.path.replace(one.version, version) })),
  );
  return [...new Set(moved.filter(({ path }) => !listed.has(shapeOf(path))).map(pathOf))];
})();

/** The body to send: an empty object where the operation takes one. */
export function bodyOf({ bodies }: OperationSpec): Pick<CallOptions, 'body'> {
  return bodies ? { body: {} } : {};
}
