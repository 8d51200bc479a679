import type { Pipeline } from '../api/pipeline.js';
import type { AdminHost } from './route.js';

/**
 * Answers `{base_url}/__admin`: what an operator sees and does. It is loaded with its first request, so that pages that
 * never ask for it do not download it.
 */
export function answerAdmin(host: AdminHost): Pipeline['admin'] {
  return async (request, hints, readPath) => (await import('./app.js')).serveAdmin(host, request, hints, readPath);
}
