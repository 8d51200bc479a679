import type { Exchange } from '../../../conformance/index.js';
import type { ProxyOutcome } from './outcome.js';

/** A run of the proxy as reports show it. */
export interface ProxyRun {
  readonly outcome: ProxyOutcome;
  readonly exchanges: ReadonlyMap<string, Exchange>;
  readonly version: string;
}
