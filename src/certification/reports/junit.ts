import { bySuite, type JunitCase, junitXml } from '../../conformance/index.js';
import type { Certification, CertifiedObligation } from '../certification.js';
import { detailsOf, durationOf, evidenceOf, exchangeLine } from './findings.js';
import { obligationCase, staleCase, topicOf } from './obligation-parts.js';

/**
 * A suite for each topic and a case for each obligation. A case fails exactly where the obligation counts towards the
 * exit code: a known failure and what was not seen are skipped with all they have to say.
 */
export function certifyJunit(certification: Certification): string {
  const { at, verdict, exitCode, seed } = certification;
  const cases = [
    ...ofTheRun(certification),
    ...certification.obligations.map((result) => caseOf(result, certification)),
  ];
  const suites = [...bySuite(cases)].map(([name, own]) => ({
    name,
    cases: own,
    startedAt: at,
    hostname: 'localhost',
    properties: { verdict, exitCode, seed, exams: certification.exams.map(({ id }) => id).join(' ') },
    said: [],
  }));
  return junitXml(suites);
}

/** What is wrong with the run as a whole. */
function ofTheRun(certification: Certification): JunitCase[] {
  const { exitCode, verdict, message, stale } = certification;
  const stood = { suite: 'run', seconds: durationOf(certification) / 1000 };
  const gone = stale.map((id) => staleCase(id, stood));
  if (exitCode !== 4) return gone;
  return [{ ...stood, name: 'verdict', outcome: { tag: 'error', type: verdict }, message }, ...gone];
}

function caseOf(result: CertifiedObligation, certification: Certification): JunitCase {
  return obligationCase(result, topicOf(result), () => [
    ...detailsOf(result, certification).map(([label, text]) => `${label}: ${text}`),
    ...evidenceOf(result, certification).map((one) => `Request: ${exchangeLine(one)}`),
  ]);
}
