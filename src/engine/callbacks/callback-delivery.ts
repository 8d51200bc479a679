import type { CallbackAttempt, CallbackFault } from './delivery.js';

/** One result to be posted to a caller's address (section "Events"). */
export interface CallbackDelivery {
  readonly id: string;
  readonly requestId: string;
  readonly channel: string;
  /** The address without secrets. */
  readonly url: string;
  /** `withheld`: a scenario prevents the delivery. */
  state: 'pending' | 'delivered' | 'failed' | 'withheld';
  /** The body as it was posted. Null before that, and of a body that is too large or too old to be kept. */
  body: string | null;
  readonly attempts: CallbackAttempt[];
  /** The scenario that acts on the delivery. */
  readonly fault?: CallbackFault;
}
