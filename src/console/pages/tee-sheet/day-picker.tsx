import { CalendarDays, ChevronLeft, ChevronRight } from 'lucide';
import { useRef, useState } from 'preact/hooks';
import { isDay } from '../../../common/index.js';
import { setQuery } from '../../data/route.js';
import { Icon } from '../../parts/icon.js';
import { dayAfter } from './words.js';

/** The day of the address: the one before, any, the next, today. */
export function DayPicker({ date, today }: { readonly date: string; readonly today: string }) {
  const calendar = useRef<HTMLInputElement>(null);
  const [typed, setTyped] = useState<string>();
  const choose = ({ currentTarget: { value } }: { readonly currentTarget: HTMLInputElement }) => {
    setTyped(value);
    if (isReached(value)) setQuery({ date: value });
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
        pattern="\d{4}-\d{2}-\d{2}"
        size={10}
        value={typed ?? date}
        onInput={choose}
        onBlur={() => setTyped(undefined)}
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
      <button type="button" class="button" disabled={date === today} onClick={() => setQuery({ date: '' })}>
        Today
      </button>
    </div>
  );
}

const FIRST = '2000-01-01';
const LAST = '2199-12-31';

/** Whether a text is a date that exists and that tee sheets reach. */
function isReached(text: string): boolean {
  return isDay(text) && text >= FIRST && text <= LAST;
}
