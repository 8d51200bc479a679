import { altering, type Layer } from '../../deployment.js';
import type { Mutant } from '../mutant.js';
import { lenient, LINKS, reading, refusing } from '../layers/requests.js';

/** Answers every request of a path with the answer to the first one. */
function keeping(path: RegExp): Layer {
  let kept: string | undefined;
  return async (request, through) => {
    const response = await through(request);
    if (!path.test(new URL(request.url).pathname) || !response.ok) return response;
    kept ??= await response.text();
    return new Response(kept, { headers: { 'content-type': 'application/json' } });
  };
}

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
    defect: `${version} has no facility list`,
    layer: refusing(lists(version), 404),
  })),
  ...versions.map((version): Mutant => ({
    rule: 'facilities.find',
    defect: `${version} does not find a facility by its id`,
    layer: refusing(byId(version), 404),
  })),
  ...(['v2', 'v3'] as const).map((version): Mutant => ({
    rule: 'facilities.details',
    defect: `${version} has no facility details`,
    layer: refusing(details(version), 404),
  })),
  ...versions.map((version): Mutant => ({
    rule: 'facilities.query.country',
    defect: `${version} uses Denmark if the country is missing`,
    layer: lenient(lists(version), 'country', 'Denmark', (value) => value === null),
  })),
  ...versions.map((version): Mutant => ({
    rule: 'facilities.query.connected',
    defect: `${version} reads any value of connected as true`,
    layer: lenient(lists(version), 'connected', 'true', (value) => value === 'perhaps'),
  })),
  ...versions.map((version): Mutant => ({
    rule: 'facilities.connected-optional',
    defect: `${version} refuses connected=false`,
    layer: refusing(lists(version), 400, ({ searchParams }) => searchParams.get('connected') === 'false'),
  })),
  {
    rule: 'facilities.connected-optional',
    defect: 'v2 demands connected',
    layer: refusing(lists('v2'), 400, ({ searchParams }) => !searchParams.has('connected')),
  },
  {
    rule: 'facilities.path.facilityId',
    defect: 'an id with letters after the number is accepted',
    layer: reading(byId('v3'), (_, url) => (url.pathname = url.pathname.replace(ABC, ''))),
  },
  {
    rule: 'facilities.path.facilityId',
    defect: 'the details of an id that is not an integer are answered with 500',
    layer: refusing(details('v3'), 500, ({ pathname }) => ABC.test(pathname)),
  },
  {
    rule: 'facilities.details.not-in-oldest',
    defect: 'v1 has the facility details of v2',
    layer: reading(details('v1'), (_, url) => (url.pathname = url.pathname.replace('v1', 'v2'))),
  },
];

