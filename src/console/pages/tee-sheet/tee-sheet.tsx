import { Printer, Search } from 'lucide';
import { useState } from 'preact/hooks';
import { call } from '../../data/api.js';
import { useCall } from '../../data/load.js';
import { route, setQuery } from '../../data/route.js';
import { CopyCurl } from '../../parts/copy.js';
import { Icon } from '../../parts/icon.js';
import { Failure, PageHead } from '../../parts/page.js';
import type { CourseDay, SheetDay } from './cells.js';
import { CourseCard } from './course-card.js';
import { DayPicker } from './day-picker.js';
import { FacilityDialog } from './dialogs/facility-dialog.js';
import { useFacilityDay, useLogins } from './facility-day.js';
import { Finder } from './dialogs/finder.js';
import { FoundDays } from './found-days.js';

/** Who holds what at a facility on a day, and what can be done to it. */
export default function TeeSheetPage() {
  const { rest } = route.value;
  if (rest[0] === 'found') return <FoundDays />;
  return rest[0] === undefined ? <FirstFacility /> : <OneFacility facilityId={rest[0]} />;
}

/** Without a facility in the address, the first of the world. */
function FirstFacility() {
  const { data, error, reload } = useCall(call('GET', 'facilities', { query: { limit: 1 } }));
  const [first] = data?.facilities ?? [];
  if (first) return <OneFacility facilityId={String(first.facilityId)} />;
  return (
    <>
      <PageHead title="Tee sheet" />
      {error ? <Failure reason={error} retry={reload} /> : <p class="loading">Loading…</p>}
    </>
  );
}

function OneFacility({ facilityId }: { readonly facilityId: string }) {
  const { query } = route.value;
  const [open, setOpen] = useState<'finder' | 'facility'>();
  const logins = useLogins();
  const date = query.get('date');
  const { command, day, error, reload, waiting } = useFacilityDay(facilityId, date ? { date } : {});
  const course = day?.courses.find(({ courseId }) => String(courseId) === query.get('course')) ?? day?.courses[0];
  const close = () => setOpen(undefined);
  return (
    <>
      <PageHead
        title="Tee sheet"
        about="Who holds what. A free slot books as a channel, a booking is cancelled, a time is withdrawn."
        actions={
          <>
            <button type="button" class="button" onClick={() => print()}>
              <Icon of={Printer} />
              Print
            </button>
            <CopyCurl of={command} />
          </>
        }
      />
      <div class="stack">
        <SheetBar day={day} course={course} choose={setOpen} />
        {error && <Failure reason={error} retry={reload} />}
        {day && course && (
          <div class={waiting ? 'waiting' : ''} aria-busy={waiting}>
            <CourseCard key={course.courseId} {...{ day, course, logins, reload }} />
          </div>
        )}
        {!day && !error && <p class="loading">Loading…</p>}
      </div>
      {open === 'finder' && <Finder date={query.get('date') ?? undefined} close={close} />}
      {open === 'facility' && day && (
        <FacilityDialog day={day} channels={logins.map(({ name }) => name)} close={close} done={reload} />
      )}
    </>
  );
}

/** Facility, course and day. */
function SheetBar({
  day,
  course,
  choose,
}: {
  readonly day: SheetDay | undefined;
  readonly course: CourseDay | undefined;
  readonly choose: (what: 'finder' | 'facility') => void;
}) {
  return (
    <div class="sheet-bar">
      <button type="button" class="button facility" aria-haspopup="dialog" onClick={() => choose('finder')}>
        <Icon of={Search} />
        <span>{day?.name ?? 'Find a facility'}</span>
      </button>
      {day && (
        <button type="button" class="button" aria-haspopup="dialog" onClick={() => choose('facility')}>
          Channels and policy
        </button>
      )}
      {day && day.courses.length > 1 && (
        <div class="segments" role="group" aria-label="Course">
          {day.courses.map(({ courseId, name }) => (
            <button
              key={courseId}
              type="button"
              aria-pressed={courseId === course?.courseId}
              onClick={() => setQuery({ course: courseId })}
            >
              {name}
            </button>
          ))}
        </div>
      )}
      {day && <DayPicker date={day.date} today={day.today} />}
    </div>
  );
}
