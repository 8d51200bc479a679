import http from 'node:http';
import https from 'node:https';
import { isIP } from 'node:net';
import type { Duplex } from 'node:stream';
import { connect, type ConnectionOptions } from 'node:tls';
import { noWayThrough, type Proxy, proxyHeaders } from './proxy.js';

type Connected = (error: Error | null, stream: Duplex) => void;

/** Milliseconds that a proxy may take to connect. */
const PATIENCE = 60_000;

/** Reaches HTTPS servers through a proxy, by CONNECT. The proxy sees no request. */
export class TunnelAgent extends https.Agent {
  constructor(
    readonly proxy: Proxy,
    options: https.AgentOptions,
  ) {
    super({ ...options, keepAlive: true });
  }

  override createConnection(options: https.RequestOptions, connected?: Connected): undefined {
    const host = options.host ?? '';
    const port = options.port ?? 443;
    const target = `${isIP(host) === 6 ? `[${host}]` : host}:${port}`;
    const fail = (why: string): void => connected?.(noWayThrough(this.proxy, why), undefined as never);
    const { url } = this.proxy;
    const send = url.protocol === 'https:' ? https.request : http.request;
    const request = send({
      ...addressOf(url),
      method: 'CONNECT',
      path: target,
      headers: { host: target, ...proxyHeaders(this.proxy) },
      agent: false,
      timeout: PATIENCE,
    });
    request.on('timeout', () => request.destroy(Object.assign(new Error('timeout'), { code: 'ETIMEDOUT' })));
    request.on('error', ({ code, message }: NodeJS.ErrnoException) => fail(`cannot be reached (${code ?? message})`));
    request.on('connect', ({ statusCode = 0 }, socket) => {
      if (statusCode === 200) {
        const trust = { ...(options as ConnectionOptions), servername: isIP(host) ? '' : host };
        return connected?.(null, connect({ ...trust, socket }));
      }
      socket.destroy();
      fail(`answers ${statusCode} to CONNECT ${target}`);
    });
    request.on('response', (response) => {
      response.destroy();
      fail(`answers ${response.statusCode} to CONNECT ${target}`);
    });
    request.end();
    return undefined;
  }
}

/** Host and port of a proxy. */
export function addressOf({ protocol, hostname, port }: URL): { readonly hostname: string; readonly port: number } {
  return { hostname: hostname.replace(/^\[|\]$/g, ''), port: Number(port) || (protocol === 'https:' ? 443 : 80) };
}
