import type { ComponentChildren } from 'preact';
import { useCallback, useEffect, useId, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { minute, sandboxClock } from '../../../data/clock.js';
import { type CourseDay, linkedWith, rowsOf, type SheetDay, type SheetRow, type SlotCell } from '../cells.js';
import type { SheetChoice } from '../dialogs/choice.js';
import { type GridPlace, useRoving } from './roving.js';
import { SlotView, TimeView } from './slot-view.js';
import { placeOf } from '../../../parts/time.js';
import {
  dayName,
  deadlineWords,
  hourOf,
  hourWords,
  localTime,
  money,
  paymentWords,
  playersOf,
  policyWords,
} from '../words.js';

/** What is known of a tee time: products with prices, further rounds, the policy. */
function linesOfTime(day: SheetDay, course: CourseDay, { teeTime, withdrawn }: SheetRow): string[] {
  const { productIds, linked, holes } = teeTime;
  const products = course.products.filter(({ productId }) => productIds.includes(productId));
  return [
    ...(withdrawn ? ['Withdrawn by the operator: no channel sees it.'] : []),
    `${hourWords(day.timeZone, teeTime.time)}, ${holes} holes, ${teeTime.free} of ${teeTime.capacity} free`,
    ...products.map(({ productId, name, prices }) => {
      const rounds = linked.find((one) => one.productId === productId)?.rounds;
      const prefix = rounds === undefined ? name : `${name} (${rounds} linked rounds)`;
      return `${prefix}: ${prices.map(({ price }) => money(price, day.currency)).join(' / ')}`;
    }),
    policyWords(day),
  ];
}

function linesOfBooking(day: SheetDay, course: CourseDay, cell: Extract<SlotCell, { kind: 'booking' }>): string[] {
  const { booking } = cell;
  const product = course.products.find(({ productId }) => productId === booking.productId);
  const partners = linkedWith([course], booking).map(({ time }) => hourOf(time));
  return [
    playersOf(booking).join(', '),
    `${booking.channel}, ${booking.code}${booking.groupId === null ? '' : `, group ${booking.groupId}`}`,
    ...(product ? [product.name] : []),
    ...(partners.length > 0 ? [`Linked with the round at ${partners.join(' and ')}`] : []),
    paymentWords[booking.payment],
    deadlineWords(booking, day.timeZone, sandboxClock.value?.now ?? 0),
    policyWords(day),
  ];
}

/** What is said of a cell; `cell` is missing for the time itself. */
function tipLines(day: SheetDay, course: CourseDay, row: SheetRow, cell?: SlotCell): readonly string[] {
  if (!cell) return linesOfTime(day, course, row);
  if (cell.kind === 'booking') return linesOfBooking(day, course, cell);
  if (cell.kind === 'elsewhere') {
    return ['Sold outside this sandbox', course.soldOut ? 'The operator has sold out this day.' : policyWords(day)];
  }
  return linesOfTime(day, course, row);
}

/** What is said of a cell, line by line, and the cell. */
interface SheetTip {
  readonly lines: readonly string[];
  readonly of: HTMLElement;
}

const GAP = 6;
const EDGE = 8;

/** Shows what is known of the cell under the pointer or the focus. Escape hides it. */
function Tip({
  id,
  tip,
  hide,
}: {
  readonly id: string;
  readonly tip: SheetTip | undefined;
  readonly hide: () => void;
}) {
  const ref = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (!tip) return undefined;
    const place = () => placeBeside(ref.current!, tip.of);
    place();
    addEventListener('scroll', place, { capture: true, passive: true });
    return () => removeEventListener('scroll', place, { capture: true });
  }, [tip]);
  useEffect(() => {
    if (!tip) return undefined;
    const key = (event: KeyboardEvent) => event.key === 'Escape' && hide();
    addEventListener('keydown', key);
    return () => removeEventListener('keydown', key);
  }, [tip, hide]);
  return (
    <div ref={ref} id={id} role="tooltip" class={tip ? 'tip' : 'tip hidden'}>
      {tip?.lines.map((line, index) => (
        <p key={index}>{line}</p>
      ))}
    </div>
  );
}

/** Below the cell, or above it at the end of the screen. */
function placeBeside(box: HTMLElement, cell: HTMLElement): void {
  const { left, top, bottom } = cell.getBoundingClientRect();
  const { offsetWidth: width, offsetHeight: height } = box;
  const below = bottom + GAP + height < innerHeight;
  box.style.left = `${Math.max(EDGE, Math.min(left, innerWidth - width - EDGE))}px`;
  box.style.top = `${below ? bottom + GAP : Math.max(EDGE, top - GAP - height)}px`;
}

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
            <th scope="col">
              <span class="unseen">Time in </span>
              {placeOf(day.timeZone)}
            </th>
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
