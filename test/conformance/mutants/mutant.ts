import type { CheckOptions } from '../../../src/conformance/check-options.js';
import type { RuleId } from '../../../src/generated/rule-basis.js';
import type { SandboxOptions } from '../../../src/index.js';
import type { Delivery, Layer } from '../deployment.js';

/** A defect planted into a correct deployment, and the rule that must find it. */
export interface Mutant {
  /** The rule that names it. */
  readonly rule: RuleId;
  /** The mistake, as a person would tell it: "v2 ignores the players filter". */
  readonly defect: string;
  readonly layer: Layer;
  /** What it makes of the body that is posted to a callback address. */
  readonly delivery?: (json: unknown) => unknown;
  /** How it posts that body. */
  readonly posting?: Delivery;
  readonly settings?: SandboxOptions;
  /** What the run is given beside leave for everything. */
  readonly options?: Partial<CheckOptions>;
}
