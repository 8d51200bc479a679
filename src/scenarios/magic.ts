import type { JsonObject } from '../domain/json-object.js';
import type { ScenarioBook } from './book.js';
import type { ScenarioSpec } from './spec.js';

/** A scenario triggered by data in the body of a request. */
export interface Magic {
  readonly spec: ScenarioSpec;
  readonly source: 'body' | 'facility';
}

const inComments = /#teebox(?![\w-])([^\n#]*)/i;

/**
 * The scenario that a booking in a body triggers by a name, a comment or its facility. The first such booking counts
 * and is the one struck.
 *
 * @throws {Misfit} for a comment with an invalid spec.
 */
export function magicOf(
  book: ScenarioBook,
  bookings: readonly JsonObject[],
  facilityScenario: (id: number) => string | undefined,
): Magic | undefined {
  for (const [index, booking] of bookings.entries()) {
    const magic = ofBody(book, booking) ?? ofFacility(book, booking, facilityScenario);
    if (!magic) continue;
    const item = magic.spec.item ?? (isOfOne(magic.spec) && bookings.length > 1 ? index + 1 : null);
    return { ...magic, spec: { ...magic.spec, item } };
  }
  return undefined;
}

/** Whether the scenario can strike one booking of several, not only the request. */
function isOfOne({ scenario: { checkpoint } }: ScenarioSpec): boolean {
  return checkpoint !== 'arrival';
}

function ofBody(book: ScenarioBook, { contactLastName, contactName, comments }: JsonObject): Magic | undefined {
  const scenario = book.byWord(lastWord(contactLastName)) ?? book.byWord(lastWord(contactName));
  if (scenario) return { spec: book.spec(scenario.id), source: 'body' };
  const asked = typeof comments === 'string' ? inComments.exec(comments)?.[1] : undefined;
  return asked === undefined ? undefined : { spec: book.parse(asked), source: 'body' };
}

function ofFacility(
  book: ScenarioBook,
  { facilityId }: JsonObject,
  facilityScenario: (id: number) => string | undefined,
): Magic | undefined {
  const asked = facilityScenario(Number(facilityId));
  return asked === undefined ? undefined : { spec: book.parse(asked), source: 'facility' };
}

function lastWord(value: unknown): string {
  return typeof value === 'string' ? value.slice(value.lastIndexOf(' ') + 1) : '';
}
