import { altering, type Layer } from '../../deployment.js';
import type { Mutant } from '../mutant.js';
import { lenient, LINKS, reading, refusing } from '../layers/requests.js';

const lists = (version: string): RegExp => new RegExp(`/api/${version}/countries$`);
const names = (version: string, change: (names: string[]) => unknown[]): Layer =>
  altering(lists(version), (body) => (body.data = change(body.data)));
const connected =
  (version: string, change: (names: string[]) => unknown[]): Layer =>
  async (request, through) =>
    request.url.includes('connected=true') ? names(version, change)(request, through) : through(request);

/** Mistakes about countries. */
export const countryMutants: readonly Mutant[] = [
  { rule: 'countries.list', defect: 'v2 has no country list', layer: refusing(lists('v2'), 404) },
  {
    rule: 'countries.match-facilities',
    defect: 'a connected country has no name',
    layer: connected('v[23]', (list) => ['', ...list]),
  },
  {
    rule: 'countries.item',
    defect: 'v3 lists countries as objects',
    layer: names('v3', (list) => list.map((name) => ({ name }))),
  },
  {
    rule: 'countries.query.connected',
    defect: 'v2 reads any value of connected as true',
    layer: lenient(lists('v2'), 'connected', 'true', (value) => value === 'perhaps'),
  },
  {
    rule: 'countries.connected-optional',
    defect: 'v2 demands connected',
    layer: refusing(lists('v2'), 400, ({ searchParams }) => !searchParams.has('connected')),
  },
  {
    rule: 'countries.connected-optional',
    defect: 'connected=false is refused',
    layer: refusing(lists('v3'), 400, ({ searchParams }) => searchParams.get('connected') === 'false'),
  },
  {
    rule: 'countries.connected-subset',
    defect: 'v2 spells connected countries differently',
    layer: connected('v2', (list) => list.map((name) => name.toUpperCase())),
  },
  {
    rule: 'countries.connected-subset',
    defect: 'v3 reads connected=false as true',
    options: { first: LINKS },
    layer: reading(lists('v3'), (query) => query.has('connected') && query.set('connected', 'true')),
  },
  {
    rule: 'countries.connected-complete',
    defect: 'the list of connected countries ends one early',
    layer: connected('v[23]', (list) => list.slice(0, -1)),
  },
  {
    rule: 'countries.no-duplicates',
    defect: 'v2 lists a country once for each facility',
    layer: names('v2', (list) => list.flatMap((name) => [name, name])),
  },
  {
    rule: 'countries.no-duplicates',
    defect: 'the first connected country of v3 is listed twice',
    layer: connected('v3', (list) => [...list, ...list.slice(0, 1)]),
  },
  {
    rule: 'countries.connected-only',
    defect: 'v3 ignores the filter for connected countries',
    options: { first: LINKS },
    layer: reading(lists('v3'), (query) => query.delete('connected')),
  },
  {
    rule: 'countries.connected-only',
    defect: 'v2 and v3 ignore the filter for connected countries',
    options: { first: LINKS },
    layer: reading(lists('v[23]'), (query) => query.delete('connected')),
  },
  {
    rule: 'countries.same-across-versions',
    defect: 'v2 omits the last country',
    layer: names('v2', (list) => list.slice(0, -1)),
  },
  {
    rule: 'countries.match-facilities',
    defect: 'non-ASCII letters of a country are lost in the request',
    layer: reading(/\/facilities$/, (query) => {
      query.set('country', (query.get('country') ?? '').replace(/[^\x20-\x7e]/g, '?'));
    }),
  },
  {
    rule: 'countries.unknown',
    defect: 'an unknown country is answered with success: false',
    layer: refusing(/\/facilities$/, 200, ({ searchParams }) => searchParams.get('country') === 'Nowhere'),
  },
  {
    rule: 'countries.unknown',
    defect: 'an unknown country is answered with 404',
    layer: refusing(/\/facilities$/, 404, ({ searchParams }) => searchParams.get('country') === 'Nowhere'),
  },
];
