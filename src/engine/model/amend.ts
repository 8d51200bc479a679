import type { Course, Facility, World } from './world.js';

/** A change by the operator of a facility after the start of the world. */
export type Amendment =
  | { readonly change: 'sold-out' | 'price-changed'; readonly courseId: number; readonly day: number }
  | { readonly change: 'tee-time-withdrawn'; readonly courseId: number; readonly teeId: number }
  | { readonly change: 'facility-disconnected'; readonly facilityId: number; readonly channel: string };

const facilityIdIn =
  (base: World) =>
  (amendment: Amendment): number | undefined =>
    'facilityId' in amendment ? amendment.facilityId : base.course(amendment.courseId)?.facilityId;

function amendCourse(course: Course, amendments: readonly Amendment[]): Course {
  const mine = amendments.filter((one) => 'courseId' in one && one.courseId === course.id);
  if (mine.length === 0) return course;
  const raised = new Map<number, number>();
  const soldOut = new Set<number>();
  const withdrawn = new Set<number>();
  for (const one of mine) {
    if (one.change === 'tee-time-withdrawn') withdrawn.add(one.teeId);
    if (one.change === 'sold-out') soldOut.add(one.day);
    if (one.change === 'price-changed') raised.set(one.day, (raised.get(one.day) ?? 0) + 1);
  }
  return { ...course, amended: { soldOut, withdrawn, raised } };
}

function amendFacility(facility: Facility, amendments: readonly Amendment[]): Facility {
  const lost = amendments.flatMap((one) => (one.change === 'facility-disconnected' ? [one.channel] : []));
  return {
    ...facility,
    channels: facility.channels.filter((name) => !lost.includes(name)),
    courses: facility.courses.map((course) => amendCourse(course, amendments)),
  };
}

/** The world with the amendments of operators. Facilities without amendments are those of the base world. */
export function amendWorld(base: World, amendments: readonly Amendment[]): World {
  if (amendments.length === 0) return base;
  const changed = new Map<number, Facility>();
  const facilityIdOf = facilityIdIn(base);
  for (const id of new Set(amendments.map(facilityIdOf))) {
    const facility = id === undefined ? undefined : base.facility(id);
    if (id !== undefined && facility)
      changed.set(
        id,
        amendFacility(
          facility,
          amendments.filter((one) => facilityIdOf(one) === id),
        ),
      );
  }
  const current = (facility: Facility): Facility => changed.get(facility.id) ?? facility;
  const currentCourse = (course: Course | undefined): Course | undefined =>
    course && (changed.get(course.facilityId)?.courses.find(({ id }) => id === course.id) ?? course);
  const facilitiesIn = (country: string) => base.facilitiesIn(country).map(current);
  return {
    ...base,
    facility: (id) => changed.get(id) ?? base.facility(id),
    at(position) {
      const facility = base.at(position);
      return facility && current(facility);
    },
    course: (id) => currentCourse(base.course(id)),
    courseAt: (ordinal) => currentCourse(base.courseAt(ordinal)),
    facilitiesIn,
    countries: (channel) =>
      channel === undefined
        ? base.countries()
        : base.countries(channel).filter((name) => facilitiesIn(name).some((one) => one.channels.includes(channel))),
    *facilities() {
      for (const facility of base.facilities()) yield current(facility);
    },
  };
}
