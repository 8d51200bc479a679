import {
  type Certification,
  certify,
  type CertifyOptions,
  happyDay,
  obligationSpecs,
  readKnownObligations,
} from '../../certification/index.js';
import { anyGlob, defined, ValidationError } from '../../common/index.js';
import { UsageError } from '../usage-error.js';
import { type ClientTests, runClientTests } from './client-tests.js';
import { listenAlone } from './exam-server.js';
import { parseDialectCard } from '../../engine/index.js';
import { readJson } from '../json-file.js';
import { ownWorldOf } from '../commands/serve.js';
import { nodeHost } from '../node-host.js';
import { version } from '../version.js';
import type { CertifyValues } from './output.js';

/** The options of a run without what takes its exams. */
export type ExamOptions = Omit<CertifyOptions, 'attempt'>;

/** The options of a run by its flags. */
export async function examOptions(values: CertifyValues): Promise<ExamOptions> {
  const { exams, skip, only, versions, seed, facilities, world, dialect, known } = values;
  const card = dialect === undefined ? undefined : await readJson(dialect, 'dialect', parseDialectCard);
  return {
    ...shared(values, only),
    ...defined({
      exams,
      skip,
      only,
      versions: versions as CertifyOptions['versions'],
      seed,
      facilities,
      world: await ownWorldOf(world),
      dialect: card,
      known: known === undefined ? undefined : await readJson(known, 'baseline', readKnownObligations),
    }),
  };
}

/** The options with which a certificate is repeated. */
export async function repeatedOptions(certificate: Certification, values: CertifyValues): Promise<ExamOptions> {
  const { seed, facilities, now, dialect, exams, obligations } = certificate;
  const only = obligations.map(({ id }) => id);
  const taken = exams.map(({ id }) => id);
  return {
    now,
    ...shared(values, only),
    seed,
    ...(values.world === undefined ? { facilities } : { world: (await ownWorldOf(values.world))! }),
    dialect,
    only,
    exams: taken,
    // It is taken with any others, unless it was left out.
    skip: taken.includes(happyDay.id) ? [] : [happyDay.id],
    known: obligations.flatMap(({ known = [] }) => known),
  };
}

/** Options that do not decide what is seen, and the time. */
function shared(
  { now, deliberate, jobs, 'allow-callback': allowCallback, 'min-seen': minSeen = 0 }: CertifyValues,
  only: readonly string[] | undefined,
): Pick<ExamOptions, 'host' | 'clock' | 'version' | 'now' | 'allowCallback' | 'minSeen' | 'deliberate' | 'jobs'> {
  const selected = obligationSpecs.filter(({ id }) => only === undefined || anyGlob(only)(id)).length;
  return {
    host: nodeHost,
    clock: () => Date.now(),
    version,
    minSeen: Math.max(1, Math.ceil((selected * minSeen) / 100)),
    ...defined({ now, deliberate, jobs, allowCallback }),
  };
}

/**
 * Lets a command take exams, each at an address of its own.
 *
 * @throws {UsageError} for an option that does not fit.
 */
export async function takeExamsBy(tests: ClientTests, options: ExamOptions): Promise<Certification> {
  const attempt: CertifyOptions['attempt'] = (environment) => runClientTests(tests, environment);
  try {
    return await certify({ ...options, attempt, listen: listenAlone });
  } catch (error) {
    throw error instanceof ValidationError ? new UsageError(error.advice) : error;
  }
}
