import type { Exchange, RuleResult } from '../../../conformance/index.js';
import type { ObligationBreach } from '../../../certification/index.js';

/** What is reported while traffic passes. */
export type TrafficEvent =
  | { readonly type: 'exchange'; readonly exchange: Exchange }
  | { readonly type: 'finding'; readonly side: 'deployment'; readonly result: RuleResult }
  | { readonly type: 'finding'; readonly side: 'client'; readonly breach: ObligationBreach };
