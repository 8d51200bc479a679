import http from 'node:http';
import https from 'node:https';
import { noWayThrough, type Proxy, proxyHeaders } from './proxy.js';
import { send } from './send.js';
import { type Trust, trustOptions } from './trust.js';
import { addressOf, TunnelAgent } from './tunnel.js';

const PROXY_LOGIN = 407;

/** Sends requests by HTTPS, or through a proxy. */
export type FarFetch = (request: Request, proxy: Proxy | undefined) => Promise<Response>;

/** Reaches servers by HTTPS and through proxies. */
export function farFetch(options: Trust): FarFetch {
  const trust = trustOptions(options);
  const direct = new https.Agent({ keepAlive: true, ...trust });
  const tunnels = new Map<string, TunnelAgent>();
  const tunnel = (proxy: Proxy): TunnelAgent => {
    const known = tunnels.get(proxy.url.href) ?? new TunnelAgent(proxy, trust);
    tunnels.set(proxy.url.href, known);
    return known;
  };
  return async (request, proxy) => {
    if (!proxy) return send(https, request, { agent: direct });
    if (request.url.startsWith('https:')) return send(https, request, { agent: tunnel(proxy) });
    const { host } = new URL(request.url);
    const way = { ...addressOf(proxy.url), path: request.url, headers: { host, ...proxyHeaders(proxy) } };
    const response = await send(proxy.url.protocol === 'https:' ? https : http, request, way).catch((error) => {
      throw noWayThrough(proxy, `cannot be reached (${(error as NodeJS.ErrnoException).code ?? String(error)})`);
    });
    if (response.status === PROXY_LOGIN) throw noWayThrough(proxy, `answers ${PROXY_LOGIN}`);
    return response;
  };
}
