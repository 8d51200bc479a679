import type { DialectCard } from '../state/dialect.js';
import type { State } from '../state/state.js';
import type { BookingState } from '../model/booking.js';
import type { StateOptions } from '../state/sandbox-state.js';

/** The major version of the form of capsules. */
export const CAPSULE_FORM = 1;

/**
 * A failure as plain JSON: the requests to a sandbox, with everything that decided the responses. Secrets are replaced
 * by placeholders such as `{{secret access-token 3}}`, which stand for the same ones in the sandbox that plays it.
 */
export interface Capsule {
  /** The version of Teebox that wrote it. */
  readonly teebox: string;
  readonly capsule: typeof CAPSULE_FORM;
  readonly seed: number;
  readonly facilities: number;
  /** The instant of the baseline, in ISO 8601. */
  readonly now: string;
  readonly dialect: DialectCard;
  readonly options: CapsuleOptions;
  /** What differs from the baseline before the first step; missing where nothing does. */
  readonly state?: CapsuleState;
  readonly steps: readonly CapsuleStep[];
}

/** The options of a sandbox that decide its responses. */
export interface CapsuleOptions extends Pick<StateOptions, 'world' | 'scenarios' | 'chaos' | 'ownScenarios' | 'magic'> {
  readonly expiresIn?: number;
  readonly pure?: boolean;
  readonly allowCallback?: readonly string[] | 'any';
}

/** The members of a state that differ from the baseline. */
export interface CapsuleState extends Partial<Pick<State, 'dialect' | 'scenarios' | 'requests'>> {
  readonly store?: Partial<State['store']> & {
    /** The bookings of the baseline that are missing, by number. */
    readonly without?: readonly BookingState['sequence'][];
  };
}

/** A step of a capsule; `at` is in ISO 8601. */
export type CapsuleStep = CapsuleRequest | CapsuleResume | CapsuleMove | CapsuleOrder;

/** A request with its response. */
export interface CapsuleRequest {
  readonly kind: 'request';
  readonly id: string;
  readonly at: string;
  readonly method: string;
  readonly url: string;
  /** The address that the caller used, where it differs. */
  readonly address?: string;
  /** Whether its callbacks may go anywhere. */
  readonly reachesAll?: true;
  readonly headers: Readonly<Record<string, string>>;
  /** The body: `json` where it is written as `JSON.stringify` writes it, or the text. */
  readonly json?: unknown;
  readonly text?: string;
  /** Why there is no body: it was longer than the service takes, or did not arrive whole. */
  readonly lost?: 'too-large' | 'broken';
  /** Null if the connection was lost before there was one; missing for a request that is still under way. */
  readonly response?: CapsuleResponse | null;
  /** Of a request that is still under way: how often it has gone on. */
  readonly resumed?: number;
}

export interface CapsuleResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly json?: unknown;
  readonly text?: string;
  /** In place of a body that was too long to be kept: its length. */
  readonly length?: number;
}

/** A request goes on after others were answered meanwhile, or after a wait. */
export interface CapsuleResume {
  readonly kind: 'resume';
  readonly of: string;
  /** How often it has gone on. */
  readonly turn: number;
  readonly at: string;
}

/** The clock was moved to an instant. */
export interface CapsuleMove {
  readonly kind: 'clock';
  readonly at: string;
}

/** A call of the admin API, or the same call of the library. */
export interface CapsuleOrder {
  readonly kind: 'admin';
  readonly at: string;
  readonly method: string;
  /** Below `__admin/`. */
  readonly path: string;
  readonly body?: unknown;
}
