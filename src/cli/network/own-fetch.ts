import http from 'node:http';
import { send } from './send.js';

/** A `fetch` that follows no redirects. */
export type OwnFetch = (url: string, init?: RequestInit) => Promise<Response>;

const agent = new http.Agent({ keepAlive: true });
let secure: Promise<{ readonly https: typeof import('node:https'); readonly agent: http.Agent }> | undefined;

/**
 * Sends what the server and its tools send, by `node:http`: the `fetch` of Node refuses 80 ports ("bad port"), such as
 * 6000 and 10080, on which partners do listen for callbacks. What HTTPS needs is loaded when a request needs it.
 */
export const ownFetch: OwnFetch = async (url, init = {}) => {
  const request = new Request(url, init);
  const isStream = init.body instanceof ReadableStream;
  try {
    if (request.url.startsWith('http:')) return await send(http, request, { agent }, isStream);
    secure ??= import('node:https').then((https) => ({ https, agent: new https.Agent({ keepAlive: true }) }));
    const way = await secure;
    return await send(way.https, request, { agent: way.agent }, isStream);
  } catch (error) {
    // As `fetch` does, except for the reason of its own signal.
    if (request.signal.aborted) throw error;
    throw new TypeError('fetch failed', { cause: error });
  }
};
