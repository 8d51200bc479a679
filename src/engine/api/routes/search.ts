import { formatQueryDate } from '../../model/calendar.js';
import { invalid } from '../../model/refusal.js';
import type { Call, Route } from './call.js';
import { facilityOf } from './facilities.js';
import type { Schemas } from './payload.js';
import type { ResultQuery } from './result-query.js';
import { resultOf } from './search-result.js';
import type { TeeTimeWriter } from './tee-time-texts.js';

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
  return ({ engine, channel, params, requestId, reach, strikes }: Call<SearchParams>) => {
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
    for (let day = fromDate; day <= toDate; day += 1) {
      for (const id of facilityIds) engine.rivals.look(engine.store.world.facility(id)?.courses ?? [], day);
    }
    const sent = engine.callbacks.enqueue({
      url,
      requestId,
      channel,
      reach,
      query,
      body: resultOf(engine, writer, channel.name, query),
      size: size * FACILITY_DAY,
      strikes: () => strikes?.('step', () => {}) ?? [],
    });
    const answer = { data: null, status: engine.answers['success.accepted-status'] };
    return sent ? sent.then(() => answer) : answer;
  };
}
