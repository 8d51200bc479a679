import { sarifInvocation, sarifLocation, sarifMessages, sarifText } from '../../conformance/index.js';
import type { Certification, CertifiedObligation } from '../certification.js';
import { asExchange, NOWHERE } from './exchange.js';
import { detailsOf, durationOf, evidenceOf, exchangeLine, failuresOf, knownEntryText } from './findings.js';
import { groundsOf, topicOf } from './obligation-parts.js';

/** A log of SARIF with a result for each obligation that the client broke. */
export function certifySarif(certification: Certification): string {
  const { obligations, teebox, at, digest } = certification;
  return sarifText({
    tool: 'teebox certify',
    version: teebox,
    rules: obligations.map(descriptorOf),
    automationId: `teebox-certify/${digest.slice(0, 12)}`,
    invocation: sarifInvocation(certification, { startedAt: at, durationMs: durationOf(certification) }, [
      ...(certification.exitCode === 4 ? [certification.message] : []),
      ...certification.stale.map((id) => `The baseline has ${id}, which no longer fails; please remove it.`),
    ]),
    baseUrl: NOWHERE,
    results: failuresOf(certification).map((result) => resultOf(result, certification)),
  });
}

function descriptorOf(result: CertifiedObligation): object {
  const { id, statement, basis, severity } = result;
  const grounds = groundsOf(result).map(([label, text]) => `${label}: ${text}`);
  return {
    id,
    shortDescription: { text: statement },
    fullDescription: { text: [statement, ...grounds].join('\n') },
    defaultConfiguration: { level: 'error' },
    properties: { basis, severity, tags: [topicOf(result)] },
  };
}

function resultOf(result: CertifiedObligation, certification: Certification): object {
  const { id, known, message = '', evidence, exams } = result;
  const shown = evidenceOf(result, certification);
  const last = shown.findLast(({ kind }) => kind === 'call');
  const exchange = last && asExchange(last);
  const lines = [
    message,
    ...detailsOf(result, certification).map(([label, text]) => `${label}: ${text}`),
    ...shown.map((one) => `Request: ${exchangeLine(one)}`),
  ];
  return {
    ruleId: id,
    ruleIndex: certification.obligations.indexOf(result),
    kind: 'fail',
    level: 'error',
    message: { text: lines.join('\n') },
    locations: [sarifLocation(exchange?.request.url ?? NOWHERE, NOWHERE, topicOf(result), exchange?.operation ?? id)],
    partialFingerprints: { 'teebox/obligation/v1': id },
    ...(known ? { suppressions: [{ kind: 'external', justification: known.map(knownEntryText).join('; ') }] } : {}),
    ...sarifMessages(exchange),
    properties: { evidence, exams },
  };
}
