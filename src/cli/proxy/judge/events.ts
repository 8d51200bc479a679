import type { Exchange } from '../../../conformance/client/exchange.js';
import type { RuleResult } from '../../../conformance/client/types.js';
import type { ObligationBreach } from '../../../certification/obligations/judge.js';

/** What a judge tells while traffic passes. */
export type JudgeEvent =
  | { readonly type: 'exchange'; readonly exchange: Exchange }
  | { readonly type: 'finding'; readonly side: 'deployment'; readonly result: RuleResult }
  | { readonly type: 'finding'; readonly side: 'client'; readonly breach: ObligationBreach };
