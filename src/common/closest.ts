/** The candidate that differs from `word` in the fewest letters, if it is close enough to suggest. */
export function closest(word: string, candidates: readonly string[]): string | undefined {
  let best: string | undefined;
  let least = Math.max(1, Math.floor(word.length / 3)) + 1;
  for (const candidate of candidates) {
    // Words of other lengths differ by at least that many letters, and most candidates are too long or too short.
    if (Math.abs(candidate.length - word.length) >= least) continue;
    const distance = editDistance(word, candidate);
    if (distance < least) [best, least] = [candidate, distance];
  }
  return best;
}

/** Letters of a word that may be suggested for: to two letters, almost everything is close. */
const FEWEST = 3;

/** The same as the end of a message, in letters of any case; empty if nothing is close. */
export function didYouMean(word: string, candidates: readonly string[]): string {
  if (word.length < FEWEST) return '';
  const byFolded = new Map(candidates.map((one) => [one.toLowerCase(), one]));
  const guess = byFolded.get(closest(word.toLowerCase(), [...byFolded.keys()]) ?? '') ?? kin(word, candidates);
  return guess === undefined ? '' : ` Did you mean \`${guess}\`?`;
}

/** The only candidate with more than half of the parts of a word: `tee-sheet-down` and `tee-sheet-unresponsive`. */
function kin(word: string, candidates: readonly string[]): string | undefined {
  const parts = partsOf(word);
  const shared = (candidate: string): number => {
    const own = partsOf(candidate);
    return parts.filter((part) => own.includes(part)).length;
  };
  const most = Math.max(0, ...candidates.map(shared));
  const [found, ...others] = candidates.filter((candidate) => shared(candidate) === most);
  return most * 2 > parts.length && others.length === 0 ? found : undefined;
}

/** The parts of a name, whether it is written as `a-b`, `a.b`, `a_b` or `aB`. */
const partsOf = (name: string): readonly string[] =>
  name
    .replaceAll(/(?<=[a-z])(?=[A-Z])/g, '-')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((part) => part !== '');

/** The number of letters to change, add, leave out or exchange with the next one. */
function editDistance(a: string, b: string): number {
  let before: number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const change = row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      const exchanged = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const exchange = exchanged ? before[j - 2]! + 1 : Infinity;
      next.push(Math.min(change, exchange, row[j]! + 1, next[j - 1]! + 1));
    }
    [before, row] = [row, next];
  }
  return row[b.length]!;
}
