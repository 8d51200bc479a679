import { formatQueryDate } from '../../model/calendar.js';
import { invalid } from '../../model/refusal.js';
import { type Call, type Engine, EngineAt, type ResultQuery, type Route, type Schemas } from './call.js';
import { facilityOf, isOpenTo } from './facilities.js';
import { findTeeTimes, jsonHalves, type TeeTimeWriter } from './tee-time-texts.js';
import type { Facility } from '../../model/world.js';

export interface SearchParams extends ResultQuery {
  readonly callbackUrl: string;
}

/** Characters of a facility and day in a result: few have more. */
const FACILITY_DAY = 100_000;

/**
 * Accepts a search over several facilities and days. The result is posted to the caller's address afterwards, with
 * one element per facility (sections "Tee times for several facilities" and "Events").
 */
export function searchTeeTimes(writer: TeeTimeWriter<Schemas['TeeTimeV3']>): Route<SearchParams, null> {
  return ({ engine, channel, params, requestId, reach, triggered }: Call<SearchParams>) => {
    const { callbackUrl: url, ...query } = params;
    const { facilityIds, fromDate, toDate } = query;
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
    const sent = engine.callbacks.enqueue({
      url,
      requestId,
      channel,
      reach,
      query,
      body: resultOf(engine, writer, channel.name, query),
      size: size * FACILITY_DAY,
      triggered: () => triggered?.('step', () => {}) ?? [],
    });
    const answer = { data: null, status: engine.answers['success.accepted-status'] };
    return sent ? sent.then(() => answer) : answer;
  };
}

type FacilityResult = Schemas['SearchResult']['data'][number];

/** Makes the text of a result in pieces, from the state of now, for an instant. */
export function resultOf(
  engine: Engine,
  writer: TeeTimeWriter<Schemas['TeeTimeV3']>,
  channel: string,
  query: ResultQuery,
): (at: number) => Iterable<string> {
  return (at) => resultPieces(new EngineAt(engine, at), writer, channel, query);
}

/** The text of a result, one piece for each facility and day. */
function* resultPieces(engine: Engine, writer: TeeTimeWriter, channel: string, query: ResultQuery): Generator<string> {
  const { store, answers } = engine;
  const unknown = query.facilityIds.find((id) => !store.world.facility(id));
  if (unknown !== undefined && answers['callback.failure-body'] === 'envelope') {
    yield JSON.stringify({ success: false, data: null, message: `There is no facility ${unknown}.` });
    return;
  }
  const [start, end] = jsonHalves((data: FacilityResult[]): Schemas['SearchResult'] => ({ success: true, data }));
  let text = start;
  for (const [index, id] of query.facilityIds.entries()) {
    const facility = store.world.facility(id);
    const [before, after] = jsonHalves((teeTimeV3: Schemas['TeeTimeV3'][]): FacilityResult => ({
      facilityId: id,
      teeTimeV3,
    }));
    text += (index > 0 ? ',' : '') + before;
    if (facility && visible(engine, facility, channel)) {
      for (const day of allDays(engine, writer, facility, query)) {
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

function* allDays(engine: Engine, writer: TeeTimeWriter, facility: Facility, query: ResultQuery): Generator<string> {
  const { fromDate, toDate, players, holes } = query;
  let between = '';
  for (let day = fromDate; day <= toDate; day += 1) {
    const search = { facility, courses: facility.courses, day, players, holes };
    const { texts } = findTeeTimes(engine, writer, search, false);
    yield texts.length > 0 ? between + texts.join() : '';
    if (texts.length > 0) between = ',';
  }
}
