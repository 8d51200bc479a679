import type { Context } from 'hono';
import type { HonoBase as Hono } from 'hono/hono-base';
import type { AdminHost } from './route.js';

/**
 * `{base_url}/__admin`: what an operator sees and does. It is loaded with its first request, so that pages that never
 * ask for it do not download it.
 */
// The bindings differ by host and are not used here.
// eslint-disable-next-line @typescript-eslint/no-explicit-any
export function mountAdmin(app: Hono<any>, host: AdminHost): void {
  let admin: Promise<Hono> | undefined;
  const answer = async ({ req, env }: Context) => {
    admin ??= import('./app.js').then(({ createAdmin }) => createAdmin(host, app.getPath));
    return (await admin).fetch(req.raw, env);
  };
  app.all('/__admin', answer);
  app.all('/__admin/*', answer);
}
