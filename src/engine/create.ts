import { refuseUnknownOptions, type Sandbox, type SandboxOptions, sandboxOptions } from './options.js';
import { createSandboxAt, type WorldSandbox } from './sandbox.js';
import { databaseOf } from './store/collections.js';
import { createServedWorlds, type ServedWorlds, type WorldsOptions } from './worlds.js';

/** The main world, and others that are created on their first request with valid credentials. */
export interface Worlds extends ServedWorlds {
  /** The sandbox at the origin. */
  readonly main: Sandbox;
}

/** A sandbox with queries, and what a server knows of it. */
export interface QueryableSandbox extends Sandbox, WorldSandbox {}

/**
 * Creates a sandbox.
 *
 * @throws {Error} for an option that is unknown or does not fit, with the reason.
 */
export async function createSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  refuseUnknownOptions('createSandbox', options, sandboxOptions);
  return withDatabase(await createSandboxAt({}, options));
}

/**
 * Creates several sandboxes behind one address. Each world has its own state, clock, scenarios and counters, so that
 * parallel test runs can share a server and differ only in their base URL.
 *
 * @throws {Error} for an unknown or invalid option, with the reason.
 * @example
 * const worlds = await createWorlds({ maxWorlds: 10 });
 * const response = await worlds.fetch('http://sandbox.test/w/run-7/__admin/health');
 */
export async function createWorlds(options: WorldsOptions = {}): Promise<Worlds> {
  const worlds = await createServedWorlds(options);
  return { ...worlds, main: withDatabase(worlds.main) };
}

/** Adds the queries. Nobody can ask a server for them, so it does without the library that answers them. */
export function withDatabase(sandbox: WorldSandbox): QueryableSandbox {
  const { catalogue, ledger } = sandbox.world.rows;
  return Object.assign(sandbox, { db: databaseOf(catalogue, ledger) });
}
