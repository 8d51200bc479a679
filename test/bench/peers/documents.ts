import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BareRoute } from '../bare-hono.js';

/** What the mock servers are given: an OpenAPI document with examples, and the mappings of WireMock. */
export interface Documents {
  readonly openapi: string;
  readonly wiremock: string;
}

/** The least schema of a booking, so that a server that validates bodies has something to validate. */
const bookingBody = {
  required: true,
  content: {
    'application/json': {
      schema: {
        type: 'object',
        required: ['facilityId', 'teetime', 'teeId', 'holes', 'players', 'productId'],
        properties: {
          facilityId: { type: 'integer' },
          course: { type: 'string' },
          teetime: { type: 'string' },
          teeId: { type: 'integer' },
          holes: { type: 'integer', enum: [9, 18] },
          players: { type: 'integer', minimum: 1, maximum: 4 },
          productId: { type: 'integer' },
        },
      },
    },
  },
};

/** Documents by which a server answers the same as bare Hono. */
export function writeDocuments(directory: string, kept: readonly BareRoute[]): Documents {
  const openapi = join(directory, 'openapi.json');
  writeFileSync(openapi, JSON.stringify(openapiOf(kept)));
  const wiremock = join(directory, 'wiremock');
  mkdirSync(join(wiremock, 'mappings'), { recursive: true });
  for (const [index, { method, path, contentType, body }] of kept.entries()) {
    const mapping = {
      request: { method, urlPath: path },
      response: { status: 200, headers: { 'Content-Type': contentType }, body },
    };
    writeFileSync(join(wiremock, 'mappings', `${index}.json`), JSON.stringify(mapping));
  }
  return { openapi, wiremock };
}

function openapiOf(kept: readonly BareRoute[]): object {
  const paths = kept.map(({ method, path, body }) => {
    const example = JSON.parse(body) as unknown;
    const content = { 'application/json': { schema: { type: 'object' }, example } };
    const responses = { 200: { description: 'The answer of Teebox', content } };
    const operation = method === 'POST' ? { post: { requestBody: bookingBody, responses } } : { get: { responses } };
    return [path, operation];
  });
  const info = { title: 'The operations of the benchmark', version: '1' };
  return { openapi: '3.0.3', info, servers: [{ url: '/' }], paths: Object.fromEntries(paths) };
}
