/**
 * The sandbox as a library, for Node, browsers and workers.
 *
 * @module
 */
export type { Sandbox, SandboxOptions } from './options.js';
export type { Capsule, CapsuleStep } from './capsules/capsule.js';
export { createSandbox, createWorlds, type Worlds } from './create.js';
export type { WorldsOptions } from './worlds.js';
export type { CallbackAttempt } from './callbacks/delivery.js';
export type { CallbackDelivery } from './callbacks/callback-delivery.js';
export type { CallbackChange, CallbacksState, PendingCallback } from './callbacks/pending.js';
export { type DialectCard, parseDialectCard } from './state/dialect.js';
export type { JournalEntry } from './journal/journal-entry.js';
export type { EntryFilter } from './journal/entry-filter.js';
export type { EntrySummary } from './journal/entry-view.js';
export type { Explanation, ExplainedRule } from './journal/explain.js';
export type { Har } from './journal/har.js';
export type { SandboxJournal } from './journal/inspector.js';
export { type NearMiss, Unverified } from './journal/unverified.js';
export type { Expectation, Verified } from './journal/verify.js';
export type { HostHints } from './http/host-hints.js';
export { applyChanges } from './apply-changes.js';
export type { Change, ChangeSink } from './state/change.js';
export type { State } from './state/state.js';
export type { Clock, Instant } from './domain/clock.js';
export type { Booking, BookingStatus } from './domain/booking.js';
export type { Channel, Course, Facility, Product } from './domain/world.js';
export type { Answers, GivenAnswers } from './generated/questions.js';
export type { Database, Queries, RowQuery } from './store/collections.js';
export type { RivalsOptions } from './store/rivals.js';
export type { ChaosOptions, ChaosView } from './scenarios/chaos.js';
export type { PlanOptions } from './scenarios/plan-options.js';
export type { PlanView } from './scenarios/plans.js';
export type { ChannelCredentials } from './store/tokens.js';
export { Misfit } from './input/misfit.js';
export type { Scenario, ScenarioId } from './generated/scenarios.js';
