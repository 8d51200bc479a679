/** The door of `conformance`: the suite, and what the other wings need of it. `library.ts` is what users import. */
export {
  type ChannelOptions,
  memoryJournal,
  type TokenJournal,
  type TokenPair,
  type TokenState,
} from './client/credentials.js';
export { type Day, isTimeZone } from './client/day.js';
export type { Exchange } from './client/exchange.js';
export { versions } from './client/operations.js';
export { type Effect, effectOf } from './client/permission.js';
export { type CallbackReceiver, type Delivery, MemoryReceiver } from './client/receiver.js';
export type { KnownFinding, Severity } from './client/report-parts.js';
export {
  type CheckEvent,
  type ExitCode,
  type Host,
  type Permission,
  depths,
  permissions,
  type Report,
  type RuleResult,
  severities,
  verdicts,
} from './client/types.js';
export { inMiB } from './client/wire/evidence-budget.js';
export { headerFault } from './client/wire/given-headers.js';
export { NoDeployment, NotAllowed } from './client/outcome.js';
export { prepare } from './client/request.js';
export { cardRules } from './crawl/card-rules.js';
export { type Answered, Crawler, keyOfQuestion, type Question, type Unanswered } from './crawl/crawler.js';
export {
  type CourseFacts,
  type DayPrice,
  DeploymentFacts,
  type FacilityFacts,
  linkedHolesOf,
  type ProductFacts,
  type TeeTimeFact,
  type Totals,
} from './crawl/facts.js';
export { otherQuestions } from './crawl/other-questions.js';
export { Crawl, type CrawlProgress, type Extent } from './crawl/read.js';
export { answersIn } from './crawl/recorded.js';
export { type ArchivedExchange, ArchiveReader } from './replay/archive.js';
export { LiveReplay, type LiveReplayOptions } from './replay/live-replay.js';
export { NOT_KEPT } from './replay/recorded-calls.js';
export { replayExchanges } from './replay/replay.js';
export { checkPage, checkReport, headlineOf } from './report/check-report.js';
export { explorePage, exploreReporters, exploreReport, readExploration, walkSection } from './report/explore-report.js';
export { exploreDeployment } from './explore/explore.js';
export type { Exploration, ExploreOptions, Progress } from './explore/options.js';
export { readWalk } from './explore/read-walk.js';
export { testOf } from './explore/story.js';
export { annotations } from './report/github.js';
export { harEntry } from './report/har.js';
export { fileReporters, githubAnnotations, reportersOf, type ReportFormat, reportFormats } from './report/index.js';
export { html, htmlPage, Markup, prose, secondsText, section } from './report/markup.js';
export {
  aloneIn,
  type Cause,
  isTexts,
  linesOf,
  listed,
  type ReportItem,
  type ReportModel,
  type ReportPage,
  type ReportSide,
  type Row,
  rowsOf,
  type Section,
  staleSection,
  staleText,
  type Table,
  type Text,
  wordsOf,
} from './report/model.js';
export { beginningOf } from './client/recording.js';
export { exchangeMaskedAgain, KeptExchanges, Recorder } from './report/recorder.js';
export { paintedText, painter, summarize, type TerminalOptions, TerminalReporter } from './report/terminal.js';
export { type CheckOptions, MAX_BODY, MAX_ERRORS, type RunOptions } from './run/check-options.js';
export { check } from './run/check.js';
export { answerText } from './run/dialect.js';
export { baselineOf, readKnown } from './run/known.js';
export { plan, planOf, type PlannedRequest } from './run/plan.js';
export { compareReports, type Comparison, type FindingChange, readReport } from './run/summary/compare.js';
export { withTexts } from './run/summary/values.js';
export { bearerHeaderOf } from './run/target/open-transport.js';
