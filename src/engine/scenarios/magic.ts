import { type JsonObject, shown } from '../../common/index.js';
import type { Scenario } from '../../contract/index.js';
import type { ScenarioBook } from './book.js';
import type { ScenarioSpec } from './spec.js';

/** A scenario triggered by data in the body of a request. */
export interface Magic {
  readonly spec: ScenarioSpec;
  readonly source: 'body' | 'facility';
}

const inComments = /#teebox(?![\w-])([^\n#]*)/i;
const NAMES = ['contactLastName', 'contactName'];

/**
 * The scenarios that the bookings in a body trigger by a name, a comment or their facility, names and comments first.
 * Each strikes the first booking that asks for it.
 *
 * @throws {Misfit} for a comment with an invalid spec.
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
  const { comments, facilityId } = booking;
  if (typeof comments === 'string' && inComments.test(comments)) return true;
  if (facilityScenario(Number(facilityId)) !== undefined) return true;
  return NAMES.some((name) => book.byWord(lastWord(booking[name])) !== undefined);
}

/** Whether the scenario can strike one booking of several, not only the request. */
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
  { facilityId }: JsonObject,
  facilityScenario: (id: number) => string | undefined,
): ScenarioSpec[] {
  const asked = facilityScenario(Number(facilityId));
  return asked === undefined ? [] : book.parse(asked);
}

/** Names that almost switch a scenario on, with what to write instead. */
export function nearNames(book: ScenarioBook, bookings: readonly JsonObject[]): string[] {
  const near: string[] = [];
  for (const booking of bookings) {
    for (const name of NAMES) {
      const word = lastWord(booking[name]);
      const scenario = word === '' ? undefined : nearScenario(book, word);
      if (!scenario || book.byWord(word)) continue;
      near.push(
        `\`${name}\` is ${shown(word)}, which switches nothing on. For the scenario, write ${scenario.id.toUpperCase()}.`,
      );
    }
  }
  return near;
}

function nearScenario(book: ScenarioBook, word: string): Scenario | undefined {
  return book.byWord(word.toLowerCase().replaceAll('_', '-'));
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
