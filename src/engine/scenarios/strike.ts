import type { Phase, Scenario } from '../../contract/index.js';

/** One occurrence of a scenario acting on one request, before or after the work of the request is done. */
export interface Strike {
  readonly scenario: Scenario;
  readonly phase: Phase;
  /** The booking of a group that it strikes, counted from 1; null for the whole group. */
  readonly item: number | null;
  /** The delay in milliseconds, drawn for this request. */
  readonly delay: number;
  /** What triggered the scenario. */
  readonly source: 'header' | 'body' | 'facility' | 'plan' | 'chaos';
  /** Applies and counts the strike. Throws if the scenario ends the request here. */
  apply(): void;
}
