import { formatQueryDate } from '../domain/calendar.js';
import { invalid } from '../domain/refusal.js';
import type { Facility } from '../domain/world.js';
import type { Call, Engine, Route } from './call.js';
import { facilityOf, isOpenTo } from './facilities.js';
import { jsonAround } from './json-text.js';
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
      body: (at) => {
        engine.rivals.catchUp(at);
        return resultBody({ ...engine, now: () => at }, writer, channel.name, params);
      },
      strikes: () => strikes?.('step', () => {}) ?? [],
    });
    const answer = { data: null, status: engine.answers['success.accepted-status'] };
    return sent ? sent.then(() => answer) : answer;
  };
}

function resultBody(engine: Engine, writer: TeeTimeWriter, channel: string, params: SearchParams): string {
  const { store, answers } = engine;
  const unknown = params.facilityIds.find((id) => !store.world.facility(id));
  if (unknown !== undefined && answers['callback.failure-body'] === 'envelope') {
    return JSON.stringify({ success: false, data: null, message: `There is no facility ${unknown}.` });
  }
  const elements = params.facilityIds.map((id) => {
    const facility = store.world.facility(id);
    const teeTimes = facility && visible(engine, facility, channel) ? allDays(engine, writer, facility, params) : [];
    return jsonAround(teeTimes, (teeTimeV3: Schemas['TeeTimeV3'][]): FacilityResult => ({ facilityId: id, teeTimeV3 }));
  });
  return jsonAround(elements, (data: FacilityResult[]): Schemas['SearchResult'] => ({ success: true, data }));
}

/** An unconnected facility gets an empty element, because the search is already acknowledged. */
function visible(engine: Engine, facility: Facility, channel: string): boolean {
  return engine.answers['facility.unconnected'] !== 'refused'
    ? isOpenTo(engine, facility, channel)
    : facility.channels.includes(channel);
}

function allDays(engine: Engine, writer: TeeTimeWriter, facility: Facility, params: SearchParams): string[] {
  const { fromDate, toDate, players, holes } = params;
  const texts: string[] = [];
  for (let day = fromDate; day <= toDate; day += 1) {
    texts.push(
      ...findTeeTimes(engine, writer, { facility, courses: facility.courses, day, players, holes }, false).texts,
    );
  }
  return texts;
}
