/** The values that each of some parameters may have. */
export type Parameters = Readonly<Record<string, readonly unknown[]>>;

type Row = ReadonlyMap<number, number>;
type Roll = (below: number) => number;

/** The pairs of values that no row holds yet; parameters and values by their index. */
class Missing {
  readonly #pairs = new Set<string>();

  constructor(readonly sizes: readonly number[]) {
    for (const [a, left] of sizes.entries()) {
      for (let b = a + 1; b < sizes.length; b += 1) {
        for (let i = 0; i < left; i += 1) for (let j = 0; j < sizes[b]!; j += 1) this.#pairs.add(key(a, i, b, j));
      }
    }
  }

  /** One of them, by a number that stays within their count. */
  at(index: number): readonly [number, number][] | undefined {
    const pairs = [...this.#pairs];
    const [a, i, b, j] = pairs[index % Math.max(pairs.length, 1)]?.split(' ').map(Number) ?? [];
    return a === undefined
      ? undefined
      : ([
          [a, i],
          [b, j],
        ] as [number, number][]);
  }

  /** How many of them a row holds that gives a parameter this value. */
  gain(row: Row, at: number, index: number): number {
    let gain = 0;
    for (const [other, value] of row) if (other !== at && this.#pairs.has(key(at, index, other, value))) gain += 1;
    return gain;
  }

  take(row: Row): void {
    for (const [x, v] of row) for (const [y, w] of row) if (x < y) this.#pairs.delete(key(x, v, y, w));
  }
}

function key(a: number, i: number, b: number, j: number): string {
  return a < b ? `${a} ${i} ${b} ${j}` : `${b} ${j} ${a} ${i}`;
}

/** A row that holds a missing pair, and how many more it holds; parameters are filled in in an order drawn by lot. */
function rowFrom(missing: Missing, pair: readonly [number, number][], roll: Roll): { row: Row; gain: number } {
  const row = new Map(pair);
  let total = 1;
  for (const at of shuffled(missing.sizes.length, roll)) {
    if (row.has(at)) continue;
    const gains = Array.from({ length: missing.sizes[at]! }, (_, index) => missing.gain(row, at, index));
    const most = Math.max(...gains);
    const best = gains.flatMap((gain, index) => (gain === most ? [index] : []));
    row.set(at, best[roll(best.length)]!);
    total += most;
  }
  return { row, gain: total };
}

/** Numbers below a bound, the same ones each time. */
function dice(): Roll {
  let state = 1;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

function shuffled(length: number, roll: Roll): number[] {
  const order = Array.from({ length }, (_, at) => at);
  for (let at = length - 1; at > 0; at -= 1) {
    const other = roll(at + 1);
    [order[at], order[other]] = [order[other]!, order[at]!];
  }
  return order;
}

const CANDIDATES = 4;

/**
 * Rows that hold every pair of values of every two parameters at least once, made greedily and the same each time:
 * each row is the best of some that start from a pair that is still missing.
 */
export function pairwise(parameters: Parameters): Record<string, unknown>[] {
  const names = Object.keys(parameters).sort((a, b) => parameters[b]!.length - parameters[a]!.length);
  const missing = new Missing(names.map((name) => parameters[name]!.length));
  const roll = dice();
  const rows: Record<string, unknown>[] = [];
  while (missing.at(0)) {
    const some = Array.from({ length: CANDIDATES }, () => rowFrom(missing, missing.at(roll(2 ** 20))!, roll));
    const { row } = some.reduce((best, one) => (one.gain > best.gain ? one : best));
    missing.take(row);
    rows.push(Object.fromEntries([...row].map(([at, index]) => [names[at]!, parameters[names[at]!]![index]])));
  }
  return rows;
}
