/** Going on where a run was stopped: its certificate has the exams that were over. */
import { canonicalJson, ValidationError } from '../common/index.js';
import type { World } from '../engine/index.js';
import type { Certification, Earlier, ExamResult } from './certification.js';
import { digestOf } from './certification-of.js';
import type { CertifyOptions } from './certify-options.js';
import type { Exam } from './exam.js';
import { happyDay } from './exams/happy-day.js';

interface Present {
  readonly options: CertifyOptions;
  readonly world: World;
  readonly exams: readonly Exam[];
  readonly obligations: readonly string[];
}

/**
 * The certificate of a run that was stopped, if the present run is the same with other exams.
 *
 * @throws {ValidationError} for a certificate that was changed, or that another client or other options have.
 */
export async function earlierOf(certificate: Certification, present: Present): Promise<Earlier> {
  if ((await digestOf(certificate)) !== certificate.digest) throw unfit('was changed after it was written');
  const { options, world, exams, obligations } = present;
  const settings: readonly (readonly [what: string, before: unknown, now: unknown])[] = [
    ['version of Teebox', certificate.teebox, options.version ?? '0.0.0'],
    ['seed', certificate.seed, world.seed],
    ['number of facilities', certificate.facilities, world.size],
    ['world file', certificate.world ?? 'none', world.digest ?? 'none'],
    ['dialect', certificate.dialect.answers, options.dialect?.answers ?? {}],
    ['command', certificate.client?.command ?? '', options.client?.command ?? ''],
    ['list of obligations', certificate.obligations.map(({ id }) => id), obligations],
  ];
  const other = settings.find(([, before, now]) => canonicalJson(before) !== canonicalJson(now));
  if (other) throw unfit(`has another ${other[0]} than this run`);
  const selected = new Set<string>(exams.map(({ id }) => id));
  const stray = certificate.exams.find(({ id }) => !selected.has(id));
  if (stray) throw unfit(`has the exam \`${stray.id}\`, which this run leaves out`);
  const taken = new Set(certificate.exams.map(({ id }) => id));
  if (exams.every(({ id }) => taken.has(id))) throw unfit('has all exams of this run, so that none is left to take');
  return certificate;
}

/**
 * The happy path is taken again, because the other exams are compared with it.
 *
 * @throws {ValidationError} if it shows something else than before.
 */
export function checkSameClient({ exams }: Earlier, { id, results, client }: ExamResult): void {
  const before = exams.find((one) => one.id === id);
  if (id !== happyDay.id || !before) return;
  const shown = (one: Pick<ExamResult, 'results' | 'client'>): string =>
    canonicalJson({ ok: one.client.ok ?? null, results: one.results });
  if (shown(before) === shown({ results, client })) return;
  throw unfit('has other verdicts for the happy path than the client shows now');
}

function unfit(why: string): ValidationError {
  return new ValidationError(
    `The certificate ${why}. Go on with the certificate, the options and the client of the run that was stopped, or take all exams anew.`,
    [],
  );
}
