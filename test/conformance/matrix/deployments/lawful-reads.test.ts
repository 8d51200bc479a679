import { expect, test } from 'vitest';
import { BASE_URL, deploy, type Layer } from '../../deployment.js';
import { complaintsOf } from '../../full-run.js';
import { layered, objectsOf, setting, without } from '../../mutants/layers/facilities.js';
import { path as prices, query } from '../../mutants/layers/prices.js';
import { reading, refusing } from '../../mutants/layers/requests.js';

const facilities = /\/facilities/;
const byId = /\/v3\/facilities\/\d+$/;
const details = /\/facilities\/details\//;
const anything = /./;
const nothing = (): null => null;
const isNegative = (value: string | null): boolean => value?.startsWith('-') ?? false;
const isReversed = ({ searchParams }: URL): boolean => {
  const [from, to] = ['fromDate', 'toDate'].map((name) => searchParams.get(name)?.split('-').reverse().join('-'));
  return from !== undefined && to !== undefined && from > to;
};

/** A large page is refused, without the number that is allowed. */
const refusesLarge: Layer = refusing(prices, 400, ({ searchParams }) => Number(searchParams.get('limit')) > 250);

const steps: Layer = objectsOf(/teetimes/, (object) => {
  const count = Number(object['quantity'] ?? (typeof object['players'] === 'string' ? object['players'] : 0));
  if (!count) return object;
  const share = (value: unknown): unknown =>
    typeof value === 'object' && value !== null && 'amount' in value
      ? { ...value, amount: Math.round((Number(value.amount) / count) * 100) / 100 }
      : value;
  return Object.fromEntries(Object.entries(object).map(([name, value]) => [name, share(value)]));
});

const quietly: Layer = async (request, through) =>
  prices.test(new URL(request.url).pathname) && isReversed(new URL(request.url))
    ? Response.json({ success: true, data: { records: [], total: 0 } })
    : through(request);

/** A version that is not listed is another name of a listed one, and so is a method. */
const more: Layer = async (request, through) => {
  const { pathname, search } = new URL(request.url);
  if (!pathname.endsWith('/countries') || (request.method === 'GET' && /v[23]/.test(pathname))) return through(request);
  return through(new Request(`${BASE_URL}/api/v3/countries${search}`, { headers: request.headers }));
};

const lawful: Readonly<Record<string, Layer>> = {
  'no reservationsContact': without(details, 'reservationsContact'),
  'a service that is not given': without(details, 'wifi'),
  'no created': without(byId, 'created'),
  'no currencyCode': without(byId, 'currencyCode'),
  'no address in lists': without(/\/facilities$/, 'address'),
  'null for images': setting(details, 'images', nothing),
  'null for coordinates': objectsOf(facilities, (one) =>
    'latitude' in one ? { ...one, latitude: null, longitude: null } : one,
  ),
  'null for services': setting(details, 'services', nothing),
  'null for the time zone': setting(byId, 'timeZone', nothing),
  'null for the payment rule': setting(byId, 'paymentRule', nothing),
  'null for the last payment condition': setting(byId, 'lastPaymentCondition', nothing),
  'the language in capitals': setting(byId, 'language', (code: string) => code.toUpperCase()),
  'an offset as the time zone': setting(byId, 'timeZone', () => 'GMT+01:00'),
  'a time zone of another list': setting(byId, 'timeZone', () => 'W. Europe Standard Time'),
  'currencies in lower case': objectsOf(anything, (one) =>
    Object.fromEntries(
      Object.entries(one).map(([name, value]) => [
        name,
        name.startsWith('currency') ? String(value).toLowerCase() : value,
      ]),
    ),
  ),
  'countries without the leading word in addresses': setting(facilities, 'country', (name: string) =>
    name.replace(/^the /, ''),
  ),
  'countries with a capital in addresses': setting(facilities, 'country', (name: string) =>
    name.replace(/^the /, 'The '),
  ),
  'countries with a capital in price records': setting(prices, 'countryName', (name: string) =>
    name.replace(/^the /, 'The '),
  ),
  'countries found in any case': reading(/\/facilities$/, (one) => {
    if (one.get('country')?.toLowerCase() === 'the netherlands') one.set('country', 'the Netherlands');
  }),
  'no availability': setting(prices, 'availability', () => undefined),
  'empty availability': setting(prices, 'availability', () => []),
  'negative numbers ignored': query((one) => {
    for (const name of ['limit', 'offset']) if (isNegative(one.get(name))) one.delete(name);
  }),
  'a reversed range finds nothing': quietly,
  'a large limit is refused': refusesLarge,
  'price steps per player': steps,
  'any word for connected': reading(anything, (one) => {
    if (one.get('connected') === 'perhaps') one.set('connected', 'false');
  }),
  'more versions and methods': more,
  'success: false for an unknown country': refusing(
    /\/facilities$/,
    200,
    ({ searchParams }) => searchParams.get('country') === 'Nowhere',
  ),
  '410 for an unknown facility': refusing(facilities, 410, ({ pathname }) => pathname.endsWith('/2147483646')),
};

/** What a run cannot judge: of a deployment that differs in nothing, and of one with a layer. */
const lacking = async (layer?: Layer): Promise<{ said: string[]; lacks: string[] }> => {
  const report = await (await deploy({}, layer)).check();
  const lacks = report.rules.filter(({ verdict }) => verdict === 'inconclusive').map(({ id }) => id);
  return { said: complaintsOf(report), lacks };
};
const usual = lacking();

/** Two tee time rules need more than the sheets that the run finds without the hints of the price list. */
const unhinted: readonly string[] = ['teetimes.filter.course', 'teetimes.product.linked-elements'];
async function judged(layer: Layer, hasHints: boolean): Promise<object> {
  const { said, lacks } = await lacking(layer);
  return { said, lacks: hasHints ? lacks : lacks.filter((id) => !unhinted.includes(id)) };
}

test.each(Object.entries(lawful))('%s: no complaint, and nothing less is judged', async (name, layer) => {
  expect(await judged(layer, !name.includes('availability'))).toEqual(await usual);
});

test.each(['no availability', 'empty availability'])('all of it together, with %s', async (name) => {
  const others = Object.keys(lawful).filter((one) => !/availability|time zone|addresses/.test(one));
  const layers = [...others, name, 'a time zone of another list', 'countries with a capital in addresses'];
  expect(await judged(layered(layers.map((one) => lawful[one]!)), false)).toEqual(await usual);
});
