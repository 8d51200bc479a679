import { anyGlob } from '../common/index.js';
import { operations, type Version } from '../contract/index.js';
import { clockInstant, firstCard, parseDialectCard, worldFor } from '../engine/index.js';
import { obligationSpecs } from './obligations/index.js';
import type { Certification, Earlier, SkippedExam } from './certification.js';
import type { CertifyOptions } from './certify-options.js';
import { certificationOf, STOPPED } from './certification-of.js';
import type { Exam } from './exam.js';
import { happyDay } from './exams/happy-day.js';
import { Evidence } from './kept-exchanges.js';
import { EventsInOrder, type Tell } from './in-order.js';
import { checkSameClient, earlierOf } from './resumed.js';
import { type ExamRun, takeExam, type TakenExam } from './run-exam.js';
import { checkJobs, checkObligations, selectExams } from './select.js';

const DEFAULT_NOW = '2026-06-01T08:00:00Z';

/**
 * Runs a client through exams, each in a fresh sandbox, and checks whether it satisfies its obligations.
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
export async function certify(given: CertifyOptions): Promise<Certification> {
  const world = await worldFor(given);
  // An exam adds its own answers to those of the card, so that it has to be known here.
  const card = firstCard(given);
  const options = { ...given, ...(card ? { dialect: parseDialectCard(card) } : {}) };
  const { onEvent = () => {}, only = [], clock, resume } = options;
  const selected = selectExams(options);
  checkObligations(only);
  checkJobs(options);
  const obligations = obligationSpecs.map(({ id }) => id).filter(only.length > 0 ? anyGlob(only) : () => true);
  const earlier = resume && (await earlierOf(resume, { options, world, exams: selected.exams, obligations }));
  const run: ExamRun = {
    options,
    world,
    now: clockInstant(earlier ? resume.now : (options.now ?? clock?.() ?? DEFAULT_NOW)),
    signal: AbortSignal.any([options.signal, options.stop].filter((signal) => signal !== undefined)),
    tell: onEvent,
    failed: new Map(failuresOf(earlier)),
    evidence: new Evidence(),
    pathless: [],
    earlier,
  };
  const begun = options.host.now();
  const isOver = (exam: Exam): boolean => exam !== happyDay && earlier?.exams.some(({ id }) => id === exam.id) === true;
  const exams = selected.exams.filter((exam) => !isOver(exam));
  onEvent({ type: 'start', exams, obligations });
  const { taken, left } = await takeAll(run, exams);
  if (taken.length === 0) run.signal.throwIfAborted();
  const skipped = [...selected.skipped, ...left];
  const certification = await certificationOf({ run, taken, skipped, begun, versions: versionsOf(taken, earlier) });
  onEvent({ type: 'end', certification, ...(run.masker ? { mask: (text) => run.masker!.text(text) } : {}) });
  return certification;
}

interface AllTaken {
  readonly taken: readonly TakenExam[];
  /** The exams that are skipped because of the happy path, or because the run was stopped. */
  readonly left: readonly SkippedExam[];
}

/**
 * Runs exams in their order: the happy path first, with which the others are compared, and then several at a time if the
 * host wants that.
 */
async function takeAll(run: ExamRun, exams: readonly Exam[]): Promise<AllTaken> {
  const { jobs = 1, isOpen = false } = run.options;
  if (isOpen) {
    const tell: Tell = (make) => run.tell(make());
    return { taken: await Promise.all(exams.map((exam, at) => takeExam(run, exam, { at, tell }))), left: [] };
  }
  const hasHappyDay = exams[0] === happyDay;
  const first = hasHappyDay ? await takeBeside(run, [happyDay], { jobs: 1, from: 0 }) : [];
  if (run.earlier && first[0]) checkSameClient(run.earlier, first[0].result);
  const left: SkippedExam[] = [];
  const rest = exams.slice(first.length).filter((exam) => {
    const why = hasHappyDay ? whyNotAfter(run, exam) : undefined;
    if (why !== undefined) left.push({ id: exam.id, why });
    return why === undefined;
  });
  if (left.length > 0) run.tell({ type: 'skipped', skipped: left });
  const taken = [...first, ...(await takeBeside(run, rest, { jobs, from: first.length }))];
  const over = new Set([...taken.map(({ result }) => result.id), ...left.map(({ id }) => id)]);
  const cut = exams.filter(({ id }) => !over.has(id)).map(({ id }) => ({ id, why: STOPPED }));
  return { taken, left: [...left, ...cut] };
}

interface Beside {
  readonly jobs: number;
  /** How many exams were taken before. */
  readonly from: number;
}

/** Takes several exams at a time, and ends when none of them goes on. Results and events are in the order of the exams. */
async function takeBeside(run: ExamRun, exams: readonly Exam[], { jobs, from }: Beside): Promise<readonly TakenExam[]> {
  const taken: TakenExam[] = [];
  const events = new EventsInOrder(run.tell, exams.length);
  const waiting = [...exams.entries()];
  const work = async (): Promise<void> => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const [index, exam] = next;
      run.signal.throwIfAborted();
      taken[index] = await takeExam(run, exam, { at: from + index, tell: events.of(index) });
      events.end(index);
    }
  };
  const failed = (error: unknown): void => {
    waiting.length = 0;
    throw error;
  };
  const ends = await Promise.allSettled(
    Array.from({ length: Math.min(jobs, exams.length) }, () => work().catch(failed)),
  );
  for (const end of ends) if (end.status === 'rejected' && !isStopped(run)) throw end.reason;
  return taken.filter((one) => one !== undefined);
}

/** Whether the exams that are over are still to be certified. */
function isStopped({ options: { signal, stop } }: ExamRun): boolean {
  return stop?.aborted === true && signal?.aborted !== true;
}

/** Why an exam is skipped, from what the happy path has shown. */
function whyNotAfter({ steady, use }: ExamRun, { needs = [] }: Exam): string | undefined {
  // Nobody learns from failures on purpose what makes a client fail without them.
  if (steady === false) return 'The tests of the client fail on the happy path.';
  // A person who uses the client by hand may do something else in each exam.
  return steady === true ? use?.lacks(needs) : undefined;
}

/** The obligations that an earlier run saw fail: no capsule of this one shows them. */
function failuresOf(earlier: Earlier | undefined): readonly (readonly [id: string, at: number])[] {
  return (earlier?.obligations ?? []).flatMap(({ id, verdict }) => (verdict === 'fail' ? [[id, -1] as const] : []));
}

/** The versions of the operations that the client used. */
function versionsOf(taken: readonly TakenExam[], earlier: Earlier | undefined): Version[] {
  const used = operations.filter(({ id }) => taken.some((exam) => exam.operations.has(id)));
  return [...new Set<Version>([...(earlier?.versions ?? []), ...used.map(({ version }) => version)])]
    .filter((version) => version !== '*')
    .sort();
}
