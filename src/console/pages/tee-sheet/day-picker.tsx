import { ChevronLeft, ChevronRight } from 'lucide';
import { setQuery } from '../../data/route.js';
import { Icon } from '../../parts/icon.js';
import { dayAfter } from './words.js';

/** The day of the address: the one before, any, the next, today. */
export function DayPicker({ date, today }: { readonly date: string; readonly today: string }) {
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
      <input
        type="date"
        aria-label="Date"
        value={date}
        min="2000-01-01"
        max="2199-12-31"
        onChange={({ currentTarget }) => currentTarget.value && setQuery({ date: currentTarget.value })}
      />
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
