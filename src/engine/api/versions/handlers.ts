import type { apiOperations as contract, operations, ParameterSpec } from '../../../contract/index.js';
import type { Route } from '../routes/call.js';
import type { Payload } from '../routes/payload.js';

type Operation = (typeof operations)[number];
type IdOf<V extends string> = Extract<Operation, { version: V }>['id'];
/** The name of an operation without its version: `listBookings` of `v4.listBookings`. */
type NameOf<Id extends string> = Id extends `${string}.post` ? never : Id extends `${string}.${infer Name}` ? Name : Id;

interface Kinds {
  integer: number;
  boolean: boolean;
  date: number;
  'date-either': number;
  integers: readonly number[];
  string: string;
  url: string;
  version: string;
}

type Value<P extends ParameterSpec> = P['required'] extends true ? Kinds[P['kind']] : Kinds[P['kind']] | undefined;

/** The parameters that a route receives, by the generated table. */
export type ParamsOf<Id extends string> = {
  readonly [P in Extract<Operation, { id: Id }>['parameters'][number] as P['name']]: Value<P>;
};

/**
 * The routes of one version. A missing route is a compile error that names it. So is a route whose payload differs
 * from the contract.
 *
 * @example
 * export const v6 = { listCountries: listCountries } satisfies Handlers<'v6'>;
 */
export type Handlers<V extends string> = {
  readonly [Id in IdOf<V> as NameOf<Id>]: Route<ParamsOf<Id>, Payload<Id & keyof contract>>;
};
