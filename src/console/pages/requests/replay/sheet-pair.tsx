import { counted } from '../../../../common/index.js';
import type { Sheets, SheetPair } from './player.js';

type TeeTime = Sheets['courses'][number]['teeTimes'][number];

/** Tee times that are shown before and after one that matters. */
const AROUND = 3;
const MOST = 24;

/** A tee sheet before and after a step, around what changed or what was asked for. */
export function SheetsOfStep({ pair }: { readonly pair: SheetPair }) {
  const courses = pair.after.courses.map((after, index) => {
    const before = pair.before.courses[index]!;
    const changed = new Set(
      after.teeTimes.filter((one) => textOf(one) !== textOf(sameIn(before.teeTimes, one))).map(({ teeId }) => teeId),
    );
    const asked = new Set(after.teeTimes.filter(({ teeId }) => pair.teeIds.includes(teeId)).map(({ teeId }) => teeId));
    return { name: after.name, before: before.teeTimes, after: after.teeTimes, changed, asked };
  });
  const matters = courses.filter(({ changed, asked }) => changed.size + asked.size > 0);
  const shown = matters.length > 0 ? matters : courses.slice(0, 1);
  const count = matters.reduce((sum, { changed }) => sum + changed.size, 0);
  return (
    <section class="part" aria-label="Tee sheet">
      <h3>
        Tee sheet <span class="about">{`facility ${pair.after.facilityId}, ${pair.after.date}`}</span>
      </h3>
      <p>{count === 0 ? 'This step changed no tee time.' : `This step changed ${counted(count, 'tee time')}.`}</p>
      {shown.map(({ name, before, after, changed, asked }) => {
        const rows = around(after, new Set([...changed, ...asked]));
        return (
          <div key={name} class="sheet-pair">
            <Column title={`${name} before`} rows={rows.map((one) => sameIn(before, one) ?? one)} changed={changed} />
            <Column title={`${name} after`} rows={rows} changed={changed} />
          </div>
        );
      })}
    </section>
  );
}

function sameIn(teeTimes: readonly TeeTime[], { teeId }: TeeTime): TeeTime | undefined {
  return teeTimes.find((one) => one.teeId === teeId);
}

function textOf(teeTime: TeeTime | undefined): string | undefined {
  return teeTime && JSON.stringify([teeTime.free, teeTime.soldElsewhere, teeTime.bookings]);
}

function around(teeTimes: readonly TeeTime[], ids: ReadonlySet<number>): readonly TeeTime[] {
  if (ids.size === 0) return teeTimes.slice(0, 2 * AROUND);
  const places = teeTimes.flatMap(({ teeId }, index) => (ids.has(teeId) ? [index] : []));
  return teeTimes.filter((_, index) => places.some((place) => Math.abs(place - index) <= AROUND)).slice(0, MOST);
}

interface ColumnProps {
  readonly title: string;
  readonly rows: readonly TeeTime[];
  readonly changed: ReadonlySet<number>;
}

function Column({ title, rows, changed }: ColumnProps) {
  return (
    <div>
      <h4>{title}</h4>
      <ul class="small-sheet" aria-label={title}>
        {rows.map((teeTime) => (
          <li key={teeTime.teeId} class={changed.has(teeTime.teeId) ? 'changed' : ''}>
            <time>{teeTime.time.slice(11, 16)}</time>
            <Slots of={teeTime} />
            <span class="holders">{holdersOf(teeTime)}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}

function Slots({ of: { soldElsewhere, bookings, free } }: { readonly of: TeeTime }) {
  const booked = bookings.reduce((sum, { players }) => sum + players, 0);
  const kinds = [
    ...Array<string>(soldElsewhere).fill('elsewhere'),
    ...Array<string>(booked).fill('booked'),
    ...Array<string>(free).fill('free'),
  ];
  return (
    <span class="slots-of" aria-hidden="true">
      {kinds.map((kind, index) => (
        <i key={index} class={kind} />
      ))}
    </span>
  );
}

function holdersOf({ bookings, free }: TeeTime): string {
  const names = bookings.map(({ contactLastName, players, channel }) => `${contactLastName} × ${players}, ${channel}`);
  return [...names, `${free} free`].join(' · ');
}
