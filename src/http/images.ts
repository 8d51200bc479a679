import type { HonoBase as Hono } from 'hono/hono-base';
import type { World } from '../domain/world.js';

/** Logos and images of facilities, drawn by the sandbox so that the URLs in the details work offline. */
// The bindings differ by host and are not used here.
// eslint-disable-next-line @typescript-eslint/no-explicit-any
export function mountImages(app: Hono<any>, world: World): void {
  app.get('/images/:facilityId{[0-9]+}/:file{(logo|[0-9]+)\\.svg}', async (context) => {
    const { facilityId, file } = context.req.param();
    const facility = world.facility(Number(facilityId));
    const n = Number.parseInt(file!, 10);
    if (!facility || (file !== 'logo.svg' && (n < 1 || n > facility.images))) return context.notFound();
    // Loaded on demand, so that pages that never show one do not load it.
    const { facilityImage, facilityLogo, imageHeaders: headers } = await import('../routes/images.js');
    return new Response(file === 'logo.svg' ? facilityLogo(facility) : facilityImage(facility, n), { headers });
  });
}
