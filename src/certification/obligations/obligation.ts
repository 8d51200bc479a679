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

/** How an obligation was violated. */
export interface Breach {
  /** What happened. */
  readonly message: string;
  /** What should have happened. */
  readonly expected: string;
  readonly evidence: readonly Exhibit[];
  /**
   * For a repeat: what was repeated, how often a client may send it for one booking, and how many of its kind may be lawful
   * repeats. It is a violation only if the client sent more of its kind than its tests do when nothing goes wrong; if it may
   * be on purpose, only where that is known. What each test may begin with, it may have sent once for each test that did
   * not come further, unless one named test sent it.
   */
  readonly repeats?: {
    readonly call: Pick<ClientCall, 'id'>;
    readonly most: number;
    readonly lawful?: () => number;
    readonly mayBeMeant?: true;
    readonly mayBegin?: true;
  };
  /** Nobody sends it on purpose. */
  readonly isAccident?: true;
  /** It rests on what the client did not do, which it may have done in another world. */
  readonly isOfAbsence?: true;
  /** It rests on how the tests ended, whatever their last call was. */
  readonly isOfEnding?: true;
  /** For a mistake: how many correct requests of its kind the client sent. Default: all that satisfy the obligation. */
  readonly rights?: () => number;
}

/** Where a watcher reports. */
export interface Sight {
  /** How often the client did something, such as to send a right request of a kind, in all worlds together. */
  readonly counts: Map<string, number>;
  /** What the client does when nothing goes wrong: `usual.habits` has it in the other exams. */
  does(habit: string): void;
  /** The obligation was satisfied. At least one of these and no violation is a pass. */
  met(...evidence: Exhibit[]): void;
  broken(breach: Breach): void;
  /** A single mistake that the service refused, as a test of the client sends it on purpose. */
  mistaken(breach: Breach): void;
}

/** An obligation of the catalogue and how it is seen. */
export interface ObligationSpec {
  readonly id: ObligationId;
  /** Whether it looks at all worlds together; otherwise each has a watcher of its own, as each has its tokens and bookings. */
  readonly isOfAllWorlds?: true;
  watch(sight: Sight): Watcher;
}

const byId = new Map<string, Obligation>(catalogue.map((one) => [one.id, one]));

/** The entry of an obligation in the catalogue. */
export function obligationOf(id: ObligationId): Obligation {
  return byId.get(id)!;
}
