import { readdir, readFile } from 'node:fs/promises';
import { getPath } from 'hono/utils/url';

/**
 * The files of the console: beside the bundle, or in `dist` when run from source. This module is loaded with the first
 * request of a browser, so that it is always in a chunk of its own, and the server starts without it.
 */
const folder = new URL(import.meta.url.endsWith('.ts') ? '../../../dist/console/' : '../console/', import.meta.url);

/** The page calls its own sandbox, runs its own scripts, and is shown in no frame. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const guards = {
  'content-security-policy': POLICY,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
};

const types: Readonly<Record<string, string>> = {
  css: 'text/css; charset=utf-8',
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  json: 'application/json',
  svg: 'image/svg+xml',
  woff2: 'font/woff2',
};

const form = /^((?:\/w\/[A-Za-z0-9][\w.-]{0,63})?)(?:\/|\/__admin(?:\/(?:console\/([^/]+))?)?)?$/;

let listed: Promise<ReadonlySet<string>> | undefined;

/** The names of the files, read once. None if the package was bundled without them. */
function names(): Promise<ReadonlySet<string>> {
  listed ??= readdir(folder).then(
    (found) => new Set(found),
    () => new Set<string>(),
  );
  return listed;
}

/**
 * The console for a browser: its page, its files, and the way from the base URL to it. Undefined for everything else,
 * which the sandbox answers.
 */
export async function answerConsole(request: Request): Promise<Response | undefined> {
  const path = getPath(request);
  const [, world, file] = form.exec(path) ?? [];
  if (world === undefined || !(await names()).has('index.html')) return undefined;
  if (file !== undefined) return (await names()).has(file) ? serve(file, 'max-age=31536000, immutable') : undefined;
  if (!acceptsHtml(request)) return undefined;
  if (path.endsWith('/__admin/')) return serve('index.html', 'no-cache');
  const location = path === world ? `${world.slice('/w/'.length)}/__admin/` : '__admin/';
  return new Response(null, { status: 302, headers: { location, vary: 'Accept', 'cache-control': 'no-store' } });
}

/** Browsers name HTML; programs take anything, or JSON. */
function acceptsHtml({ headers }: Request): boolean {
  return /\btext\/html\b(?!\s*;\s*q=0(\.0+)?\s*(,|$))/i.test(headers.get('accept') ?? '');
}

async function serve(name: string, caching: string): Promise<Response> {
  const type = types[/\w+$/.exec(name)![0]] ?? 'application/octet-stream';
  const page = name === 'index.html' ? { vary: 'Accept' } : {};
  const headers = { ...guards, ...page, 'content-type': type, 'cache-control': caching };
  return new Response(await readFile(new URL(name, folder)), { headers });
}
