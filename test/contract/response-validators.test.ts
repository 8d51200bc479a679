import { describe, expect, test } from 'vitest';
import { deref, loadContract, placedOperations } from '../../spec/generate/contract.js';
import type { OperationId } from '../../src/contract/generated/operations.js';
import * as open from '../../src/contract/generated/built/response-validators-open.js';
import * as strict from '../../src/contract/generated/built/response-validators-strict.js';

const contract = await loadContract();
const { examples } = contract.components;

type Path = (string | number)[];

function answersOf(): { id: OperationId; body: unknown }[] {
  return placedOperations(contract).flatMap(({ operation: { operationId, responses } }) => {
    const shown = deref(contract, responses['200']!).content!['application/json'].examples!;
    return Object.values(shown).map((example) => ({
      id: operationId as OperationId,
      body: deref(contract, example).value,
    }));
  });
}

/** The ways to every object inside a value, itself included. */
function objectsIn(value: unknown, at: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return [];
  const inner = Object.entries(value).flatMap(([key, item]) => objectsIn(item, [...at, key]));
  return Array.isArray(value) ? inner : [at, ...inner];
}

function changed(body: unknown, at: Path, change: (object: Record<string, unknown>) => void): unknown {
  const copy: unknown = structuredClone(body);
  change(at.reduce<unknown>((value, key) => (value as Record<string, unknown>)[key], copy) as Record<string, unknown>);
  return copy;
}

describe.each(answersOf())('$id', ({ id, body }) => {
  test('its example is strictly right', () => {
    expect(strict.responses[id](body), JSON.stringify(strict.responses[id].errors)).toBe(true);
    expect(open.responses[id](body)).toBe(true);
  });

  test('an unknown property is refused at any depth by the strict form alone', () => {
    for (const at of objectsIn(body)) {
      const stray = changed(body, at, (object) => (object['stray'] = 1));
      expect(strict.responses[id](stray), `strict ${at.join('.')}`).toBe(false);
      expect(open.responses[id](stray), `open ${at.join('.')}`).toBe(true);
    }
  });

  test('success and data are due in both forms', () => {
    for (const field of ['success', 'data']) {
      const short = changed(body, [], (object) => delete object[field]);
      expect([strict.responses[id](short), open.responses[id](short)]).toEqual([false, false]);
    }
    const failed = { ...(body as object), success: false };
    expect([strict.responses[id](failed), open.responses[id](failed)]).toEqual([false, false]);
  });
});

describe('the open form takes what a question leaves to the deployment', () => {
  const item = ['data', 0];
  test.each<[id: OperationId, example: string, at: Path, field: string, value: unknown]>([
    ['v3.listFacilities', 'Facilities', item, 'website', null],
    ['v3.listFacilities', 'Facilities', item, 'email', undefined],
    ['v3.listFacilities', 'Facilities', [...item, 'address'], 'address2', undefined],
    ['v3.findFacility', 'FacilityWithTerms', item, 'created', '2021-03-15T10:20:30.400Z'],
    ['v3.facilityDetails', 'FacilityDetailsV3', ['data'], 'phoneNumber', null],
    ['v4.listBookings', 'BookingsV4', item, 'contactPhone', undefined],
    ['v5.listPrices', 'Prices', ['data', 'records', 0], 'availability', undefined],
    ['v4.listTeeTimes', 'TeeTimesV4', ['data', 'teeTimeV3', 0, 'products', 0], 'players', 'any'],
    ['v4.listTeeTimes', 'TeeTimesV4', ['data', 'teeTimeV3', 0, 'products', 0], 'linkedProducts', ['any']],
  ])('%s: %s %j %s = %j', (id, example, at, field, value) => {
    const other = changed(examples[example]!.value, at, (object) => {
      if (value === undefined) delete object[field];
      else object[field] = value;
    });
    expect([strict.responses[id](other), open.responses[id](other)]).toEqual([false, true]);
  });
});

describe('what the API specification says holds in both forms', () => {
  const product = ['data', 'teeTimeV3', 0, 'products', 0];
  test.each<[id: OperationId, example: string, at: Path, field: string, value: unknown]>([
    ['v1.listFacilities', 'Facilities', ['data', 0], 'id', '1042'],
    ['v3.findFacility', 'FacilityWithTerms', ['data', 0], 'created', '2021-03-15'],
    ['v3.findFacility', 'FacilityWithTerms', ['data', 0], 'currencyCode', 'euro'],
    ['v4.listTeeTimes', 'TeeTimesV4', ['data', 'teeTimeV3', 0], 'holes', 12],
    ['v4.listTeeTimes', 'TeeTimesV4', ['data', 'teeTimeV3', 0], 'time', '2026-07-01T09:10:00Z'],
    ['v4.listTeeTimes', 'TeeTimesV4', product, 'available', 5],
    ['v5.listTeeTimes', 'TeeTimesV4', [...product, 'pricing', 0], 'quantity', 0],
    ['v2.listTeeTimes', 'TeeTimesV2', ['data', 0, 'pricing', 0], 'players', 1],
    ['v4.listBookings', 'BookingsV4', ['data', 0], 'status', 'CANCELLED'],
    ['v4.listBookings', 'BookingsV4', ['data', 0], 'createdAt', '2026-06-01T08:00:00'],
    ['v5.listPrices', 'Prices', ['data', 'records', 0], 'dayOfWeek', 'Wednesday'],
    ['v5.listPrices', 'Prices', ['data', 'records', 0], 'price', { amount: 85, currency: 'EUR' }],
    ['refreshToken', 'Tokens', ['data'], 'expires_in', 0],
  ])('%s: %s %j %s = %j', (id, example, at, field, value) => {
    const wrong = changed(examples[example]!.value, at, (object) => (object[field] = value));
    expect([strict.responses[id](wrong), open.responses[id](wrong)]).toEqual([false, false]);
  });

  test('the two objects of the v3 by-id form come in their order', () => {
    const { success, data } = examples['FacilityWithTerms']!.value as { success: true; data: unknown[] };
    for (const wrong of [data.toReversed(), data.slice(0, 1), [...data, data[0]], data[0]]) {
      const body = { success, data: wrong };
      const answers = [strict, open].map(({ responses }) => responses['v3.findFacility'](body));
      expect(answers).toEqual([false, false]);
    }
  });
});

describe('failures and callbacks', () => {
  test.each([
    [{ success: false, data: null, message: 'no' }, true],
    [{ success: false, data: null, error: 'no' }, true],
    [{ success: false, data: null, errors: [{ message: 'no' }] }, true],
    [{ success: false, data: { message: 'no' }, code: 'cart-problem' }, true],
    [{ success: false, data: null, reason: 'no' }, false],
    [{ success: true, data: null, message: 'no' }, false],
  ])('failure %j: %j', (body, want) => {
    expect(strict.failure(body)).toBe(want);
    expect(open.failure(body)).toBe(body.success === false);
  });

  test('the result of a search', () => {
    const { value } = examples['SearchResult']!;
    expect([strict.searchResult(value), open.searchResult(value)]).toEqual([true, true]);
    const stray = changed(value, ['data', 0], (object) => (object['stray'] = 1));
    expect([strict.searchResult(stray), open.searchResult(stray)]).toEqual([false, true]);
    const nameless = changed(value, ['data', 1], (object) => delete object['facilityId']);
    expect([strict.searchResult(nameless), open.searchResult(nameless)]).toEqual([false, false]);
  });
});
