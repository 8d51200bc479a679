import type { OperationSpec } from '../../contract/index.js';
import type { Route } from './routes/call.js';
import type { BoundedCache, Caches } from '../store/bounded-cache.js';
import type { ParameterReader, ReadRequest } from './parameters.js';

/** An operation with what answers it. */
export interface Served {
  readonly operation: OperationSpec;
  readonly route: Route<never>;
  readonly readParameters: ParameterReader;
}

/** What the method and the URL of a request say: they are read once for many requests. */
export interface KnownCall {
  readonly served: Served;
  /** The path parameters. */
  readonly path: Readonly<Record<string, string>>;
  /** The parameters, after they were found valid. */
  read: ReadRequest | undefined;
}

/** Maximum number of calls of one method that are kept, and of characters of their URLs. */
const KEPT_CALLS = 1000;
const LONGEST_URL = 1024;
/** What the parameters of a call hold, without their texts. */
const CALL_BYTES = 900;

/** The calls that were made last: most callers repeat the same few. */
export class KnownCalls {
  readonly #byMethod = new Map<string, BoundedCache<KnownCall>>();

  constructor(readonly caches: Caches) {}

  find({ method, url }: Request): KnownCall | undefined {
    return this.#byMethod.get(method)?.get(url);
  }

  /** Keeps a call, if its method is that of the operation: HEAD, which answers without a body, goes the way of Hono. */
  keep({ method, url }: Request, served: Served, path: Readonly<Record<string, string>>): KnownCall {
    const call: KnownCall = { served, path, read: undefined };
    if (method !== served.operation.method || url.length > LONGEST_URL) return call;
    let calls = this.#byMethod.get(method);
    if (!calls) this.#byMethod.set(method, (calls = this.caches.create(KEPT_CALLS, () => CALL_BYTES)));
    return calls.set(url, call);
  }
}
