import { altering, type Layer } from '../deployment.js';
import type { Mutant } from './mutant.js';
import { reading } from './layers/requests.js';

const pathOf = (request: Request): string => new URL(request.url).pathname;

/** Answers some requests with the answer to another path. */
const aliased =
  (from: RegExp, to: string, method = /./): Layer =>
  async (request, through) => {
    if (!from.test(pathOf(request)) || !method.test(request.method)) return through(request);
    const { headers, url } = request;
    return through(new Request(url.replace(from, to), { headers }));
  };

/** Has no such path. */
const without =
  (path: RegExp, status = 404): Layer =>
  async (request, through) =>
    path.test(pathOf(request)) ? Response.json({ success: false, data: null }, { status }) : through(request);

/** Mistakes of paths, versions and the envelope. */
export const versionMutants: readonly Mutant[] = [
  { rule: 'versions.scope', defect: 'the price list does not exist', layer: without(/\/price\//) },
  {
    rule: 'versions.base-path',
    defect: 'the v1 facility by id redirects to another path',
    layer: without(/\/v1\/facilities\/\d/, 301),
  },
  {
    rule: 'versions.path-segment',
    defect: 'the version in the path of facilities is ignored',
    layer: aliased(/\/api\/v[12]\/facilities\//, '/api/v3/facilities/'),
  },
  { rule: 'versions.path', defect: 'an unknown version is served as v3', layer: aliased(/\/api\/v9\//, '/api/v3/') },
  {
    rule: 'versions.method',
    defect: 'POST also reads the countries',
    layer: aliased(/\/v3\/countries/, '/v3/countries', /POST/),
  },
  {
    rule: 'versions.query-once',
    defect: 'the last value of a repeated parameter counts',
    layer: reading(/./, (query) => {
      for (const [name, value] of new Map(query)) query.set(name, value);
    }),
  },
  {
    rule: 'versions.side-by-side',
    defect: 'v1 reads a copy of the data without one facility',
    layer: altering(/\/v1\/facilities$/, ({ data }) => data.pop()),
  },
  {
    rule: 'versions.side-by-side',
    defect: 'v2 omits a booking made with another version',
    layer: altering(/\/v2\/bookings$/, (body) => (Array.isArray(body.data) ? (body.data = body.data.slice(1)) : body)),
  },
  { rule: 'versions.trailing-slash', defect: 'a path with a trailing slash is not found', layer: without(/\/$/) },
  {
    rule: 'versions.deprecation',
    defect: 'v1 is announced as deprecated',
    layer: async (request, through) => {
      const response = await through(request);
      response.headers.set('deprecation', '@1735689600');
      return response;
    },
  },
  {
    rule: 'envelope.data-null',
    defect: 'the data of a refusal is an empty object',
    layer: async (request, through) => {
      const response = await through(request);
      if (response.ok) return response;
      return Response.json({ ...((await response.json()) as object), data: {} }, { status: response.status });
    },
  },
  {
    rule: 'envelope.json-body',
    defect: 'the content type of a body is ignored',
    layer: async (request, through) => {
      const headers = new Headers(request.headers);
      if (headers.get('content-type')?.startsWith('text')) headers.set('content-type', 'application/json');
      return through(new Request(request, { headers }));
    },
  },
  {
    rule: 'envelope.json-body',
    defect: 'a truncated body is answered with 500',
    layer: async (request, through) => {
      const text = await request.clone().text();
      const cut = /^\{[^]*[^}]$/.test(text);
      return cut ? Response.json({ success: false, data: null }, { status: 500 }) : through(request);
    },
  },
];
