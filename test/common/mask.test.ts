import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Masker, maskHeader, maskText } from '../../src/common/index.js';
import { echoes, planted } from '../support/secrets.js';

/** Texts as secrets have them, with what is escaped or encoded on some way. */
const secret = fc.stringMatching(/^[A-Za-z0-9._~+/="'&<>\\ äß-]{6,40}$/).filter((text) => text.trim().length >= 6);

describe('the masker', () => {
  for (const [how, learn] of Object.entries(planted)) {
    test(`hides a secret that came as ${how}, in whatever shape it comes back`, () => {
      fc.assert(
        fc.property(secret, fc.string({ maxLength: 5 }), (text, around) => {
          const known = `q7${text.trim()}x`;
          const masker = new Masker();
          learn(masker, known);
          for (const [shape, echoed] of Object.entries(echoes(known))) {
            const shown = masker.text(`${around} ${echoed} ${around}`);
            expect(shown.includes(echoed), `${shape}: ${shown}`).toBe(false);
          }
        }),
        // A backslash of a secret before what reads like an escape.
        {
          numRuns: 30,
          examples: [
            ['ä\\XAa-\\ß"', ''],
            ['ä\\xaa\\ß"', ''],
          ],
        },
      );
    });
  }

  const named = [
    'token',
    'shop_password',
    'pwd',
    'clientSecret',
    'signature',
    'apiKey',
    'api-key',
    'auth',
    'sessionId',
  ];
  test.each(named)('hides what is called %s, as a header, a parameter, a text and a number', (name) => {
    const ways: readonly ((masker: Masker) => void)[] = [
      (masker) => masker.learnRequest(new Headers({ [`x-${name}`]: '77310815' }), '/'),
      (masker) => masker.learnRequest(new Headers(), `/x?${name}=77310815`),
      (masker) => masker.learnRequest(new Headers(), '/', `{"${name}":"77310815"}`),
      (masker) => masker.learnRequest(new Headers(), '/', `{"${name}": 77310815}`),
      (masker) => masker.learnResponse(new Headers(), `{"${name}":77310815}`),
    ];
    for (const learn of ways) {
      const masker = new Masker();
      learn(masker);
      expect(masker.text('It is 77310815.')).toBe('It is ***.');
    }
    expect(maskText(`{"${name}": 7731, "id": 7731}`)).toBe(`{"${name}": "***", "id": 7731}`);
    expect(maskText(JSON.stringify(`{"${name}":7731}`))).toBe(JSON.stringify(`{"${name}":"***"}`));
    expect(maskText(`/x?${name}=7731&id=7731`)).toBe(`/x?${name}=***&id=7731`);
    expect(maskHeader(`x-${name}`, '7731')).toBe('***');
  });

  const cut: readonly (readonly [string, string, string])[] = [
    ['at the end of a body', '{"data":"abc.CLIENT-SECRET-0', '{"data":"***'],
    ['before the dots of an excerpt', 'said "abc.CLIENT-S..."', 'said "***..."'],
    ['within a value', '{"data":"abc.CLIENT-SECRET"}', '{"data":"***"}'],
  ];
  for (const [where, text, shown] of cut) {
    test(`hides a secret that is cut ${where}`, () => {
      const masker = new Masker();
      masker.learn('abc.CLIENT-SECRET-0815.def');
      expect(masker.text(text)).toBe(shown);
    });
  }

  const harmless: readonly (readonly [string, string])[] = [
    ['application/vnd.golf+json', 'content-type: application/json'],
    ['https://staging.example/gate', 'see https://staging.example.org'],
    ['club', 'the golfclub of Clubhouse Road'],
  ];
  for (const [known, text] of harmless) {
    test(`leaves a text that only begins like ${known}`, () => {
      const masker = new Masker();
      masker.learn(known);
      expect(masker.text(text)).toBe(text);
    });
  }

  test('keeps the latest secrets of a client that gets a token with every request', { tags: ['slow'] }, () => {
    const masker = new Masker();
    for (let turn = 0; turn < 6000; turn += 1) masker.learn(`token-number-${turn}-of-many`);
    expect(masker.text('token-number-5999-of-many')).toBe('***');
  });
});
