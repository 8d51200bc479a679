import { Masker } from '../../../src/common/index.js';
import { describe, expect, test } from 'vitest';
import { PersonalData } from '../../../src/conformance/client/personal-data.js';

const guest = {
  contactFirstName: 'Jane',
  contactLastName: 'Roe',
  contactPhone: '+31 6 1234 5678',
  contactEmail: 'jane@roe.test',
};
const own = {
  contactFirstName: 'Conformance',
  contactLastName: 'Check',
  contactPhone: '+31 20 555 0100',
  contactEmail: 'c@example.com',
};

function maskerOf() {
  const masker = new Masker();
  masker.personal = new PersonalData((id) => id !== 'mine');
  masker.personal.learnOwn([{ ...own, additionalPlayers: [{ firstName: 'Second', lastName: 'Player' }] }]);
  return masker;
}

describe('a booking of somebody else', () => {
  test.each<[what: string, body: unknown, masked: unknown]>([
    [
      'in a list',
      { data: [{ bookingId: 'a', ...guest, players: 2 }] },
      {
        data: [
          {
            bookingId: 'a',
            contactFirstName: '***',
            contactLastName: '***',
            contactPhone: '***',
            contactEmail: '***',
            players: 2,
          },
        ],
      },
    ],
    ['in the v1 form', [{ bookingId: 'a', contactName: 'Jane Roe' }], [{ bookingId: 'a', contactName: '***' }]],
    [
      'a phone that is a number',
      [{ bookingId: 'a', contactPhone: 612345678 }],
      [{ bookingId: 'a', contactPhone: '***' }],
    ],
    [
      'without a value',
      [{ bookingId: 'a', contactPhone: null, contactEmail: '' }],
      [{ bookingId: 'a', contactPhone: null, contactEmail: '' }],
    ],
    [
      'other players and comments',
      { bookingId: 'a', comments: 'late', additionalPlayers: [{ firstName: 'Jo', lastName: 'Moe' }] },
      { bookingId: 'a', comments: '***', additionalPlayers: [{ firstName: '***', lastName: '***' }] },
    ],
    [
      'fields that the API specification does not have',
      { bookingId: 'a', guestName: 'Jane', mobile: '06', facilityName: 'Links' },
      { bookingId: 'a', guestName: '***', mobile: '***', facilityName: 'Links' },
    ],
    ['of an earlier run', { bookingId: 'a', ...own }, { bookingId: 'a', ...own }],
  ])('%s', (_, body, masked) => {
    expect(JSON.parse(maskerOf().text(JSON.stringify(body)))).toEqual(masked);
  });
});

test.each<[what: string, text: string]>([
  [
    'a booking of the run, garbled',
    JSON.stringify([{ bookingId: 'mine', contactFirstName: 'Zo?', contactEmail: 'x@y' }]),
  ],
  ['a request of the run', JSON.stringify({ ...own, comments: undefined })],
  [
    'the data of a facility',
    JSON.stringify({
      id: 1,
      name: 'Links',
      email: 'info@links.test',
      reservationsContact: { name: 'Ann', phoneNumber: '0123456789' },
    }),
  ],
  ['text', 'The facility Links has info@links.test and +31 20 123 4567.'],
])('%s is shown as it is', (_, text) => {
  expect(maskerOf().text(text)).toBe(text);
});

test.each<[what: string, text: string, masked: string]>([
  ['a body that is cut', '[{"bookingId":"a","contactEmail":"jane@ro', '[{"bookingId":"a","contactEmail":"***"'],
  [
    'JSON with words before it',
    'body: {"contactPhone": "0612345678", "players": 2}',
    'body: {"contactPhone": "***", "players": 2}',
  ],
  [
    'JSON in a string',
    '{"text":"{\\"contactEmail\\":\\"jane@roe.test\\",\\"players\\":1}"}',
    '{"text":"{\\"contactEmail\\":\\"***\\",\\"players\\":1}"}',
  ],
  ['a value that is cut with dots', '{"contactFirstName":"Ja...', '{"contactFirstName":"***...'],
])('masked by the name of the member: %s', (_, text, masked) => {
  expect(maskerOf().text(text)).toBe(masked);
});

test.each<[what: string, text: string]>([
  ['one long word', 'x'.repeat(3_000_000)],
  ['many digits', '1'.repeat(3_000_000)],
  ['a long word in an address', `${'x'.repeat(3_000_000)}@`],
  ['an open member', `{"contactEmail":"${'x'.repeat(1_000_000)}`],
])('%s is masked in a moment', (_, text) => {
  const masker = maskerOf();
  masker.text(JSON.stringify([{ bookingId: 'a', ...guest }]));
  const started = performance.now();
  masker.text(text);
  expect(performance.now() - started).toBeLessThan(2000);
});

test('values that were seen are masked where they stand alone, in the words of findings', () => {
  const masker = maskerOf();
  masker.text(JSON.stringify([{ bookingId: 'a', ...guest, contactName: 'Jane Roe' }]));
  expect(masker.cut('the name Jane Roe differs from Jane of Janesville, jane@roe.test, +31 6 1234 5678')).toBe(
    'the name *** differs from *** of Janesville, ***, ***',
  );
  expect(masker.text('{"email":"jane@roe.test"}')).toBe('{"email":"***"}');
});

test('a long text without blanks takes no longer than its length', () => {
  const masker = maskerOf();
  masker.text(JSON.stringify({ data: [{ bookingId: 'a', ...guest }] }));
  const text = 'x'.repeat(500_000);
  expect(masker.text(`${text} jane@roe.test`)).toBe(`${text} ***`);
});
