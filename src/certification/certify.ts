import { operations, type Version } from '../contract/index.js';
import { clockInstant, createWorld } from '../engine/index.js';
import { obligationSpecs } from './obligations/index.js';
import { anyGlob } from '../conformance/index.js';
import type { Certification } from './certification.js';
import type { CertifyOptions } from './certify-options.js';
import { certificationOf } from './certification-of.js';
import type { Exam } from './exam.js';
import { type ExamRun, takeExam, type TakenExam } from './run-exam.js';
import { checkObligations, selectExams } from './select.js';

const DEFAULT_NOW = '2026-06-01T08:00:00Z';

/**
 * Lets a client take exams, each in a fresh sandbox, and judges it by the obligations.
 *
 * @throws {ValidationError} for an option that does not fit.
 * @throws {unknown} the reason of `signal`, if it aborts.
 * @example
 * const certification = await certify({
 *   attempt: async ({ fetch, baseUrl, refreshToken }) => {
 *     await runMyTests({ fetch, baseUrl, refreshToken });
 *     return { ok: true };
 *   },
 *   host: { now: Date.now },
 * });
 * console.log(certification.verdict);
 */
export async function certify(options: CertifyOptions): Promise<Certification> {
  const { onEvent = () => {}, only = [], seed, facilities, clock } = options;
  const { exams, skipped } = selectExams(options);
  checkObligations(only);
  const run: ExamRun = {
    options,
    world: createWorld({
      ...(seed === undefined ? {} : { seed }),
      ...(facilities === undefined ? {} : { facilities }),
    }),
    now: clockInstant(options.now ?? clock?.() ?? DEFAULT_NOW),
    signal: options.signal ?? new AbortController().signal,
    tell: onEvent,
    failed: new Set(),
  };
  const begun = options.host.now();
  const isJudged = only.length > 0 ? anyGlob(only) : () => true;
  onEvent({ type: 'start', exams, obligations: obligationSpecs.map(({ id }) => id).filter(isJudged) });
  const taken = await takeAll(run, exams);
  const certification = await certificationOf({ run, taken, skipped, begun, versions: versionsOf(taken) });
  onEvent({ type: 'end', certification });
  return certification;
}

/** Takes exams in their order, several at a time if the host wants that. */
async function takeAll(run: ExamRun, exams: readonly Exam[]): Promise<TakenExam[]> {
  const taken: TakenExam[] = [];
  const waiting = [...exams.entries()];
  const work = async (): Promise<void> => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      run.signal.throwIfAborted();
      taken[next[0]] = await takeExam(run, next[1]);
    }
  };
  await Promise.all(Array.from({ length: run.options.concurrency ?? 1 }, work));
  return taken;
}

/** The versions of the operations that the client used. */
function versionsOf(taken: readonly TakenExam[]): Version[] {
  const used = operations.filter(({ id }) => taken.some((exam) => exam.operations.has(id)));
  return [...new Set<Version>(used.map(({ version }) => version))].filter((version) => version !== '*').sort();
}
