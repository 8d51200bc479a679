import { obligations as catalogue, type Obligation, type ObligationId } from '../../contract/index.js';
import type { ClientCall, ClientDelivery, SessionFacts } from './traffic.js';

/** Looks at one session of a client. It is made anew for each session, and its memory is bounded: a session can last for days. */
export interface Watcher {
  /** Takes a call when it has been answered, or cut; in the order of completion. */
  call?(call: ClientCall): void;
  /** Takes a callback after its answer, in order. */
  delivery?(delivery: ClientDelivery): void;
  /** The session is over. */
  end?(facts: SessionFacts): void;
}

/** What shows that an obligation was met or broken. */
export type Exhibit = Pick<ClientCall | ClientDelivery, 'id'>;

/** How an obligation was broken. */
export interface Breach {
  /** What happened. */
  readonly message: string;
  /** What should have happened. */
  readonly expected: string;
  readonly evidence: readonly Exhibit[];
}

/** Where a watcher reports. */
export interface Sight {
  /** The obligation was met. At least one of these and no breach is a pass. */
  met(...evidence: Exhibit[]): void;
  broken(breach: Breach): void;
}

/** An obligation of the catalogue and how it is seen. */
export interface ObligationSpec {
  readonly id: ObligationId;
  watch(sight: Sight): Watcher;
}

const byId = new Map<string, Obligation>(catalogue.map((one) => [one.id, one]));

/** The entry of an obligation in the catalogue. */
export function obligationOf(id: ObligationId): Obligation {
  return byId.get(id)!;
}
