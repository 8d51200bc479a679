import { type Exchange, exchangeMaskedAgain } from '../conformance/index.js';
import { Newest } from './kept-exchanges.js';
import { asExchange } from './report.js';
import type { ShownExchange } from './shown-exchange.js';

/** The newest traffic of a run, in the form of reports. `check --replay` takes no longer recording. */
export class RunTraffic {
  readonly #kept = new Newest<{ readonly size: number; exchange: Exchange }>({ count: 20_000, characters: 25_165_824 });

  keep(shown: ShownExchange): void {
    const exchange = asExchange(shown);
    this.#kept.keep(shown.id, { size: JSON.stringify(exchange).length, exchange });
  }

  /** Masks what became known as a secret only after an exchange was recorded. */
  maskAgain(mask: (text: string) => string): void {
    for (const kept of this.#kept.values()) kept.exchange = exchangeMaskedAgain(kept.exchange, mask);
  }

  get exchanges(): readonly Exchange[] {
    return [...this.#kept.values()].map(({ exchange }) => exchange);
  }
}
