import { scenarios as ours, type Scenario, type ScenarioId } from '../../contract/index.js';
import { didYouMean, type JsonObject, ValidationError, shown } from '../../common/index.js';
import {
  appliesTo,
  facilityIdIn,
  isDelay,
  momentOf,
  readOptions,
  type ScenarioOptions,
  type ScenarioSpec,
  specOf,
} from './spec.js';

/** A comma between scenarios; those of `uniform(100ms,900ms)` are inside of brackets. */
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
   * @throws {ValidationError} for an unknown id, or for an option that does not fit the scenario.
   * @example
   * book.spec('payment-pi-failed', { phase: 'after-commit', item: 2, delay: 800 });
   */
  spec(id: ScenarioId | (string & {}), options: ScenarioOptions = {}): ScenarioSpec {
    const scenario = this.#byId.get(id);
    if (scenario) return specOf(scenario, options);
    const shown = id.slice(0, 80);
    const ids = [...this.#byId.keys()];
    const guess = didYouMean(shown, ids) || ' `teebox scenarios` lists all.';
    throw new ValidationError(`There is no scenario \`${shown}\`.${guess}`, ids);
  }

  /**
   * Reads one scenario or several: `price-changed, payment-pi-failed; phase=after-commit; delay=800ms, connection-reset`.
   * One that would end the request on arrival breaks the response instead, if others come before it in the list.
   *
   * @throws {ValidationError} with what is wrong and what would fit.
   */
  parse(text: string): ScenarioSpec[] {
    if (text.length > MOST_CHARACTERS) {
      const due = `at most ${MOST_CHARACTERS} characters`;
      throw new ValidationError(`A text that asks for scenarios must have ${due}; got ${text.length}.`, [due]);
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

  /** @throws {ValidationError} for the first invalid text, and for more scenarios than can be armed from the start. */
  parseAll(texts: readonly string[]): ScenarioSpec[] {
    const specs: ScenarioSpec[] = [];
    for (const text of texts) specs.push(...this.parse(text));
    if (specs.length <= MOST_INITIAL) return specs;
    const due = `at most ${MOST_INITIAL} scenarios`;
    throw new ValidationError(`The scenarios of the start must be ${due}; got ${specs.length}.`, [due]);
  }

  /** @throws {ValidationError} if the scenario does not apply to the operation, with those that can. */
  fit(spec: ScenarioSpec, operation: string): ScenarioSpec {
    if (appliesTo(spec.scenario, operation)) return spec;
    const fits = this.all.filter((one) => appliesTo(one, operation)).map(({ id }) => id);
    throw new ValidationError(`\`${spec.scenario.id}\` does not apply to \`${operation}\`.`, fits);
  }
}

/** A wait before the work leaves those after it at their usual time. */
function isMoreThanWait(spec: ScenarioSpec): boolean {
  return !isDelay(spec) || spec.phase === 'after-commit';
}

/** A scenario triggered by data in the body of a request. */
export interface Magic {
  readonly spec: ScenarioSpec;
  readonly source: 'body' | 'facility';
}

const inComments = /#teebox(?![\w-])([^\n#]*)/i;
const NAMES = ['contactLastName', 'contactName'];

/**
 * The scenarios that the bookings in a body trigger by a name, a comment or their facility, names and comments first.
 * Each applies to the first booking that asks for it.
 *
 * @throws {ValidationError} for a comment with an invalid spec.
 */
export function magicOf(
  book: ScenarioBook,
  bookings: readonly JsonObject[],
  facilityScenario: (id: number) => string | undefined,
): Magic[] {
  if (!bookings.some((booking) => isMagic(book, booking, facilityScenario))) return [];
  const all = [
    ...bookings.flatMap((booking, index) => ofBody(book, booking).map((spec) => ({ spec, source: 'body', index }))),
    ...bookings.flatMap((booking, index) =>
      ofFacility(book, booking, facilityScenario).map((spec) => ({ spec, source: 'facility', index })),
    ),
  ] as readonly (Magic & { readonly index: number })[];
  const first = all.filter(({ spec }, at) => all.findIndex((one) => one.spec.scenario.id === spec.scenario.id) === at);
  return first.map(({ spec, source, index }) => {
    const item = spec.item ?? (isOfOne(spec) && bookings.length > 1 ? index + 1 : null);
    return { spec: { ...spec, item }, source };
  });
}

/** Whether a booking triggers a scenario: most do not. */
function isMagic(
  book: ScenarioBook,
  booking: JsonObject,
  facilityScenario: (id: number) => string | undefined,
): boolean {
  const { comments } = booking;
  if (typeof comments === 'string' && inComments.test(comments)) return true;
  if (facilityScenario(facilityIdIn(booking)) !== undefined) return true;
  return NAMES.some((name) => book.byWord(lastWord(booking[name])) !== undefined);
}

/** Whether the scenario can apply to one booking of several, not only the request. */
function isOfOne({ scenario: { checkpoint } }: ScenarioSpec): boolean {
  return checkpoint !== 'arrival' && checkpoint !== 'credentials';
}

function ofBody(book: ScenarioBook, booking: JsonObject): ScenarioSpec[] {
  const scenario = NAMES.map((name) => book.byWord(lastWord(booking[name]))).find((one) => one !== undefined);
  const { comments } = booking;
  const asked = typeof comments === 'string' ? inComments.exec(comments)?.[1] : undefined;
  return [...(scenario ? [book.spec(scenario.id)] : []), ...(asked === undefined ? [] : book.parse(asked))];
}

function ofFacility(
  book: ScenarioBook,
  booking: JsonObject,
  facilityScenario: (id: number) => string | undefined,
): ScenarioSpec[] {
  const asked = facilityScenario(facilityIdIn(booking));
  return asked === undefined ? [] : book.parse(asked);
}

/** Names that almost switch a scenario on, with what to write instead. */
export function nearNames(book: ScenarioBook, bookings: readonly JsonObject[]): string[] {
  const near: string[] = [];
  for (const booking of bookings) {
    for (const name of NAMES) {
      const word = lastWord(booking[name]);
      const scenario = word === '' ? undefined : book.byWord(word.toLowerCase().replaceAll('_', '-'));
      if (!scenario || book.byWord(word)) continue;
      near.push(
        `\`${name}\` is ${shown(word)}, which switches nothing on. For the scenario, write ${scenario.id.toUpperCase()}.`,
      );
    }
  }
  return near;
}

/** Backwards, because a pattern would look at each word. */
function lastWord(value: unknown): string {
  if (typeof value !== 'string') return '';
  const text = value.trim();
  let start = text.length;
  while (start > 0 && !isSpace(text.charCodeAt(start - 1))) start -= 1;
  return text.slice(start);
}

function isSpace(code: number): boolean {
  return code < 0x80
    ? code <= 0x20 && (code === 0x20 || (code >= 0x09 && code <= 0x0d))
    : otherSpace.test(String.fromCharCode(code));
}

const otherSpace = /\s/;
