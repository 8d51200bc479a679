import type { CallbackEnv } from './callbacks/hosted-callbacks.js';
import type { WorldCalls } from './calls.js';
import type { RegistryClient } from './operator/registry-client.js';
import type { Fetcher, ObjectNamespace } from './platform.js';

/** The bindings of the worker. */
export interface Env extends CallbackEnv {
  readonly WORLDS: ObjectNamespace<WorldCalls>;
  readonly REGISTRY: ObjectNamespace<RegistryClient>;
  /** The files of `dist`, for the console. Without it, there is no console. */
  readonly CONSOLE?: Fetcher;
  /** The bearer token of the operator, who makes worlds. */
  readonly OPERATOR_TOKEN?: string | null;
  /** Asks the registry before an object: for runtimes that make a file for every object that is asked. */
  readonly ASK_REGISTRY?: string;
  /** The origin in the base URLs of worlds. Default: that of the request, which a proxy may have changed. */
  readonly PUBLIC_ORIGIN?: string | null;
  /** Maximum number of worlds that have not ended. Default: 10,000. */
  readonly MAX_WORLDS?: string | number | null;
  /** Days without a request after which a world is deleted; 0 for never, which is the default. */
  readonly IDLE_DAYS?: string | number | null;
  /** The limits of a world, unless the operator sets others for it. Defaults: 600; 10,000; 100,000,000; 1,000. */
  readonly REQUESTS_PER_MINUTE?: string | number | null;
  readonly MAX_BOOKINGS?: string | number | null;
  readonly MAX_STORAGE_BYTES?: string | number | null;
  readonly CALLBACKS_PER_DAY?: string | number | null;
}
