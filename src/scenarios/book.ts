import { type Scenario, type ScenarioId, scenarios as ours } from '../generated/scenarios.js';
import { Misfit, readOptions, type ScenarioSpec, specOf, type StrikeOptions, strikes } from './spec.js';

/** The scenarios that there are: those that come with the sandbox, and those that its user brought. */
export class ScenarioBook {
  readonly all: readonly Scenario[];
  readonly #byId: ReadonlyMap<string, Scenario>;
  readonly #byWord: ReadonlyMap<string, Scenario>;

  /** @throws {Error} when two have the same id. */
  constructor(own: readonly Scenario[] = []) {
    this.all = [...ours, ...own];
    this.#byId = new Map(this.all.map((one) => [one.id, one]));
    this.#byWord = new Map(this.all.map((one) => [one.id.toUpperCase(), one]));
    if (this.#byId.size === this.all.length) return;
    const { id } = own.find((one) => this.#byId.get(one.id) !== one || ours.some((other) => other.id === one.id))!;
    throw new Error(`There are two scenarios \`${id}\`. Please give one of them another id.`);
  }

  /** The scenario that a client's own form can name: `PAYMENT-PI-FAILED` for `payment-pi-failed`. */
  byWord(word: string): Scenario | undefined {
    return this.#byWord.get(word);
  }

  /**
   * A scenario with its options.
   *
   * @throws {Misfit} for an unknown id and for an option that does not fit the scenario.
   * @example
   * book.spec('payment-pi-failed', { phase: 'after-commit', item: 2, delay: 800 });
   */
  spec(id: ScenarioId | (string & {}), options: StrikeOptions = {}): ScenarioSpec {
    const scenario = this.#byId.get(id);
    if (scenario) return specOf(scenario, options);
    throw new Misfit(`There is no scenario \`${id.slice(0, 80)}\`.`, [...this.#byId.keys()]);
  }

  /**
   * Reads `payment-pi-failed; phase=after-commit; item=2; delay=800`.
   *
   * @throws {Misfit} saying what does not fit and what would.
   */
  parse(text: string): ScenarioSpec {
    const [id = '', ...parts] = text.split(';').map((part) => part.trim());
    return this.spec(id, readOptions(parts));
  }

  /** @throws {Misfit} when it cannot strike the operation, with those that can. */
  fit(spec: ScenarioSpec, operation: string): ScenarioSpec {
    if (strikes(spec.scenario, operation)) return spec;
    const fits = this.all.filter((one) => strikes(one, operation)).map(({ id }) => id);
    throw new Misfit(`\`${spec.scenario.id}\` cannot strike \`${operation}\`.`, fits);
  }
}
