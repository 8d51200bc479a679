import { useEffect, useRef, useState } from 'preact/hooks';
import { call } from '../../data/api.js';
import { useCall } from '../../data/load.js';
import { minute } from '../../data/clock.js';
import { route, setQuery } from '../../data/route.js';
import { Empty, Failure, PageHead } from '../../parts/page.js';
import type { ChannelLogin } from './dialogs/book-request.js';
import { CourseCard } from './course-card.js';
import { DayPicker } from './day-picker.js';
import { useFacilityDay, useLogins } from './facility-day.js';
import { FinderFilter } from './dialogs/finder.js';
import { filterIn } from './dialogs/uses.js';

const MOST = 1000;

/** The same day of every facility that was found. Only the sheets near the screen are in the page. */
export function FoundDays() {
  const { query } = route.value;
  const filter = filterIn(query);
  const today = new Date(minute.value).toISOString().slice(0, 10);
  const date = query.get('date') ?? today;
  const logins = useLogins();
  const { data, error, reload } = useCall(call('GET', 'facilities', { query: { ...filter, limit: MOST } }));
  const count = data?.facilities.length ?? 0;
  return (
    <>
      <PageHead title="Tee sheets" about={`${count} facilities on one day.`} />
      <div class="stack">
        <div class="sheet-bar">
          <FinderFilter filter={filter} change={({ text, goodFor }) => setQuery({ text, goodFor })} />
          <DayPicker date={date} today={today} />
        </div>
        {error && <Failure reason={error} retry={reload} />}
        {data && count === 0 && <Empty title="No facility is like that." />}
        {data?.facilities.flatMap(({ facilityId, name, courses }) =>
          courses.map(({ courseId, name: course }) => (
            <Near key={courseId} label={`${name}, ${course}`}>
              {() => <OneCourse facilityId={facilityId} courseId={courseId} date={date} logins={logins} />}
            </Near>
          )),
        )}
      </div>
    </>
  );
}

const USUAL_HEIGHT = 2600;
const AROUND = '400px 0px';

/** Is in the page only near the screen. Its place keeps the height that it had. */
function Near({ label, children }: { readonly label: string; readonly children: () => preact.ComponentChildren }) {
  const ref = useRef<HTMLDivElement>(null);
  const [near, setNear] = useState(false);
  const last = useRef(USUAL_HEIGHT);
  useEffect(() => {
    const place = ref.current!;
    const observer = new IntersectionObserver(
      ([entry]) => {
        if (!entry!.isIntersecting && place.childElementCount > 0) last.current = place.offsetHeight;
        setNear(entry!.isIntersecting);
      },
      { rootMargin: AROUND },
    );
    observer.observe(place);
    return () => observer.disconnect();
  }, []);
  return (
    <div ref={ref} class="near" aria-label={label} role="group" style={near ? {} : { height: `${last.current}px` }}>
      {near ? children() : null}
    </div>
  );
}

function OneCourse({
  facilityId,
  courseId,
  date,
  logins,
}: {
  readonly facilityId: number;
  readonly courseId: number;
  readonly date: string;
  readonly logins: readonly ChannelLogin[];
}) {
  const { day, error, reload } = useFacilityDay(String(facilityId), { date, courseId: String(courseId) });
  const [course] = day?.courses ?? [];
  if (error) return <Failure reason={error} retry={reload} />;
  if (day && course) return <CourseCard {...{ day, course, logins, reload }} />;
  // As high as what comes, so that the page does not jump.
  return (
    <p class="loading" style={{ height: `${USUAL_HEIGHT}px` }}>
      Loading…
    </p>
  );
}
