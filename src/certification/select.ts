import type { GivenAnswers } from '../contract/index.js';
import { closest, ValidationError, anyGlob } from '../common/index.js';
import { obligationSpecs } from './obligations/index.js';
import type { SkippedExam } from './certification.js';
import type { CertifyOptions } from './certify-options.js';
import type { Exam } from './exam.js';
import { happyDay } from './exams/happy-day.js';
import { exams as catalogue } from './exams/index.js';

/** Exams that a refusal tells of. */
const MOST_WHYS = 5;

/** The exams of a run, and those that it leaves out. */
export interface Selected {
  readonly exams: readonly Exam[];
  readonly skipped: readonly SkippedExam[];
}

/**
 * Selects exams by the options, in the order of the catalogue.
 *
 * @throws {ValidationError} for a glob that matches nothing, and if no exam is left.
 */
export function selectExams({ exams: wanted, skip = [], versions, dialect, isOpen = false }: CertifyOptions): Selected {
  const ids = catalogue.map(({ id }) => id);
  checkGlobs(wanted ?? [], ids, 'exam');
  checkGlobs(skip, ids, 'exam');
  const isWanted = wanted ? anyGlob(wanted) : () => true;
  const isSkipped = anyGlob(skip);
  // The others are measured by it.
  const isMeasured = !isOpen && !isSkipped(happyDay.id);
  const skipped: SkippedExam[] = [];
  const exams = catalogue.filter((exam) => {
    if (!isWanted(exam.id) && !(exam === happyDay && isMeasured)) return false;
    const why = isSkipped(exam.id) ? 'You left it out.' : whyNot(exam, versions, dialect?.answers ?? {});
    if (why !== undefined) skipped.push({ id: exam.id, why });
    return why === undefined;
  });
  if (exams.length > 0) return { exams, skipped };
  const whys = skipped.slice(0, MOST_WHYS).map(({ id, why }) => `\`${id}\`: ${why}`);
  const more = skipped.length > MOST_WHYS ? [`And ${skipped.length - MOST_WHYS} more.`] : [];
  throw new ValidationError(['No exam is left to take.', ...whys, ...more].join(' '), ids);
}

function whyNot(exam: Exam, versions: CertifyOptions['versions'], given: GivenAnswers): string | undefined {
  if (versions && exam.versions && !exam.versions.some((one) => versions.includes(one))) {
    return `It is about ${exam.versions.join(' and ')}, which the client does not use.`;
  }
  const questions = Object.keys(exam.answers ?? {});
  if (questions.length === 0 || questions.some((id) => !Object.hasOwn(given, id))) return undefined;
  return `The dialect card answers ${questions.map((id) => `\`${id}\``).join(', ')}.`;
}

/** @throws {ValidationError} for a glob that matches no obligation. */
export function checkObligations(globs: readonly string[]): void {
  checkGlobs(
    globs,
    obligationSpecs.map(({ id }) => id),
    'obligation',
  );
}

/** @throws {ValidationError} for a number of exams at a time that is none. */
export function checkJobs({ jobs = 1 }: CertifyOptions): void {
  if (Number.isSafeInteger(jobs) && jobs >= 1) return;
  throw new ValidationError(`\`jobs\` must be a whole number from 1 on; got ${String(jobs).slice(0, 80)}.`, []);
}

function checkGlobs(globs: readonly string[], ids: readonly string[], what: string): void {
  const stray = globs.find((glob) => !ids.some(anyGlob([glob])));
  if (stray === undefined) return;
  const guess = closest(stray, ids);
  const hint = guess === undefined ? '' : ` Did you mean \`${guess}\`?`;
  throw new ValidationError(`No ${what} matches \`${stray.slice(0, 80)}\`.${hint}`, ids);
}
