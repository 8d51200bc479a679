import type { Context, Hono } from 'hono';

/** What the admin API may do to the sandbox. */
export interface AdminHost {
  readonly version: string;
  reset(): Promise<void>;
}

/** An error of our own, apart from those of the service we stand for (RFC 9457). */
function problem(status: 403 | 404 | 405, title: string, detail: string): Response {
  const headers = { 'content-type': 'application/problem+json' };
  return new Response(JSON.stringify({ type: 'about:blank', title, status, detail }), { status, headers });
}

/** Other sites must not reset a sandbox that runs on a developer's machine. */
function isForeign(context: Context): boolean {
  const origin = context.req.header('origin');
  const site = context.req.header('sec-fetch-site');
  return origin !== undefined || site === 'cross-site';
}

/** `{base_url}/__admin`: health, and the way back to the baseline. */
export function mountAdmin(app: Hono<any>, { version, reset }: AdminHost): void {
  app.get('/__admin/health', (context) => context.json({ status: 'ok', version }));
  app.post('/__admin/reset', async (context) => {
    if (isForeign(context)) return problem(403, 'Forbidden', 'The admin API answers no request of another site.');
    await reset();
    return context.json({ status: 'reset' });
  });
  app.all('/__admin/*', (context) =>
    problem(
      404,
      'Not Found',
      `There is no ${context.req.method} ${context.req.path}; there are GET health and POST reset.`,
    ),
  );
}
