import type { Version } from '../contract/index.js';
import { canonicalJson, counted, defined, staleEntries } from '../common/index.js';
import { withTexts } from '../conformance/index.js';
import { isCriticalDoubt, isUnseen } from './obligations/client-checker.js';
import type { Certification, CertifiedObligation, Earlier, ExamResult, ObligationVerdict } from './certification.js';
import { evidenceOf } from './kept-exchanges.js';
import { applyKnownObligations } from './known-obligations.js';
import { exams as catalogue } from './exams/index.js';
import type { ExamRun, TakenExam } from './run-exam.js';
import type { Selected } from './select.js';

interface TakenExams {
  readonly run: ExamRun;
  readonly taken: readonly TakenExam[];
  readonly skipped: Selected['skipped'];
  readonly begun: number;
  readonly versions: readonly Version[];
}

/** Evidence of an obligation over all exams: of failures, and of passes. */
const MOST_EVIDENCE = 20;
const ENOUGH_EVIDENCE = 5;

/** What a run that is over says of the client. */
export async function certificationOf({
  run,
  taken: all,
  skipped,
  begun,
  versions,
}: TakenExams): Promise<Certification> {
  const { options, world, now, earlier } = run;
  // An exam that was taken twice, which is the happy path, counts as it was before.
  const isNew = ({ result }: TakenExam): boolean => !earlier?.exams.some(({ id }) => id === result.id);
  const taken = all.filter(isNew).map((one) => maskedAgain(run, one));
  const at = new Date(begun).toISOString();
  const known = applyKnownObligations(
    withCapsules(merged(taken, earlier), taken),
    options.known ?? [],
    at.slice(0, 10),
  );
  const { results: obligations } = known;
  // An exam that was cut off may have shown the failure.
  const stale = options.stop?.aborted ? [] : known.stale;
  const { name, answers = {} } = options.dialect ?? {};
  const named = evidenceOf(obligations);
  const shown = (earlier?.exchanges ?? []).filter(({ id }) => named.has(id));
  for (const { exchanges } of taken) {
    const own = [...exchanges].filter(([id]) => named.has(id)).map(([, show]) => show());
    // They were kept as they ended, and are shown as they were sent.
    shown.push(...own.sort((one, other) => Date.parse(one.at) - Date.parse(other.at)));
  }
  const over = inOrder([...(earlier?.exams ?? []), ...taken.map(({ result }) => result)]);
  const body = {
    ...verdictOf(run, obligations, { stale, taken: over, skipped }),
    teebox: options.version ?? '0.0.0',
    seed: world.seed,
    facilities: world.size,
    ...defined({ world: world.digest }),
    now: new Date(now).toISOString(),
    dialect: defined({ name, answers }),
    versions,
    exams: over,
    skipped,
    obligations,
    counts: countsOf(obligations),
    stale,
  };
  return {
    ...body,
    at,
    ...defined({ client: options.client }),
    exchanges: shown,
    capsules: capsulesOf(obligations, taken),
    digest: await digestOf(body),
  };
}

/** An exam without the secrets that became known only after it. */
function maskedAgain({ masker }: ExamRun, taken: TakenExam): TakenExam {
  if (!masker) return taken;
  const known = <T>(value: T): T => withTexts(value, (text) => masker.known(text)) as T;
  const results = taken.results.map((result) => {
    const { message, expected, deliberate, doubtful } = result;
    return { ...result, ...known(defined({ message, expected, deliberate, doubtful })) };
  });
  const { client } = taken.result;
  const { said } = client;
  return { ...taken, results, result: { ...taken.result, client: { ...client, ...known(defined({ said })) } } };
}

/** In the order of the catalogue. */
function inOrder(exams: readonly ExamResult[]): readonly ExamResult[] {
  const places = new Map<string, number>(catalogue.map(({ id }, place) => [id, place]));
  return exams.toSorted((one, other) => places.get(one.id)! - places.get(other.id)!);
}

/** The obligations over all exams: a failure in one decides, and otherwise a pass in one. */
function merged(taken: readonly TakenExam[], earlier: Earlier | undefined): CertifiedObligation[] {
  const all = earlier?.obligations ?? taken[0]?.results ?? [];
  return all.map(({ id }, index) => {
    const { known: _, ...before } = earlier?.obligations[index] ?? { id };
    const own = taken.map(({ result, results }) => ({ ...results[index]!, exams: [result.id] }));
    return mergedOne(earlier ? [before as CertifiedObligation, ...own] : own);
  });
}

