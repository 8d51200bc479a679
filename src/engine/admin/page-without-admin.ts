import { acceptsHtml, guards } from './console-files.js';
import { mayShowConsole } from './console-paths.js';

export const ADMIN_OFF = 'The admin API is turned off by --no-admin.';

const page = `<!doctype html>
<html lang="en">
  <meta charset="utf-8" />
  <meta name="color-scheme" content="light dark" />
  <title>Teebox without the console</title>
  <h1>No console here</h1>
  <p>${ADMIN_OFF} The console needs it, and the service runs without it.</p>
  <p>To see the console at this address, start the server without --no-admin.</p>
</html>
`;

/** What a browser gets that looks for the console of a server without an admin API; undefined for everything else. */
export function pageWithoutAdmin(request: Request): Response | undefined {
  const { pathname } = new URL(request.url);
  if (pathname.includes('/console/') || !mayShowConsole(request, pathname) || !acceptsHtml(request)) return undefined;
  const headers = { 'content-type': 'text/html; charset=utf-8', vary: 'Accept', 'cache-control': 'no-cache' };
  return new Response(page, { status: 404, headers: { ...guards, ...headers } });
}
