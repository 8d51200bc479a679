import type { RuleSpec } from './rule.js';
import type { Concern } from '../client/types.js';

/** Rules whose id tells what their findings are about; all others are about the meaning of one operation. */
const byId: readonly (readonly [id: RegExp, concern: Concern])[] = [
  [/^auth\./, 'access'],
  // Whoever reads `success` takes the request for refused.
  [/^envelope\.success-true/, 'access'],
  [/^(envelope|dates\.response-format)/, 'form'],
  [/\.(agrees|same-across-versions|price-across-versions|match-facilities|list-finds|side-by-side)\b/, 'agreement'],
  [/\.agrees-/, 'agreement'],
  [/^bookings\.(effect|status|linked|list\.order)/, 'agreement'],
  [/^teetimes\.(courses-union|item\.teeid-books|cancellation\.by-facility)/, 'agreement'],
];

/** What the findings of a rule are about. */
export function concernOf({ id, concern }: Pick<RuleSpec, 'id' | 'concern'>): Concern {
  return concern ?? byId.find(([ids]) => ids.test(id))?.[1] ?? 'meaning';
}
