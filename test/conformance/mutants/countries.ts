import { altering, type Layer } from '../deployment.js';
import type { Mutant } from './mutant.js';
import { LINKS, reading, refusing } from './ways.js';

const lists = (version: string): RegExp => new RegExp(`/api/${version}/countries$`);
const names = (version: string, change: (names: string[]) => unknown[]): Layer =>
  altering(lists(version), (body) => (body.data = change(body.data)));
const connected =
  (version: string, change: (names: string[]) => unknown[]): Layer =>
  async (request, through) =>
    request.url.includes('connected=true') ? names(version, change)(request, through) : through(request);

/** Mistakes about countries. */
export const countryMutants: readonly Mutant[] = [
  { rule: 'countries.list', defect: 'v2 has no countries any more', layer: refusing(lists('v2'), 404) },
  {
    rule: 'countries.item',
    defect: 'v2 has a country without a name',
    layer: names('v2', (list) => [...list, ' ']),
  },
  {
    rule: 'countries.item',
    defect: 'v3 has objects with a name',
    layer: names('v3', (list) => list.map((name) => ({ name }))),
  },
  {
    rule: 'countries.query.connected',
    defect: 'a filter that is false is refused',
    layer: refusing(lists('v3'), 400, ({ searchParams }) => searchParams.get('connected') === 'false'),
  },
  {
    rule: 'countries.connected-subset',
    defect: 'connected countries have another spelling in v2',
    layer: connected('v2', (list) => list.map((name) => name.toUpperCase())),
  },
  {
    rule: 'countries.connected-only',
    defect: 'the filter is ignored by the list of v3',
    options: { first: LINKS },
    layer: reading(lists('v3'), (query) => query.delete('connected')),
  },
  {
    rule: 'countries.connected-only',
    defect: 'the filter is ignored by both lists',
    options: { first: LINKS },
    layer: reading(lists('v[23]'), (query) => query.delete('connected')),
  },
  {
    rule: 'countries.same-across-versions',
    defect: 'v2 does not know the newest country',
    layer: names('v2', (list) => list.slice(0, -1)),
  },
  {
    rule: 'countries.match-facilities',
    defect: 'letters beyond ASCII get lost on the way in',
    layer: reading(/\/facilities$/, (query) => {
      query.set('country', (query.get('country') ?? '').replace(/[^\x20-\x7e]/g, '?'));
    }),
  },
  {
    rule: 'countries.unknown',
    defect: 'an unknown country is not found',
    layer: refusing(/\/facilities$/, 404, ({ searchParams }) => searchParams.get('country') === 'Nowhere'),
  },
];
