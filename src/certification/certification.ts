import type { Capsule } from '../engine/index.js';
import type { GivenAnswers, Version } from '../contract/index.js';
import type { ObligationResult } from './obligations/client-checker.js';
import type { KnownObligation } from './known-obligations.js';
import type { ShownExchange } from './shown-exchange.js';

export type ObligationVerdict = ObligationResult['verdict'];

/** How the client's tests ended. */
export interface AttemptResult {
  /** Whether they passed. Absent: unknown, for example because a person has used the client by hand. */
  readonly ok?: boolean;
  /** Whether they had to be stopped, as they did not end by themselves. */
  readonly hung?: boolean;
  /** The exit code and the last line of its errors, for example. */
  readonly said?: string;
}

/** An exam that the client took. */
export interface ExamResult {
  readonly id: string;
  readonly title: string;
  readonly does: string;
  /** `fail`: an obligation was violated. `not-seen`: no obligation could be evaluated. */
  readonly verdict: ObligationVerdict;
  readonly results: readonly { readonly id: string; readonly verdict: ObligationVerdict }[];
  readonly client: AttemptResult;
  /** The number of calls of the client. */
  readonly calls: number;
  readonly durationMs: number;
}

/** An exam that was not taken, and why. */
export interface SkippedExam {
  readonly id: string;
  readonly why: string;
}

/** The verdict on an obligation over all exams: a failure in one decides, and otherwise a pass in one. */
export interface CertifiedObligation extends ObligationResult {
  /** The exams that show this verdict. */
  readonly exams: readonly string[];
  /** The entries of the baseline that list this failure. */
  readonly known?: readonly KnownObligation[];
  /** The exam of `capsules` that shows the failure. */
  readonly capsule?: string;
}

/** Whether a client is ready for production, and what shows it. This is the JSON of the certificate. */
export interface Certification {
  /** `undecided`: no obligation failed, and a violation of a critical one is in doubt. */
  readonly verdict: 'ready' | 'not-ready' | 'too-little-seen' | 'undecided';
  readonly exitCode: 0 | 1 | 4;
  readonly message: string;
  /** ISO 8601, UTC. */
  readonly at: string;
  /** The version of Teebox. */
  readonly teebox: string;
  readonly seed: number;
  readonly facilities: number;
  /** The digest of the world file, if the client met a world of its own. */
  readonly world?: string;
  /** The instant at which each exam began, on the clock of its sandbox. */
  readonly now: string;
  readonly dialect: { readonly name?: string; readonly answers: GivenAnswers };
  /** The versions of the service that the client used. */
  readonly versions: readonly Version[];
  readonly client?: { readonly name?: string; readonly command?: string };
  readonly exams: readonly ExamResult[];
  readonly skipped: readonly SkippedExam[];
  readonly obligations: readonly CertifiedObligation[];
  readonly counts: Readonly<Record<ObligationVerdict, number>>;
  /** Obligations of the baseline that no longer fail. */
  readonly stale: readonly string[];
  /** The calls and callbacks that the obligations name as evidence, without secrets. */
  readonly exchanges: readonly ShownExchange[];
  /** The first exam in which each obligation failed, as a capsule that `teebox replay` plays. */
  readonly capsules: Readonly<Record<string, Capsule>>;
  /** SHA-256 of what another run with the same seed and exams must give again. */
  readonly digest: string;
}

/** What a run has shown that was stopped. */
export type Earlier = Pick<Certification, 'exams' | 'obligations' | 'exchanges' | 'versions'>;
