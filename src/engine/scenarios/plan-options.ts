import type { ScenarioOptions } from './spec.js';

/** The conditions of a plan: the requests it matches, and when it strikes. */
export interface PlanOptions extends ScenarioOptions {
  /** The name of an operation, such as `createBooking`, or its id with the version, such as `v5.createBooking`. */
  readonly operation?: string;
  readonly channel?: string;
  readonly facilityId?: number;
  /** Fields of the body, of one booking in it, or parameters as they were sent, with the values they must have. */
  readonly match?: Readonly<Record<string, unknown>>;
  /** How often it strikes. Default: 1. */
  readonly times?: number | 'always';
  /** Number of matching requests to let pass first. */
  readonly after?: number;
  /** A script with one step per matching request, instead of `times` and `after`. */
  readonly steps?: readonly ('fail' | 'ok')[];
  /** The probability of a strike, from 0 to 1, drawn from the seed. */
  readonly probability?: number;
  /** Seconds on the sandbox's clock until the plan expires. */
  readonly ttl?: number;
}
