import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { loadContract } from '../../spec/generate/contract.js';
import { makeAjv } from '../../spec/generate/validators.js';
import * as validators from '../../src/contract/generated/built/request-validators.js';
import { sampled } from '../support/sampled.js';

type Body = Record<string, unknown>;
type Name = keyof typeof validators;

const contract = await loadContract();
const { examples } = contract.components;
const sample = (name: string): unknown => structuredClone(examples[name]!.value);
const v5 = sample('BookingRequestV5') as Body;
const v3 = (sample('BookingRequestV3List') as Body[])[0]!;
const v2 = sample('BookingRequestV2') as Body;

function without(body: Body, ...fields: string[]): Body {
  return Object.fromEntries(Object.entries(body).filter(([field]) => !fields.includes(field)));
}

/** Where the first finding points, with the missing field at its end. */
function finding(name: Name, body: unknown): string | undefined {
  const validator = validators[name];
  if (validator(body)) return undefined;
  const { instancePath, keyword, params } = validator.errors![0]!;
  if (keyword !== 'required') return `${instancePath} ${keyword}`;
  return `${instancePath}/${String(params['missingProperty'])} missing`;
}

const core = ['facilityId', 'teetime', 'players', 'teeId', 'holes', 'contactPhone', 'contactEmail'];
const names = ['contactFirstName', 'contactLastName'];
const forms: { name: Name; body: Body; required: string[] }[] = [
  { name: 'RefreshRequest', body: sample('RefreshRequest') as Body, required: ['refresh_token'] },
  { name: 'BookingRequestV5', body: v5, required: [...core, ...names, 'course', 'productId'] },
  { name: 'BookingRequestV3', body: v3, required: [...core, ...names, 'course', 'netRate'] },
  { name: 'BookingRequestV2', body: v2, required: [...core, ...names, 'round'] },
  { name: 'BookingsWithPayment', body: sample('BookingsWithPayment') as Body, required: ['details'] },
];

describe('a missing field is named', () => {
  const cases = forms.flatMap(({ name, body, required }) => required.map((field) => ({ name, body, field })));

  test.each(cases)('$name without $field', ({ name, body, field }) => {
    expect(finding(name, without(body, field))).toBe(`/${field} missing`);
  });

  test.each(forms)('$name needs nothing else', ({ name, body, required }) => {
    const least = Object.fromEntries(required.map((field) => [field, body[field]]));
    expect(finding(name, least)).toBeUndefined();
  });

  test.each([
    ['BookingRequestV5List', [v5, without(v5, 'holes')], '/1/holes missing'],
    ['BookingRequestV3List', [without(v3, 'netRate')], '/0/netRate missing'],
    ['BookingsWithPayment', { details: [without(v5, 'course')] }, '/details/0/course missing'],
  ] as const)('%s', (name, body, want) => {
    expect(finding(name, body)).toBe(want);
  });
});

describe('a field is held to the API specification', () => {
  const uuid = '3F0C1D52-7a54-4d0e-9b57-1f6f0a3e5c11';
  test.each<[field: string, value: unknown, want: string | undefined]>([
    ['facilityId', 1042, undefined],
    ['facilityId', '1042', undefined],
    ['facilityId', 'golf', '/facilityId pattern'],
    ['facilityId', 1.5, '/facilityId type'],
    ['teetime', '2026-07-01 09:10:00', undefined],
    ['teetime', '2026-07-01T09:10:00', '/teetime pattern'],
    ['teetime', '01-07-2026 09:10:00', '/teetime pattern'],
    ['teetime', '2026-07-01 24:00:00', '/teetime pattern'],
    ['course', '', '/course pattern'],
    ['players', 0, '/players minimum'],
    ['players', 5, '/players maximum'],
    ['players', '2', '/players type'],
    ['holes', 9, undefined],
    ['holes', 12, '/holes enum'],
    ['teeId', 'x', '/teeId type'],
    ['productId', null, '/productId type'],
    ['contactEmail', 'maria', '/contactEmail pattern'],
    ['contactPhone', '', '/contactPhone pattern'],
    ['netRate', '144.50', undefined],
    ['netRate', 0, undefined],
    ['netRate', -1, '/netRate minimum'],
    ['netRate', '144,50', '/netRate pattern'],
    ['extraProduct', [], undefined],
    ['extraProduct', [{ mid: 1 }], '/extraProduct/0/quantity missing'],
    ['additionalPlayers', [{ firstName: 'A' }], '/additionalPlayers/0/lastName missing'],
    ['linkedTeeTimeRef', uuid, undefined],
    ['linkedTeeTimeRef', uuid.slice(1), '/linkedTeeTimeRef pattern'],
    ['providerPlayerTypeId', 'member', undefined],
    ['somethingElse', true, undefined],
  ])('%s: %j', (field, value, want) => {
    expect(finding('BookingRequestV5', { ...v5, [field]: value })).toBe(want);
  });

  test('one contact name replaces the first and the last', () => {
    const single = { ...without(v5, ...names), contactName: 'Maria Silva' };
    expect(finding('BookingRequestV5', single)).toBeUndefined();
    expect(finding('BookingRequestV5', without(v5, ...names))).toBe('/contactFirstName missing');
  });

  test.each<[Name, unknown, string]>([
    ['BookingRequestV5List', [], ' minItems'],
    ['BookingRequestV3List', [], ' minItems'],
    ['BookingsWithPayment', { details: [] }, '/details minItems'],
    ['BookingsWithPayment', { details: [v5], paymentIntent: 7 }, '/paymentIntent type'],
    ['RefreshRequest', { refresh_token: '' }, '/refresh_token pattern'],
    ['RefreshRequest', null, ' type'],
    ['BookingRequestV2', [v2], ' type'],
  ])('%s: %j', (name, body, want) => {
    expect(finding(name, body)).toBe(want);
  });
});

// What AJV writes is shortened before it is bundled.
describe('a shortened validator finds what AJV finds', () => {
  const ajv = makeAjv(contract, { open: false });
  ajv.opts.unevaluated = false;
  const values = fc.oneof(
    fc.constantFrom(undefined, null, '', [], {}, -1, 0.5),
    fc.json().map((text): unknown => JSON.parse(text)),
  );

  const compared = (name: Name, numRuns: number): void => {
    const own = validators[name];
    const whole = ajv.getSchema(name)!;
    const single = name.startsWith('BookingRequestV3') ? v3 : (sample(name.replace('List', '')) as Body);
    const fields = Object.keys(single);
    let refused = 0;
    const agree = (body: unknown): void => {
      expect(own(body)).toBe(whole(body));
      if (whole.errors?.length) refused += 1;
      expect(own.errors ?? null).toEqual(whole.errors ?? null);
    };
    const changes = fc.array(fc.tuple(fc.constantFrom(...fields, 'unknown'), values), { maxLength: 3 });
    fc.assert(
      fc.property(changes, fc.boolean(), (changed, isListed) => {
        const body = { ...structuredClone(single), ...Object.fromEntries(changed) };
        agree(isListed ? [single, body] : body);
      }),
      { numRuns },
    );
    fc.assert(fc.property(values, agree));
    expect(refused).toBeGreaterThan(numRuns / 3);
  };
  for (const name of Object.keys(validators) as Name[]) sampled(name, [60, 300], (count) => compared(name, count));
});
