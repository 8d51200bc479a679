import type { CheckOptions } from '../../../src/conformance/run/check-options.js';
import type { RuleId } from '../../../src/contract/generated/rule-basis.js';
import type { SandboxOptions } from '../../../src/engine/library.js';
import type { Delivery, Layer } from '../deployment.js';

/** A defect planted into a correct deployment, and the rule that must find it. */
export interface Mutant {
  /** The rule that must find it. */
  readonly rule: RuleId;
  /** What the deployment does wrong, in plain English: "v2 ignores the number of players". */
  readonly defect: string;
  readonly layer: Layer;
  /** Changes the body that is posted to a callback address. */
  readonly delivery?: (json: unknown) => unknown;
  /** Changes how that body is posted. */
  readonly posting?: Delivery;
  readonly settings?: SandboxOptions;
  /** Options of the run, in addition to all permissions. It is quick unless the defect needs more: `depth: 'standard'`. */
  readonly options?: Partial<CheckOptions>;
}
