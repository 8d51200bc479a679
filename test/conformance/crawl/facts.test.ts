import { expect, test } from 'vitest';
import { type Answered, keyOfQuestion } from '../../../src/conformance/crawl/crawler.js';
import { DeploymentFacts } from '../../../src/conformance/crawl/facts.js';
import { otherQuestions } from '../../../src/conformance/crawl/other-questions.js';
import { onlyReads, prepare } from '../../../src/conformance/client/request.js';
import { dayAfter, dayOf } from '../../../src/conformance/client/day.js';

const at = Date.parse('2026-06-05T08:00:00Z');
const take = (facts: DeploymentFacts, operation: string, params: object, data: unknown, more: object = {}): void =>
  facts.take({ question: { operation, params } as Answered['question'], ok: true, data, at, ...more });

function known(): DeploymentFacts {
  const facts = new DeploymentFacts();
  take(facts, 'v3.listCountries', {}, ['France', 'Spain', 7]);
  take(facts, 'v3.listFacilities', { country: 'France', connected: true }, [
    { id: 7, name: 'Vallon' },
    null,
    { id: 'x' },
  ]);
  take(facts, 'v3.findFacility', { facilityId: 7 }, [{ id: 7, timeZone: 'Europe/Paris', currencyCode: 'EUR' }, { paymentRule: { mid: 4 } }]); // oxfmt-ignore
  take(facts, 'v5.listPrices', { facilityIds: '7', fromDate: '05-06-2026', toDate: '06-06-2026' }, { records: [{ facilityId: 7, courseId: 70, courseName: 'Lac', date: '2026-06-05', productId: 265, productName: 'Green fee', price: 80, currency: 'EUR' }], total: 1 }); // oxfmt-ignore
  take(facts, 'v4.listTeeTimes', { facilityId: 7, bookingDate: '05-06-2026', players: 1, holes: 18 }, { teeTimeV3: [{ teeid: 1, time: '2026-06-05T09:00:00', course: 'Lac', holes: 18, products: [{ mid: 265, name: 'Green fee', available: 2, pricing: [] }] }, 'x', { teeid: 'y' }], facilityCancellationPolicyRange: [] }); // oxfmt-ignore
  return facts;
}

test('facts are what can be read, whatever else an answer has', () => {
  const { facilities, countries } = known();
  expect([...countries]).toEqual(['France', 'Spain']);
  expect([...facilities.keys()]).toEqual([7]);
  const facility = facilities.get(7)!;
  expect(facility).toMatchObject({
    isConnected: true,
    country: 'France',
    currency: 'EUR',
    terms: { paymentRule: { mid: 4 } },
  });
  const course = facility.courses.get('Lac')!;
  expect(course.id).toBe(70);
  expect([...course.days.get('2026-06-05')!.values()]).toEqual([{ id: 1, time: '09:00', holes: 18, free: 2, products: [265] }]); // oxfmt-ignore
  expect(course.products.get(265)!.listed.get('2026-06-05')).toBe(80);
});

test('a refusal, and the answer to a wrong request, say nothing', () => {
  const facts = new DeploymentFacts();
  take(facts, 'v3.listCountries', {}, ['France'], { ok: false });
  take(facts, 'v3.listFacilities', {}, [{ id: 7 }], { question: { operation: 'v3.listFacilities', params: {}, breaking: 'facilities.query.country' } }); // oxfmt-ignore
  expect([facts.countries.size, facts.facilities.size]).toEqual([0, 0]);
});

test('tee times that had begun show that the deployment lists them', () => {
  const facts = known();
  expect(facts.past).toBe(1);
});

test('other questions read, are asked once, are right unless they say so, and are the same for a seed', () => {
  const facts = known();
  const facility = facts.facilities.get(7)!;
  const days = [0, 1, 2].map((days) => dayAfter(dayOf('2026-06-05')!, days));
  const given = { facts, facilities: [{ facility, days }], all: [7], has: () => true };
  const asked = new Set([keyOfQuestion({ operation: 'v3.listCountries', params: {} })]);
  const some = (seed: number) => [...otherQuestions(given, asked, seed)];
  const [first, again] = [some(1), some(1)];
  expect(first).toEqual(again);
  expect(first.length).toBeGreaterThan(150);
  expect(new Set([...asked, ...first.map(keyOfQuestion)]).size).toBe(first.length + 1);
  expect(first.filter(({ operation }) => !onlyReads(operation))).toEqual([]);
  const isWrong = (one: (typeof first)[number]): boolean => prepare(one).faults.length > 0;
  expect(first.filter((one) => isWrong(one) && one.breaking === undefined)).toEqual([]);
  expect(first.some(isWrong)).toBe(true);
});
