import { useMemo } from 'preact/hooks';
import { counted } from '../../../common/index.js';
import { type AdminType, call } from '../../data/api.js';
import { minute } from '../../data/clock.js';
import { useKept } from '../../data/load.js';
import { dayAfter, localTime } from '../../data/local-time.js';
import { hrefOf, queryField, route, setQuery } from '../../data/route.js';
import { useFacilityZone } from '../../data/zone.js';
import { Bolt } from '../../parts/badge.js';
import { SelectField, TextField } from '../../parts/field.js';
import { Empty, Failure, PageHead } from '../../parts/page.js';
import { bookingsOf, freeSlots } from './cells.js';
import { coloursOf } from './course-card.js';
import { DayPicker } from './day-picker.js';
import { useDays } from './days.js';
import { FinderFilter } from './dialogs/finder.js';
import { filterIn } from './dialogs/uses.js';
import { useLogins, useOpeningDay } from './facility-day.js';
import { type LostBookings, useLost } from './marks.js';
import { findTimes, searchIn, type ShownSheet } from './search.js';
import { Strip } from './strip.js';
import { briefMoney, dayName, hourOf } from './words.js';

/** The most facilities whose sheets are read. */
const MOST = 250;
const MOST_DAYS = 7;
const SATURDAY = 6;

/** The sheets of every facility that was found, on a day or several, as strips: all, or those with a tee time as wanted. */
export function FoundDays() {
  const { query } = route.value;
  const today = localTime(useFacilityZone(), minute.value).slice(0, 10);
  const length = Math.min(MOST_DAYS, Math.max(1, Math.trunc(Number(query.get('days')))) || 1);
  const { data, error, reload } = useKept(call('GET', 'facilities', { query: { ...filterIn(query), limit: MOST } }));
  const all = data?.facilities ?? [];
  const country = query.get('country') ?? '';
  const facilities = all.filter((one) => country === '' || one.country === country);
  const opening = useOpeningDay(query.has('date') ? undefined : facilities[0]?.facilityId);
  const date = query.get('date') ?? opening;
  const dates = date === undefined ? [] : Array.from({ length }, (_, index) => dayAfter(date, index));
  const read = useDays(
    facilities.map(({ facilityId }) => facilityId),
    dates,
  );
  const bookings = useMemo(
    () => [...read.days.values()].flatMap((day) => day.courses.flatMap(bookingsOf)),
    [read.days],
  );
  const lost = useLost(bookings);
  const channels = coloursOf(useLogins());
  const sheets = dates.map((one) => [one, sheetsOf(facilities, one, read.days)] as const);
  const count = sheets.reduce((sum, [, { length: more }]) => sum + more, 0);
  const isWhole =
    data !== undefined &&
    (date !== undefined || facilities.length === 0) &&
    read.days.size >= facilities.length * length;
  const failed = error ?? read.error;
  return (
    <>
      <PageHead
        title="Find a tee time"
        about={<CountLine {...{ count, isWhole }} more={data?.next !== null && data !== undefined} />}
        actions={
          <div class="sheet-bar">
            <DayPicker date={date ?? today} today={today} />
            <button type="button" class="button" onClick={() => setQuery({ date: nextSaturday(today) })}>
              Saturday
            </button>
          </div>
        }
      />
      <SearchFields countries={[...new Set(all.map((one) => one.country))]} />
      {failed && <Failure reason={failed} retry={() => (error ? reload() : read.reload())} />}
      {sheets.map(([one, found]) => (
        <DayOfSheets key={one} date={one} titled={length > 1} sheets={found} lost={lost} channels={channels} />
      ))}
      {isWhole && count === 0 && (
        <Empty title="No tee time is like that.">Ask for fewer players, more days, or a higher price.</Empty>
      )}
    </>
  );
}

function nextSaturday(today: string): string {
  return dayAfter(today, SATURDAY - new Date(today).getUTCDay() || 7);
}

type FoundFacility = AdminType<'FacilityList'>['facilities'][number];

/** The sheets of a day that have come. Of a search, those with a tee time as wanted. */
function sheetsOf(
  facilities: readonly FoundFacility[],
  date: string,
  days: ReturnType<typeof useDays>['days'],
): readonly ShownSheet[] {
  const search = searchIn(route.value.query);
  return facilities.flatMap(({ facilityId }) => {
    const day = days.get(`${facilityId} ${date}`);
    if (!day) return [];
    const now = localTime(day.timeZone, minute.value);
    return day.courses
      .map((course) => ({ day, course, found: search && findTimes(course, search, now, day.channels) }))
      .filter(({ found }) => !found || found.teeTimes.length > 0);
  });
}