function mergedOne(results: readonly CertifiedObligation[]): CertifiedObligation {
  const verdict = (['fail', 'pass'] as const).find((one) => results.some((result) => result.verdict === one));
  const deciding = results.filter((result) => result.verdict === (verdict ?? 'not-seen'));
  const [first] = deciding;
  const deliberate = results.find((result) => result.deliberate)?.deliberate;
  const doubtful = results.find((result) => result.doubtful)?.doubtful;
  const most = verdict === 'fail' ? MOST_EVIDENCE : ENOUGH_EVIDENCE;
  const breaches = deciding.reduce((sum, result) => sum + (result.breaches ?? 0), 0);
  return {
    ...first!,
    ...(deliberate ? { deliberate } : {}),
    ...(doubtful ? { doubtful } : {}),
    ...(breaches > 0 ? { breaches } : {}),
    evidence: deciding.flatMap(({ evidence }) => evidence).slice(0, most),
    exams: verdict === undefined ? [] : deciding.flatMap(({ exams }) => exams),
  };
}

/** The failures with the exam whose capsule shows them. */
function withCapsules(obligations: readonly CertifiedObligation[], taken: readonly TakenExam[]): CertifiedObligation[] {
  const kept = new Set(taken.filter(({ capsule }) => capsule).map(({ result }) => result.id));
  return obligations.map((one) => {
    const capsule = one.verdict === 'fail' ? one.exams.find((exam) => kept.has(exam)) : undefined;
    return capsule === undefined ? one : { ...one, capsule };
  });
}

/** The capsules that an obligation names: exams that are taken at the same time may have left others. */
function capsulesOf(
  obligations: readonly CertifiedObligation[],
  taken: readonly TakenExam[],
): Certification['capsules'] {
  const named = new Set(obligations.map(({ capsule }) => capsule));
  const kept = taken.flatMap(({ result, capsule }) =>
    capsule && named.has(result.id) ? [{ id: result.id, capsule }] : [],
  );
  return Object.fromEntries(kept.map(({ id, capsule }) => [id, capsule]));
}

function countsOf(obligations: readonly CertifiedObligation[]): Record<ObligationVerdict, number> {
  const count = (wanted: ObligationVerdict): number => obligations.filter(({ verdict }) => verdict === wanted).length;
  return { pass: count('pass'), fail: count('fail'), 'not-seen': count('not-seen') };
}

const NOT_REACHED =
  'No request reached the sandbox. Each exam has an address of its own: a command finds it as TEEBOX_BASE_URL in its environment.';

function pathlessMessage([first, ...others]: readonly string[]): string {
  const count = counted(others.length + 1, 'request');
  return `${count} came to the host of an exam without its path, such as ${first}: append the paths of the service to TEEBOX_BASE_URL as a text, since a URL that is resolved against it loses its path.`;
}

const CACHED = 'If a tool keeps the results of the command (Nx, Turborepo, Gradle), turn that off for certify.';

type CertifiedVerdict = Pick<Certification, 'verdict' | 'exitCode' | 'message'>;

/** Why an exam is skipped that would have come later, or was under way. */
export const STOPPED = 'The run was stopped.';

interface VerdictBasis {
  readonly stale: readonly string[];
  readonly taken: readonly ExamResult[];
  readonly skipped: Selected['skipped'];
}

