import type { Phase, Scenario } from '../../contract/index.js';
import type { JsonObject } from '../../common/index.js';

/** One occurrence of a scenario acting on one request, before or after the work of the request is done. */
export interface TriggeredScenario {
  readonly scenario: Scenario;
  readonly phase: Phase;
  /** The booking of a group that it applies to, counted from 1; null for the whole group. */
  readonly item: number | null;
  /** The delay in milliseconds, drawn for this request. */
  readonly delay: number;
  /** What triggered the scenario. */
  readonly source: 'header' | 'body' | 'facility' | 'plan' | 'chaos';
  /** The id of the plan. */
  readonly plan?: string;
  /** Applies and counts the scenario. Throws if the scenario ends the request here. */
  apply(): void;
}

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
  /** Applies the scenario to this request. */
  apply(trigger: TriggeredScenario): void;
  /** What the scenario needs and this request lacks; undefined if nothing is missing. */
  lacks(scenario: Scenario): Lack | undefined;
}

/** Why a scenario cannot apply to a request, and what the request would need. */
export interface Lack {
  readonly why: string;
  readonly due: string;
}
