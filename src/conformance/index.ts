/**
 * The conformance suite: judges any deployment of the service, from Node, a browser or a test.
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
export { check } from './check.js';
export { type CheckOptions, FEW_REQUESTS, MAX_BOOKINGS } from './check-options.js';
export {
  type ChannelOptions,
  memoryJournal,
  type TokenJournal,
  type TokenPair,
  type TokenState,
} from './credentials.js';
export type { Caller, Exchange } from './exchange.js';
export { type KnownFinding, readKnown } from './known.js';
export { type PlannedRequest, plan } from './plan.js';
export { type Address, type CallbackReceiver, type Delivery, Inbox } from './receiver.js';
export { registerRules, type RegisterTest, type SkipContext } from './register.js';
export { type ReplayOptions, replay } from './replay.js';
export { fileReporters, type ReportFormat } from './reporters/index.js';
export { type FileReporter, type RecordedRun, Recorder, type StreamReporter } from './reporters/reporter.js';
export { TerminalReporter, type TerminalOptions } from './reporters/terminal.js';
export * from './types.js';
export { webHost } from './web-host.js';
