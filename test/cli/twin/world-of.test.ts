import { describe, expect, test } from 'vitest';
import { worldOf } from '../../../src/cli/twin/world-of.js';
import { servable } from '../../../src/cli/twin/make-twin.js';
import { worldYaml } from '../../../src/cli/twin/world-yaml.js';
import { LARGE, parseYaml } from '../../../src/cli/yaml.js';
import { DeploymentFacts } from '../../../src/conformance/index.js';
import type { WorldFile } from '../../../src/contract/index.js';
import { createSandbox } from '../../../src/engine/library.js';

type Params = Readonly<Record<string, string | number | boolean>>;
type Question = Parameters<DeploymentFacts['take']>[0]['question'];

const NOW = Date.parse('2026-06-01T08:00:00Z');
const day = (iso: string) => ({ iso, query: iso.split('-').reverse().join('-') });
const DAYS = ['2026-06-05', '2026-06-06'];

/** The facts of some answers. */
function factsOf(answers: readonly (readonly [operation: string, params: Params, data: unknown])[]): DeploymentFacts {
  const facts = new DeploymentFacts();
  for (const [operation, params, data] of answers)
    facts.take({ question: { operation, params } as unknown as Question, ok: true, data, at: NOW });
  return facts;
}

/** The world file of facts about the facility 7. */
function written(facts: DeploymentFacts, days: readonly string[] = DAYS) {
  const facilities = [{ facility: facts.facility(7), days: days.map(day) }];
  return servable(worldOf({ facts, facilities, others: [], card: { name: 'there', answers: {} } }));
}

const item = { id: 7, name: 'Vallon', website: '', email: '', address: { address1: 'Lane', country: 'France' } };
const list = ['v3.listFacilities', { country: 'France', connected: true }, [item]] as const;
const record = (more: object = {}) =>
  [
    'v3.findFacility',
    { facilityId: 7 },
    [{ ...item, timeZone: 'Europe/Paris', currencyCode: 'EUR', ...more }, {}],
  ] as const;
const step = (quantity: number, price: number, currency = 'EUR') => {
  const [own, netRate, publicRate] = [1, 0.8, 1.1].map((factor) => ({ amount: price * factor, currency }));
  return { quantity, price: own, netRate, publicRate };
};
const linear = (one: number, currency = 'EUR') => [1, 2, 3, 4].map((players) => step(players, one * players, currency));
const product = (mid: number, name: string, pricing: unknown, available = 4) => {
  return { mid, name, category: 'Greenfee', available, pricing, players: null, linkedProducts: [] };
};
const teeTime = (teeid: number, time: string, products: readonly unknown[], holes = 18) => {
  return { teeid, time, course: 'Lac', holes, extraProducts: [], products };
};
const sheet = (iso: string, ...teeTimes: readonly unknown[]) =>
  [
    'v4.listTeeTimes',
    { facilityId: 7, bookingDate: day(iso).query, players: 1, holes: 18 },
    { teeTimeV3: teeTimes, facilityCancellationPolicyRange: [{ minimumPlayer: 1, maximumPlayer: 4, timePeriod: 48 }] },
  ] as const;
const priced = (iso: string, productId: number, price: number, more: object = {}) => ({
  facilityId: 7,
  facilityName: 'Vallon',
  courseId: 70,
  courseName: 'Lac',
  countryName: 'France',
  date: iso,
  dayOfWeek: 'friday',
  productId,
  productName: 'Green fee',
  price,
  currency: 'EUR',
  availability: [],
  ...more,
});
const prices = (...records: readonly unknown[]) =>
  [
    'v5.listPrices',
    { facilityIds: '7', fromDate: '05-06-2026', toDate: '06-06-2026' },
    { records, total: records.length },
  ] as const;

const courseOf = ({ facilities }: WorldFile) => facilities[0]!.courses[0]!;

describe('prices', () => {
  const friday = teeTime(1, '2026-06-05T09:00:00', [product(265, 'Green fee', linear(80))]);
  const saturday = (one: number) => teeTime(2, '2026-06-06T09:00:00', [product(265, 'Green fee', linear(one))]);

  test('of weekends are a factor where that is exact', () => {
    const { file } = written(factsOf([list, record(), sheet(DAYS[0]!, friday), sheet(DAYS[1]!, saturday(100))]));
    expect(courseOf(file)).toMatchObject({
      weekendRate: 1.25,
      products: [{ id: 265, price: 80, netRate: 64, publicRate: 88 }],
      days: { '2026-06-05': [{ id: 1, time: '09:00', products: [265] }], '2026-06-06': [{ id: 2, products: [265] }] },
    });
  });

  test('of a day are with the tee time where the factor is not exact', () => {
    const cheap = teeTime(3, '2026-06-06T09:10:00', [product(266, 'Late', linear(10))]);
    const late = teeTime(4, '2026-06-05T19:00:00', [product(266, 'Late', linear(10))]);
    const facts = factsOf([list, record(), sheet(DAYS[0]!, friday, late), sheet(DAYS[1]!, saturday(100), cheap)]);
    const { weekendRate = 1, days } = courseOf(written(facts).file);
    const saturdays = days!['2026-06-06']!;
    const exact = saturdays.flatMap(({ products = [] }) => products).filter((one) => typeof one !== 'number');
    expect([weekendRate, exact]).toEqual([1, [{ id: 265, price: 100, netRate: 80, publicRate: 110 }]]);
  });

  test('of groups that no free slots show follow the days that show them', () => {
    const full = [step(1, 80), step(2, 160), step(3, 216), step(4, 272)];
    const facts = factsOf([
      list,
      record(),
      sheet(DAYS[0]!, teeTime(1, '2026-06-05T09:00:00', [product(265, 'Green fee', full)])),
      sheet(DAYS[1]!, teeTime(2, '2026-06-06T09:00:00', [product(265, 'Green fee', [step(1, 99)], 1)])),
    ]);
    const { products, weekendRate, days } = courseOf(written(facts).file);
    expect(products[0]).toMatchObject({ price: [80, 160, 216, 272] });
    expect(weekendRate).toBe(1.238);
    expect(days!['2026-06-06']).toMatchObject([{ free: 1, products: [{ id: 265, price: [99, 198, 267.3, 336.6] }] }]);
  });

  test('of products that no tee time sells are those of the price list', () => {
    const facts = factsOf([
      list,
      record(),
      prices(
        priced(DAYS[0]!, 265, 80),
        priced(DAYS[0]!, 270, 30),
        priced(DAYS[1]!, 265, 80),
        priced(DAYS[1]!, 270, 31),
      ),
      sheet(DAYS[0]!, friday),
      sheet(DAYS[1]!),
    ]);
    expect(courseOf(written(facts).file)).toMatchObject({ id: 70, days: { '2026-06-06': [] } });
    expect(Object.values(courseOf(written(facts).file).prices ?? {}).flat()).toContainEqual({ id: 270, price: 31 });
  });
});