interface CountLineProps {
  readonly count: number;
  readonly more: boolean;
  readonly isWhole: boolean;
}

function CountLine({ count, more, isWhole }: CountLineProps) {
  const searched = searchIn(route.value.query) !== undefined;
  const what = counted(count, 'tee sheet');
  return (
    <span role="status">
      {searched ? `${what} with a tee time like that` : what}
      {isWhole ? '.' : '…'}
      {more && ` Only the first ${MOST} facilities are read: ask for a name or a place.`}
    </span>
  );
}

const counts = (most: number, one: string, many: string) =>
  Array.from({ length: most }, (_, index) => [String(index + 1), `${index + 1} ${index === 0 ? one : many}`] as const);

/** What is looked for: where, for how many, what, and at what price. */
function SearchFields({ countries }: { readonly countries: readonly string[] }) {
  const { query } = route.value;
  return (
    <div class="filters search" role="search" aria-label="Find a tee time">
      <SelectField
        label="Days"
        {...queryField('days')}
        options={[['', '1 day'], ...counts(MOST_DAYS, '', 'days').slice(1)]}
      />
      <SelectField
        label="Players"
        {...queryField('players')}
        options={[['', 'Any'], ...counts(4, 'player', 'players')]}
      />
      <SelectField
        label="Holes"
        {...queryField('holes')}
        options={[
          ['', 'Any'],
          ['9', '9 holes'],
          ['18', '18 holes'],
        ]}
      />
      <TextField label="Product" type="search" placeholder="buggy" {...queryField('product')} />
      <TextField label="Most per player" type="number" placeholder="100" {...queryField('price')} />
      <SelectField
        label="Country"
        {...queryField('country')}
        options={[['', 'Any'], ...countries.map((one) => [one, one] as const)]}
      />
      <FinderFilter filter={filterIn(query)} change={({ text, goodFor }) => setQuery({ text, goodFor })} />
    </div>
  );
}

interface DayOfSheetsProps {
  readonly date: string;
  readonly titled: boolean;
  readonly sheets: readonly ShownSheet[];
  readonly lost: LostBookings;
  readonly channels: readonly string[];
}

function DayOfSheets({ date, titled, sheets, lost, channels }: DayOfSheetsProps) {
  if (sheets.length === 0) return null;
  return (
    <section class="sheets" aria-label={dayName(date)}>
      {titled && <h2>{dayName(date)}</h2>}
      <ul>
        {sheets.map(({ day, course, found }) => (
          <li key={course.courseId}>
            <Thumbnail {...{ day, course, found, channels, lost }} />
          </li>
        ))}
      </ul>
    </section>
  );
}

interface ThumbnailProps extends ShownSheet {
  readonly channels: readonly string[];
  readonly lost: LostBookings;
}

/** A sheet as a strip, which leads to it, and to the first tee time that was found. */
function Thumbnail({ day, course, found, channels, lost }: ThumbnailProps) {
  const { facilityId, name, date } = day;
  const first = found?.teeTimes[0];
  const wanted = found && new Set(found.teeTimes.map(({ teeId }) => teeId));
  const href = hrefOf(['tee-sheet', String(facilityId)], { date, course: course.courseId, tee: first?.teeId });
  const isLost = bookingsOf(course).some(({ bookingId }) => lost.has(bookingId));
  const strip = useMemo(
    () => <Strip {...{ day, course, channels, lost, wanted }} small />,
    [day, course, channels.join(), isLost && lost, [...(wanted ?? [])].join()],
  );
  return (
    <a class="thumbnail" href={href} title={`${name}, ${course.name}`}>
      <span class="thumbnail-name">{day.courses.length > 1 ? `${course.name}, ${name}` : name}</span>
      <span class="thumbnail-count">
        {isLost && <Bolt says="The client may not know of a booking. " />}
        <SheetCount {...{ day, course, found }} />
      </span>
      {!course.closed && strip}
    </a>
  );
}

/** The first tee time that was found and its price, or how many slots are free. */
function SheetCount({ day, course, found }: ShownSheet) {
  const { teeTimes: [first] = [], fee } = found ?? {};
  if (course.closed) return <>closed</>;
  if (!found || !first || fee === undefined) {
    return (
      <>
        {freeSlots(course, localTime(day.timeZone, minute.value))}
        <span class="unseen"> free slots</span>
      </>
    );
  }
  return (
    <>
      {hourOf(first.time)} <b>{briefMoney(fee, day.currency)}</b>
      <span class="unseen">{` a player, ${found.teeTimes.length} tee times`}</span>
    </>
  );
}
