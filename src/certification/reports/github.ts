import { MOST_ANNOTATIONS, withinLimit, workflowCommand } from '../../conformance/index.js';
import type { Certification, CertifiedObligation } from '../certification.js';
import { detailsOf, evidenceOf, exchangeLine, failuresOf } from './findings.js';

const TITLE = 'teebox certify';

/** Annotations of a GitHub Actions run, one workflow command per line. */
export function certifyAnnotations(certification: Certification): readonly string[] {
  const { exitCode, verdict, message } = certification;
  const whole = exitCode === 0 ? [] : [workflowCommand('error', TITLE, `${verdict}: ${message}`)];
  const failed = failuresOf(certification).filter(({ known }) => !known);
  const lines = failed.map((result) => workflowCommand('error', result.id, textOf(result, certification)));
  const more = (left: number): string =>
    workflowCommand('error', TITLE, `${left} more broken obligations; see the report.`);
  return [...whole, ...withinLimit(lines, MOST_ANNOTATIONS - whole.length, more)];
}

function textOf(result: CertifiedObligation, certification: Certification): string {
  return [
    ...detailsOf(result, certification).map(([label, text]) => `${label}: ${text}`),
    ...evidenceOf(result, certification).map((one) => `Request: ${exchangeLine(one)}`),
  ].join('\n');
}
