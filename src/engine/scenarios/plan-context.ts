import type { JsonObject } from '../../common/index.js';
import type { Scenario } from '../../contract/index.js';
import type { Strike } from './strike.js';

/** A request, as scenarios see it. */
export interface PlanContext {
  readonly requestId: string;
  readonly operation: { readonly id: string; readonly name: string };
  /** The name of the caller; undefined if its credentials are not valid. */
  channel(): string | undefined;
  /** The body, or each booking in a list of the body; empty for a request without one. */
  readonly bodies: readonly JsonObject[];
  /** The parameters of path and query as they were sent. */
  sent(): Readonly<Record<string, string>>;
  readonly now: number;
  /** Throws the refusal that takes precedence over any scenario; called before a scenario is used up. */
  ready(): void;
  /** Applies a strike to this request. */
  apply(strike: Strike): void;
  /** What the scenario needs to strike and this request lacks; undefined if nothing is missing. */
  lacks(scenario: Scenario): Lack | undefined;
}

/** Why a scenario cannot strike a request, and what the request would need. */
export interface Lack {
  readonly why: string;
  readonly due: string;
}
