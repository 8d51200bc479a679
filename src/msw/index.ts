/**
 * The sandbox as request handlers of Mock Service Worker, in Node and in browsers.
 *
 * @module
 */
import { HttpHandler } from 'msw';
import { operations } from '../generated/operations.js';
import type { Sandbox } from '../options.js';

export interface HandlersOptions {
  /** What the client puts before `/api`, such as `https://api.partner.example` or `https://partner.example/golf`. */
  readonly baseUrl: string;
  /**
   * One handler for each operation and a last one for everything else, instead of one for all, so that
   * `listHandlers` names them. It costs time: handlers are tried one after the other. Default: false.
   */
  readonly perOperation?: boolean;
}

/** A base URL, taken apart. */
interface Base {
  readonly origin: string;
  /** Its path without a slash at its end; empty where it has none. */
  readonly path: string;
}

/**
 * Makes handlers that answer every request under a base URL by a sandbox. They are a view of the sandbox, where all
 * the state is; a handler given to `server.use` goes first, as ever.
 *
 * @throws {TypeError} for a `baseUrl` that is no absolute http or https address.
 * @example
 * const sandbox = await createSandbox();
 * const server = setupServer(...createHandlers(sandbox, { baseUrl: 'https://api.partner.example' }));
 * server.listen();
 */
export function createHandlers(sandbox: Pick<Sandbox, 'fetch'>, options: HandlersOptions): HttpHandler[] {
  const { baseUrl, perOperation = false } = options;
  const base = readBase(baseUrl);
  const answer = answerBy(sandbox, base);
  const rest = handler('ALL', `${base.origin}${base.path}/*`, /.+/, `${literally(base)}(?:/|$)`, answer);
  if (!perOperation) return [rest];
  const named = operations.map(({ method, path }) => {
    const shown = path.replaceAll(/\{(\w+)\}/g, ':$1');
    const pattern = `${literally(base)}${path.replaceAll(/\{\w+\}/g, '[^/]+')}/?$`;
    return handler(method, `${base.origin}${base.path}${shown}`, method, pattern, answer);
  });
  return [...named, rest];
}

type Resolver = (info: { readonly request: Request }) => Promise<Response>;

/** The pattern is an expression and no path of MSW's own kind, in which a base could hold signs that mean something. */
function handler(name: string, shown: string, method: string | RegExp, pattern: string, answer: Resolver): HttpHandler {
  const made = new HttpHandler(method, new RegExp(pattern), answer);
  made.info.header = `${name} ${shown}`;
  return made;
}

function literally({ origin, path }: Base): string {
  return `^${`${origin}${path}`.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`)}`;
}

function readBase(baseUrl: string): Base {
  // In a page, an address may be relative to it.
  const page = (globalThis as { readonly location?: { readonly href: string } }).location?.href;
  const url = URL.canParse(baseUrl, page) ? new URL(baseUrl, page) : undefined;
  if (!url || !/^https?:$/.test(url.protocol) || url.search !== '' || url.hash !== '') {
    throw new TypeError(
      'Failed to make handlers: `baseUrl` must be an absolute http or https address without a query, ' +
        `such as https://api.partner.example; it is ${JSON.stringify(baseUrl)}.`,
    );
  }
  return { origin: url.origin, path: url.pathname.replace(/\/+$/, '') };
}

function answerBy(sandbox: Pick<Sandbox, 'fetch'>, { path }: Base): Resolver {
  return async ({ request }) => {
    const hints = { anyCallbackTarget: true, url: request.url };
    try {
      return await sandbox.fetch(path === '' ? request : await withoutPrefix(request, path.length), hints);
    } catch (error) {
      // Nobody waits for this answer; MSW would print the error as one of the handler.
      if (request.signal.aborted) return Response.error();
      throw error;
    }
  };
}

/** The request as the sandbox knows it, whose paths begin with `/api`. */
async function withoutPrefix(request: Request, length: number): Promise<Request> {
  const { method, headers, signal } = request;
  const url = new URL(request.url);
  url.pathname = url.pathname.slice(length);
  // Not every browser has the body of a request as a stream.
  const body = method === 'GET' || method === 'HEAD' ? undefined : await request.arrayBuffer();
  return new Request(url, { method, headers, signal, ...(body?.byteLength ? { body } : {}) });
}
