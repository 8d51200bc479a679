import type { Change } from '../run.js';
import { asking, rewriting, sending, setting, wrap } from '../vary.js';
import { type Defect, seen } from './row.js';

const byId = /v3.facilities.\d+$/;
const verbose = /details/;
const lists = /facilities$/;
const countries = /countries/;

/** Takes the parameter for another value than the one that was sent. */
const flag = (read: (value: string | null) => boolean): Change => {
  return (service) => (service.flag = (query, name) => read(query.get(name)));
};

export const facilities: readonly Defect[] = [
  seen(
    'connected is ignored',
    /connected/,
    flag(() => false),
  ),
  seen(
    'connected is turned round',
    /connected|countries|facilities/,
    flag((value) => value !== 'true'),
  ),
  seen(
    'connected=false counts as true',
    /connected/,
    flag((value) => value !== null),
  ),
  seen(
    'connected is ignored by countries',
    /^countries/,
    asking(countries, ({ searchParams }) => searchParams.delete('connected')),
  ),
  seen(
    'connected is ignored by facilities of v1',
    /^facilities/,
    asking(/v1.facilities/, ({ searchParams }) => searchParams.delete('connected')),
  ),
  seen(
    'the connections of another channel',
    /connected/,
    wrap('isListed', (before, service) => (club, _, connected) => {
      return before(club, service.channels[1]!, connected);
    }),
  ),
  seen(
    'countries twice',
    /^countries/,
    sending(countries, ({ data }) => data.push(data[0])),
  ),
  seen(
    'countries as objects',
    /^countries/,
    rewriting(countries, (body) => ({ ...body, data: body.data.map((name: string) => ({ name })) })),
  ),
  seen(
    'a country is missing in v2',
    /^(countries|versions)/,
    sending(/v2.countries/, ({ data }) => data.pop()),
  ),
  seen(
    'an empty country',
    /^countries/,
    sending(countries, ({ data }) => data.push('')),
  ),
  seen(
    'a blank country comes first',
    /^countries/,
    sending(countries, ({ data }) => data.unshift(' ')),
  ),
  seen(
    'countries that have no facility',
    /^countries/,
    sending(countries, ({ data }) => data.push('Atlantis')),
  ),
  seen('country is ignored', /^facilities/, (service) => (service.isIn = () => true)),
  seen('a country without its leading word', /^(facilities|countries)/, (service) => {
    service.isIn = (club, country) => club.country.replace(/^the /, '') === country;
  }),
  seen('a country of two words finds nothing', /^(facilities|countries)/, (service) => {
    service.isIn = (club, country) => club.country === country && !country.startsWith('United');
  }),
  seen(
    'countries by their beginning',
    /^facilities/,
    asking(lists, ({ searchParams }) => {
      if (searchParams.get('country')?.startsWith('S')) searchParams.set('country', 'Spain');
    }),
  ),
  seen(
    'the list ends early',
    /^(facilities|countries)/,
    rewriting(/v3.facilities$/, (body) => ({ ...body, data: body.data.slice(0, 1) })),
  ),
  seen(
    'the list of v2 ends early',
    /^(facilities|versions)/,
    rewriting(/v2.facilities$/, (body) => ({ ...body, data: body.data.slice(0, 1) })),
  ),
  seen(
    'a facility twice',
    /^facilities/,
    sending(lists, ({ data }) => data.push(...data.slice(0, 1))),
  ),
  seen(
    'by id, always the first',
    /^(facilities|versions)/,
    wrap('facility', (before) => (ask) => before({ ...ask, args: ['101'] })),
  ),
  seen(
    'by id in v1, always the first',
    /^(facilities|versions)/,
    wrap('facility', (before) => (ask) => before(ask.version === 1 ? { ...ask, args: ['101'] } : ask)),
  ),
  seen(
    'details of another facility',
    /^facilities/,
    wrap('verbose', (before) => (ask) => before({ ...ask, args: ['140'] })),
  ),
  seen(
    'details of v2 of another facility',
    /^(facilities|versions)/,
    wrap('verbose', (before) => (ask) => before(ask.version === 2 ? { ...ask, args: ['140'] } : ask)),
  ),
  seen(
    'v3 by id is one object',
    /^(facilities|versions)/,
    rewriting(byId, (body) => ({ ...body, data: body.data[0] })),
  ),
  seen(
    'v3 by id is a list of one',
    /^(facilities|versions)/,
    rewriting(byId, (body) => ({ ...body, data: body.data.slice(0, 1) })),
  ),
  seen(
    'v3 by id is turned round',
    /^(facilities|versions)/,
    rewriting(byId, (body) => ({ ...body, data: body.data.toReversed() })),
  ),
  seen(
    'v1 by id is a list',
    /^(facilities|versions)/,
    rewriting(/v1.facilities.\d+$/, (body) => ({ ...body, data: [body.data] })),
  ),
  seen('ids as text', /^facilities/, setting(lists, 'id', String)),
  seen(
    'services as Y and N',
    /^facilities/,
    setting(verbose, 'bar', (value) => (value ? 'Y' : 'N')),
  ),
  seen('coordinates as text', /^facilities/, setting(verbose, 'latitude', String)),
  seen(
    'latitude and longitude changed over',
    /^facilities/,
    sending(byId, ({ data: [{ address }] }) => {
      [address.latitude, address.longitude] = [address.longitude, address.latitude];
    }),
  ),
  seen(
    'another name by id',
    /^(facilities|versions)/,
    sending(byId, ({ data: [club] }) => void (club.name = club.name.toUpperCase())),
  ),
  seen(
    'another e-mail in the details',
    /^(facilities|versions)/,
    setting(verbose, 'email', () => 'office@golf.example'),
  ),
  seen(
    'shares as fractions',
    /^facilities/,
    setting(byId, 'firstPaymentConditionPercentage', () => 0.2),
  ),
  seen(
    'durations as text',
    /^facilities/,
    setting(byId, 'lastPaymentConditionDuration', () => '24h'),
  ),
  seen(
    'created without milliseconds',
    /^(facilities|dates)/,
    setting(byId, 'created', (text: string) => text.slice(0, 19)),
  ),
  seen(
    'created in seconds',
    /^(facilities|dates)/,
    setting(byId, 'created', () => 1_614_848_411),
  ),
  seen('the year of foundation as text', /^facilities/, setting(verbose, 'foundedIn', String)),
  seen(
    'images as text',
    /^facilities/,
    setting(verbose, 'images', ([one]: string[]) => one),
  ),
  seen(
    'addresses as text',
    /^facilities/,
    setting(lists, 'address', ({ place }: { place: string }) => place),
  ),
  seen(
    'an unknown facility is the first',
    /^(facilities|errors)/,
    wrap('findClub', (before, service) => (id) => {
      return service.clubs.some((club) => String(club.id) === String(id)) ? before(id) : service.clubs[0]!;
    }),
  ),
];
