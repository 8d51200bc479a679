/** The door of `conformance`: the suite, and what the other wings need of it. `library.ts` is what users import. */
export {
  type ChannelOptions,
  memoryJournal,
  type TokenJournal,
  type TokenPair,
  type TokenState,
} from './client/credentials.js';
export { type Exchange, isObject, readBody } from './client/exchange.js';
export { fieldsOf, versions } from './client/operations.js';
export { type Effect, effectOf } from './client/permission.js';
export { type CallbackReceiver, type Delivery, MemoryReceiver } from './client/receiver.js';
export type { KnownFinding, Severity } from './client/report-parts.js';
export { operationOf, parameterMisfits } from './client/request.js';
export {
  type CheckEvent,
  type ExitCode,
  type Host,
  type Permission,
  permissions,
  type Report,
  type RuleResult,
  severities,
} from './client/types.js';
export { validators } from './client/wire/body-validators.js';
export { inMiB } from './client/wire/evidence-budget.js';
export { headerFault } from './client/wire/given-headers.js';
export { decoded, matchOperation } from './client/wire/match-operation.js';
export { type ArchivedExchange, readArchive } from './replay/archive.js';
export { LiveReplay } from './replay/live-replay.js';
export { replay } from './replay/replay.js';
export type { LiveReplayOptions } from './replay/window-judgement.js';
export { causesOf, headlineOf, sharedBy } from './report/findings.js';
export { KeptExchanges } from './report/formats/bodies.js';
export { MOST_ANNOTATIONS, withinLimit, workflowCommand } from './report/formats/github-command.js';
export { harEntry, harText } from './report/formats/har-log.js';
export { exchangeSection } from './report/formats/html-exchange.js';
export { htmlPage, lines, secondsText, section } from './report/formats/html-page.js';
export { STYLE } from './report/formats/html-style.js';
export { bySuite, type JunitCase, type JunitSuite, junitXml } from './report/formats/junit-xml.js';
export { code, list, prose as markdownProse, markdownText, plain, table } from './report/formats/markdown-text.js';
export { html, Markup, prose } from './report/formats/markup.js';
export { sarifInvocation, sarifLocation, sarifMessages, sarifText } from './report/formats/sarif-log.js';
export { paintedText, type TerminalOptions, section as terminalSection } from './report/formats/terminal-text.js';
export { githubAnnotations } from './report/github.js';
export { htmlWith } from './report/html.js';
export { fileReporters, type ReportFormat } from './report/index.js';
export { jsonReporter } from './report/json.js';
export { junitSuites } from './report/junit.js';
export { type RecordedRun, Recorder } from './report/reporter.js';
export { TerminalReporter } from './report/terminal.js';
export { type CheckOptions, MAX_BODY } from './run/check-options.js';
export { check } from './run/check.js';
export { answerText } from './run/dialect.js';
export { anyGlob } from './run/globs.js';
export { baselineOf, isDay, readKnown } from './run/known.js';
export { plan } from './run/plan.js';
export { count } from './run/report.js';
export { compareReports, type Comparison, type FindingChange, readReport } from './run/summary/compare.js';
export { withTexts } from './run/summary/values.js';
export { bearerHeaderOf } from './run/target/open-transport.js';
