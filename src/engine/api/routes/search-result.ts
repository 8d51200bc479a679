import type { Facility } from '../../model/world.js';
import { type Engine, EngineAt } from './call.js';
import { isOpenTo } from './facilities.js';
import { jsonHalves } from './json-text.js';
import type { Schemas } from './payload.js';
import type { ResultQuery } from './result-query.js';
import { findTeeTimes, type TeeTimeWriter } from './tee-time-texts.js';

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
  engine.rivals.catchUp(engine.now());
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
