import { CalendarDays, ChevronLeft, ChevronRight } from 'lucide';
import { useRef, useState } from 'preact/hooks';
import { isDay } from '../../../common/index.js';
import { dayAfter, readDay } from '../../data/local-time.js';
import { setQuery } from '../../data/route.js';
import { Icon } from '../../parts/icon.js';

/** The day of the address: the one before, any, the next, today. */
export function DayPicker({ date, today }: { readonly date: string; readonly today: string }) {
  const calendar = useRef<HTMLInputElement>(null);
  const [typed, setTyped] = useState<string>();
  const [wrong, setWrong] = useState<string>();
  const type = ({ currentTarget: { value } }: { readonly currentTarget: HTMLInputElement }) => {
    setTyped(value);
    setWrong(undefined);
    if (isReached(value)) setQuery({ date: value });
  };
  const choose = () => {
    if (typed === undefined) return;
    const day = readDay(typed, today);
    if (day !== undefined && isReached(day)) setQuery({ date: day });
    else setWrong(faultOf(typed, day));
    setTyped(undefined);
  };
  return (
    <div class="day-picker" role="group" aria-label="Day">
      <button
        type="button"
        class="button bare"
        title="Previous day"
        onClick={() => setQuery({ date: dayAfter(date, -1) })}
      >
        <Icon of={ChevronLeft} />
        <span class="unseen">Previous day</span>
      </button>
      {/* A date field shows the date as the browser writes it, which no other date of the console looks like. */}
      <input
        type="text"
        inputMode="numeric"
        aria-label="Date"
        placeholder="yyyy-mm-dd"
        size={10}
        value={typed ?? date}
        onInput={type}
        onBlur={choose}
        onKeyDown={({ key }) => key === 'Enter' && choose()}
      />
      <span class="calendar">
        <button type="button" class="button bare" title="Calendar" onClick={() => calendar.current!.showPicker()}>
          <Icon of={CalendarDays} />
          <span class="unseen">Calendar</span>
        </button>
        <input
          ref={calendar}
          type="date"
          class="unseen"
          tabIndex={-1}
          aria-hidden="true"
          min={FIRST}
          max={LAST}
          value={date}
          onChange={({ currentTarget: { value } }) => isReached(value) && setQuery({ date: value })}
        />
      </span>
      <button type="button" class="button bare" title="Next day" onClick={() => setQuery({ date: dayAfter(date, 1) })}>
        <Icon of={ChevronRight} />
        <span class="unseen">Next day</span>
      </button>
      <button type="button" class="button" disabled={date === today} onClick={() => setQuery({ date: today })}>
        Today
      </button>
      {wrong !== undefined && (
        <span class="fault" role="alert">
          {wrong}
        </span>
      )}
    </div>
  );
}

const FIRST = '2000-01-01';
const LAST = '2199-12-31';

function faultOf(text: string, day: string | undefined): string {
  if (day !== undefined) return `Tee sheets go from ${FIRST} to ${LAST}.`;
  const why = /^[\d-]{8,}$/.test(text) ? `There is no ${text}.` : `“${text}” is no day.`;
  return `${why} Write yyyy-mm-dd, or sat.`;
}

/** Whether a text is a date that exists and that tee sheets reach. */
function isReached(text: string): boolean {
  return isDay(text) && text >= FIRST && text <= LAST;
}
