/** The door of `certification`. `library.ts` is what users import. */
export type { AttemptResult, Certification } from './certification.js';
export type { CertifyEvent, CertifyOptions, ExamEnvironment } from './certify-options.js';
export { certify } from './certify.js';
export { exams } from './exams/index.js';
export { applyKnownObligations, type KnownObligation, readKnownObligations } from './known-obligations.js';
export { obligationSpecs } from './obligations/index.js';
export { ClientJudge, type ObligationBreach, type ObligationResult } from './obligations/judge.js';
export { type ClientCall, type ClientDelivery, placed } from './obligations/traffic.js';
export { CertifyProgress } from './progress.js';
export { baselineOfClient } from './reports/baseline.js';
export { certificateHtml } from './reports/certificate.js';
export { asExchange } from './reports/exchange.js';
export { certifyAnnotations } from './reports/github.js';
export { certifyReporters } from './reports/index.js';
export { brokenOf, groundsOf, obligationCase, staleCase, topicOf } from './reports/obligation-parts.js';
export { CertifyTerminal } from './reports/terminal.js';
export { compareCertifications } from './reports/verification.js';
