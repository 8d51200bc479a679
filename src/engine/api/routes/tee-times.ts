import { Refusal } from '../../model/refusal.js';
import type { Course, Facility } from '../../model/world.js';
import { type Answer, type Call, encodeSuccess, type Engine, type Route } from './call.js';
import { facilityOf, isOpenTo } from './facilities.js';
import type { CachedText } from '../../store/caches.js';
import { findTeeTimes, jsonAround, type Search, type TeeTimeWriter } from './tee-time-texts.js';

export interface DayParams {
  readonly facilityId: number;
  /** Day number. */
  readonly bookingDate: number;
  readonly players: number;
  readonly holes: number;
}

/** The tee times of all courses of a facility on one day (section "Tee time availability", v2 to v4). */
export function listTeeTimes<Page>(writer: TeeTimeWriter<unknown, Page>): Route<DayParams, Page> {
  const empty = emptyPage(writer);
  return ({ engine, channel, params }) => {
    const facility = facilityOf(engine, params.facilityId, empty);
    return page(engine, writer, channel.name, facility, facility.courses, params);
  };
}

/** The tee times of one course of a facility on one day (section "Tee time availability", v5). */
export function listCourseTeeTimes<Page>(
  writer: TeeTimeWriter<unknown, Page>,
): Route<DayParams & { readonly courseId: number }, Page> {
  const empty = emptyPage(writer);
  return ({ engine, channel, params }: Call<DayParams & { readonly courseId: number }>) => {
    const facility = facilityOf(engine, params.facilityId, empty);
    const course = facility.courses.find(({ id }) => id === params.courseId);
    if (course) return page(engine, writer, channel.name, facility, [course], params);
    throw new Refusal('unknown-course', 'teetimes.course-unknown', {
      words: `Facility ${facility.id} has no course ${params.courseId}.`,
      empty: emptyPage(writer, facility),
    });
  };
}

/** The answer for an unknown facility or course in dialects that do not refuse. */
function emptyPage<Page>(writer: TeeTimeWriter<unknown, Page>, facility?: Facility): Page {
  return writer.page([], facility ?? ({ cancellation: [] } as unknown as Facility));
}

function page<Page>(
  engine: Engine,
  writer: TeeTimeWriter<unknown, Page>,
  channel: string,
  facility: Facility,
  courses: readonly Course[],
  { bookingDate: day, players, holes }: DayParams,
): Answer<Page> {
  if (!isOpenTo(engine, facility, channel)) return { data: emptyPage(writer, facility) };
  return { body: keptPage(engine, writer, { facility, courses, day, players, holes }) };
}

function keptPage(engine: Engine, writer: TeeTimeWriter, search: Search): CachedText {
  const { store } = engine;
  const { facility, courses, day, players, holes } = search;
  // A facility of a world file may have no courses.
  const of = courses.length > 0 ? courses.map(({ id }) => id).join() : `of ${facility.id}`;
  const key = `${writer.key} ${of} ${day} ${players} ${holes}`;
  const revision = store.revision(courses, day);
  const now = engine.now();
  const kept = store.caches.pages.get(key);
  if (kept && kept.revision === revision && kept.from <= now && now < kept.until) return kept.body;
  // The tee times one by one are only kept of what is read again and again: most sheets are read once, or do not change.
  const { texts, from, until } = findTeeTimes(engine, writer, search, kept !== undefined);
  const body = encodeSuccess(jsonAround(texts, (teeTimes) => writer.page(teeTimes, facility)));
  store.caches.pages.set(key, { body, revision, from, until });
  return body;
}
