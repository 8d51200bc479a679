import { readFileSync } from 'node:fs';
import { serve } from '@hono/node-server';
import { Hono } from 'hono';

/** A path that bare Hono answers with bytes that it keeps. */
export interface BareRoute {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly contentType: string;
  readonly body: string;
}

/** From this size on Node sends bytes faster than it encodes a string. */
const BYTES_FROM = 4096;

const app = new Hono();
for (const { method, path, contentType, body } of JSON.parse(readFileSync(process.argv[2]!, 'utf8')) as BareRoute[]) {
  const kept = body.length < BYTES_FROM ? body : new TextEncoder().encode(body);
  const answer = () => new Response(kept, { headers: { 'content-type': contentType } });
  if (method === 'GET') app.get(path, answer);
  else app.post(path, async (context) => (await context.req.json(), answer()));
}

serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }, ({ port }) => {
  process.stdout.write(`${JSON.stringify({ baseUrl: `http://127.0.0.1:${port}` })}\n`);
});
