/**
 * Worlds for many partners on workerd or Cloudflare Workers: a handler that routes, and the classes of its objects.
 *
 * @module
 */
import { route } from './router.js';

export type { Env } from './env.js';
export type { WorldLimits, WorldSettings, WorldUsage } from './operator/settings.js';
export { Registry } from './operator/registry.js';
export { WorldObject as World } from './world.js';

// The platform takes the handler of requests from the default export.
// oxlint-disable-next-line import/no-default-export
export default { fetch: route };
