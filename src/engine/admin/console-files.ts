import { getPath } from 'hono/utils/url';

/** Reads a file of `dist` by its path; undefined if there is none. */
type ConsoleFiles = (path: string) => Promise<BodyInit | undefined>;

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

export const guards = {
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
  md: 'text/markdown; charset=utf-8',
  svg: 'image/svg+xml',
  woff2: 'font/woff2',
};

const PAGE = 'index.html';

const form =
  /^((?:\/w\/[A-Za-z0-9][\w.-]{0,63})?)(?:\/|\/__admin(?:\/(?:console\/((?:chunks\/|docs\/(?:quick-starts\/)?)?[^/]+))?)?)?$/;

/** The capsule player, the explorer, the catalogue, the API documents and the guides are files of the package. All others are stored gzipped. */
const shared =
  /^(?:(?:capsules|explorer|catalogue|chunks\/[\w-]+)\.js|(?:admin-)?openapi\.json|docs\/(?:quick-starts\/)?[\w-]+\.md)$/;
/** Files whose names have no hash of their content. A page puts it into the query. */
const unhashed = /^[a-z/-]+\.(?:js|json|md)$/;
const FOREVER = 'max-age=31536000, immutable';

/**
 * The console for a browser: its page, its files, and the way from the base URL to it. Undefined for everything else,
 * which the sandbox answers. A host that compresses by itself gets the files unpacked.
 */
export async function answerConsole(
  request: Request,
  files: ConsoleFiles,
  compresses = false,
): Promise<Response | undefined> {
  const path = getPath(request);
  const [, world, file] = form.exec(path) ?? [];
  if (world === undefined) return undefined;
  const show = async (name: string, caching: string): Promise<Response | undefined> => {
    const isPacked = !shared.test(name);
    const kept = await files(isPacked ? `console/${name}.gz` : name);
    if (kept === undefined) return undefined;
    const isGzip = !compresses && acceptsGzip(request);
    return shown(name, isPacked === isGzip ? kept : recoded(kept, isGzip), caching, isGzip);
  };
  if (file !== undefined) {
    const isLatest = unhashed.test(file) && new URL(request.url).search === '';
    return show(file, isLatest ? 'no-cache' : FOREVER);
  }
  if (!acceptsHtml(request)) return undefined;
  if (path.endsWith('/__admin/')) return show(PAGE, 'no-cache');
  if (!(await files(`console/${PAGE}.gz`))) return undefined;
  const location = path === world ? `${world.slice('/w/'.length)}/__admin/` : '__admin/';
  return new Response(null, { status: 302, headers: { location, vary: 'Accept', 'cache-control': 'no-store' } });
}

/** Browsers name HTML; programs take anything, or JSON. */
export function acceptsHtml({ headers }: Request): boolean {
  return /\btext\/html\b(?!\s*;\s*q=0(\.0+)?\s*(,|$))/i.test(headers.get('accept') ?? '');
}

function acceptsGzip({ headers }: Request): boolean {
  return /\bgzip\b(?!\s*;\s*q=0(\.0+)?\s*(,|$))/i.test(headers.get('accept-encoding') ?? '');
}

/** Packs a file with gzip, or unpacks it. */
function recoded(file: BodyInit, isGzip: boolean): ReadableStream {
  const coder = isGzip ? new CompressionStream('gzip') : new DecompressionStream('gzip');
  return new Response(file).body!.pipeThrough(coder);
}

function shown(name: string, body: BodyInit, caching: string, isGzip: boolean): Response {
  const headers = {
    ...guards,
    'content-type': types[/\w+$/.exec(name)?.[0] ?? ''] ?? 'application/octet-stream',
    'cache-control': caching,
    vary: name === PAGE ? 'Accept, Accept-Encoding' : 'Accept-Encoding',
    ...(isGzip && { 'content-encoding': 'gzip' }),
  };
  return new Response(body, { headers });
}
