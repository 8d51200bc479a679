import { problemResponse } from '../engine/index.js';

/** The answer for a world that does not exist, or no longer: as the admin API or the service would say it. */
export function noSuchWorld(request: Request, name: string, gone?: string): Response {
  const status = gone === undefined ? 404 : 410;
  const message =
    gone ?? `There is no world \`${name}\` here. Its address and token come from the operator of this service.`;
  if (/^\/w\/[^/]+\/__admin(\/|$)/.test(new URL(request.url).pathname)) return problemResponse(status, message);
  return Response.json({ success: false, data: null, message }, { status });
}
