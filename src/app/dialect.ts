import { type Answers, questionSwitches } from '../generated/questions.js';

/**
 * How one deployment answers the questions that the document leaves open. Absent answers take the default.
 *
 * @example
 * const card: DialectCard = { name: 'staging', answers: { 'payment.v5.method': 'post' } };
 */
export interface DialectCard {
  readonly name?: string;
  readonly answers?: Partial<Answers>;
  /** Scenarios that strike always, as in the header: the failures that a deployment is known for. */
  readonly scenarios?: readonly string[];
}

interface Switch {
  readonly id: string;
  readonly kind: string;
  readonly options?: readonly (string | number)[];
  readonly values?: readonly string[];
  readonly min?: number;
  readonly max?: number;
  readonly default: unknown;
}

const switches: readonly Switch[] = questionSwitches;
const byId = new Map(switches.map((entry) => [entry.id, entry]));
const MOST_SCENARIOS = 100;
const hint = 'Run `teebox questions` for the list.';
const headerName = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]{1,64}$/;
/** Headers that carry the message itself; a token in one of them would break the exchange. */
const reservedHeaders = /^(content-|transfer-|host$|connection$|cookie$|expect$|upgrade$|te$|trailer$|teebox-)/i;

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

function due(entry: Switch): string {
  if (entry.kind === 'choice') return `one of ${entry.options?.join(', ')}`;
  if (entry.kind === 'integer') return `a whole number from ${entry.min} to ${entry.max}`;
  if (entry.kind === 'subset') return `a list of ${entry.values?.join(', ')}, each at most once`;
  return 'the name of a request header that is free to carry a token';
}

function fits(entry: Switch, value: unknown): boolean {
  switch (entry.kind) {
    case 'choice':
      return entry.options!.includes(value as string | number);
    case 'integer':
      return Number.isSafeInteger(value) && (value as number) >= entry.min! && (value as number) <= entry.max!;
    case 'subset':
      return (
        Array.isArray(value) &&
        new Set(value).size === value.length &&
        value.every((item) => entry.values!.includes(item as string))
      );
    default:
      return typeof value === 'string' && headerName.test(value) && !reservedHeaders.test(value);
  }
}

/**
 * Reads a dialect card from parsed JSON.
 *
 * @throws {Error} naming the first key or answer that does not fit and what would.
 */
export function parseDialectCard(value: unknown): DialectCard {
  if (!isObject(value)) throw new Error('a dialect card is a JSON object `{"name"?, "answers"?, "scenarios"?}`.');
  for (const key of Object.keys(value)) {
    if (!['name', 'answers', 'scenarios'].includes(key))
      throw new Error(`\`${key}\` is not a key of a dialect card; it has \`name\`, \`answers\` and \`scenarios\`.`);
  }
  const { name, answers = {}, scenarios } = value;
  if (name !== undefined && typeof name !== 'string') throw new Error('`name` must be a string.');
  if (!isObject(answers)) throw new Error('`answers` must be an object of question ids and answers.');
  for (const [id, answer] of Object.entries(answers)) {
    const entry = byId.get(id);
    if (!entry) throw new Error(`\`${id}\` is not a question. ${hint}`);
    if (!fits(entry, answer)) throw new Error(`\`${id}\` must be ${due(entry)}. ${hint}`);
  }
  const known = Array.isArray(scenarios) && scenarios.length <= MOST_SCENARIOS && scenarios.every(isText);
  if (scenarios !== undefined && !known) {
    throw new Error(
      `\`scenarios\` must be a list of at most ${MOST_SCENARIOS} texts such as "payment-pi-failed; delay=800".`,
    );
  }
  return {
    ...(name === undefined ? {} : { name }),
    answers: structuredClone(answers) as Partial<Answers>,
    ...(known ? { scenarios: [...scenarios] } : {}),
  };
}

/** The full set of answers: the card's where it has one, the default elsewhere. */
export function answersOf(card: DialectCard = {}): Answers {
  const given = parseDialectCard(card).answers as Record<string, unknown>;
  return Object.fromEntries(
    switches.map((entry) => [entry.id, given[entry.id] ?? entry.default]),
  ) as unknown as Answers;
}

/** The card in force, which may be replaced while a sandbox runs. */
export class Dialect {
  #card: DialectCard;
  #answers: Answers;

  /** @throws {Error} for a card that does not fit. */
  constructor(readonly first: DialectCard = {}) {
    this.#card = parseDialectCard(first);
    this.#answers = answersOf(this.#card);
  }

  get card(): DialectCard {
    return this.#card;
  }

  get answers(): Answers {
    return this.#answers;
  }

  /** @throws {Error} for a card that does not fit; the one in force stays. */
  replace(value: unknown): void {
    const card = parseDialectCard(value);
    this.#answers = answersOf(card);
    this.#card = card;
  }

  /** Back to the card of the start. */
  reset(): void {
    this.replace(this.first);
  }
}
