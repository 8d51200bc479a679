import type { ObligationResult } from './obligations/client-checker.js';
import type { KeptExchange, ShownExchange } from './shown-exchange.js';

/** The most calls and callbacks of an exam that are kept, and the most characters of them. */
export const MOST_OF_EXAM = { count: 2000, characters: 8_388_608 };
/** The most characters of what shows the verdicts of all exams. With twice as many, nobody could read the certificate. */
const MOST_EVIDENCE = 8_388_608;

/** The newest exchanges: a client may send any number of any size. */
export class Newest<Kept extends Pick<KeptExchange, 'size'>> {
  readonly #kept = new Map<string, Kept>();
  #size = 0;

  constructor(readonly most: typeof MOST_OF_EXAM) {}

  keep(id: string, kept: Kept): void {
    this.#kept.set(id, kept);
    this.#size += kept.size;
    for (const [oldest, { size }] of this.#kept) {
      if (this.#kept.size <= this.most.count && this.#size <= this.most.characters) return;
      this.#kept.delete(oldest);
      this.#size -= size;
    }
  }

  get(id: string): Kept | undefined {
    return this.#kept.get(id);
  }

  values(): Iterable<Kept> {
    return this.#kept.values();
  }
}

type Shown = Pick<ObligationResult, 'evidence' | 'deliberate' | 'doubtful'>;

/** The ids of what shows the verdicts on obligations. */
export function evidenceOf(results: readonly Shown[]): ReadonlySet<string> {
  const lists = results.flatMap(({ evidence, deliberate, doubtful }) => [
    evidence,
    deliberate?.evidence ?? [],
    doubtful?.evidence ?? [],
  ]);
  return new Set(lists.flat());
}

/** What shows the verdicts of the exams that are over, as far as there is room for it. */
export class Evidence {
  #size = 0;

  of(results: readonly Shown[], traffic: Newest<KeptExchange>): ReadonlyMap<string, () => ShownExchange> {
    const kept = new Map<string, () => ShownExchange>();
    for (const id of evidenceOf(results)) {
      const { size = 0, show } = traffic.get(id) ?? {};
      if (!show || this.#size + size > MOST_EVIDENCE) continue;
      this.#size += size;
      kept.set(id, show);
    }
    return kept;
  }
}
