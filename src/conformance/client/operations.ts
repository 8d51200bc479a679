import {
  type BodyFields,
  bodyFields,
  type OperationId,
  type OperationName,
  operations,
  type OperationSpec,
} from '../../contract/index.js';
import { Contract } from './contract.js';

/** The versions that have an operation. */
export type VersionOf<N extends OperationName> = Extract<(typeof operations)[number], { readonly name: N }>['version'];

/** The ids of an operation, one for each version. */
export type OperationIdOf<N extends OperationName> = Extract<OperationId, `${VersionOf<N>}.${N}` | N>;

/** A condition that selects versions of an operation by the contract. */
export type Feature = (operation: OperationSpec) => boolean;

/** The versions that have an operation, optionally with a feature, oldest first. */
export function versionsOf<N extends OperationName>(name: N, has: Feature = () => true): readonly VersionOf<N>[] {
  const own: readonly OperationSpec[] = operations.filter((operation) => operation.name === name);
  return [...new Set(own.filter(has).map(({ version }) => version))].sort() as VersionOf<N>[];
}

/** The newest version that has an operation, optionally with a feature. */
export function newestOf<N extends OperationName>(name: N, has?: Feature): VersionOf<N> {
  return versionsOf(name, has).at(-1)!;
}

/** The versions that have an operation, without the newest. */
export function olderOf<N extends OperationName>(name: N): readonly VersionOf<N>[] {
  return versionsOf(name).slice(0, -1);
}

/** The id of an operation in a version; the default is the newest that has it. */
export function operationIn<N extends OperationName>(
  name: N,
  version: VersionOf<N> = newestOf(name),
): OperationIdOf<N> {
  return `${version}.${name}` as OperationIdOf<N>;
}

/** The fields of a request body; a list has those of its items. */
export function fieldsOf(body: string): BodyFields {
  return (bodyFields as Readonly<Record<string, BodyFields>>)[body.replace(/List$/, '')]!;
}

/** Accepts a parameter, or a field in its body. */
export const takes =
  (field: string): Feature =>
  ({ parameters, bodies = [] }) =>
    parameters.some(({ name }) => name === field) || bodies.some((body) => field in fieldsOf(body));

/** Requires a field in its body. */
export const requires =
  (field: string): Feature =>
  ({ bodies = [] }) =>
    bodies.some((body) => fieldsOf(body)[field]?.required === 'always');

let contract: Contract | undefined;

/** Shows a field in its answer, at any depth. */
export const shows =
  (field: string): Feature =>
  ({ id }) =>
    (contract ??= new Contract()).answerHas(id, field);

/** Lacks a feature. */
export const without =
  (feature: Feature): Feature =>
  (operation) =>
    !feature(operation);

/** Every version of the service, oldest first. */
export const versions: readonly Exclude<VersionOf<OperationName>, '*'>[] = [
  ...new Set(operations.map(({ version }) => version).filter((version) => version !== '*')),
].sort();

/** The version whose payments are paused: they succeed and confirm nothing (section "Confirm booking payment"). */
const paused = 'v5' satisfies VersionOf<'confirmPayment'>;

/**
 * Versions that the document tells apart by their form. The type names the version that has that form today, so that
 * its answers are typed.
 */
export const forms = {
  /** Tee times of a facility, with products (section "Tee time availability", row v4). */
  facilitySheet: newestOf('listTeeTimes', without(takes('courseId'))) as 'v4',
  /** Tee times of one course: its id is in the path (section "Tee time availability", row v5). */
  courseSheet: newestOf('listTeeTimes', takes('courseId')) as 'v5',
  /** Tee times without products, which have a `course` (section "Tee time (v3 form, `teeTimeV2` element)"). */
  plainSheet: newestOf('listTeeTimes', shows('teeTimeV2')) as 'v3',
  /** Tee times that call the course `round` (section "Tee time (v2 form)"). */
  roundSheet: newestOf('listTeeTimes', shows('round')) as 'v2',
  /** Bookings by product, one or several in a body (section "Create booking", rows Single and Multiple). */
  productBooking: newestOf('createBooking', takes('productId')) as 'v5',
  /** Bookings of a tee time, which call the course `round` (section "Booking request", version differences). */
  roundBooking: newestOf('createBooking', takes('round')) as 'v2',
  /** Several bookings in a list, without products (section "Create booking", older versions). */
  bulkBooking: newestOf('createBulkBooking') as 'v3',
  /** Bookings listed with their facility (section "Booking (list item)", row facilityId). */
  bookingList: newestOf('listBookings', shows('facilityId')) as 'v4',
  /** Payments that succeed and confirm nothing (section "Confirm booking payment"). */
  pausedPayment: paused,
  /** The newest payments that are not paused (section "Confirm booking payment", row v4). */
  payment: newestOf('confirmPayment', ({ version }) => version !== paused) as 'v4',
} as const;
