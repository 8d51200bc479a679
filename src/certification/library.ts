/**
 * Certifies the client of a reseller: runs it through exams in sandboxes, and checks whether it satisfies its obligations.
 *
 * @example
 * const certification = await certify({ attempt: runMyTests, host: { now: Date.now } });
 * console.log(certification.verdict, certification.counts);
 *
 * @module
 */
export type {
  AttemptResult,
  Certification,
  CertifiedObligation,
  ExamResult,
  ObligationVerdict,
  SkippedExam,
} from './certification.js';
export { digestText } from './certification-of.js';
export { certify } from './certify.js';
export type { CertifyEvent, CertifyHost, CertifyOptions, ExamEnvironment } from './certify-options.js';
export type { Exam, ExamDelays } from './exam.js';
export { exams } from './exams/index.js';
export { type KnownObligation, readKnownObligations } from './known-obligations.js';
export type { ShownExchange } from './shown-exchange.js';
export { ValidationError } from '../common/index.js';
