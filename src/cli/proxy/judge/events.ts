import type { Exchange, RuleResult } from '../../../conformance/index.js';
import type { ObligationBreach } from '../../../certification/index.js';

/** What a judge tells while traffic passes. */
export type JudgeEvent =
  | { readonly type: 'exchange'; readonly exchange: Exchange }
  | { readonly type: 'finding'; readonly side: 'deployment'; readonly result: RuleResult }
  | { readonly type: 'finding'; readonly side: 'client'; readonly breach: ObligationBreach };
