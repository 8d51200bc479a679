import { closest, foldedText, hiddenDifference, visible } from '../../../common/index.js';
import { Refusal } from '../../model/refusal.js';
import type { Facility, World } from '../../model/world.js';
import type { Answers, OperationId } from '../../../contract/index.js';
import { type Answer, type Call, encodeSuccess, type Engine, type Route } from './call.js';
import { shapedFacility } from './facility-forms.js';

/** The countries of all facilities, or of those connected to the channel (section "Countries"). */
export function listCountries({
  engine,
  channel,
  params,
}: Call<{ readonly connected: boolean | undefined }>): Answer<string[]> {
  const { caches, world } = engine.store;
  const connectedTo = params.connected ? channel.name : undefined;
  const key = `countries ${connectedTo ?? '*'}`;
  const body =
    caches.kept.get(key) ?? caches.kept.set(key, encodeSuccess(JSON.stringify(world.countries(connectedTo))));
  return { body };
}

/** The shape of a facility in one version. `base` is the `{base_url}` of its images. */
export interface FacilityWriter<Written> {
  readonly key: string;
  write(facility: Facility, answers: Answers, base: string): Written;
}

/** The `{base_url}` of a request: everything before `/api/`. */
function baseOf(url: string): string {
  const end = url.indexOf('/api/', url.indexOf('://') + 3);
  return end < 0 ? url : url.slice(0, end);
}

/**
 * The facility with this id.
 *
 * @throws {Refusal} `unknown-facility`; `empty` is the answer in dialects that do not refuse.
 */
export function facilityOf({ store }: Engine, id: number, empty: unknown): Facility {
  const facility = store.world.facility(id);
  if (!facility)
    throw new Refusal('unknown-facility', 'facilities.unknown', { words: `There is no facility ${id}.`, empty });
  return facility;
}

/** Whether the channel may see the tee times of a facility (question `facility.unconnected`). */
export function isOpenTo({ answers }: Engine, facility: Facility, channel: string): boolean {
  if (facility.channels.includes(channel) || answers['facility.unconnected'] === 'open') return true;
  if (answers['facility.unconnected'] === 'empty') return false;
  throw new Refusal('facility-unconnected', 'facilities.connected-scope');
}

type ListParams = { readonly country: string; readonly connected: boolean | undefined };

/** The facilities of one country. Its name must match exactly (section "Facilities", row List). */
export function listFacilities<Written>(
  writer: FacilityWriter<Written>,
  operation: OperationId,
): Route<ListParams, Written[]> {
  return ({ engine, channel, params: { country, connected } }) => {
    const { caches, world } = engine.store;
    // The facilities of a file may have forms of their own.
    const key = `facilities ${world.digest === undefined ? writer.key : operation} ${connected ? channel.name : '*'} ${country}`;
    const known = caches.kept.get(key);
    if (known) return { body: known };
    const inCountry = world.facilitiesIn(country);
    if (inCountry.length === 0) return unknownCountry(engine, country);
    const listed = connected ? inCountry.filter(({ channels }) => channels.includes(channel.name)) : inCountry;
    const data = listed.map((one) =>
      shapedFacility(writer.write(one, engine.answers, ''), one, operation, world.forms),
    );
    return { body: caches.kept.set(key, encodeSuccess(JSON.stringify(data))) };
  };
}

function unknownCountry(engine: Engine, country: string): Answer<never[]> {
  if (engine.answers['country.unknown'] === 'empty') return { data: [] };
  throw new Refusal('unknown-country', 'countries.unknown', {
    words: unknownCountryWords(engine.store.world, country),
  });
}

/** What a country may have been meant to be, in a sentence. */
export function unknownCountryWords(world: World, country: string): string {
  const shown = `There is no country \`${visible(country.slice(0, 60))}\``;
  const guess = country.length > 60 ? undefined : nearestCountry(world.countries(), country);
  if (guess === undefined) {
    const isCode = /^[A-Za-z]{2,3}$/.test(country);
    const how = isCode ? 'A country is sent by its name, not by a code' : 'Names must match exactly, including case';
    return `${shown}. ${how}; GET /api/v3/countries lists all ${world.countries().length}.`;
  }
  const hidden = hiddenDifference(guess, country);
  const why = hidden === undefined ? '' : ` They differ in ${hidden}.`;
  return `${shown}; did you mean \`${guess}\`? Names must match exactly.${why}`;
}

/** The country that a reader takes for this one, with or without its article, or the closest in letters. */
function nearestCountry(countries: readonly string[], country: string): string | undefined {
  const bare = (name: string): string => foldedText(name).replace(/^the /, '');
  const wanted = bare(country);
  if (wanted === '') return undefined;
  const exact = countries.find((name) => foldedText(name) === foldedText(country));
  const byBare = new Map(countries.map((name) => [bare(name), name]));
  return exact ?? byBare.get(wanted) ?? byBare.get(closest(wanted, [...byBare.keys()]) ?? '');
}

/** One facility in full; also the verbose details, whose images contain the base URL. */
export function showFacility<Written>(
  writer: FacilityWriter<Written>,
  operation: OperationId,
): Route<{ readonly facilityId: number }, Written> {
  return ({ engine, params, url }: Call<{ readonly facilityId: number }>) => {
    const { caches, world } = engine.store;
    const base = baseOf(url);
    const key = `facility ${world.digest === undefined ? writer.key : operation} ${params.facilityId} ${base}`;
    const known = caches.kept.get(key);
    if (known) return { body: known };
    const facility = facilityOf(engine, params.facilityId, null);
    const written = shapedFacility(writer.write(facility, engine.answers, base), facility, operation, world.forms);
    return { body: caches.kept.set(key, encodeSuccess(JSON.stringify(written))) };
  };
}
