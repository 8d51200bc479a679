import { scenarios as ours, type Scenario, type ScenarioId } from '../../contract/index.js';
import { Misfit } from '../../common/index.js';
import { isDelay, momentOf } from './moment.js';
import { readOptions, type ScenarioSpec, specOf, type ScenarioOptions, appliesTo } from './spec.js';

/** A comma between scenarios; those of `uniform(100,900)` are inside of brackets. */
const OUTSIDE_OF_BRACKETS = /,(?![^()]*\))/;

/** Maximum number of characters of a text that asks for scenarios. */
const MOST_CHARACTERS = 2048;

/** Maximum number of scenarios that are armed from the start. */
export const MOST_INITIAL = 100;

/** All scenarios of a sandbox: the built-in ones and those of its user. */
export class ScenarioBook {
  readonly all: readonly Scenario[];
  readonly #byId: ReadonlyMap<string, Scenario>;

  /** @throws {Error} if two scenarios have the same id. */
  constructor(own: readonly Scenario[] = []) {
    this.all = [...ours, ...own];
    this.#byId = new Map(this.all.map((one) => [one.id, one]));
    if (this.#byId.size === this.all.length) return;
    const { id } = own.find((one) => this.#byId.get(one.id) !== one || ours.some((other) => other.id === one.id))!;
    throw new Error(`Two scenarios have the id \`${id}\`. Change one of them.`);
  }

  /**
   * The scenario of a word in a request: `PAYMENT-PI-FAILED` or `payment-pi-failed`. `Slow` is none: people have such
   * names.
   */
  byWord(word: string): Scenario | undefined {
    const id = word.toLowerCase();
    const found = this.#byId.get(id);
    return found && (word === id || word === word.toUpperCase()) ? found : undefined;
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
   * Reads one scenario or several: `price-changed, payment-pi-failed; phase=after-commit; delay=800, connection-reset`.
   * One that would end the request on arrival strikes the response instead, if others come before it in the list.
   *
   * @throws {Misfit} with what is wrong and what would fit.
   */
  parse(text: string): ScenarioSpec[] {
    if (text.length > MOST_CHARACTERS) {
      const due = `at most ${MOST_CHARACTERS} characters`;
      throw new Misfit(`A text that asks for scenarios must have ${due}; got ${text.length}.`, [due]);
    }
    const specs: ScenarioSpec[] = [];
    for (const one of text.split(OUTSIDE_OF_BRACKETS)) {
      const [id = '', ...parts] = one.split(';').map((part) => part.trim());
      const options = readOptions(parts);
      const spec = this.spec(id, options);
      const follows = options.phase === undefined && specs.some(isMoreThanWait);
      const late = follows && momentOf(spec) === 'arrival' && 'after-commit' in spec.scenario.after;
      specs.push(late ? { ...spec, phase: 'after-commit' } : spec);
    }
    return specs;
  }

  /** @throws {Misfit} for the first invalid text, and for more scenarios than can be armed from the start. */
  parseAll(texts: readonly string[]): ScenarioSpec[] {
    const specs: ScenarioSpec[] = [];
    for (const text of texts) specs.push(...this.parse(text));
    if (specs.length <= MOST_INITIAL) return specs;
    const due = `at most ${MOST_INITIAL} scenarios`;
    throw new Misfit(`The scenarios of the start must be ${due}; got ${specs.length}.`, [due]);
  }

  /** @throws {Misfit} if the scenario cannot strike the operation, with those that can. */
  fit(spec: ScenarioSpec, operation: string): ScenarioSpec {
    if (appliesTo(spec.scenario, operation)) return spec;
    const fits = this.all.filter((one) => appliesTo(one, operation)).map(({ id }) => id);
    throw new Misfit(`\`${spec.scenario.id}\` cannot strike \`${operation}\`.`, fits);
  }
}

/** A wait before the work lets those after it strike at their usual time. */
function isMoreThanWait(spec: ScenarioSpec): boolean {
  return !isDelay(spec) || spec.phase === 'after-commit';
}
