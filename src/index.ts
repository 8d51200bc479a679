/**
 * The sandbox as a library, for Node, browsers and workers.
 *
 * @module
 */
export type { Sandbox, SandboxOptions } from './options.js';
export { createSandbox } from './sandbox.js';
export { createWorlds, type Worlds, type WorldsOptions } from './worlds.js';
export type { CallbackAttempt } from './app/callback-post.js';
export type { CallbackDelivery } from './app/callbacks.js';
export { type DialectCard, parseDialectCard } from './app/dialect.js';
export type { Exchange } from './app/journal.js';
export type { ExchangeFilter } from './app/exchange-filter.js';
export type { ExchangeSummary } from './app/exchange-view.js';
export type { Explanation, Reason } from './app/explain.js';
export type { Har } from './app/har.js';
export type { SandboxJournal } from './app/inspector.js';
export { type Expectation, type NearMiss, Unverified, type Verified } from './app/verify.js';
export type { HostHints } from './app/passage.js';
export type { State } from './app/state.js';
export type { Clock, Instant } from './domain/clock.js';
export type { Booking, BookingStatus } from './domain/booking.js';
export type { Channel, Course, Facility, Product } from './domain/world.js';
export type { Answers } from './generated/questions.js';
export type { Database, Queries } from './store/collections.js';
export { StateMisfit } from './store/state-fields.js';
export type { PlanOptions, PlanView } from './scenarios/plans.js';
export { Misfit } from './scenarios/spec.js';
export type { Scenario, ScenarioId } from './generated/scenarios.js';
