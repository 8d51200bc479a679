import {
  fieldsOf,
  type apiOperations as contract,
  type OperationId,
  type OperationName,
  operations,
  type OperationSpec,
} from '../../contract/index.js';
import { Contract } from './contract.js';

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

let document: Contract | undefined;
const shown = new Map<string, boolean>();

/** Shows a field in its answer, at any depth. */
export const shows =
  (field: string): Feature =>
  ({ id }) => {
    const key = `${id} ${field}`;
    let has = shown.get(key);
    if (has === undefined) shown.set(key, (has = (document ??= new Contract()).answerHas(id, field)));
    return has;
  };

/** Lacks a feature. */
export const without =
  (feature: Feature): Feature =>
  (operation) =>
    !feature(operation);

/** Every version of the service, oldest first. */
export const versions: readonly Exclude<VersionOf<OperationName>, '*'>[] = [
  ...new Set(operations.map(({ version }) => version).filter((version) => version !== '*')),
].sort();

/** The payload of an operation that succeeds, by its id. */
type Payload<Id> = Id extends keyof contract
  ? contract[Id] extends { responses: { 200: { content: { 'application/json': { data: infer Data } } } } }
    ? Data
    : never
  : never;

/** The versions of an operation whose payload has this type. */
type Showing<N extends OperationName, Data> = {
  [V in VersionOf<N>]: Payload<`${V}.${N}`> extends Data ? V : never;
}[VersionOf<N>];

export type PayloadOf<N extends OperationName, V extends VersionOf<N>> = V extends unknown
  ? Payload<`${V}.${N}`>
  : never;

/** The versions whose tee times have this type and a feature. */
const sheets = <Data>(has: Feature): readonly Showing<'listTeeTimes', Data>[] =>
  versionsOf('listTeeTimes', has) as readonly Showing<'listTeeTimes', Data>[];

/** The contract says by the rule of its answer that a payment is paused. */
const isPaused: Feature = ({ rule }) => rule === 'payments.paused';

/** The versions that have a form, oldest first. A new version is among those whose form it has. */
export const forms = {
  /** Tee times of a facility, with products (section "Tee time availability", row v4). */
  facilitySheet: sheets<{ teeTimeV3: unknown }>((one) => shows('teeTimeV3')(one) && !takes('courseId')(one)),
  /** Tee times of one course: its id is in the path (section "Tee time availability", row v5). */
  courseSheet: sheets<{ teeTimeV3: unknown }>(takes('courseId')),
  /** Tee times without products, which have a `course` (section "Tee time (v3 form, `teeTimeV2` element)"). */
  plainSheet: sheets<{ teeTimeV2: unknown }>(shows('teeTimeV2')),
  /** Tee times that call the course `round` (section "Tee time (v2 form)"). */
  roundSheet: sheets<{ round: string }[]>(shows('round')),
  /** Bookings listed with their facility (section "Booking (list item)", row facilityId). */
  bookingList: versionsOf('listBookings', shows('facilityId')),
  /** Payments that succeed and confirm nothing (section "Confirm booking payment"). */
  pausedPayment: versionsOf('confirmPayment', isPaused),
  /** Payments that are not paused (section "Confirm booking payment", row v4). */
  payment: versionsOf('confirmPayment', without(isPaused)),
} as const;

type Form = keyof typeof forms;

/** Whether a version has a form. */
export function isOf<F extends Form>(form: F, version: string): version is (typeof forms)[F][number] {
  return forms[form].some((one) => one === version);
}

/** The newest version that has each form. */
export const newestWith = {
  facilitySheet: forms.facilitySheet.at(-1)!,
  courseSheet: forms.courseSheet.at(-1)!,
  plainSheet: forms.plainSheet.at(-1)!,
  roundSheet: forms.roundSheet.at(-1)!,
  bookingList: forms.bookingList.at(-1)!,
  pausedPayment: forms.pausedPayment.at(-1)!,
  payment: forms.payment.at(-1)!,
} as const;

/** An operation that creates bookings. Two of them may have one version, so they are not told apart by it. */
export interface Creation {
  readonly operation: OperationIdOf<'createBooking' | 'createBulkBooking'>;
  readonly version: VersionOf<'createBooking' | 'createBulkBooking'>;
  /**
   * By product, one or several in a body (section "Create booking", rows Single and Multiple); of a tee time, whose course
   * is called `round` (section "Booking request", version differences); or several in a list, without products (section
   * "Create booking", older versions).
   */
  readonly form: 'product' | 'round' | 'bulk';
}

/** Every operation that creates bookings, oldest first. */
export const creations: readonly Creation[] = operations
  .flatMap((one): Creation[] => {
    if (one.name !== 'createBooking' && one.name !== 'createBulkBooking') return [];
    const form = one.name === 'createBulkBooking' ? 'bulk' : takes('productId')(one) ? 'product' : 'round';
    return [{ operation: one.id, version: one.version, form }];
  })
  .sort((a, b) => (a.operation < b.operation ? -1 : 1));

const newestCreation = (form: Creation['form']): Creation => creations.findLast((one) => one.form === form)!;

/** The newest operation that creates bookings of each form. */
export const [productBooking, roundBooking, bulkBooking] = [
  newestCreation('product'),
  newestCreation('round'),
  newestCreation('bulk'),
];
