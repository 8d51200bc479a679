/** A generator of random numbers with a seed, so that the same seed gives the same walks (mulberry32). */
export class Chance {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** A number in [0, 1). */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** A whole number from 0 up to, and without, a limit. */
  below(limit: number): number {
    return Math.floor(this.next() * limit);
  }

  pick<T>(list: readonly [T, ...T[]]): T;
  pick<T>(list: readonly T[]): T | undefined;
  pick<T>(list: readonly T[]): T | undefined {
    return list[this.below(list.length)];
  }

  /** One of some values, each as often as its weight says. */
  weighted<T>(list: readonly (readonly [weight: number, value: T])[]): T {
    let left = this.next() * list.reduce((sum, [weight]) => sum + weight, 0);
    for (const [weight, value] of list) {
      left -= weight;
      if (left < 0) return value;
    }
    return list.at(-1)![1];
  }
}

/** Cards in the order of chance: each is dealt once before any is dealt again. */
export class Deck<T> {
  #left: T[] = [];

  constructor(readonly cards: readonly T[]) {}

  deal(chance: Chance): T {
    if (this.#left.length === 0) this.#left = [...this.cards];
    return this.#left.splice(chance.below(this.#left.length), 1)[0]!;
  }
}

/** The seed of a part of a run, such as of its nth walk. */
export function seedOf(seed: number, part: number): number {
  return new Chance(seed ^ Math.imul(part + 1, 0x9e3779b1)).below(2 ** 31);
}

/** What a run draws after its id, which is a number in base 36. */
export function drawsOf(runId: string): () => number {
  const chance = new Chance(Number.parseInt(runId, 36));
  return () => chance.next();
}
