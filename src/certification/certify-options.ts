import type { DialectCard, Fetch, Handle, Instant, Sandbox, SandboxOptions } from '../engine/index.js';
import type { Version } from '../contract/index.js';
import type { ObligationBreach, ObligationResult } from './obligations/client-checker.js';
import type { AttemptResult, Certification, SkippedExam } from './certification.js';
import type { Exam, ExamDelays } from './exam.js';
import type { KnownObligation } from './known-obligations.js';
import type { ShownExchange } from './shown-exchange.js';

/** What the client gets for an exam: an address with credentials, and a `fetch` that goes there. */
export interface ExamEnvironment {
  readonly exam: Exam;
  readonly sandbox: Sandbox;
  readonly baseUrl: string;
  readonly username: string;
  readonly password: string;
  readonly refreshToken: string;
  /** Goes to the sandbox without a network. It is recorded, as is what arrives at `baseUrl`. */
  readonly fetch: Fetch;
  readonly signal: AbortSignal;
}

/** What happens while a client is certified, as it happens. Exchanges have no secrets. */
export type CertifyEvent =
  | { readonly type: 'start'; readonly exams: readonly Exam[]; readonly obligations: readonly string[] }
  | {
      readonly type: 'exam';
      readonly exam: string;
      readonly state: 'begun';
      readonly baseUrl: string;
      readonly results: () => readonly ObligationResult[];
    }
  /** Exams that are skipped because of what the happy path has shown. */
  | { readonly type: 'skipped'; readonly skipped: readonly SkippedExam[] }
  /** Without its exchange, if too many came after it before this event: exams tell their events one after the other. */
  | { readonly type: 'call' | 'delivery'; readonly exam: string; readonly exchange: ShownExchange | undefined }
  | { readonly type: 'breach'; readonly exam: string; readonly breach: ObligationBreach }
  | {
      readonly type: 'exam';
      readonly exam: string;
      readonly state: 'ended';
      readonly results: readonly ObligationResult[];
      readonly client: AttemptResult;
      readonly durationMs: number;
    }
  /** `mask` hides all secrets that the run knows at its end: earlier events may show those that came later. */
  | { readonly type: 'end'; readonly certification: Certification; readonly mask?: (text: string) => string };

/** Time of the host. */
export interface CertifyHost {
  /** Epoch milliseconds, for the date of the certificate and for durations. */
  now(): number;
}

export interface CertifyOptions extends Pick<
  SandboxOptions,
  'seed' | 'facilities' | 'world' | 'allowCallback' | 'fetch' | 'schedule' | 'version'
> {
  /** Runs the client's tests one time. Resolves when they are over; an error counts as a failure of the client. */
  readonly attempt: (environment: ExamEnvironment) => Promise<AttemptResult>;
  readonly host: CertifyHost;
  /** Globs of the exams to take. Default: all. */
  readonly exams?: readonly string[];
  /** Globs of the exams not to take. */
  readonly skip?: readonly string[];
  /** Globs of the obligations to evaluate. Default: all. */
  readonly only?: readonly string[];
  /** The versions of the service that the client uses. Exams of other versions are not taken. Default: all. */
  readonly versions?: readonly Version[];
  /** The instant at which each exam begins. Default: that of `clock`, or else 2026-06-01T08:00:00Z. */
  readonly now?: Instant;
  /** A source of epoch milliseconds with which the clock of each exam runs. Without it, the clock stands. */
  readonly clock?: () => number;
  /** The answers of the client's deployment. An exam never changes one of these. */
  readonly dialect?: DialectCard;
  readonly delays?: Partial<ExamDelays>;
  /** The baseline: failures that are known. They do not decide the verdict. */
  readonly known?: readonly KnownObligation[];
  /** The least number of obligations to see for a client to be ready. Default: 1. */
  readonly minSeen?: number;
  /**
   * The certificate of a run that was stopped: the exams that were over are not taken again. The clock of all others begins
   * where it began there.
   */
  readonly resume?: Certification;
  /** Whether failures are kept as capsules. Default: true. */
  readonly capsules?: boolean;
  /** The number of exams that run at the same time, after the happy path. Default: 1. */
  readonly jobs?: number;
  /** Whether all exams are open at once, for a person or a program that goes from one to the other. */
  readonly isOpen?: boolean;
  /** Globs of tests (`Teebox-Test`) and of obligations: refused mistakes of the first, and against the second, are on purpose. */
  readonly deliberate?: readonly string[];
  readonly client?: Certification['client'];
  /** Makes an exam reachable over a network. Without it, only `fetch` of the environment reaches it. */
  readonly listen?: (exam: Exam, handle: Handle) => Promise<Reached>;
  readonly onEvent?: (event: CertifyEvent) => void;
  /** Ends the exams: `certify` then rejects with the reason. */
  readonly signal?: AbortSignal;
  /**
   * Ends the exams as well, and `certify` resolves with what those that were over have shown. Rejects with the reason if none
   * was over.
   */
  readonly stop?: AbortSignal;
}

/** An exam that is reachable over a network. */
interface Reached {
  /** Without a trailing slash. */
  readonly baseUrl: string;
  close(): Promise<void> | void;
}