function verdictOf(
  { options: { minSeen = 1, stop }, steady, pathless }: ExamRun,
  obligations: readonly CertifiedObligation[],
  { stale, taken, skipped }: VerdictBasis,
): CertifiedVerdict {
  const all = taken.length + skipped.filter(({ why }) => why === STOPPED).length;
  const stopped = stop?.aborted ? [`The run was stopped after ${taken.length} of ${counted(all, 'exam')}.`] : [];
  const unsteady = steady === false ? unsteadyMessage(taken[0]!) : undefined;
  const failures = obligations.filter(({ verdict }) => verdict === 'fail');
  const failed = failures.filter(({ known }) => !known).length;
  if (failed > 0 || stale.length > 0)
    return {
      verdict: 'not-ready',
      exitCode: 1,
      message: [...stopped, notReady(failed, stale, unsteady), ...doubtsIn(obligations)].join(' '),
    };
  const { pass, fail } = countsOf(obligations);
  const little = { verdict: 'too-little-seen', exitCode: 4 } as const;
  const astray = pathless.length > 0 ? [pathlessMessage(pathless)] : [];
  if (unsteady !== undefined) return { ...little, message: [unsteady, ...astray].join(' ') };
  if (stopped.length > 0) return { ...little, message: [...stopped, readyMessage(obligations)].join(' ') };
  if (taken.every(({ calls }) => calls === 0)) return { ...little, message: astray[0] ?? NOT_REACHED };
  const silent = taken.filter(({ calls }) => calls === 0).length;
  // A command whose result is cached runs once, and the other exams then examine nobody.
  if (silent > 0 && silent * 2 >= taken.length) {
    const message = `No request came in ${silent} of ${counted(taken.length, 'exam')}, so the client was not examined there. ${CACHED}`;
    return { ...little, message };
  }
  const seen = pass + fail;
  if (seen < Math.max(1, minSeen)) {
    const message = `The client showed ${seen} of ${counted(obligations.length, 'obligation')}; at least ${Math.max(1, minSeen)} must be seen.`;
    return { ...little, message: [message, ...doubtsIn(obligations)].join(' ') };
  }
  const open = obligations.filter(isCriticalDoubt).map(({ id }) => id);
  if (open.length > 0) {
    const message = `Whether the client violates ${open.join(', ')} is undecided. ${readyMessage(obligations)}`;
    return { verdict: 'undecided', exitCode: 4, message };
  }
  return { verdict: 'ready', exitCode: 0, message: readyMessage(obligations) };
}

/** It claims no more than was seen: of most clients, some obligations are never seen. */
function readyMessage(obligations: readonly CertifiedObligation[]): string {
  const { pass, fail } = countsOf(obligations);
  const unseen = obligations.filter(isUnseen).length;
  const satisfied = `The client satisfied ${pass} of ${counted(obligations.length, 'obligation')}.`;
  const known = fail > 0 ? [`${counted(fail, 'known failure')} did not count.`] : [];
  const rest =
    unseen === 1
      ? 'One was not seen, so nothing is known about it.'
      : `${unseen} were not seen, so nothing is known about them.`;
  return [satisfied, ...known, ...doubtsIn(obligations), ...(unseen === 0 ? [] : [rest])].join(' ');
}

/** A sentence, if any violation is in doubt. */
function doubtsIn(obligations: readonly CertifiedObligation[]): readonly string[] {
  const { length } = obligations.filter(({ doubtful }) => doubtful);
  return length > 0 ? [`Violations of ${counted(length, 'obligation')} are in doubt.`] : [];
}

function notReady(failed: number, stale: readonly string[], unsteady: string | undefined): string {
  const parts = [
    ...(failed > 0 ? [`The client violated ${counted(failed, 'obligation')}.`] : []),
    ...(stale.length > 0 ? [`${staleEntries(stale.length)}.`] : []),
    ...(unsteady === undefined ? [] : [unsteady]),
  ];
  return parts.join(' ');
}

/** What failed on the happy path, and what to do first. */
function unsteadyMessage({ client: { said }, calls }: ExamResult): string {
  const how = said === undefined ? '' : `: ${said.slice(0, 200).replace(/[.!\s]*$/, '')}`;
  const reached = calls > 0 ? '' : ` ${NOT_REACHED}`;
  return `The tests of the client fail on the happy path, when nothing goes wrong${how}. So no other exam was taken: fix that first.${reached}`;
}

type Repeatable = Pick<
  Certification,
  'verdict' | 'teebox' | 'seed' | 'facilities' | 'world' | 'dialect' | 'exams' | 'obligations'
>;

/**
 * What another run with the same client, seed, dialect and exams gives again, as the text that the digest is of. Its
 * date is not in it: many clients ask for tomorrow.
 */
export function digestText(certified: Repeatable): string {
  const { verdict, teebox, seed, facilities, world, dialect, exams, obligations } = certified;
  return canonicalJson({
    verdict,
    teebox,
    seed,
    facilities,
    ...defined({ world }),
    answers: dialect.answers,
    exams: exams.map(({ id, results, client: { ok = null } }) => ({ id, ok, results })),
    obligations: obligations.map(({ id, verdict: own, known }) => ({ id, verdict: own, known: known !== undefined })),
  });
}

export async function digestOf(certified: Repeatable): Promise<string> {
  const bytes = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(digestText(certified)));
  return Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
