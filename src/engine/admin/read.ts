/** Reads bodies and queries of admin requests. Whatever does not fit becomes a problem with status 400. */
import { readText, textPieces } from '../api/body.js';
import {
  extentOf,
  jsonFault,
  type JsonFault,
  jsonFaultWords,
  validationError,
  MOST_LEVELS,
  type Pause,
} from '../../common/index.js';
import { JsonReader, JsonSyntaxError, TooDeep } from '../state/json-reader.js';
import { type AdminValidators, fit, loadAdminValidators, type QueryValidator } from '../../contract/index.js';
import { Refusal } from '../model/refusal.js';
import type { Facility } from '../model/world.js';
import type { Engine } from '../api/routes/call.js';
import { Problem, shown } from './problem.js';

/** Bytes of a body, unless a route says otherwise. */
export const MAX_BODY = 1_048_576;

/** Names as a list in a sentence. */
export function listed(names: Iterable<string | number>): string {
  return [...names].map((name) => `\`${name}\``).join(', ');
}

/**
 * The body of a request as text.
 *
 * @throws {Problem} 413 if it exceeds the limit, 400 if it does not arrive completely.
 */
export function readBody(request: Request, limit: number): Promise<string> {
  const header = (name: string) => request.headers.get(name) ?? undefined;
  return readText(request, header, limit).catch((error: unknown) => {
    if (!(error instanceof Refusal)) throw error;
    throw notRead(error);
  });
}

/**
 * The body of a request as JSON, regardless of its content type. Requests of other sites are refused before.
 *
 * @throws {Problem} 400 for a body that is not JSON or has too many levels, 413 if it exceeds the limit, usually 1 MiB.
 */
export async function readJson(request: Request, limit = MAX_BODY): Promise<unknown> {
  const text = await readBody(request, limit);
  const { levels } = extentOf(text);
  if (levels > MOST_LEVELS) {
    const due = `at most ${MOST_LEVELS} levels of arrays and objects`;
    throw new Problem(400, `The body must have ${due}; got ${levels}.`, {}, [due]);
  }
  try {
    return JSON.parse(text);
  } catch {
    throw notJson(text === '' ? undefined : jsonFault(text)!);
  }
}

/** Characters that are read until other requests get their turn. */
const READ_AT_ONCE = 262_144;

/**
 * The body of a request as JSON, as `readJson` reads it, while other requests are answered.
 *
 * @throws {Problem} as `readJson` does.
 */
export async function readJsonInSlices(request: Request, limit: number, pause: Pause): Promise<unknown> {
  // A length over the limit is refused before anything is read.
  if (Number(request.headers.get('content-length') ?? 0) > limit) await readBody(request, limit);
  const reader = new JsonReader(MOST_LEVELS);
  let [length, since] = [0, 0];
  try {
    for await (const piece of request.body ? textPieces(request.body, limit) : []) {
      length += piece.length;
      if (since > READ_AT_ONCE) await pause();
      since = since > READ_AT_ONCE ? piece.length : since + piece.length;
      reader.feed(piece);
    }
    return reader.end();
  } catch (error) {
    if (error instanceof TooDeep) throw tooDeep();
    if (error instanceof JsonSyntaxError) throw notJson(length === 0 ? undefined : error.fault);
    throw notRead(error instanceof Refusal ? error : undefined);
  }
}

function notJson(fault: JsonFault | undefined): Problem {
  const why = fault && `The body is not well-formed JSON: ${jsonFaultWords(fault)}.`;
  return new Problem(400, why ?? 'The body is empty; it must be JSON.');
}

function tooDeep(): Problem {
  const due = `at most ${MOST_LEVELS} levels of arrays and objects`;
  return new Problem(400, `The body must have ${due}.`, {}, [due]);
}

/** A body over the limit, or one that did not arrive. */
function notRead(refusal: Refusal | undefined): Problem {
  const { words = 'The body did not arrive whole.', headers } = refusal?.info ?? {};
  return new Problem(refusal?.code === 'body-too-large' ? 413 : 400, words, headers);
}

type AdminQueries = {
  [Name in keyof AdminValidators]: AdminValidators[Name] extends QueryValidator<infer Q> ? Q : never;
};
type QueryName = Exclude<keyof AdminValidators, 'ClockMove' | 'Expectation' | 'SheetChange'>;

/**
 * The query of a request, each name at most once.
 *
 * @throws {Problem} 400 for a repeated name.
 * @throws {ValidationError} for an unknown name or an invalid value.
 */
export async function readQuery<Name extends QueryName>(request: Request, name: Name): Promise<AdminQueries[Name]> {
  return readQueryBy((await loadAdminValidators())[name] as QueryValidator<AdminQueries[Name]>, request);
}

/** The query of a request by a validator, as `readQuery` reads it. */
export function readQueryBy<T>(validate: QueryValidator<T>, request: Request): T {
  const found: Record<string, unknown> = Object.create(null);
  for (const [key, text] of new URL(request.url).searchParams) {
    if (key in found) throw new Problem(400, `\`${key.slice(0, 80)}\` is in the query twice.`);
    found[key] = validate.integers.includes(key) && /^\d{1,15}$/.test(text) ? Number(text) : text;
  }
  return fit(validate, found, { whole: 'The query', stray: 'is not a parameter of this path' });
}

/** @throws {ValidationError} for a name that is not one of these channels. */
export function checkChannel(channels: readonly string[], channel: string | undefined): void {
  if (channel === undefined || channels.includes(channel)) return;
  throw validationError('channel', `one of ${listed(channels)}`, channel, channels);
}

/** @throws {Problem} for text that is not a facility id. */
export function facilityOf({ store }: Engine, id: string | number, status: 400 | 404): Facility {
  const text = String(id);
  const facility = /^\d{1,15}$/.test(text) ? store.world.facility(Number(text)) : undefined;
  if (facility) return facility;
  throw new Problem(
    status,
    `There is no facility ${shown(text)}; this world has ${store.world.size}, from ${store.world.at(0)!.id} on.`,
  );
}
