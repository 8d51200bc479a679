import { expect, test } from 'vitest';
import { deceptiveSign, hiddenDifference } from '../../src/common/index.js';

const NAME = 'Parcours des Ch\u00eanes';

test.each<readonly [given: string, one: string, other: string, want: RegExp | undefined]>([
  ['the same', NAME, NAME, undefined],
  ['another name', NAME, 'Old Course', undefined],
  [
    'decomposed accents',
    NAME,
    NAME.normalize('NFD'),
    /^how accents are encoded .*, from character 16 on \(U\+00EA and U\+0065\)$/,
  ],
  [
    'a no-break space',
    NAME,
    NAME.replace(' ', '\u00a0'),
    /^the kind of blank .* from character 9 on \(U\+0020 and U\+00A0\)$/,
  ],
  ['a thin space', NAME, NAME.replace(' ', '\u2009'), /^the kind of blank/],
  ['a trailing blank', NAME, `${NAME} `, /^blanks at an end .* \(the end and U\+0020\)$/],
  ['a trailing line feed', NAME, `${NAME}\n`, /blanks at an end/],
  ['a leading blank', NAME, ` ${NAME}`, /^blanks at an end/],
  ['two blanks', NAME, NAME.replace(' ', '  '), /^blanks at an end or in a row/],
  ['zero width', NAME, `${NAME}\u200b`, /^characters that cannot be seen/],
  ['a soft hyphen', NAME, NAME.replace('our', 'o\u00adur'), /^characters that cannot be seen/],
  ['a byte order mark', NAME, `\ufeff${NAME}`, /^characters that cannot be seen/],
  ['full width', 'Old Course', '\uff2fld Course', /^the form of characters .*U\+FF2F/],
  ['a ligature', 'Fine', '\ufb01ne', /the form of characters/],
  ['a typographic apostrophe', "King's", 'King\u2019s', /^the kind of apostrophe/],
  ['a dash', 'A-B', 'A\u2013B', /^the kind of apostrophe/],
  ['Cyrillic', 'Old Course', 'Old C\u043eurse', /^letters of another alphabet, .*U\+043E/],
  ['case', NAME, NAME.toUpperCase(), /^upper and lower case/],
  ['no accents', NAME, 'Parcours des Chenes', /^accents, /],
  ['two ways', NAME, `${NAME.normalize('NFD')} `, /^how accents are encoded .* and blanks at an end/],
  ['Latin-1 read as UTF-8', NAME, NAME.replace('\u00ea', '\ufffd'), /^bytes that are not UTF-8/],
])('%s', (_, one, other, want) => {
  const found = hiddenDifference(one, other);
  expect(found ?? '').toMatch(want ?? /^$/);
  // It is the same question from the other side.
  expect(hiddenDifference(other, one) === undefined).toBe(found === undefined);
});

test.each<readonly [text: string, want: string | undefined]>([
  ['15\u201312\u20132026', 'character 3 is U+2013, not `-`'],
  ['15\u201112', 'character 3 is U+2011, not `-`'],
  ['\uff12', 'character 1 is U+FF12, not `2`'],
  ['2\u200b', 'character 2 is U+200B, which cannot be seen'],
  ['+31\u00a020', 'character 4 is U+00A0, which is no plain blank'],
  ['Spain\u200e', 'character 6 is U+200E, which cannot be seen'],
  ['\u0430da@partner.example', 'character 1 is U+0430, not `a`'],
  ['', undefined],
  ['15-12-2026 ', undefined],
  ['Ch\u00eanes', undefined],
  ['Che\u0302nes', undefined],
  ['\u{1f3cc} \u00df \u65e5', undefined],
])('%j has the sign that deceives: %s', (text, want) => {
  expect(deceptiveSign(text)).toBe(want);
});
