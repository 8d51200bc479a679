/**
 * The conformance suite: checks any deployment of the service, from Node, a browser or a test.
 *
 * @example
 * const report = await check({
 *   baseUrl: 'https://staging.example.com',
 *   first: { basic: { username, password } },
 *   host: webHost({ now: Date.now, random: Math.random }),
 * });
 * console.log(report.verdict, report.counts);
 *
 * @module
 */
export { check } from './run/check.js';
export { type CheckOptions, MAX_BODY, MAX_BOOKINGS, MAX_ERRORS } from './run/check-options.js';
export {
  type ChannelOptions,
  memoryJournal,
  type TokenJournal,
  type TokenPair,
  type TokenState,
} from './client/credentials.js';
export type { Caller, Exchange } from './client/exchange.js';
export { explore, type ExploreAppOptions } from './explore/explore.js';
export type { Exploration, ExploreFinding, ExploreOptions, Progress } from './explore/options.js';
export type { Walk } from './explore/steps.js';
export { compareReports, type Comparison, type ComparedReport, readReport } from './run/summary/compare.js';
export { readKnown } from './run/known.js';
export { type PlannedRequest, plan } from './run/plan.js';
export { type CallbackAddress, type CallbackReceiver, type Delivery, MemoryReceiver } from './client/receiver.js';
export { registerRules, type RegisterTest, type SkipContext } from './register.js';
export { type ReplayOptions, replay } from './replay/replay.js';
export { fileReporters, type ReportFormat } from './report/index.js';
export { type FileReporter, type RecordedRun, Recorder, type StreamReporter } from './report/recorder.js';
export type { TerminalOptions } from './report/terminal.js';
export { TerminalReporter } from './report/terminal.js';
export type * from './client/report-parts.js';
export * from './client/types.js';
export { webHost } from './client/web-host.js';
