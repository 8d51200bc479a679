/**
 * The type that makes each version file name a handler for every operation of its version, and what their writers
 * share.
 */
import type { Answers, apiOperations as contract, operations, ParameterSpec } from '../../../contract/index.js';
import type { Payload, Route, Schemas } from '../routes/call.js';
import type { TeeTimeView } from '../routes/tee-time-texts.js';
import { type PriceStep, priceSteps } from '../../model/tee-sheet.js';
import type { Cents, ExtraProduct, Facility, Product } from '../../model/world.js';

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
type ParamsOf<Id extends string> = {
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

type How = 'present' | 'absent' | 'null';

/**
 * Writes a field without a value as the dialect does: empty, missing or null. The type is that of the contract,
 * which the default dialect follows.
 */
export function withEmptyFields<T extends Record<string, unknown>>(record: T, how: How): T {
  if (how === 'present') return record;
  const entries = Object.entries(record).flatMap(([name, value]): [string, unknown][] => {
    if (value === '') return how === 'null' ? [[name, null]] : [];
    const nested = typeof value === 'object' && value !== null && !Array.isArray(value);
    return [[name, nested ? withEmptyFields(value as Record<string, unknown>, how) : value]];
  });
  return Object.fromEntries(entries) as T;
}

/** The price steps of a product as the dialect shows them: of all players, or of each in whole cents. */
export function shownSteps(
  { course, sheet, most }: TeeTimeView,
  product: Product,
  answers: Answers,
): readonly PriceStep[] {
  const steps = priceSteps(course, product, sheet.day).slice(0, most);
  if (answers['teetimes.price-meaning'] === 'all') return steps;
  const { leastAmount: least = 1 } = course;
  return steps.map(({ quantity, price, netRate, publicRate }) => {
    const ofEach = (total: Cents): Cents => Math.round(total / quantity / least) * least;
    return { quantity, price: ofEach(price), netRate: ofEach(netRate), publicRate: ofEach(publicRate) };
  });
}

/** Section "Money". */
export function money(amount: Cents, currency: string): Schemas['Money'] {
  return { amount: amount / 100, currency };
}

/** The extra products of a facility as offers with a tee time (section "Tee time", ExtraProductOffer). */
export function extraProductOffers({ extraProducts, currency }: Facility): Schemas['ExtraProductOffer'][] {
  return extraProducts.map(({ mid, name, category, price, netRate, publicRate }: ExtraProduct) => ({
    mid,
    name,
    category,
    price: money(price, currency),
    netRate: money(netRate, currency),
    publicRate: money(publicRate, currency),
  }));
}
