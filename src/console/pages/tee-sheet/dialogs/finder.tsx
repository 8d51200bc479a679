import { useState } from 'preact/hooks';
import { type AdminType, call } from '../../../data/api.js';
import { useCall } from '../../../data/load.js';
import { hrefOf } from '../../../data/route.js';
import { Badge } from '../../../parts/badge.js';
import { Dialog } from '../../../parts/dialog.js';
import { SelectField, TextField } from '../../../parts/field.js';
import { Empty, Failure } from '../../../parts/page.js';
import { type FacilityFilter, useWords } from './uses.js';

type FoundFacility = AdminType<'FacilityList'>['facilities'][number];

/** Finds a facility by its name, place or id, and by what it is good for in a test. */
export function Finder({ date, close }: { readonly date: string | undefined; readonly close: () => void }) {
  const [filter, setFilter] = useState<FacilityFilter>({});
  const [limit, setLimit] = useState(50);
  const { data, error, reload } = useCall(call('GET', 'facilities', { query: { ...filter, limit } }));
  const facilities = data?.facilities ?? [];
  return (
    <Dialog title="Find a facility" close={close}>
      <div class="finder" onKeyDown={step}>
        <FinderFilter filter={filter} change={setFilter} />
        {error && <Failure reason={error} retry={reload} />}
        <ul class="found" aria-label="Facilities found">
          {facilities.map((facility) => (
            <li key={facility.facilityId}>
              <a href={hrefOf(['tee-sheet', String(facility.facilityId)], { date })} onClick={close}>
                <FacilityLine {...facility} />
              </a>
            </li>
          ))}
        </ul>
        {data && facilities.length === 0 && <Empty title="No facility is like that." />}
        <p class="dialog-actions">
          {data && data.next !== null && (
            <button type="button" class="button" onClick={() => setLimit(Math.min(1000, limit + 100))}>
              Show more
            </button>
          )}
          <a class="button" href={hrefOf(['tee-sheet', 'found'], { ...filter, date })} onClick={close}>
            Show the day of all of them
          </a>
        </p>
      </div>
    </Dialog>
  );
}

export function FinderFilter({
  filter,
  change,
}: {
  readonly filter: FacilityFilter;
  readonly change: (filter: FacilityFilter) => void;
}) {
  const { text = '' } = filter;
  const goodFor: string = filter.goodFor ?? '';
  const given = (next: { readonly text: string; readonly goodFor: string }) =>
    change(Object.fromEntries(Object.entries(next).filter(([, value]) => value !== '')) as FacilityFilter);
  return (
    <div class="two">
      <TextField
        label="Name, place or id"
        type="search"
        value={text}
        change={(value) => given({ text: value, goodFor })}
      />
      <SelectField
        label="Good for"
        value={goodFor}
        change={(value) => given({ text, goodFor: value })}
        options={[['', 'Anything'], ...Object.entries(useWords)]}
      />
    </div>
  );
}

/** Arrow keys go through what is found. */
function step(event: KeyboardEvent): void {
  const way = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  const root = event.currentTarget as HTMLElement;
  const stops = [...root.querySelectorAll<HTMLElement>('input, .found a')];
  const at = stops.indexOf(event.target as HTMLElement);
  if (way === undefined || at < 0) return;
  event.preventDefault();
  stops[Math.min(stops.length - 1, Math.max(0, at + way))]!.focus();
}

function FacilityLine({ facilityId, name, place, country, courses, channels, goodFor, scenario }: FoundFacility) {
  return (
    <>
      <span class="found-name">
        {name} <small>{facilityId}</small>
      </span>
      <span class="found-place">
        {place}, {country} · {courses.map(({ holes }) => holes).join(' + ')} holes ·{' '}
        {channels.length === 0 ? 'no channel' : channels.join(', ')}
      </span>
      <span class="found-uses">
        {scenario !== null && <Badge tone="warn">{scenario}</Badge>}
        {goodFor
          .filter((use) => use in telling)
          .map((use) => (
            <Badge key={use}>{useWords[use]}</Badge>
          ))}
      </span>
    </>
  );
}

/** What most facilities are good for is not worth a word. */
const telling = { 'linked-tee-times': 1, unconnected: 1, 'closed-days': 1, 'closed-season': 1 };
