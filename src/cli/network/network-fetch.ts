import http from 'node:http';
import type { Host } from '../../conformance/index.js';
import type { FarFetch } from './far-fetch.js';
import { type Environment, proxyFor } from './proxy.js';
import { send } from './send.js';
import type { Trust } from './trust.js';

/** How this machine reaches a deployment. */
interface NetworkOptions extends Trust {
  /** The environment that names proxies. */
  readonly env: Environment;
}

/**
 * A `fetch` that knows proxies and certificates. That of Node 20 cannot be given either, and compiles a parser for half
 * as long as a short run takes. What HTTPS and proxies need is loaded when a request needs it.
 */
export function networkFetch(options: NetworkOptions): Host['fetch'] {
  const agent = new http.Agent({ keepAlive: true });
  let far: Promise<FarFetch> | undefined;
  return async (request) => {
    const proxy = proxyFor(request.url, options.env);
    if (!proxy && request.url.startsWith('http:')) return send(http, request, { agent });
    far ??= import('./far-fetch.js').then(({ farFetch }) => farFetch(options));
    return (await far)(request, proxy);
  };
}
