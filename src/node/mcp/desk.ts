import type { Admin } from '../../admin-client/index.js';
import type { AdminSend } from '../../admin-client/send.js';
import type { Permission } from '../../conformance/client/types.js';
import type { Variables } from '../commands/command.js';
import type { AdminSchema } from './admin-schema.js';
import type { Jobs } from './jobs.js';
import type { Logins } from './logins.js';

/** What the tools work with: one sandbox, reached by HTTP as its clients reach it. */
export interface Desk {
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
  readonly env: Variables;
}
