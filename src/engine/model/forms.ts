/**
 * How the answers of a world differ from the documented form where deployments do: what a twin has learnt from one. Without
 * them, the sandbox answers as the API specification shows it.
 */
import type { OperationId } from '../../contract/index.js';

/** By what price records are sorted. */
export type PriceKey = 'facility' | 'course' | 'date' | 'product';

/** The members that facilities have or lack in the answers of one operation, as paths such as `address.address2`. */
export interface MemberForms {
  /** Members that it has besides. */
  readonly with?: readonly string[];
  readonly without?: readonly string[];
  /** Members that are left out where they are empty. */
  readonly withoutEmpty?: readonly string[];
  /** Members that are null. */
  readonly null?: readonly string[];
}

export interface WorldForms {
  /** Prices are for as many players as there are free slots; default: for one to four. */
  readonly priceSteps?: 'all' | 'available';
  /** Tee times that have begun are left out, or listed. Default: left out. */
  readonly pastTeeTimes?: 'left-out' | 'listed';
  /** The slowest first; default: facility, course, date, product. */
  readonly priceOrder?: readonly PriceKey[];
  /** The facilities of a price list come as they were asked for, or by their ids. Default: as asked. */
  readonly priceFacilities?: 'asked' | 'by-id';
  /** The days that have price records: all, those with tee times, or those on which the product is on sale. Default: all. */
  readonly priceDays?: 'all' | 'open' | 'on-sale';
  /** By operation. */
  readonly members?: Readonly<Partial<Record<OperationId, MemberForms>>>;
}
