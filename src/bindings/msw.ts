/**
 * The sandbox as request handlers of Mock Service Worker, in Node and in browsers.
 *
 * @module
 */
import { HttpHandler } from 'msw';
import { operations } from '../contract/index.js';
import type { Sandbox } from '../engine/index.js';

export interface HandlersOptions {
  /**
   * The URL before `/api`, such as `https://api.partner.example` or, for a page that calls its own origin,
   * `location.origin`. An `/api` at its end may stay: `/api/v3/countries` and `/api/api/v3/countries` are both answered.
   */
  readonly baseUrl: string;
  /**
   * Makes one handler per operation and one for everything else, instead of a single one, so that `listHandlers`
   * names them. This is slower, because MSW tries handlers one after the other. Default: false.
   */
  readonly perOperation?: boolean;
}

/** The parts of a base URL. */
interface Base {
  readonly origin: string;
  /** Its path without a trailing slash; empty if it has none. */
  readonly path: string;
  /** The path without an `/api` at its end. */
  readonly root: string;
}

/** What the sandbox has below a base URL: the API and the admin API, also of a world, and images of facilities. */
const OWN_PATHS = String.raw`(?:/w/[^/]+)?/(?:(?:api|__admin)(?:/|$)|images/\d+/(?:logo|\d+)\.svg$)`;

/**
 * Makes handlers that send the requests of the service under a base URL to a sandbox: `/api`, `/__admin`, the worlds below
 * `/w`, and the images of facilities. All other requests pass through, such as the files of a page. All state is in the sandbox. Handlers added
 * with `server.use` take precedence, as usual in MSW.
 *
 * @throws {TypeError} if `baseUrl` is not an absolute http or https URL.
 * @example
 * const sandbox = await createSandbox();
 * const server = setupServer(...createHandlers(sandbox, { baseUrl: 'https://api.partner.example' }));
 * server.listen();
 */
export function createHandlers(sandbox: Pick<Sandbox, 'handle'>, options: HandlersOptions): HttpHandler[] {
  const { baseUrl, perOperation = false } = options;
  const base = readBase(baseUrl);
  const answer = answerBy(sandbox, base);
  const rest = handler('ALL', `${base.origin}${base.root}/api/*`, /.+/, `${literally(base)}${OWN_PATHS}`, answer);
  if (!perOperation) return [rest];
  const named = operations.map(({ method, path }) => {
    const shown = path.replaceAll(/\{(\w+)\}/g, ':$1');
    const pattern = `${literally(base)}${path.replaceAll(/\{\w+\}/g, '[^/]+')}/?$`;
    return handler(method, `${base.origin}${base.root}${shown}`, method, pattern, answer);
  });
  return [...named, rest];
}

type Resolver = (info: { readonly request: Request }) => Promise<Response>;

/** The pattern is a regular expression, because a base URL may contain special characters of MSW paths. */
function handler(name: string, shown: string, method: string | RegExp, pattern: string, answer: Resolver): HttpHandler {
  const made = new HttpHandler(method, new RegExp(pattern), answer);
  made.info.header = `${name} ${shown}`;
  return made;
}

/** The base URL, also without the `/api` at its end. */
function literally({ origin, path, root }: Base): string {
  const literal = (text: string) => text.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`);
  return `^${literal(origin + root)}(?:${literal(path.slice(root.length))})?`;
}

function readBase(baseUrl: string): Base {
  // In a browser page, the URL may be relative to the page.
  const page = (globalThis as { readonly location?: { readonly href: string } }).location?.href;
  const url = URL.canParse(baseUrl, page) ? new URL(baseUrl, page) : undefined;
  if (!url || !/^https?:$/.test(url.protocol) || url.search !== '' || url.hash !== '') {
    throw new TypeError(
      'Failed to create handlers: `baseUrl` must be an absolute http or https URL without a query, ' +
        `such as https://api.partner.example; got ${JSON.stringify(baseUrl)}.`,
    );
  }
  const path = url.pathname.replace(/\/+$/, '');
  return { origin: url.origin, path, root: path.replace(/\/api$/, '') };
}

function answerBy(sandbox: Pick<Sandbox, 'handle'>, { path, root }: Base): Resolver {
  const ownPath = new RegExp(`^${OWN_PATHS}`);
  const prefixOf = ({ url }: Request) => (ownPath.test(new URL(url).pathname.slice(path.length)) ? path : root);
  return async ({ request }) => {
    const hints = { anyCallbackTarget: true, url: request.url };
    try {
      const prefix = path === '' ? '' : prefixOf(request);
      return await sandbox.handle(prefix === '' ? request : await withoutPrefix(request, prefix.length), hints);
    } catch (error) {
      // The client has gone, so nobody reads this response. Otherwise MSW would log an error of the handler.
      if (request.signal.aborted) return Response.error();
      throw error;
    }
  };
}

/** The request with a path that starts with `/api`, as the sandbox expects it. */
async function withoutPrefix(request: Request, length: number): Promise<Request> {
  const { method, headers, signal } = request;
  const url = new URL(request.url);
  url.pathname = url.pathname.slice(length);
  // Not every browser supports a stream as a request body.
  const body = method === 'GET' || method === 'HEAD' ? undefined : await request.arrayBuffer();
  return new Request(url, { method, headers, signal, ...(body?.byteLength ? { body } : {}) });
}