test.each<[what: string, answers: Parameters<typeof factsOf>[0], comment: RegExp, member: object]>([
  ['no time zone', [list], /Its time zone was not read/, { country: 'France' }],
  [
    'a time zone that does not exist',
    [list, record({ timeZone: 'Europe/Vallon' })],
    /is Europe\/Vallon, which does not exist/,
    {},
  ],
  ['two names', [list, record({ name: 'Golf de Vallon' })], /Its name differs: Vallon in the list, Golf de Vallon in the by-id form/, { name: 'Golf de Vallon' }], // oxfmt-ignore
  ['a course without an id', [list, record(), sheet(DAYS[0]!, teeTime(1, '2026-06-05T09:00:00', [product(265, 'Green fee', linear(80))]))], /No price record names the id of Lac/, {}], // oxfmt-ignore
  ['prices by the hour', [list, record(), sheet(DAYS[0]!, teeTime(1, '2026-06-05T09:00:00', [product(265, 'Green fee', linear(80))]), teeTime(2, '2026-06-05T10:00:00', [product(265, 'Green fee', linear(90))]))], /depends on the time of day, such as on 2026-06-05/, {}], // oxfmt-ignore
  ['a year that a file cannot have', [list, record(), ['v3.facilityDetails', { facilityId: 7 }, { id: 7, foundedIn: 99_999 }]], /Left out, since a world file cannot have it: .*founded/, {}], // oxfmt-ignore
])('a comment says so: %s', (_, answers, comment, member) => {
  const { file, comments } = written(factsOf(answers));
  expect([...comments.values()].flat().join('\n')).toMatch(comment);
  expect(file.facilities[0]).toMatchObject(member);
  expect(parseYaml(worldYaml({ file, comments }, ['head']), LARGE)).toEqual(file);
});

test.each<[what: string, change: object, currency: string]>([
  ['yen', { currencyCode: 'JPY', timeZone: 'Asia/Tokyo' }, 'JPY'],
  ['a clock 13 hours ahead', { currencyCode: 'NZD', timeZone: 'Pacific/Apia' }, 'NZD'],
  ['a country that Teebox does not know', { currencyCode: 'XPF', timeZone: 'Pacific/Tahiti' }, 'XPF'],
])('a file with %s is served, with ids beyond 2^31', async (_, change, currency) => {
  const id = 9_007_199_254_000_000;
  const atTee = teeTime(id, '2026-06-05T09:00:00', [product(265, 'Green fee', linear(8000, currency))]);
  const facts = factsOf([list, record(change), prices(priced(DAYS[0]!, 265, 8000, { courseId: 5_000_000_000, currency })), sheet(DAYS[0]!, atTee)]); // oxfmt-ignore
  const { file } = written(facts, [DAYS[0]!]);
  const read = parseYaml(worldYaml({ file, comments: new Map() }, []), LARGE) as WorldFile;
  const sandbox = await createSandbox({ world: read, now: '2026-06-01T08:00:00Z' });
  const { username, password } = sandbox.channels[0]!;
  const headers = { authorization: `Basic ${btoa(`${username}:${password}`)}` };
  const url = 'http://sandbox.test/api/v5/teetimes/7/5000000000?bookingDate=05-06-2026&players=1&holes=18';
  const { data } = (await (await sandbox.fetch(new Request(url, { headers }))).json()) as { data: any };
  expect(data.teeTimeV3).toMatchObject([{ teeid: id, products: [{ mid: 265 }] }]);
  expect(data.teeTimeV3[0].products[0].pricing[0].price).toEqual({ amount: 8000, currency });
});

describe('the text', () => {
  test('is the same for the same facts, and quotes what YAML reads otherwise', () => {
    const odd = { name: 'no', description: 'a: b # c', place: '- x', phone: '007', long: 'caf\u00e9 \u2028 "x"' };
    const file = { facilities: [{ id: 1, ...odd, list: ['yes', "it's", '', ' x ', '1e3', '2026-06-01', '{}'] }] };
    const text = worldYaml({ file: file as unknown as WorldFile, comments: new Map([['/facilities/0', ['A\nB']]]) }, [
      'x',
    ]);
    expect(parseYaml(text, LARGE)).toEqual(file);
    expect(text).toMatch(/^# x\nfacilities:\n {2}# A.*B\n/);
  });
});
