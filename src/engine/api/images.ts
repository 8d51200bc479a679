import type { HonoBase as Hono } from 'hono/hono-base';
import type { Pipeline } from './pipeline.js';

/** Logos and images of facilities, drawn by the sandbox so that the URLs in the details work offline. */
export function mountImages<Bindings extends { readonly pipeline: Pipeline }>(app: Hono<{ Bindings: Bindings }>): void {
  app.get('/images/:facilityId{[0-9]+}/:file{(logo|[0-9]+)\\.svg}', async (context) => {
    const { facilityId, file } = context.req.param();
    const facility = context.env.pipeline.engine.store.world.facility(Number(facilityId));
    const n = Number.parseInt(file!, 10);
    if (!facility || (file !== 'logo.svg' && (n < 1 || n > facility.images))) return context.notFound();
    // Loaded on demand, so that pages that never show one do not load it.
    const { facilityImage, facilityLogo, imageHeaders: headers } = await import('./routes/images.js');
    return new Response(file === 'logo.svg' ? facilityLogo(facility) : facilityImage(facility, n), { headers });
  });
}
