import { formatQueryDate } from '../domain/calendar.js';
import { invalid } from '../domain/refusal.js';
import type { Facility } from '../domain/world.js';
import type { Call, Engine, Route } from './call.js';
import { facilityOf, isOpenTo } from './facilities.js';
import { jsonHalves } from './json-text.js';
import type { Schemas } from './payload.js';
import { findTeeTimes, type TeeTimeWriter } from './tee-time-texts.js';

export interface SearchParams {
  readonly facilityIds: readonly number[];
  readonly fromDate: number;
  readonly toDate: number;
  readonly players: number;
  readonly holes: number;
  readonly callbackUrl: string;
}

/** Characters of a facility and day in a result: few have more. */
const FACILITY_DAY = 100_000;

type FacilityResult = Schemas['SearchResult']['data'][number];

/**
 * Accepts a search over several facilities and days. The result is posted to the caller's address afterwards, with
 * one element per facility (sections "Tee times for several facilities" and "Events").
 */
export function searchTeeTimes(writer: TeeTimeWriter<Schemas['TeeTimeV3']>): Route<SearchParams, null> {
  return ({ engine, channel, params, requestId, reach, strikes }: Call<SearchParams>) => {
    const { facilityIds, fromDate, toDate } = params;
    if (fromDate > toDate) {
      throw invalid('search.query.toDate', 'toDate', 'must not be before `fromDate`', formatQueryDate(toDate));
    }
    const most = engine.answers['search.max-facility-days'];
    const size = facilityIds.length * (toDate - fromDate + 1);
    if (size > most) {
      throw invalid(
        'search.query.facilityIds',
        'facilityIds',
        `times the number of days must be at most ${most}`,
        size,
      );
    }
    if (engine.answers['search.unknown-facility'] === 'refused') {
      // Refused now, because an acknowledged search always posts a result.
      for (const id of facilityIds) facilityOf(engine, id, undefined);
    }
    for (let day = fromDate; day <= toDate; day += 1) {
      for (const id of facilityIds) engine.rivals.look(engine.store.world.facility(id)?.courses ?? [], day);
    }
    const sent = engine.callbacks.enqueue({
      url: params.callbackUrl,
      requestId,
      channel,
      reach,
      body: (at) => resultPieces({ ...engine, now: () => at }, writer, channel.name, params),
      size: size * FACILITY_DAY,
      strikes: () => strikes?.('step', () => {}) ?? [],
    });
    const answer = { data: null, status: engine.answers['success.accepted-status'] };
    return sent ? sent.then(() => answer) : answer;
  };
}

/** The text of a result, one piece for each facility and day. */
function* resultPieces(
  engine: Engine,
  writer: TeeTimeWriter,
  channel: string,
  params: SearchParams,
): Generator<string> {
  const { store, answers } = engine;
  engine.rivals.catchUp(engine.now());
  const unknown = params.facilityIds.find((id) => !store.world.facility(id));
  if (unknown !== undefined && answers['callback.failure-body'] === 'envelope') {
    yield JSON.stringify({ success: false, data: null, message: `There is no facility ${unknown}.` });
    return;
  }
  const [start, end] = jsonHalves((data: FacilityResult[]): Schemas['SearchResult'] => ({ success: true, data }));
  let text = start;
  for (const [index, id] of params.facilityIds.entries()) {
    const facility = store.world.facility(id);
    const [before, after] = jsonHalves((teeTimeV3: Schemas['TeeTimeV3'][]): FacilityResult => ({
      facilityId: id,
      teeTimeV3,
    }));
    text += (index > 0 ? ',' : '') + before;
    if (facility && visible(engine, facility, channel)) {
      for (const day of allDays(engine, writer, facility, params)) {
        yield text + day;
        text = '';
      }
    }
    text += after;
  }
  yield text + end;
}

/** An unconnected facility gets an empty element, because the search is already acknowledged. */
function visible(engine: Engine, facility: Facility, channel: string): boolean {
  return engine.answers['facility.unconnected'] !== 'refused'
    ? isOpenTo(engine, facility, channel)
    : facility.channels.includes(channel);
}

function* allDays(engine: Engine, writer: TeeTimeWriter, facility: Facility, params: SearchParams): Generator<string> {
  const { fromDate, toDate, players, holes } = params;
  let between = '';
  for (let day = fromDate; day <= toDate; day += 1) {
    const search = { facility, courses: facility.courses, day, players, holes };
    const { texts } = findTeeTimes(engine, writer, search, false);
    yield texts.length > 0 ? between + texts.join() : '';
    if (texts.length > 0) between = ',';
  }
}
