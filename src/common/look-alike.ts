/** Ways in which texts differ that a reader hardly sees, each with what takes the difference away. */
const ways: readonly (readonly [what: string, fold: (text: string) => string])[] = [
  ['how accents are encoded (composed or decomposed)', (text) => text.normalize('NFC')],
  ['the kind of blank (such as a no-break space)', (text) => text.replace(/[\p{Zs}\t\n\r]/gu, ' ')],
  ['characters that cannot be seen', (text) => text.replace(/[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]/gu, '')],
  ['the form of characters (such as full-width)', (text) => text.normalize('NFKC')],
  [
    'the kind of apostrophe, quotation mark or dash',
    (text) =>
      text
        .replace(/[\u2018-\u201b\u02bc\u00b4`]/g, "'")
        .replace(/[\u201c-\u201f]/g, '"')
        .replace(/\p{Pd}/gu, '-'),
  ],
  ['blanks at an end or in a row', (text) => text.split(' ').filter(Boolean).join(' ')],
  ['letters of another alphabet', (text) => text.replace(/[\u0370-\u052f]/g, (sign) => latin.get(sign) ?? sign)],
  ['upper and lower case', (text) => text.toLowerCase()],
  ['accents', (text) => text.normalize('NFD').replace(/\p{Mn}/gu, '')],
];

/** Cyrillic and Greek letters that look like Latin ones. */
const latin = new Map(
  Array.from('АВЕЅІЈКМНОРСТХУаеѕіјорсхуΑΒΕΖΗΙΚΜΝΟΡΤΥΧο', (sign, index) => [
    sign,
    'ABESIJKMHOPCTXYaesijopcxyABEZHIKMNOPTYXo'[index]!,
  ]),
);

/** A text without whatever a reader hardly sees. */
export function foldedText(text: string): string {
  return ways.reduce((folded, [, fold]) => fold(folded), text);
}

/** What a reader hardly sees in one text alone: accents, case and blanks between words are seen. */
const plain = (sign: string): string =>
  ways.filter(([what]) => !/^(blanks|upper|accents)/.test(what)).reduce((folded, [, fold]) => fold(folded), sign);

/** The first character of a text that a reader takes for a plain one, or does not see, as a clause; undefined if none is. */
export function deceptiveSign(text: string): string | undefined {
  const signs = Array.from(text);
  const at = signs.findIndex((sign) => sign > '\u007f' && /^[\0-\u007f]*$/.test(plain(sign)));
  if (at < 0) return undefined;
  const looks = plain(signs[at]!);
  const kind = looks === '' ? 'which cannot be seen' : looks === ' ' ? 'which is no plain blank' : `not \`${looks}\``;
  return `character ${at + 1} is ${codeAt(text, at)}, ${kind}`;
}

/**
 * In what two texts differ that a reader takes for the same, as a clause; undefined if they are the same, or a reader
 * sees the difference.
 */
export function hiddenDifference(one: string, other: string): string | undefined {
  if (one === other) return undefined;
  const at = firstDifference(one, other);
  const where = `from character ${at + 1} on (${codeAt(one, at)} and ${codeAt(other, at)})`;
  const undecoded = [one, other].some((text) => text.includes('\ufffd'));
  if (undecoded && isAlmost(one, other)) return `bytes that are not UTF-8, ${where}`;
  if (foldedText(one) !== foldedText(other)) return undefined;
  const found: string[] = [];
  let [a, b] = [one, other];
  for (const [what, fold] of ways) {
    const [x, y] = [fold(a), fold(b)];
    // A way counts where it changes one text only, or makes them the same.
    if ((x === a) !== (y === b) || (x === y && a !== b)) found.push(what);
    [a, b] = [x, y];
  }
  return `${found.join(' and ')}, ${where}`;
}

function firstDifference(one: string, other: string): number {
  const [a, b] = [Array.from(one), Array.from(other)];
  let at = 0;
  while (at < a.length && a[at] === b[at]) at += 1;
  return at;
}

function codeAt(text: string, at: number): string {
  const code = Array.from(text)[at]?.codePointAt(0);
  return code === undefined ? 'the end' : `U+${code.toString(16).toUpperCase().padStart(4, '0')}`;
}

/** Whether texts are the same but for what could not be decoded. */
function isAlmost(one: string, other: string): boolean {
  const [a, b] = [Array.from(one), Array.from(other)];
  return a.length === b.length && a.every((sign, index) => sign === b[index] || [sign, b[index]].includes('\ufffd'));
}
