import type { Change } from '../run.js';
import { eachObject, replying, rewriting, sending, setting, type Variation, without, wrap } from '../vary.js';

const facilities = /\/facilities/;
const byId = /\/v3\/facilities\/\d+$/;
const verbose = /\/details\//;
const lists = /\/api\/v[124]\/bookings$/;
const teeTimes = /\/teetimes\//;
const prices = /\/price\//;
const anything = /./;

const nothing = (): null => null;
const row = (name: string, change: Change): Variation => ({ name, change });
const words = ['zero', 'one', 'two', 'three', 'four'];

export const pricesOfEach = row(
  'prices of each player',
  wrap('total', (before) => (slot, fee) => before(slot, fee, 1)),
);

export const bareProducts = row(
  'products without players and linked products',
  wrap('product', (before) => (slot, fee) => {
    const { players: _, linkedProducts: __, ...product } = before(slot, fee);
    return product;
  }),
);

/** What the API specification leaves open about fields and their values. */
export const fields: readonly Variation[] = [
  row('no reservationsContact', without(verbose, 'reservationsContact')),
  row('a service that is not given', without(verbose, 'caddies')),
  row('no created', without(byId, 'created')),
  row('no currencyCode', without(byId, 'currencyCode')),
  row('no website of a facility', without(facilities, 'website')),
  row('bookings without createdAt', without(lists, 'createdAt')),
  row('bookings without facilityId', without(lists, 'facilityId')),
  row('no images', setting(verbose, 'images', nothing)),
  row('no coordinates', setting(verbose, 'latitude', nothing)),
  row('no services', setting(verbose, 'services', nothing)),
  row('no time zone', setting(byId, 'timeZone', nothing)),
  row('no payment rule', setting(byId, 'paymentRule', nothing)),
  row('no condition of the last payment', setting(byId, 'lastPaymentCondition', nothing)),
  row('bookings with a null course', setting(lists, 'course', nothing)),
  row('bookings with a null round', setting(lists, 'round', nothing)),
  row('bookings with a null teeId', setting(lists, 'teeId', nothing)),
  row(
    'language in capitals',
    setting(byId, 'language', (code: string) => code.toUpperCase()),
  ),
  row(
    'zone as an offset',
    setting(byId, 'timeZone', () => 'GMT+01:00'),
  ),
  row(
    'zone by another list',
    setting(byId, 'timeZone', () => 'W. Europe Standard Time'),
  ),
  row('currency in lower case', sending(anything, lowerCurrencies)),
  row(
    'prices in another currency than that of the facility',
    setting(byId, 'currencyCode', () => 'NOK'),
  ),
  row('numbers of players in words', setting(/v[23]\/teetimes/, 'pricing', inWords)),
  row(
    'createdAt with an offset',
    setting(lists, 'createdAt', (text: string) => `${text}+00:00`),
  ),
  row(
    'createdAt in UTC',
    setting(lists, 'createdAt', (text: string) => `${text}Z`),
  ),
  row(
    'another status',
    setting(lists, 'status', (status: string) => (status === 'BOOKED' ? status : 'NO_SHOW')),
  ),
  row('a status for bookings of the past', sending(lists, played)),
  row('another spelling of countries in addresses', sending(facilities, plainCountry)),
  row(
    'another spelling in prices',
    setting(prices, 'countryName', (name: string) => name.replace(/^the/, 'The')),
  ),
  row('no availability', without(prices, 'availability')),
  row(
    'empty availability',
    setting(prices, 'availability', () => []),
  ),
  row('more fields everywhere', sending(anything, moreFields)),
  row('fields in another order', rewriting(anything, backwards)),
  row('indented JSON', replying(anything, indented)),
  row('escaped letters', replying(anything, escaped)),
  row(
    'players of a product as a number',
    setting(teeTimes, 'players', (players: unknown) => players ?? 4),
  ),
  row(
    'linked products with ids',
    setting(teeTimes, 'linkedProducts', () => [{ mid: 77, name: 'Lunch' }]),
  ),
  pricesOfEach,
  bareProducts,
  row(
    'other categories',
    setting(teeTimes, 'category', (name: string) => (name === 'Greenfee' ? 'Package' : 'Trolley')),
  ),
  row('no cancellation rules', sending(teeTimes, noRules)),
  row('amounts with three decimals', setting(teeTimes, 'netRate', thirds)),
  row(
    'the net rate is the price',
    setting(teeTimes, 'netRate', (_, { price }) => price),
  ),
  row(
    'the public rate is the price',
    setting(teeTimes, 'publicRate', (_, { price }) => price),
  ),
  row(
    'empty zip codes',
    setting(facilities, 'zipcode', () => ''),
  ),
  row(
    'no telephone',
    setting(verbose, 'phoneNumber', () => ''),
  ),
  row(
    'linkedTeeTimeRef in the list',
    sending(lists, ({ data }) => data.forEach(addReference)),
  ),
  row(
    'no message of refusals',
    sending(anything, dropMessage, ({ ok }) => !ok),
  ),
];

function lowerCurrencies(body: unknown): void {
  eachObject(body, (object) => {
    for (const name of ['currency', 'currencyCode']) {
      if (typeof object[name] === 'string') object[name] = object[name].toLowerCase();
    }
  });
}

function inWords(steps: { players?: string; price: unknown }[]): unknown {
  return steps.map((step) => (step.players ? { ...step, players: words[Number(step.players)] } : step));
}

function noRules({ data }: { data: Record<string, unknown> }): void {
  if (!Array.isArray(data)) data['facilityCancellationPolicyRange'] = [];
}

function played({ data }: { data: { teetime: string; status: string }[] }): void {
  for (const one of data) if (one.teetime < '2026-06-01' && one.status === 'BOOKED') one.status = 'PLAYED';
}

function plainCountry(body: { data: unknown }): void {
  eachObject(body.data, (object) => {
    if (object['country'] === 'the Netherlands') object['country'] = 'Netherlands';
  });
}

function moreFields(body: unknown): void {
  eachObject(body, (object) => {
    object['rating'] = 4.5;
    object['_links'] = ['/'];
  });
}

function backwards(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(backwards);
  const entries = Object.entries(value).map(([name, item]) => [name, backwards(item)] as const);
  return Object.fromEntries(entries.toReversed());
}

async function indented(response: Response): Promise<Response> {
  const { status, headers } = response;
  return new Response(`\n${JSON.stringify(await response.json(), null, 4)}\n`, { status, headers });
}

async function escaped(response: Response): Promise<Response> {
  const { status, headers } = response;
  const text = JSON.stringify(await response.json()).replace(/[\u0080-\uffff]/g, (char) => {
    return `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
  return new Response(text.replaceAll('/', '\\/'), { status, headers });
}

function thirds({ amount, currency }: { amount: number; currency: string }): unknown {
  return { amount: amount - 0.125, currency };
}

function addReference(booking: Record<string, unknown>): void {
  booking['linkedTeeTimeRef'] = null;
  booking['providerPlayerTypeId'] = 'adult';
}

function dropMessage(body: { message?: string }, { url }: Request): void {
  if (!/\/(bulk)?bookings$/.test(new URL(url).pathname)) delete body.message;
}
