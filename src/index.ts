/**
 * The sandbox as a library, for Node, browsers and workers.
 *
 * @module
 */
export type { Sandbox, SandboxOptions } from './options.js';
export { createSandbox } from './sandbox.js';
export { createWorlds, type Worlds, type WorldsOptions } from './worlds.js';
export type { CallbackAttempt, CallbackDelivery } from './app/callbacks.js';
export { type DialectCard, parseDialectCard } from './app/dialect.js';
export type { Exchange, HostHints } from './app/passage.js';
export type { Clock, Instant } from './domain/clock.js';
export type { Booking, BookingStatus } from './domain/booking.js';
export type { Channel, Course, Facility, Product } from './domain/world.js';
export type { Answers } from './generated/questions.js';
export type { Database, Queries } from './store/collections.js';
export type { PlanOptions, PlanView } from './scenarios/plans.js';
export { Misfit } from './scenarios/spec.js';
export type { Scenario, ScenarioId } from './generated/scenarios.js';
