/**
 * The sandbox as a library, for Node, browsers and workers.
 *
 * @module
 */
export type { Sandbox, SandboxOptions } from './options.js';
export type { Capsule, CapsuleStep } from './record/capsule.js';
export { applyChanges, createSandbox, createWorlds, type Worlds } from './create.js';
export type { WorldsOptions } from './worlds.js';
export type { CallbackAttempt } from './callbacks/delivery.js';
export type { CallbackDelivery } from './callbacks/delivery.js';
export type { CallbackChange, CallbacksState, PendingCallback } from './callbacks/pending.js';
export { type DialectCard, parseDialectCard } from './state/dialect.js';
export type { JournalEntry } from './record/journal.js';
export type { EntryFilter } from './record/entry-filter.js';
export type { EntrySummary } from './record/entry-view.js';
export type { Explanation, ExplainedRule } from './record/explain.js';
export type { Har } from './record/inspector.js';
export type { SandboxJournal } from './record/inspector.js';
export { type NearMiss, Unverified } from './record/unverified.js';
export type { Expectation, Verified } from './record/verify.js';
export type { HostHints } from './api/host-hints.js';
export type { Change, ChangeSink } from './state/change.js';
export type { State } from './state/state.js';
export type { Clock, Instant } from './model/clock.js';
export type { Booking, BookingStatus } from './model/booking.js';
export type { Channel, Course, Facility, Product } from './model/world.js';
export type { Answers, GivenAnswers, Scenario, ScenarioId, WorldFile } from '../contract/index.js';
export type { Database, Queries, RowQuery } from './store/collections.js';
export type { ChaosOptions, ChaosView } from './scenarios/chaos.js';
export type { PlanOptions } from './scenarios/spec.js';
export type { PlanView } from './scenarios/plans.js';
export type { ChannelCredentials } from './store/tokens.js';
export { ValidationError } from '../common/index.js';