const filters: readonly Mutant[] = [
  ...versions.map((version): Mutant => ({
    rule: 'facilities.list.connected-only',
    defect: `${version} ignores the filter for connected facilities`,
    layer: ignoring(version, 'connected'),
  })),
  {
    rule: 'facilities.list.connected-only',
    defect: 'all versions ignore the filter for connected facilities',
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
  {
    rule: 'facilities.list.connected-subset',
    defect: 'connected=false is read as true',
    options: { first: LINKS },
    layer: reading(lists('v3'), (query) => query.has('connected') && query.set('connected', 'true')),
  },
  {
    rule: 'facilities.list.no-duplicates',
    defect: 'v1 lists a facility once for each course',
    layer: altering(lists('v1'), (body) => (body.data = body.data.flatMap((one: any) => [one, one]))),
  },
  {
    rule: 'facilities.list.no-duplicates',
    defect: 'v3 lists a connected facility twice if all are requested',
    layer: async (request, through) =>
      request.url.includes('connected=')
        ? through(request)
        : altering(lists('v3'), ({ data }) => data.push(...data.slice(0, 1)))(request, through),
  },
  {
    rule: 'facilities.list.country-only',
    defect: 'v2 adds a facility of another country if all are requested',
    layer: async (request, through) =>
      request.url.includes('connected=')
        ? through(request)
        : altering(lists('v2'), ({ data }) => data.push({ ...data[0], id: 1002 }))(request, through),
  },
  {
    rule: 'facilities.list.country-only',
    defect: 'v3 lists the facilities of Ireland for Denmark too',
    layer: async (request, through) => {
      const url = new URL(request.url);
      const answer = await through(request.clone() as Request);
      if (!lists('v3').test(url.pathname) || url.searchParams.get('country') !== 'Denmark' || !answer.ok) return answer;
      url.searchParams.set('country', 'Ireland');
      const others = (await (await through(new Request(url, request))).json()) as any;
      const body = (await answer.json()) as any;
      return Response.json({ ...body, data: [...body.data, ...others.data] });
    },
  },
  ...versions.map((version): Mutant => ({
    rule: 'facilities.list.country-only',
    defect: `${version} returns the facilities of one country for every country`,
    layer: reading(lists(version), (query) => query.has('country') && query.set('country', 'France')),
  })),
  ...versions.map((version): Mutant => ({
    rule: 'facilities.list.country-as-sent',
    defect: `${version} accepts Netherlands for the Netherlands`,
    layer: lenient(lists(version), 'country', 'the Netherlands', (value) => value === 'Netherlands'),
  })),
  {
    rule: 'facilities.list-finds',
    defect: 'only the first facility is found by its id',
    layer: refusing(byId('v3'), 404, ({ pathname }) => !pathname.endsWith('/1014')),
  },
  {
    rule: 'facilities.list-finds',
    defect: 'v2 returns the next facility',
    layer: reading(
      byId('v2'),
      (_, url) => (url.pathname = url.pathname.replace(/\d+$/, (id) => String(Number(id) + 1))),
    ),
  },
];

const next = (id: string): string => String(Number(id) + 1);
const shown: readonly Mutant[] = [
  ...(['v2', 'v3'] as const).map((version): Mutant => ({
    rule: 'facilities.list-finds',
    defect: `the ${version} details are those of the next facility`,
    layer: reading(details(version), (_, url) => (url.pathname = url.pathname.replace(/\d+$/, next))),
  })),
  ...versions.map((version): Mutant => ({
    rule: 'facilities.list-finds',
    defect: `${version} answers an unknown id with the first facility`,
    layer: reading(byId(version), (_, url) => (url.pathname = url.pathname.replace('2147483646', '1001'))),
  })),
  {
    rule: 'facilities.list-finds',
    defect: 'v3 keeps the first facility that was requested and returns it for each id',
    layer: keeping(byId('v3')),
  },
  {
    rule: 'facilities.same-across-versions',
    defect: 'v3 by id has the time of the cache in its name',
    layer: altering(byId('v3'), ({ data }) => (data[0].name = `${data[0].name} (cached)`)),
  },
  {
    rule: 'facilities.same-across-versions',
    defect: 'latitude and longitude are swapped in v3 by id',
    layer: altering(byId('v3'), ({ data: [{ address }] }) =>
      Object.assign(address, { latitude: address.longitude, longitude: address.latitude }),
    ),
  },
  {
    rule: 'facilities.same-across-versions',
    defect: 'v2 has the place in the field of the state',
    layer: items('v2', ({ address }) => (address.state = address.place)),
  },
  {
    rule: 'facilities.same-across-versions',
    defect: 'the v2 details say that there is no wifi',
    layer: altering(details('v2'), ({ data: { services } }) => (services.wifi = !services.wifi)),
  },
  {
    rule: 'facilities.same-across-versions',
    defect: 'v1 returns another website address',
    layer: items('v1', (one) => (one.website = one.website.replace('https', 'http'))),
  },
  {
    rule: 'facilities.same-across-versions',
    defect: 'v2 truncates the name of a facility by id',
    layer: altering(byId('v2'), ({ data }) => (data.name = data.name.slice(0, 8))),
  },
  {
    rule: 'facilities.details.contact-not-in-old',
    defect: 'v2 returns the reservations contact',
    layer: altering(details('v2'), ({ data }) => (data.reservationsContact = { name: '', email: '', phoneNumber: '' })),
  },
  {
    rule: 'facilities.address.by-id-only',
    defect: 'the v3 list returns latitude and longitude',
    layer: items('v3', ({ address }) => Object.assign(address, { latitude: 1, longitude: 2 })),
  },
  {
    rule: 'facilities.details.contact-not-in-old',
    defect: 'v2 returns the reservations contact of some facilities',
    layer: altering(details('v2'), ({ data }) => {
      if (data.id % 3 === 0) data.reservationsContact = { name: '', email: '', phoneNumber: '' };
    }),
  },
  {
    rule: 'facilities.address.by-id-only',
    defect: 'the details of some facilities return the latitude of the address',
    layer: altering(details('v2'), ({ data }) => {
      if (data.id % 3 === 0) data.address.latitude = data.latitude;
    }),
  },
  {
    rule: 'facilities.address.by-id-only',
    defect: 'the details return the id of the address',
    layer: altering(details('v3'), ({ data }) => (data.address.mid = 7)),
  },
];

const open: readonly Mutant[] = [
  {
    rule: 'facilities.unknown',
    defect: 'an unknown facility is answered with 400',
    layer: refusing(byId('v2'), 400, ({ pathname }) => pathname.endsWith('/2147483646')),
  },
  {
    rule: 'facilities.connected-scope',
    defect: 'prices of a facility that is not connected are refused',
    layer: refusing(/\/price\//, 403, ({ searchParams }) => searchParams.get('facilityIds') === '1030'),
  },
  {
    rule: 'facilities.optional-fields',
    defect: 'empty text is null',
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
