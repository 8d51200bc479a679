import type { GivenAnswers, ObligationId, Version } from '../contract/index.js';
import type { Sandbox, SandboxOptions } from '../engine/index.js';
import type { Need } from './happy-use.js';
import type { Disguise } from './recording.js';

/** How long the failures of exams last, in milliseconds. */
export interface ExamDelays {
  /** A slow answer is late by this. Default: 2000. */
  readonly slow: number;
  /** A call without an answer hangs for this long, unless the client gives up before. Default: 20,000. */
  readonly hang: number;
  /** A search result is late by this. Default: 3000. */
  readonly late: number;
}

/** What happens to a client during one run of its tests. */
export interface Exam {
  readonly id: string;
  readonly title: string;
  /** What happens to the client, in one sentence. */
  readonly does: string;
  /** The obligations that it can show. */
  readonly shows: readonly ObligationId[];
  /** The versions of the service in which it happens. Default: all. */
  readonly versions?: readonly Version[];
  /** Answers of the dialect that differ in this exam; each is lawful. */
  readonly answers?: GivenAnswers;
  readonly options?: Pick<SandboxOptions, 'expiresIn' | 'ownScenarios'>;
  /** Creates what changes the traffic besides scenarios, anew for each run of the exam. */
  readonly disguise?: () => Disguise;
  /** The obligation that a client violates if its tests fail only in this exam, whose only difference is a valid form. */
  readonly blames?: ObligationId;
  /** What the client must do on the happy path to reach it; all of these. Default: send any request. */
  readonly needs?: readonly Need[];
  /** Arms what happens, on the fresh sandbox. */
  arrange?(sandbox: Sandbox, delays: ExamDelays): void;
}
