import http, { type ClientRequest } from 'node:http';
import https from 'node:https';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { type Environment, proxyFor, proxyHeaders } from '../../network/proxy.js';
import { type Trust, trustOptions } from '../../network/trust.js';
import { addressOf, TunnelAgent } from '../../network/tunnel.js';
import type { HeaderPair } from '../../commands/reach-flags.js';
import type { RawHeaders } from './raw-headers.js';

/** How the proxy reaches the deployment. */
export interface TargetOptions extends Trust {
  readonly baseUrl: string;
  /** Headers for every request, such as the key of a gateway; each replaces those of the same name. */
  readonly headers?: readonly HeaderPair[];
  /** The environment that names proxies. */
  readonly env?: Environment;
}

/** A deployment, ready to be asked. */
export interface ProxyTarget {
  readonly baseUrl: string;
  /** The value of `Host`. */
  readonly host: string;
  /** Names of the headers of {@link TargetOptions}, in lower case. */
  readonly replaced: ReadonlySet<string>;
  readonly added: RawHeaders;
  /** Begins a request to a path below the base URL; `fresh` for a connection of its own. */
  request(method: string, path: string, headers: RawHeaders, fresh: boolean): ClientRequest;
  close(): void;
}

/**
 * Milliseconds that an idle connection is kept: less than servers keep theirs, so that a request seldom meets a connection
 * that is just being closed.
 */
const IDLE = 4000;
const MAX_IDLE = 256;
/** The most bytes of headers: more than servers accept, so that the other side decides. */
export const MAX_HEADERS = 128 * 1024;

/** Ends an idle connection on which bytes arrive: nobody asked for them, and the next request would take them for its answer. */
function guarded<T extends http.Agent>(agent: T): T {
  const guards = new WeakMap<object, () => void>();
  const keep = agent.keepSocketAlive.bind(agent);
  const reuse = agent.reuseSocket.bind(agent);
  agent.keepSocketAlive = (socket) => {
    if ((socket as Socket).readableLength > 0 || !(keep as (socket: Duplex) => boolean)(socket)) return false;
    const end = (): void => void socket.destroy();
    guards.set(socket, end);
    socket.on('data', end);
    return true;
  };
  agent.reuseSocket = (socket, request) => {
    socket.off('data', guards.get(socket) ?? (() => {}));
    reuse(socket, request);
  };
  return agent;
}

/** @throws {ProxyError} if the environment names a proxy that is no URL. */
export function openTarget({ baseUrl, headers = [], env = {}, client, ...trusted }: TargetOptions): ProxyTarget {
  const url = new URL(baseUrl);
  const isSecure = url.protocol === 'https:';
  const proxy = proxyFor(url.href, env);
  const reuse = {
    keepAlive: true,
    timeout: IDLE,
    maxFreeSockets: MAX_IDLE,
    scheduling: 'lifo',
    noDelay: true,
  } as const;
  const isTunnel = proxy !== undefined && isSecure;
  const secureWay = isSecure || proxy?.url.protocol === 'https:';
  // The client certificate is for the deployment, not for a proxy on the way.
  const trust = trustOptions(isSecure && client ? { ...trusted, client } : trusted);
  const direct = () => (secureWay ? new https.Agent({ ...reuse, ...trust }) : new http.Agent(reuse));
  const agent = guarded(isTunnel ? new TunnelAgent(proxy, { ...trust, timeout: IDLE }) : direct());
  const way = secureWay ? https : http;
  const address = addressOf(proxy && !isTunnel ? proxy.url : url);
  const base = (proxy && !isTunnel ? url.origin : '') + url.pathname.replace(/\/+$/, '');
  const forProxy = proxy && !isTunnel ? Object.entries(proxyHeaders(proxy)).flat() : [];
  return {
    baseUrl,
    host: url.host,
    replaced: new Set(headers.map(([name]) => name.toLowerCase())),
    added: [...headers.flat(), ...forProxy],
    request: (method, path, sent, fresh) =>
      way.request({
        ...address,
        ...(fresh && !isTunnel ? { ...trust, agent: false } : { agent }),
        method,
        // `*` is about the server as a whole (RFC 9112, section 3.2.4).
        path: path === '*' ? base || path : base + path,
        headers: sent as string[],
        maxHeaderSize: MAX_HEADERS,
      }),
    close: () => agent.destroy(),
  };
}
