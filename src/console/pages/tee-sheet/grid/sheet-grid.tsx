import type { ComponentChildren } from 'preact';
import { useCallback, useEffect, useId, useMemo, useState } from 'preact/hooks';
import { minute } from '../../../data/clock.js';
import { type CourseDay, rowsOf, type SheetDay, type SheetRow, type SlotCell } from '../cells.js';
import type { SheetChoice } from '../dialogs/choice.js';
import { type GridPlace, useRoving } from './roving.js';
import { SlotView, TimeView } from './slot-view.js';
import { type SheetTip, Tip } from './tip.js';
import { tipLines } from './tip-lines.js';
import { dayName, hourOf, localTime } from '../words.js';

const SLOTS = [1, 2, 3, 4] as const;

interface SheetGridProps {
  readonly day: SheetDay;
  readonly course: CourseDay;
  /** The channels in the order of their colours. */
  readonly channels: readonly string[];
  /** Opens what a cell offers. */
  readonly choose: (choice: SheetChoice) => void;
  /** Does at once what a letter means at a tee time. */
  readonly shortcut: (key: string, row: SheetRow) => boolean;
  /** Whether a dialog is open over the grid. */
  readonly covered: boolean;
}

/** The tee sheet of a course as a grid: times down, slots across. */
export function SheetGrid(props: SheetGridProps) {
  const { day, course, channels } = props;
  const now = localTime(day.timeZone, minute.value);
  const rows = useMemo(() => rowsOf(course, now), [course, now]);
  const { table, active, tip, hot, hide, handlers } = useCells(props, rows);
  const id = useId();
  return (
    <div class="sheet-frame">
      <table ref={table} class="sheet" role="grid" aria-label={`${course.name}, ${dayName(day.date)}`} {...handlers}>
        <thead>
          <tr>
            <th scope="col">Time</th>
            {SLOTS.map((slot) => (
              <th key={slot} scope="col">
                <span class="unseen">Slot </span>
                {slot}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <Line key={row.teeTime.teeId} {...{ day, course, channels, row, active, hot }} tipId={id} />
          ))}
        </tbody>
      </table>
      <Tip id={id} tip={tip} hide={hide} />
    </div>
  );
}

/** What the pointer and the keys do to the cells. */
function useCells({ day, course, choose, shortcut, covered }: SheetGridProps, rows: readonly SheetRow[]) {
  const { table, active, setPlace, onKeyDown: rove, focus } = useRoving(rows);
  const [tip, setTip] = useState<SheetTip>();
  const [hot, setHot] = useState<string | null>(null);
  const hide = useCallback(() => setTip(undefined), []);
  useReturn(covered, focus);
  const look = (event: Event) => {
    const found = cellAt(event, rows);
    setHot(found?.cell?.kind === 'booking' ? found.cell.booking.linkedTeeTimeRef : null);
    setTip(found && { lines: tipLines(day, course, found.row, found.cell), of: found.element });
    if (found && event.type === 'focusin') setPlace(found.place);
  };
  const onClick = (event: Event) => {
    const found = cellAt(event, rows);
    if (!found) return;
    setPlace(found.place);
    hide();
    choose(choiceOf(found.row, found.cell));
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const row = rows.find(({ teeTime }) => teeTime.teeId === active?.teeId);
    const plain = !event.ctrlKey && !event.altKey && !event.metaKey;
    if (row && plain && shortcut(event.key, row)) event.preventDefault();
    else rove(event);
  };
  const handlers = { onKeyDown, onClick, onFocusIn: look, onFocusOut: hide, onMouseOver: look, onMouseLeave: hide };
  return { table, active, tip, hot, hide, handlers };
}

/** The focus comes back to the grid after a dialog, also if its cell has changed. */
function useReturn(covered: boolean, focus: () => void): void {
  const [was, setWas] = useState(false);
  useEffect(() => {
    if (was && !covered) setTimeout(focus);
    setWas(covered);
  }, [covered]);
}

function cellAt(event: Event, rows: readonly SheetRow[]) {
  const element = (event.target as Element).closest<HTMLElement>('[data-tee]');
  const teeId = Number(element?.dataset['tee']);
  const row = rows.find(({ teeTime }) => teeTime.teeId === teeId);
  if (!element || !row) return undefined;
  const column = Number(element.dataset['column']);
  const place: GridPlace = { teeId, column };
  return { row, cell: row.cells.find(({ from }) => from === column), element, place };
}

function choiceOf({ teeTime, withdrawn, past, cells }: SheetRow, cell: SlotCell | undefined): SheetChoice {
  const { teeId } = teeTime;
  if (cell?.kind === 'booking') return { kind: 'booking', bookingId: cell.booking.bookingId };
  if (cell?.kind !== 'free' || withdrawn || past) return { kind: 'tee-time', teeId };
  const free = cells.filter((one) => one.kind === 'free');
  return { kind: 'book', teeId, players: free.indexOf(cell) + 1 };
}

type LineProps = Pick<SheetGridProps, 'day' | 'course' | 'channels'> & {
  readonly row: SheetRow;
  readonly active: GridPlace | undefined;
  readonly hot: string | null;
  readonly tipId: string;
};

function Line({ day, course, channels, row, active, hot, tipId }: LineProps) {
  const { teeTime, withdrawn, past, cells } = row;
  const { teeId, free, time } = teeTime;
  const states = [withdrawn && 'withdrawn', past && 'past', free === 0 && 'full'].filter(Boolean).join(' ');
  return (
    <tr class={states}>
      <th scope="row" role="rowheader">
        <CellButton {...{ teeId, active, tipId }} column={0}>
          <TimeView day={day} course={course} row={row} />
        </CellButton>
      </th>
      {cells.map((cell) => (
        <td key={cell.from} role="gridcell" colSpan={cell.span} class={classOf(cell, channels, hot)}>
          <CellButton {...{ teeId, active, tipId }} column={cell.from}>
            <SlotView cell={cell} row={row} course={course} />
            <span class="unseen">{`, ${hourOf(time)}`}</span>
          </CellButton>
        </td>
      ))}
    </tr>
  );
}

/** What a cell offers. One button of the grid is in the order of the Tab key. */
function CellButton({
  teeId,
  column,
  active,
  tipId,
  children,
}: Pick<LineProps, 'active' | 'tipId'> & GridPlace & { readonly children: ComponentChildren }) {
  const isActive = active?.teeId === teeId && active.column === column;
  return (
    <button
      type="button"
      data-tee={teeId}
      data-column={column}
      tabIndex={isActive ? 0 : -1}
      aria-haspopup="dialog"
      aria-describedby={isActive ? tipId : undefined}
    >
      {children}
    </button>
  );
}

function classOf(cell: SlotCell, channels: readonly string[], hot: string | null): string {
  if (cell.kind !== 'booking') return `slot ${cell.kind}`;
  const { channel, linkedTeeTimeRef } = cell.booking;
  const partner = hot !== null && linkedTeeTimeRef === hot ? ' partner' : '';
  return `slot booking channel-${channels.indexOf(channel)}${partner}`;
}
