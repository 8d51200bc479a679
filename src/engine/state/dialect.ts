import {
  type Answers,
  CardAnswers,
  fit,
  type GivenAnswers,
  questionSwitches,
  DialectCard as validate,
  type WorldFile,
} from '../../contract/index.js';
import { checkNesting, defined, isObject, type JsonObject, ValidationError } from '../../common/index.js';
import { frozen } from '../store/fixtures.js';

/**
 * How one deployment answers the questions that the API specification leaves open. Absent answers take the default.
 *
 * @example
 * const card: DialectCard = { name: 'staging', answers: { 'payment.method': { v5: 'post' } } };
 */
export interface DialectCard {
  readonly name?: string;
  readonly answers?: GivenAnswers;
  /** Limits that a check of the deployment has not reached: how many records came. The default answers the question. */
  readonly atLeast?: { readonly 'prices.default-limit'?: number; readonly 'prices.max-limit'?: number };
  /** Scenarios that always apply, as in the header: the failures that a deployment is known for. */
  readonly scenarios?: readonly string[];
}

interface Switch {
  readonly id: string;
  readonly default: unknown;
  /** The versions that may differ; absent where there is one answer. */
  readonly versions?: readonly string[];
}

const switches: readonly Switch[] = questionSwitches;
/** Maximum of a card; the largest that can be has some hundred values. */
const CARD_LEVELS = 16;
const CARD_VALUES = 5000;
const questionIds = switches.map(({ id }) => id);
const hint = 'Run `npx --no-install teebox list questions` for the list.';

/**
 * Reads a dialect card from parsed JSON. Former ids of questions are replaced by those of today.
 *
 * @throws {ValidationError} naming the first key or answer that does not fit and what would.
 */
export function parseDialectCard(value: unknown): DialectCard {
  // Most sandboxes have none, and to compile the validators takes a start as long as to read the world.
  if (isObject(value) && Object.keys(value).length === 0) return { answers: {} };
  checkNesting(value, 'A dialect card', CARD_LEVELS, CARD_VALUES);
  const card = fit(validate, value, { whole: 'A dialect card', stray: 'is not a key of a dialect card' });
  const { name, answers = {}, atLeast, scenarios } = card;
  try {
    fit(CardAnswers, answers, { whole: '`answers`', stray: 'is not a question', hint, members: questionIds });
  } catch (error) {
    if (error instanceof ValidationError) error.pointer = `/answers${error.pointer}`;
    throw error;
  }
  return defined({
    name,
    answers: withoutFormerIds(structuredClone(answers)) as GivenAnswers,
    atLeast: atLeast && { ...atLeast },
    scenarios: scenarios && [...scenarios],
  });
}

/** The card of the start: the one that is given, or that of a world file. */
export function firstCard({ dialect, world }: CardSource): DialectCard | undefined {
  return dialect === undefined ? (world?.dialect as DialectCard | undefined) : dialect;
}

interface CardSource {
  readonly dialect?: DialectCard;
  readonly world?: Pick<WorldFile, 'dialect'>;
}

/** The full sets of answers by what was given. Sandboxes share them, and what is made of them. */
const known = new Map<string, Answers>();
const MOST_KNOWN = 50;

/** The full set of answers: the card's where it has one, the default elsewhere. It never changes. */
export function answersOf(card?: DialectCard): Answers {
  return fullAnswers(parseDialectCard(card ?? {}));
}

function fullAnswers({ answers: given = {} }: DialectCard): Answers {
  const text = JSON.stringify(given);
  let full = known.get(text);
  if (full) return full;
  if (known.size === MOST_KNOWN) known.clear();
  const answers = switches.map((entry) => [entry.id, answerOf(entry, (given as Record<string, unknown>)[entry.id])]);
  full = frozen(Object.fromEntries(answers)) as unknown as Answers;
  known.set(text, full);
  return full;
}

function answerOf({ versions, default: usual }: Switch, given: unknown): unknown {
  if (!versions) return given ?? usual;
  const byVersion = isObject(given) ? given : {};
  const others = isObject(given) ? usual : (given ?? usual);
  return Object.fromEntries(versions.map((version) => [version, byVersion[version] ?? others]));
}

/** The card in force, which may be replaced while a sandbox runs. */
export class Dialect {
  #card: DialectCard;
  #answers: Answers;
  /** Called with each card that replaces another. */
  onReplace: (card: DialectCard) => void = () => {};

  #first: DialectCard;

  /** @throws {ValidationError} for a card that does not fit. */
  constructor(first: DialectCard = {}) {
    this.#first = first;
    this.#card = parseDialectCard(first);
    this.#answers = fullAnswers(this.#card);
  }

  get card(): DialectCard {
    return this.#card;
  }

  get answers(): Answers {
    return this.#answers;
  }

  /** @throws {ValidationError} for a card that does not fit; the one in force stays. */
  replace(value: unknown): void {
    const card = parseDialectCard(value);
    this.#answers = fullAnswers(card);
    this.#card = card;
    this.onReplace(card);
  }

  /** Back to the card of the start. */
  reset(): void {
    this.replace(this.#first);
  }

  /** @throws {ValidationError} for a card that does not fit; the one in force stays. */
  begin(first: DialectCard = {}): void {
    this.replace(first);
    this.#first = first;
  }
}

/** The version of a question that an id stood for when each version had a question of its own. */
interface FormerQuestion {
  readonly id: string;
  readonly version: string;
}

/** By the former id. */
const formerQuestions: ReadonlyMap<string, FormerQuestion> = new Map(
  questionSwitches.flatMap((entry) =>
    'formerly' in entry
      ? entry.versions.map((version) => [entry.formerly.replace('{version}', version), { id: entry.id, version }])
      : [],
  ),
);

/**
 * The answers of a card under the ids of today: `{"payment.v5.method": "post"}` is `{"payment.method": {"v5": "post"}}`.
 *
 * @throws {ValidationError} where a former id and the id of today give a version different answers; it names both.
 */
function withoutFormerIds(given: JsonObject): Record<string, unknown> {
  const former = Object.keys(given).filter((id) => formerQuestions.has(id));
  const answers = Object.fromEntries(Object.entries(given).filter(([id]) => !formerQuestions.has(id)));
  for (const formerId of former) {
    const { id, version } = formerQuestions.get(formerId)!;
    const answer = given[formerId];
    const now = answers[id] ?? {};
    const byVersion = typeof now === 'object';
    const other = byVersion ? (now as JsonObject)[version] : now;
    if (other !== undefined && other !== answer) throw contradiction(formerId, answer, id, other, version);
    if (byVersion) answers[id] = { ...now, [version]: answer };
  }
  return answers;
}

function contradiction(
  formerId: string,
  answer: unknown,
  id: string,
  other: unknown,
  version: string,
): ValidationError {
  const [one, two] = [answer, other].map((value) => JSON.stringify(value));
  return new ValidationError(
    `\`${formerId}\` is ${one}, but \`${id}\` is ${two} for ${version}. Please remove \`${formerId}\`, which is a former id.`,
    [one, two].map(String),
  );
}
