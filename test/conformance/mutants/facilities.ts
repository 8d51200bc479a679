import { altering, type Layer } from '../deployment.js';
import type { Mutant } from './mutant.js';
import { lenient, LINKS, reading, refusing } from './ways.js';

const lists = (version: string): RegExp => new RegExp(`/api/${version}/facilities$`);
const byId = (version: string): RegExp => new RegExp(`/api/${version}/facilities/[^/]+$`);
const details = (version: string): RegExp => new RegExp(`/api/${version}/facilities/details/`);
const versions = ['v1', 'v2', 'v3'] as const;
const ABC = /abc$/;
const ignoring = (version: string, name: string): Layer => reading(lists(version), (query) => query.delete(name));
const items = (version: string, alter: (item: any) => void): Layer =>
  altering(lists(version), ({ data }) => data.forEach(alter));

const guards: readonly Mutant[] = [
  ...versions.map((version): Mutant => ({
    rule: 'facilities.list',
    defect: `the list of ${version} is gone`,
    layer: refusing(lists(version), 404),
  })),
  ...versions.map((version): Mutant => ({
    rule: 'facilities.find',
    defect: `${version} finds no facility by its id`,
    layer: refusing(byId(version), 404),
  })),
  ...(['v2', 'v3'] as const).map((version): Mutant => ({
    rule: 'facilities.details',
    defect: `${version} has no details`,
    layer: refusing(details(version), 404),
  })),
  ...versions.map((version): Mutant => ({
    rule: 'facilities.query.country',
    defect: `${version} takes no country for one of them`,
    layer: lenient(lists(version), 'country', 'Denmark', (value) => value === null),
  })),
  ...versions.map((version): Mutant => ({
    rule: 'facilities.query.connected',
    defect: `${version} takes any word for true`,
    layer: lenient(lists(version), 'connected', 'true', (value) => value === 'perhaps'),
  })),
  {
    rule: 'facilities.path.facilityId',
    defect: 'an id is read as the number that it begins with',
    layer: reading(byId('v3'), (_, url) => (url.pathname = url.pathname.replace(ABC, ''))),
  },
  {
    rule: 'facilities.path.facilityId',
    defect: 'the details of an id that is no integer are a fault of the server',
    layer: refusing(details('v3'), 500, ({ pathname }) => ABC.test(pathname)),
  },
  {
    rule: 'facilities.details.not-in-oldest',
    defect: 'v1 has the details of v2',
    layer: reading(details('v1'), (_, url) => (url.pathname = url.pathname.replace('v1', 'v2'))),
  },
];

const filters: readonly Mutant[] = [
  ...versions.map((version): Mutant => ({
    rule: 'facilities.list.connected-only',
    defect: `${version} ignores the filter of connected facilities`,
    layer: ignoring(version, 'connected'),
  })),
  {
    rule: 'facilities.list.connected-only',
    defect: 'all versions ignore the filter of connected facilities',
    options: { first: LINKS },
    layer: ignoring('v[123]', 'connected'),
  },
  {
    rule: 'facilities.list.connected-subset',
    defect: 'the list of all facilities leaves out the connected ones',
    layer: async (request, through) => {
      const all = new URL(request.url);
      const answer = await through(request.clone() as Request);
      if (!lists('v3').test(all.pathname) || all.searchParams.has('connected') || !answer.ok) return answer;
      all.searchParams.set('connected', 'true');
      const own = ((await (await through(new Request(all, request))).json()) as any).data.map(({ id }: any) => id);
      const body = (await answer.json()) as any;
      return Response.json({ ...body, data: body.data.filter(({ id }: any) => !own.includes(id)) });
    },
  },
  ...versions.map((version): Mutant => ({
    rule: 'facilities.list.country-only',
    defect: `${version} gives the facilities of one country for any`,
    layer: reading(lists(version), (query) => query.has('country') && query.set('country', 'France')),
  })),
  ...versions.map((version): Mutant => ({
    rule: 'facilities.list.country-as-sent',
    defect: `${version} finds a country without its "the"`,
    layer: lenient(lists(version), 'country', 'the Netherlands', (value) => value === 'Netherlands'),
  })),
  {
    rule: 'facilities.list-finds',
    defect: 'only the first facility is found by its id',
    layer: refusing(byId('v3'), 404, ({ pathname }) => !pathname.endsWith('/1014')),
  },
  {
    rule: 'facilities.list-finds',
    defect: 'v2 finds the next facility',
    layer: reading(
      byId('v2'),
      (_, url) => (url.pathname = url.pathname.replace(/\d+$/, (id) => String(Number(id) + 1))),
    ),
  },
];

const shown: readonly Mutant[] = [
  {
    rule: 'facilities.same-across-versions',
    defect: 'v1 has an older address of the web site',
    layer: items('v1', (one) => (one.website = one.website.replace('https', 'http'))),
  },
  {
    rule: 'facilities.same-across-versions',
    defect: 'v2 cuts names by id',
    layer: altering(byId('v2'), ({ data }) => (data.name = data.name.slice(0, 8))),
  },
  {
    rule: 'facilities.details.contact-not-in-old',
    defect: 'v2 has the reservations contact already',
    layer: altering(details('v2'), ({ data }) => (data.reservationsContact = { name: '', email: '', phoneNumber: '' })),
  },
  {
    rule: 'facilities.address.by-id-only',
    defect: 'the list of v3 has the place on earth',
    layer: items('v3', ({ address }) => Object.assign(address, { latitude: 1, longitude: 2 })),
  },
  {
    rule: 'facilities.address.by-id-only',
    defect: 'the details have the id of the address',
    layer: altering(details('v3'), ({ data }) => (data.address.mid = 7)),
  },
];

const open: readonly Mutant[] = [
  {
    rule: 'facilities.unknown',
    defect: 'an unknown facility is a bad request',
    layer: refusing(byId('v2'), 400, ({ pathname }) => pathname.endsWith('/2147483646')),
  },
  {
    rule: 'facilities.connected-scope',
    defect: 'prices of a facility that is not connected are refused',
    layer: refusing(/\/price\//, 403, ({ searchParams }) => searchParams.get('facilityIds') === '1030'),
  },
  {
    rule: 'facilities.optional-fields',
    defect: 'text without a value is null',
    layer: async (request, through) => {
      const response = await through(request);
      if (!/\/facilities/.test(request.url) || !response.ok) return response;
      const text = (await response.text()).replaceAll(':""', ':null');
      return new Response(text, { status: response.status, headers: { 'content-type': 'application/json' } });
    },
  },
];

/** Mistakes about facilities. */
export const facilityMutants: readonly Mutant[] = [...guards, ...filters, ...shown, ...open];
