/**
 * The sandbox as a library, for Node, browsers and workers.
 *
 * @module
 */
export type { Sandbox, SandboxOptions } from './options.js';
export { createSandbox } from './sandbox.js';
export type { CallbackAttempt, CallbackDelivery } from './app/callbacks.js';
export { type DialectCard, parseDialectCard } from './app/dialect.js';
export type { Exchange, HostHints } from './app/pipeline.js';
export type { Clock, Instant } from './clock.js';
export type { Booking, BookingStatus } from './domain/booking.js';
export type { Channel, Course, Facility, Product } from './domain/world.js';
export type { Answers } from './generated/questions.js';
export type { Database, Queries } from './store/collections.js';
