import type { HostHints } from './api/host-hints.js';

/** Answers one request for a host: a server, or handlers of MSW. Synchronously if the operation allows it. */
export type Handle = (request: Request, hints?: HostHints) => Response | Promise<Response>;

/** `fetch`, but every request goes to the sandbox. A lost connection rejects with a `TypeError`, as with `fetch`. */
export type Fetch = (input: Request | string | URL, init?: RequestInit) => Promise<Response>;

/** The `fetch` of a sandbox. */
export function fetchBy(handle: Handle): Fetch {
  return async (input, init) => {
    const isRequest = typeof input === 'object' && !('href' in input);
    const request = isRequest && init === undefined ? input : new Request(input, init);
    request.signal.throwIfAborted();
    const answer = handle(request);
    return received(answer instanceof Promise ? await unlessAborted(answer, request.signal) : answer);
  };
}

function received(response: Response): Response {
  if (response.type !== 'error') return response;
  throw new TypeError('Failed to fetch: a scenario ended the connection without a response.');
}

async function unlessAborted(answer: Promise<Response>, signal: AbortSignal): Promise<Response> {
  let stop: (() => void) | undefined;
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason as Error);
    signal.addEventListener('abort', stop, { once: true });
  });
  try {
    return await Promise.race([answer, aborted]);
  } finally {
    signal.removeEventListener('abort', stop!);
  }
}
