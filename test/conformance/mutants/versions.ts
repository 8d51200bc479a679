import { altering, type Layer } from '../deployment.js';
import type { Mutant } from './mutant.js';

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
  { rule: 'versions.scope', defect: 'there are no prices', layer: without(/\/price\//) },
  {
    rule: 'versions.base-path',
    defect: 'the v1 details of a facility have moved',
    layer: without(/\/v1\/facilities\/\d/, 301),
  },
  {
    rule: 'versions.path-segment',
    defect: 'the version in the path is not looked at',
    layer: aliased(/\/api\/v[12]\/facilities\//, '/api/v3/facilities/'),
  },
  { rule: 'versions.path', defect: 'an unknown version is the newest', layer: aliased(/\/api\/v9\//, '/api/v3/') },
  {
    rule: 'versions.method',
    defect: 'a POST of the countries reads them',
    layer: aliased(/\/v3\/countries/, '/v3/countries', /POST/),
  },
  {
    rule: 'versions.side-by-side',
    defect: 'v1 works on a copy that lacks a facility',
    layer: altering(/\/v1\/facilities$/, ({ data }) => data.pop()),
  },
  {
    rule: 'versions.side-by-side',
    defect: 'v2 shows only bookings made by v2',
    layer: altering(/\/v2\/bookings$/, (body) => (Array.isArray(body.data) ? (body.data = body.data.slice(1)) : body)),
  },
  { rule: 'versions.trailing-slash', defect: 'a slash at the end makes a path unknown', layer: without(/\/$/) },
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
    defect: 'a refusal has an empty object for its data',
    layer: async (request, through) => {
      const response = await through(request);
      if (response.ok) return response;
      return Response.json({ ...((await response.json()) as object), data: {} }, { status: response.status });
    },
  },
  {
    rule: 'envelope.json-body',
    defect: 'the content type of a body is not looked at',
    layer: async (request, through) => {
      const headers = new Headers(request.headers);
      if (headers.get('content-type')?.startsWith('text')) headers.set('content-type', 'application/json');
      return through(new Request(request, { headers }));
    },
  },
  {
    rule: 'envelope.json-body',
    defect: 'a body that is cut off is a fault of the server',
    layer: async (request, through) => {
      const text = await request.clone().text();
      const cut = /^\{[^]*[^}]$/.test(text);
      return cut ? Response.json({ success: false, data: null }, { status: 500 }) : through(request);
    },
  },
];
