import { Refusal } from '../domain/refusal.js';
import type { Course, Facility } from '../domain/world.js';
import { type Answer, type Call, encodeSuccess, type Engine, type Route } from './call.js';
import { facilityOf, isOpenTo } from './facilities.js';
import { findTeeTimes, type Search, type TeeTimeWriter } from './tee-time-texts.js';

export interface DayParams {
  readonly facilityId: number;
  /** Day number. */
  readonly bookingDate: number;
  readonly players: number;
  readonly holes: number;
}

/** Tee times of all courses of a facility on one day (section "Tee time availability", v2 to v4). */
export function listTeeTimes(writer: TeeTimeWriter): Route<DayParams> {
  const empty = emptyPayload(writer);
  return ({ engine, channel, params }) => {
    const facility = facilityOf(engine, params.facilityId, empty);
    return page(engine, writer, channel.name, facility, facility.courses, params);
  };
}

/** Tee times of one course of a facility on one day (section "Tee time availability", v5). */
export function listCourseTeeTimes(writer: TeeTimeWriter): Route<DayParams & { readonly courseId: number }> {
  const empty = emptyPayload(writer);
  return ({ engine, channel, params }: Call<DayParams & { readonly courseId: number }>) => {
    const facility = facilityOf(engine, params.facilityId, empty);
    const course = facility.courses.find(({ id }) => id === params.courseId);
    if (course) return page(engine, writer, channel.name, facility, [course], params);
    throw new Refusal('unknown-course', 'teetimes.course-unknown', {
      words: `Facility ${facility.id} has no course ${params.courseId}.`,
      empty: emptyPayload(writer, facility),
    });
  };
}

/** What a dialect answers that does not refuse an unknown facility or course. */
function emptyPayload(writer: TeeTimeWriter, facility?: Facility): unknown {
  return JSON.parse(writer.wrap('[]', facility ?? ({ cancellation: [] } as unknown as Facility)));
}

function page(
  engine: Engine,
  writer: TeeTimeWriter,
  channel: string,
  facility: Facility,
  courses: readonly Course[],
  { bookingDate: day, players, holes }: DayParams,
): Answer {
  if (!isOpenTo(engine, facility, channel)) return { json: writer.wrap('[]', facility) };
  return { body: keptPage(engine, writer, { facility, courses, day, players, holes }) };
}

function keptPage(engine: Engine, writer: TeeTimeWriter, search: Search): Uint8Array {
  const { store } = engine;
  const { facility, courses, day, players, holes } = search;
  const key = `${writer.key} ${courses.map(({ id }) => id).join()} ${day} ${players} ${holes}`;
  const revision = store.revision(courses, day);
  const now = engine.now();
  const kept = store.pages.get(key);
  if (kept && kept.revision === revision && kept.from <= now && now < kept.until) return kept.body;
  const { texts, from, until } = findTeeTimes(engine, writer, search, true);
  const body = encodeSuccess(writer.wrap(`[${texts.join(',')}]`, facility));
  store.pages.set(key, { body, revision, from, until });
  return body;
}
