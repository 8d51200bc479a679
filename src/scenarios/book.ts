import { type Scenario, type ScenarioId, scenarios as ours } from '../generated/scenarios.js';
import { Misfit } from '../input/misfit.js';
import { readOptions, type ScenarioSpec, specOf, type ScenarioOptions, appliesTo } from './spec.js';

/** All scenarios of a sandbox: the built-in ones and those of its user. */
export class ScenarioBook {
  readonly all: readonly Scenario[];
  readonly #byId: ReadonlyMap<string, Scenario>;
  readonly #byWord: ReadonlyMap<string, Scenario>;

  /** @throws {Error} if two scenarios have the same id. */
  constructor(own: readonly Scenario[] = []) {
    this.all = [...ours, ...own];
    this.#byId = new Map(this.all.map((one) => [one.id, one]));
    this.#byWord = new Map(this.all.map((one) => [one.id.toUpperCase(), one]));
    if (this.#byId.size === this.all.length) return;
    const { id } = own.find((one) => this.#byId.get(one.id) !== one || ours.some((other) => other.id === one.id))!;
    throw new Error(`Two scenarios have the id \`${id}\`. Change one of them.`);
  }

  /** The scenario of a word in a request, in any case: `PAYMENT-PI-FAILED` for `payment-pi-failed`. */
  byWord(word: string): Scenario | undefined {
    return this.#byWord.get(word);
  }

  /**
   * Makes a spec of a scenario and its options.
   *
   * @throws {Misfit} for an unknown id, or for an option that does not fit the scenario.
   * @example
   * book.spec('payment-pi-failed', { phase: 'after-commit', item: 2, delay: 800 });
   */
  spec(id: ScenarioId | (string & {}), options: ScenarioOptions = {}): ScenarioSpec {
    const scenario = this.#byId.get(id);
    if (scenario) return specOf(scenario, options);
    throw new Misfit(`There is no scenario \`${id.slice(0, 80)}\`.`, [...this.#byId.keys()]);
  }

  /**
   * Reads `payment-pi-failed; phase=after-commit; item=2; delay=800`.
   *
   * @throws {Misfit} with what is wrong and what would fit.
   */
  parse(text: string): ScenarioSpec {
    const [id = '', ...parts] = text.split(';').map((part) => part.trim());
    return this.spec(id, readOptions(parts));
  }

  /** @throws {Misfit} if the scenario cannot strike the operation, with those that can. */
  fit(spec: ScenarioSpec, operation: string): ScenarioSpec {
    if (appliesTo(spec.scenario, operation)) return spec;
    const fits = this.all.filter((one) => appliesTo(one, operation)).map(({ id }) => id);
    throw new Misfit(`\`${spec.scenario.id}\` cannot strike \`${operation}\`.`, fits);
  }
}
