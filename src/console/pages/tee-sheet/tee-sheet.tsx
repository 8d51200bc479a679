import { Printer, Search } from 'lucide';
import { useEffect, useState } from 'preact/hooks';
import { call } from '../../data/api.js';
import { world } from '../../data/base.js';
import { useCall } from '../../data/load.js';
import { shownZone } from '../../data/zone.js';
import { go, hrefOf, route, setQuery } from '../../data/route.js';
import { AsCurl } from '../../parts/curl.js';
import { Icon } from '../../parts/icon.js';
import { Failure, PageHead } from '../../parts/page.js';
import type { CourseDay, SheetDay } from './cells.js';
import { CourseCard } from './course-card.js';
import { DayPicker } from './day-picker.js';
import { FacilityDialog } from './dialogs/facility-dialog.js';
import { useFacilityDay, useLogins, useOpeningDay } from './facility-day.js';
import { Finder } from './dialogs/finder.js';
import { FoundDays } from './found-days.js';

/** Who holds what at a facility on a day, and what can be done to it. */
export default function TeeSheetPage() {
  const { rest } = route.value;
  if (rest[0] === 'found') return <FoundDays />;
  return rest[0] === undefined ? <LastFacility /> : <OneFacility facilityId={rest[0]} />;
}

const KEY = `teebox-sheet-${world ?? ''}`;

/** Keeps the address of a sheet for as long as the tab is open; without one, forgets it. */
function remember(hash: string): void {
  try {
    sessionStorage.setItem(KEY, hash);
  } catch {
    // A browser that keeps nothing begins with the first facility.
  }
}

function remembered(): string {
  try {
    return sessionStorage.getItem(KEY) ?? '';
  } catch {
    return '';
  }
}

/** Without a facility in the address, the facility and day of before. */
function LastFacility() {
  const last = remembered();
  useEffect(() => {
    if (last !== '') go(last, { replace: true });
  }, []);
  return last === '' ? <FirstFacility /> : null;
}

/** The first facility of the world. */
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
  const opening = useOpeningDay(date ? undefined : facilityId);
  const { command, day: loaded, error, reload, waiting } = useFacilityDay(facilityId, date ?? opening);
  const day = date || loaded?.date === opening ? loaded : undefined;
  const course = day?.courses.find(({ courseId }) => String(courseId) === query.get('course')) ?? day?.courses[0];
  const close = () => setOpen(undefined);
  useEffect(() => {
    if (day) shownZone.value = day.timeZone;
    if (day) remember(location.hash.startsWith('#/tee-sheet/') ? location.hash : '');
    else if (error) remember('');
  }, [day, error]);
  return (
    <>
      <PageHead
        title="Tee sheet"
        actions={
          <>
            <SheetBar day={day} course={course} find={() => setOpen('finder')} />
            <button type="button" class="button quiet bare" title="Print" onClick={() => print()}>
              <Icon of={Printer} />
              <span class="unseen">Print</span>
            </button>
            <AsCurl of={command} title="This tee sheet" />
          </>
        }
      />
      {error && <Failure reason={error} retry={reload} />}
      {day && course && (
        <div class={waiting ? 'waiting' : ''} aria-busy={waiting}>
          <CourseCard
            key={`${course.courseId} ${day.date}`}
            {...{ day, course, logins, reload }}
            openFacility={() => setOpen('facility')}
          />
        </div>
      )}
      {!day && !error && <p class="loading">Loading…</p>}
      {open === 'finder' && <Finder date={query.get('date') ?? undefined} close={close} />}
      {open === 'facility' && day && (
        <FacilityDialog day={day} channels={logins.map(({ name }) => name)} close={close} done={reload} />
      )}
    </>
  );
}

interface SheetBarProps {
  readonly day: SheetDay | undefined;
  readonly course: CourseDay | undefined;
  readonly find: () => void;
}

/** Facility, course and day. */
function SheetBar({ day, course, find }: SheetBarProps) {
  return (
    <div class="sheet-bar">
      <button type="button" class="button facility" aria-haspopup="dialog" onClick={find}>
        <Icon of={Search} />
        <span>{day?.name ?? 'Find a facility'}</span>
      </button>
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
      <a class="button" href={hrefOf(['tee-sheet', 'found'], { date: day?.date })}>
        Find a tee time
      </a>
    </div>
  );
}
