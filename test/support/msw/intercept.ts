import type { HttpHandler } from 'msw';
import { setupServer } from 'msw/node';
import { onTestFinished } from 'vitest';
import type { SandboxOptions } from '../../../src/engine/library.js';
import { createHandlers, type HandlersOptions } from '../../../src/bindings/msw.js';
import { Client, open, ORIGIN, readReply } from '../client.js';

/** What a request becomes that no handler takes; the second name is that of msw 3. */
type Stray = 'error' | 'bypass';

/** Intercepts the requests of this process for the length of one test. */
export function intercept(handlers: readonly HttpHandler[], stray: Stray = 'error'): ReturnType<typeof setupServer> {
  const server = setupServer(...handlers);
  const options = { onUnhandledRequest: stray, onUnhandledFrame: stray };
  server.listen(options);
  onTestFinished(() => server.close());
  return server;
}

/** Calls by the global `fetch`, as a partner's program does. */
export class FetchingClient extends Client {
  override async deliver(request: Request) {
    return readReply(await fetch(request));
  }
}

export interface Intercepted extends Awaited<ReturnType<typeof open>> {
  readonly server: ReturnType<typeof setupServer>;
  /** A client whose requests are intercepted. */
  readonly partner: FetchingClient;
}

/** A sandbox behind `setupServer` for the length of one test. */
export async function openIntercepted(
  options: SandboxOptions = {},
  handlers: Partial<HandlersOptions> = {},
  ...others: readonly HttpHandler[]
): Promise<Intercepted> {
  const opened = await open(options);
  const { sandbox } = opened;
  const server = intercept([...createHandlers(sandbox, { baseUrl: ORIGIN, ...handlers }), ...others]);
  return { ...opened, server, partner: new FetchingClient(sandbox, 'fairway') };
}
