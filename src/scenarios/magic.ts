import { scenarios } from '../generated/scenarios.js';
import { type ScenarioSpec, parseSpec, specOf } from './spec.js';

/** Names that a client's own form can send: `PAYMENT-PI-FAILED` for `payment-pi-failed`. */
const byName: ReadonlyMap<string, string> = new Map(scenarios.map(({ id }) => [id.toUpperCase(), id]));
const inComments = /#teebox +([^\n#]+)/;

/**
 * What the bookings of a body ask for by a name or a comment; the first that does counts, and it is the one struck.
 *
 * @throws {Misfit} for a comment that asks for what does not fit.
 */
export function magicOf(bookings: readonly Readonly<Record<string, unknown>>[]): ScenarioSpec | undefined {
  for (const [index, { contactLastName, contactName, comments }] of bookings.entries()) {
    const id = byName.get(lastWord(contactLastName)) ?? byName.get(lastWord(contactName));
    const spec = id ? specOf(id) : fromComments(comments);
    if (spec) return bookings.length > 1 ? { ...spec, item: spec.item ?? index + 1 } : spec;
  }
  return undefined;
}

function lastWord(value: unknown): string {
  return typeof value === 'string' ? value.slice(value.lastIndexOf(' ') + 1) : '';
}

function fromComments(comments: unknown): ScenarioSpec | undefined {
  const asked = typeof comments === 'string' ? inComments.exec(comments)?.[1] : undefined;
  return asked === undefined ? undefined : parseSpec(asked);
}
