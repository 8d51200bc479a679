/** The door of `certification`. `library.ts` is what users import. */
export { certificateHtml } from './certificate.js';
export type { AttemptResult, Certification } from './certification.js';
export type { CertifyEvent, CertifyOptions, ExamEnvironment } from './certify-options.js';
export { certify } from './certify.js';
export { happyDay } from './exams/happy-day.js';
export { exams } from './exams/index.js';
export {
  applyKnownObligations,
  baselineOfClient,
  type KnownObligation,
  readKnownObligations,
} from './known-obligations.js';
export { obligationSpecs } from './obligations/index.js';
export {
  ClientChecker,
  type ClientCheckerOptions,
  isUnseen,
  type ObligationBreach,
  type ObligationResult,
} from './obligations/client-checker.js';
export { type ClientCall, type ClientDelivery, placed, testOf } from './obligations/traffic.js';
export { CertifyProgress } from './progress.js';
export {
  brokenOf,
  certifyAnnotations,
  certifyReporters,
  groundsOf,
  notesOf,
  obligationFinding,
  proseRow,
  topicOf,
  unseenIn,
} from './report.js';
export { RunTraffic } from './run-traffic.js';
export { CertifyTerminal } from './terminal.js';
export { compareCertifications } from './verification.js';
