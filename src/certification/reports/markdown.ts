import { code, list, markdownText, plain, markdownProse as prose, table } from '../../conformance/index.js';
import type { Certification, CertifiedObligation } from '../certification.js';
import {
  clientFailures,
  detailsOf,
  evidenceOf,
  exchangeLine,
  failuresOf,
  figuresOf,
  obligationsWith,
} from './findings.js';

/** A summary for the page of a pipeline's step: the verdict, counts, failures first. */
export function certifyMarkdown(certification: Certification): string {
  const { exitCode, verdict, message, counts, digest, seed, exams } = certification;
  const failures = failuresOf(certification);
  return markdownText([
    `## ${exitCode === 0 ? '✅' : '❌'} ${verdict}: ${plain(message)}`,
    `${plain(figuresOf(certification))}. Seed ${code(String(seed))}, digest ${code(digest)}.`,
    table(Object.keys(counts), [Object.values(counts).map(String)]),
    failures.length === 0 ? '' : '### Broken obligations',
    ...failures.map((result) => failureOf(result, certification)),
    list(
      'Not seen',
      obligationsWith(certification, 'not-seen').map(({ id, toSee = '' }) => `${code(id)}: ${prose(toSee)}`),
    ),
    list("The client's own tests failed", clientFailures(certification).map(plain)),
    list('In the baseline, but no longer failing', certification.stale.map(code)),
    `### Exams\n\n${table(
      ['Exam', 'Verdict', 'Calls'],
      exams.map(({ id, verdict: own, calls }) => [code(id), own, String(calls)]),
    )}`,
  ]);
}

function failureOf(result: CertifiedObligation, certification: Certification): string {
  const { id, known, message = '' } = result;
  const rows = detailsOf(result, certification).filter(([label]) => label !== 'Happened');
  return [
    `#### ${code(id)}${known ? ' (known)' : ''}`,
    prose(message),
    [
      ...rows.map(([label, text]) => `- ${label}: ${prose(text)}`),
      ...evidenceOf(result, certification).map((one) => `- Request: ${code(exchangeLine(one))}`),
    ].join('\n'),
  ].join('\n\n');
}
