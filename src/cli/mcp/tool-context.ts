import type { Admin, AdminSend } from '../../bindings/index.js';
import type { Permission } from '../../conformance/index.js';
import type { Values } from '../args.js';
import type { Environment } from '../network/proxy.js';
import type { worldFlags } from '../commands/serve-flags.js';
import type { PassedSignals } from '../process/child.js';
import type { AdminSchema } from './admin-schema.js';
import type { Jobs } from './jobs.js';
import type { Logins } from './logins.js';

/** The flags that make the world of this sandbox, and of each exam. */
export type ExamWorld = Pick<
  Values<typeof worldFlags>,
  'seed' | 'facilities' | 'world' | 'now' | 'dialect' | 'allow-callback'
>;

/** What the tools work with: one sandbox, reached by HTTP as its clients reach it. */
export interface ToolContext {
  /** The base URL of the sandbox, without a trailing slash. */
  readonly baseUrl: string;
  readonly admin: Admin;
  /** Calls of the admin API that its client has no method for. */
  readonly send: AdminSend;
  readonly logins: Logins;
  readonly jobs: Jobs;
  /** The scenarios of the sandbox, its own ones included. */
  readonly scenarios: readonly AdminSchema<'Scenario'>[];
  /** The names of its channels. */
  readonly channels: readonly string[];
  /** What a check of a deployment may be permitted beyond reading. */
  readonly allow: readonly Permission[];
  /** The command that runs the client's own tests; empty if none was given. */
  readonly command: readonly string[];
  /** Passes signals on to it. */
  readonly signals: PassedSignals;
  /** What the exams of the client have in common with this sandbox. */
  readonly world: ExamWorld;
  /** Writes a line to stderr. */
  readonly log: (line: string) => void;
  readonly env: Environment;
}
