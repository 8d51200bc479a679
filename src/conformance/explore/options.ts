import type { Leftover, Health } from '../client/types.js';
import type { Severity } from '../client/report-parts.js';
import type { CheckOptions } from '../run/check-options.js';
import type { Exchange } from '../client/exchange.js';
import type { Fact } from './found.js';
import type { Walk } from './steps.js';

/** Walks, steps of each, and milliseconds for shrinking, by default. */
export const [WALKS, STEPS, SHRINK] = [50, 40, 60_000];
/** The default maximum number of bookings of an exploration. */
export const MOST_BOOKINGS = 500;

/** Findings after which an exploration ends by default: a deployment that is wrong everywhere has been understood by then. */
export const MOST_FINDINGS = 12;

/** The options of an exploration; those of its deployment are those of a check. */
export interface ExploreOptions extends Omit<
  CheckOptions,
  'depth' | 'only' | 'skip' | 'known' | 'failOn' | 'severities' | 'maxP95' | 'minConclusive'
> {
  /** The number of walks; default {@link WALKS}, or no limit if `duration` is set. */
  readonly walks?: number;
  /** Steps of a walk; default {@link STEPS}. */
  readonly steps?: number;
  /** The most steps at the same time; default 4. 1 sends one after the other. */
  readonly parallel?: number;
  /** The same seed generates the same walks; default: by chance. */
  readonly seed?: number;
  /** Milliseconds after which no further step of a walk begins, and beyond which no pause is made that the deployment asks for. */
  readonly duration?: number;
  /** Milliseconds for making a failing walk smaller; default {@link SHRINK}. */
  readonly shrink?: number;
  /** Ends after this number of findings; default {@link MOST_FINDINGS}. */
  readonly maxFindings?: number;
  /** Takes this walk five times, and no other. */
  readonly again?: Walk;
  /** Puts the deployment back to where it was, before each walk: then every walk may use the same tee times. */
  readonly reset?: () => void | Promise<void>;
  readonly onProgress?: (progress: Progress) => void;
}

/** How far an exploration has come. */
export interface Progress {
  readonly walks: number;
  readonly steps: number;
  readonly requests: number;
  /** Pairs of operations that followed each other. */
  readonly pairs: number;
  readonly findings: number;
  readonly milliseconds: number;
  /** The last walk, step by step. */
  readonly timeline: readonly TimelineRow[];
  /** The contradiction in it, which is made smaller next unless it is known. */
  readonly found?: string;
}

/** A line of the timeline of a walk: a step, how it ended, and the free slots that it leaves. */
export interface TimelineRow {
  readonly step: string;
  readonly outcome: string;
  readonly facts: string;
}

/** A fact that contradicts what was done, with the smallest walk that shows it. */
export interface ExploreFinding {
  /** Such as `explore.slots`. */
  readonly id: string;
  readonly fact: Fact;
  readonly severity: Severity;
  /** What the deployment must do. */
  readonly statement: string;
  readonly message: string;
  readonly expected?: unknown;
  readonly actual?: unknown;
  /** Numbered lines: what was done, and what is wrong then. */
  readonly story: readonly string[];
  /** The requests of the walk that was made smaller, as `curl` commands. */
  readonly commands: readonly string[];
  readonly walk: Walk;
  readonly timeline: readonly TimelineRow[];
  /** Requests of the walk, in order, and the one that shows it. */
  readonly exchanges: readonly Exchange[];
  readonly shownBy?: string | undefined;
  /** Walks of the run that found the same. */
  readonly seen: number;
  /** How often it came again, of how many repetitions. */
  readonly repeated: { readonly times: number; readonly of: number };
  /** Whether steps at the same time are needed for it. */
  readonly isRace: boolean;
  /** Whether it counts: it came again, so that no other client has made it. */
  readonly counts: boolean;
}

/** The result of an exploration. */
export interface Exploration {
  readonly verdict:
    | 'no-finding'
    | 'no-finding-as-far-as-it-went'
    | 'found'
    | 'too-little-explored'
    | 'unreachable'
    | 'refused';
  readonly exitCode: 0 | 1 | 3 | 4;
  /** The reason for the verdict, in one sentence. */
  readonly message: string;
  readonly target: { readonly baseUrl: string; readonly runId: string; readonly startedAt: string };
  readonly seed: number;
  readonly durationMs: number;
  readonly walks: number;
  readonly steps: number;
  readonly requests: number;
  readonly bookings: number;
  readonly findings: readonly ExploreFinding[];
  /** Why the run ended before its last walk, and why walks were given up. */
  readonly notes: readonly string[];
  /** How often an operation came directly after another one, by both names. */
  readonly pairs: Readonly<Record<string, number>>;
  /** How many different operations came directly after each of these pairs. */
  readonly triples: Readonly<Record<string, number>>;
  /** What the deployment answered where the API specification leaves the answer open. */
  readonly learnt: Readonly<Record<string, string>>;
  readonly health: Health;
  readonly litter: readonly Leftover[];
  readonly canceled: number;
}
