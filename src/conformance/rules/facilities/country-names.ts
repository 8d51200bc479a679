/**
 * A country name without what two spellings of it may differ in: case, accents, blanks and a leading "the". The
 * document matches a name as sent, and does not say that every answer spells it in one way.
 */
export function plainCountry(name: unknown): string {
  return String(name)
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replace(/\s+/g, ' ')
    .trim()
    .toLowerCase()
    .replace(/^the /, '');
}
