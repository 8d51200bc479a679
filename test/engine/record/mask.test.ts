import { maskHeader, maskJson, maskText } from '../../../src/common/index.js';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

test.each([
  ['authorization', 'Basic c2VjcmV0OnNlY3JldA==', 'Basic ***'],
  ['Authorization', 'bearer s3cret', 'bearer ***'],
  ['authorization', 's3cret', '***'],
  ['authorization', 's3cret s3cret', '***'],
  ['proxy-authorization', 'Digest a=s3cret', 'Digest ***'],
  ['cookie', 'a=s3cret', '***'],
  ['set-cookie', 'a=s3cret; Path=/', '***'],
  ['x-api-key', 's3cret', '***'],
  ['x-auth', 's3cret', '***'],
  ['x-signature', 'sha256=s3cret', '***'],
  ['x-partner-token', 's3cret', '***'],
  ['x-caller', 's3cret', '***'],
  ['X-Caller', 'Bearer s3cret', 'Bearer ***'],
  ['x-forwarded-for', 'Basic s3cret', 'Basic ***'],
  ['referer', 'http://me:s3cret@partner.example/?token=s3cret', 'http://***@partner.example/?token=***'],
  ['x-note', 'of 7eeb0acc-1a2b-4c3d-8e4f-5a6b7c8d9e0f', 'of ***'],
  ['content-type', 'application/json', 'application/json'],
  ['www-authenticate', 'Bearer realm="teebox", Basic realm="teebox"', 'Bearer realm="teebox", Basic realm="teebox"'],
])('the header %s: %s', (name, value, want) => {
  expect(maskHeader(name, value, 'X-Caller')).toBe(want);
});

describe('JSON', () => {
  test.each<[given: unknown, want: unknown]>([
    [
      { access_token: 's3cret', expires_in: 60 },
      { access_token: '***', expires_in: 60 },
    ],
    [{ data: [{ refreshToken: ['s3cret'] }] }, { data: [{ refreshToken: '***' }] }],
    [
      { client_secret: { a: 's3cret' }, apiKey: 1, api_key: 2, password: null },
      { client_secret: '***', apiKey: '***', api_key: '***', password: '***' },
    ],
    [
      { paymentIntent: 'pi_1', tokens: 2, a: null },
      { paymentIntent: 'pi_1', tokens: 2, a: null },
    ],
    [{ callbackUrl: 'http://me:s3cret@x.example/?token=s3cret' }, { callbackUrl: 'http://***@x.example/?token=***' }],
    ['7eeb0ef5-1a2b', '***'],
    [7, 7],
  ])('%j', (given, want) => {
    expect(maskJson(given)).toEqual(want);
  });

  test('a secret at any depth is masked or cut off, and what is left can be written', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 20_000 }), fc.boolean(), (levels, lists) => {
        const [left, right] = lists ? ['[', ']'] : ['{"a":', '}'];
        const text = `${left.repeat(levels)}{"token":"s3cret"}${right.repeat(levels)}`;
        const shown = JSON.stringify(maskJson(JSON.parse(text)));
        expect(shown).not.toContain('s3cret');
        expect(shown).toContain(levels < 64 ? '{"token":"***"}' : '...');
      }),
      { numRuns: 50 },
    );
  });

  test('text that is JSON, whole or not', () => {
    expect(maskText('got {"refresh_token": "s3cret')).toBe('got {"refresh_token": "***');
    expect(maskText(JSON.stringify({ got: '{"password":"s3cret"}' }))).not.toContain('s3cret');
  });
});
