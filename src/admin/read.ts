import { readText } from '../app/body.js';
import { Refusal } from '../domain/refusal.js';
import type { Facility } from '../domain/world.js';
import type { Engine } from '../routes/call.js';
import { FIRST_FACILITY_ID } from '../store/derive-facility.js';
import { Problem, shown } from './problem.js';

const MAX_BODY = 1_048_576;

/** Names as a sentence has them. */
export function listed(names: Iterable<string | number>): string {
  return [...names].map((name) => `\`${name}\``).join(', ');
}

/**
 * The body of a request as text.
 *
 * @throws {Problem} 413 for one of more bytes than the limit, 400 for one that does not arrive whole.
 */
export function readBody(request: Request, limit: number): Promise<string> {
  const header = (name: string) => request.headers.get(name) ?? undefined;
  return readText(request, header, limit).catch((error: unknown) => {
    if (!(error instanceof Refusal)) throw error;
    const { words = 'The body did not arrive whole.', headers } = error.info;
    throw new Problem(error.code === 'body-too-large' ? 413 : 400, words, headers);
  });
}

/**
 * The body of a request as JSON, whatever its content type says: what other sites send is refused before.
 *
 * @throws {Problem} 400 for a body that is not JSON, 413 for one of more bytes than the limit, usually 1 MiB.
 */
export async function readJson(request: Request, limit = MAX_BODY): Promise<unknown> {
  const text = await readBody(request, limit);
  try {
    return JSON.parse(text);
  } catch {
    throw new Problem(400, text === '' ? 'The body is empty; it must be JSON.' : 'The body is not well-formed JSON.');
  }
}

/**
 * The one member of a body that asks for one thing.
 *
 * @throws {Problem} 400 for a body that is no object with exactly one of the names.
 */
export function readChoice<Name extends string>(body: unknown, forms: Readonly<Record<Name, string>>): [Name, unknown] {
  const due = `Please send exactly one of ${Object.values<string>(forms).join(', ')}.`;
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw new Problem(400, `The body is not a JSON object. ${due}`);
  }
  const members = Object.entries(body);
  const unknown = members.find(([name]) => !Object.hasOwn(forms, name));
  if (unknown) throw new Problem(400, `${shown(unknown[0])} is not known here. ${due}`);
  if (members.length !== 1) throw new Problem(400, `The body has ${members.length} members. ${due}`);
  return members[0] as [Name, unknown];
}

/**
 * The query of a request, each name at most once.
 *
 * @throws {Problem} 400 for a name that is not known or stands twice.
 */
export function readQuery<Name extends string>(
  request: Request,
  names: readonly Name[],
): Partial<Record<Name, string>> {
  const found: Partial<Record<string, string>> = {};
  for (const [name, value] of new URL(request.url).searchParams) {
    if (!names.includes(name as Name)) {
      throw new Problem(400, `${shown(name)} is not a parameter of this path; there are ${listed(names)}.`);
    }
    if (found[name] !== undefined) throw new Problem(400, `\`${name}\` stands twice in the query.`);
    found[name] = value;
  }
  return found as Partial<Record<Name, string>>;
}

/** @throws {Problem} 400 for a value that is not one of these. */
export function oneOf<Value extends string>(name: string, value: string, values: readonly Value[]): Value {
  if (values.includes(value as Value)) return value as Value;
  throw new Problem(400, `\`${name}\` must be one of ${listed(values)}; got ${shown(value)}.`);
}

/** @throws {Problem} 400 for text that is not a whole number of the range. */
export function wholeNumber(name: string, text: string, low: number, high: number): number {
  const number = /^\d{1,15}$/.test(text) ? Number(text) : NaN;
  if (number >= low && number <= high) return number;
  throw new Problem(400, `\`${name}\` must be a whole number from ${low} to ${high}; got ${shown(text)}.`);
}

/** @throws {Problem} for text that is the id of no facility. */
export function facilityOf({ store }: Engine, text: string, status: 400 | 404): Facility {
  const facility = /^\d{1,15}$/.test(text) ? store.world.facility(Number(text)) : undefined;
  if (facility) return facility;
  throw new Problem(
    status,
    `There is no facility ${shown(text)}; this world has ${store.world.size}, from ${FIRST_FACILITY_ID} on.`,
  );
}
