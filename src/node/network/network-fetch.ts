import http, { type IncomingMessage } from 'node:http';
import https from 'node:https';
import { pipeline, Readable } from 'node:stream';
import { rootCertificates } from 'node:tls';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import type { Host } from '../../conformance/client/types.js';
import { noWayThrough, type Proxy, proxyFor, proxyHeaders } from './proxy.js';
import { addressOf, TunnelAgent } from './tunnel.js';

/** How this machine reaches a deployment, where that differs from what `fetch` does. */
export interface NetworkOptions {
  /** Certificates of authorities in PEM, trusted beside those of Node. */
  readonly ca?: string;
  /** Whether certificates are not verified. */
  readonly insecure?: boolean;
  /** The environment that names proxies. */
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Statuses whose answers have no body. */
const bodiless: readonly number[] = [101, 103, 204, 205, 304];
const PROXY_LOGIN = 407;

/** A `fetch` that knows proxies and certificates. That of Node 20 cannot be given either. */
export function networkFetch({ ca, insecure = false, env }: NetworkOptions): Host['fetch'] {
  const trust = { ...(ca === undefined ? {} : { ca: [...rootCertificates, ca] }), rejectUnauthorized: !insecure };
  const direct = { http: new http.Agent({ keepAlive: true }), https: new https.Agent({ keepAlive: true, ...trust }) };
  const tunnels = new Map<string, TunnelAgent>();
  const tunnel = (proxy: Proxy): TunnelAgent => {
    const known = tunnels.get(proxy.url.href) ?? new TunnelAgent(proxy, trust);
    tunnels.set(proxy.url.href, known);
    return known;
  };
  return async (request) => {
    const proxy = proxyFor(request.url, env);
    const isSecure = request.url.startsWith('https:');
    if (isSecure) return send(https, request, { agent: proxy ? tunnel(proxy) : direct.https });
    if (!proxy) return send(http, request, { agent: direct.http });
    const { host } = new URL(request.url);
    const options = { ...addressOf(proxy.url), path: request.url, headers: { host, ...proxyHeaders(proxy) } };
    const response = await send(proxy.url.protocol === 'https:' ? https : http, request, options).catch((error) => {
      throw noWayThrough(proxy, `cannot be reached (${(error as NodeJS.ErrnoException).code ?? String(error)})`);
    });
    if (response.status === PROXY_LOGIN) throw noWayThrough(proxy, `answers ${PROXY_LOGIN}`);
    return response;
  };
}

async function send(way: typeof http | typeof https, request: Request, options: https.RequestOptions) {
  const { url, method, signal } = request;
  const body = request.body ? Buffer.from(await request.arrayBuffer()) : undefined;
  const length = body ? { 'content-length': String(body.length) } : {};
  const headers = { ...Object.fromEntries(request.headers), ...length, ...options.headers };
  return new Promise<Response>((resolve, reject) => {
    const sent = way.request(url, { ...options, method, signal, headers }, (message) => {
      try {
        resolve(responseOf(message));
      } catch (error) {
        reject(error as Error);
      }
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

function responseOf(message: IncomingMessage): Response {
  const { statusCode: status = 0, rawHeaders } = message;
  const headers = new Headers();
  for (let at = 0; at < rawHeaders.length; at += 2) headers.append(rawHeaders[at]!, rawHeaders[at + 1]!);
  if (!bodiless.includes(status))
    return new Response(Readable.toWeb(decoded(message)) as ReadableStream, { status, headers });
  message.resume();
  return new Response(null, { status, headers });
}

/** The body without its content encoding. The request asks for none, but a gateway may add one. */
function decoded(message: IncomingMessage): Readable {
  const coding = message.headers['content-encoding']?.trim().toLowerCase();
  const makers = { gzip: createGunzip, 'x-gzip': createGunzip, deflate: createInflate, br: createBrotliDecompress };
  const make = Object.entries(makers).find(([name]) => name === coding)?.[1];
  // An error reaches the reader of the stream.
  return make ? pipeline(message, make(), () => {}) : message;
}
