import { ChevronDown, ChevronRight } from 'lucide';
import { type ComponentChildren, Fragment } from 'preact';
import { useCallback, useEffect, useId, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { counted } from '../../../../common/index.js';
import { minute, sandboxClock } from '../../../data/clock.js';
import { localTime } from '../../../data/local-time.js';
import { route } from '../../../data/route.js';
import { Icon } from '../../../parts/icon.js';
import { placeOf } from '../../../parts/time.js';
import {
  type CourseDay,
  linkedWith,
  priceOf,
  rowsOf,
  type SheetDay,
  type SheetRow,
  type ShownBooking,
  type SlotCell,
} from '../cells.js';
import type { SheetChoice } from '../dialogs/choice.js';
import { type LostBookings, useArrivals } from '../marks.js';
import { type GridPlace, useRoving } from './roving.js';
import { SlotView, TimeView } from './slot-view.js';
import {
  briefMoney,
  dayName,
  deadlineWords,
  hourOf,
  hourWords,
  lostWords,
  money,
  paymentWords,
  playersOf,
  policyWords,
} from '../words.js';

/** What is known of a tee time: products with prices, further rounds, the policy. */
function linesOfTime(day: SheetDay, course: CourseDay, { teeTime, withdrawn, past, cancelled }: SheetRow): string[] {
  const { productIds, linked, holes } = teeTime;
  const products = course.products.filter(({ productId }) => productIds.includes(productId));
  return [
    ...(withdrawn ? ['Withdrawn by the operator: no channel sees it.'] : []),
    `${hourWords(day.timeZone, teeTime.time)}, ${holes} holes, ${past ? 'over' : `${teeTime.free} of ${teeTime.capacity} free`}`,
    ...products.map(({ productId, name, prices }) => {
      const rounds = linked.find((one) => one.productId === productId)?.rounds;
      const prefix = rounds === undefined ? name : `${name} (${rounds} linked rounds)`;
      return `${prefix}: ${prices.map(({ price }) => money(price, day.currency)).join(' / ')}`;
    }),
    ...cancelled.map((one) => `Cancelled: ${playersOf(one).join(', ')} (${one.channel}, ${one.code})`),
    policyWords(day),
  ];
}

function linesOfBooking(
  { day, course, lost }: SheetGridProps,
  { booking }: Extract<SlotCell, { kind: 'booking' }>,
): string[] {
  const event = lost.get(booking.bookingId);
  const product = course.products.find(({ productId }) => productId === booking.productId);
  const partners = linkedWith([course], booking).map(({ time }) => hourOf(time));
  return [
    playersOf(booking).join(', '),
    ...(event ? [lostWords(event)] : []),
    `${booking.channel}, ${booking.code}${booking.groupId === null ? '' : `, group ${booking.groupId}`}`,
    ...(product ? [product.name] : []),
    ...(partners.length > 0 ? [`Linked with the round at ${partners.join(' and ')}`] : []),
    paymentWords[booking.payment],
    deadlineWords(booking, day.timeZone, sandboxClock.value?.now ?? 0),
    policyWords(day),
  ];
}

/** What is said of a cell; `cell` is missing for the time itself. */
function tipLines(props: SheetGridProps, row: SheetRow, cell?: SlotCell): readonly string[] {
  const { day, course } = props;
  if (cell?.kind === 'booking') return linesOfBooking(props, cell);
  if (cell?.kind === 'elsewhere') {
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

interface TipProps {
  readonly id: string;
  readonly tip: SheetTip | undefined;
  readonly hide: () => void;
}

/** Shows what is known of the cell under the pointer or the focus. Escape hides it. */
function Tip({ id, tip, hide }: TipProps) {
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

interface SheetGridProps {
  readonly day: SheetDay;
  readonly course: CourseDay;
  /** The channels in the order of their colours. */
  readonly channels: readonly string[];
  readonly cancelled: readonly ShownBooking[];
  readonly lost: LostBookings;
  /** Opens what a cell offers. */
  readonly choose: (choice: SheetChoice) => void;
  /** Does at once what a letter means at a tee time. */
  readonly shortcut: (key: string, row: SheetRow) => boolean;
  /** Whether a dialog is open over the grid. */
  readonly covered: boolean;
}

/** The tee sheet of a course as a grid: times down, slots across, in as many columns as the screen has room for. */
export function SheetGrid(props: SheetGridProps) {
  const { day, course, channels, cancelled, lost } = props;
  const [unfolded, setUnfolded] = useState(false);
  const now = localTime(day.timeZone, minute.value);
  const all = useMemo(() => rowsOf(course, now, cancelled), [course, now, cancelled]);
  const past = day.date === day.today ? all.filter((row) => row.past) : [];
  const rows = unfolded ? all : all.slice(past.length);
  const arrived = useArrivals(course);
  const { table, active, tip, hot, hide, handlers } = useCells(props, rows);
  const sought = Number(route.value.query.get('tee'));
  useEffect(() => {
    table.current!.querySelector<HTMLElement>(`[data-tee="${sought}"]:is(.free button)`)?.focus();
  }, [sought]);
  const id = useId();
  const shared = { day, course, channels, lost, arrived, active, hot, tipId: id, sought };
  return (
    <div class="sheet-frame">
      <div ref={table} class="sheet" role="grid" aria-label={`${course.name}, ${dayName(day.date)}`} {...handlers}>
        <div class="unseen" role="row">
          {[`Time in ${placeOf(day.timeZone)}`, 'Slot 1', 'Slot 2', 'Slot 3', 'Slot 4'].map((title) => (
            <span key={title} role="columnheader">
              {title}
            </span>
          ))}
        </div>
        {past.length > 0 && <PastRows rows={past} unfolded={unfolded} toggle={() => setUnfolded(!unfolded)} />}
        {rows.map((row, index) => (
          <Fragment key={row.teeTime.teeId}>
            {past.length > 0 && row === all[past.length] && <NowRow now={now} />}
            <Line {...shared} row={row} price={newPrice(day, course, row, rows[index - 1])} />
          </Fragment>
        ))}
      </div>
      <Tip id={id} tip={tip} hide={hide} />
    </div>
  );
}

/** The price of a line, unless the line before has the same. */
function newPrice(day: SheetDay, course: CourseDay, row: SheetRow, before?: SheetRow): string | undefined {
  const price = priceOf(course, row.teeTime);
  if (price === undefined || (before && priceOf(course, before.teeTime) === price)) return undefined;
  return briefMoney(price, day.currency);
}

interface PastRowsProps {
  readonly rows: readonly SheetRow[];
  readonly unfolded: boolean;
  readonly toggle: () => void;
}

/** The tee times of today that are over, folded into one line. */
function PastRows({ rows, unfolded, toggle }: PastRowsProps) {
  const players = rows.flatMap(({ teeTime }) => teeTime.bookings).reduce((sum, one) => sum + one.players, 0);
  return (
    <div class="line over" role="row">
      <div role="gridcell">
        <button type="button" aria-expanded={unfolded} onClick={toggle}>
          <Icon of={unfolded ? ChevronDown : ChevronRight} size={14} />
          {counted(rows.length, 'past tee time')}
          {players > 0 && `, ${counted(players, 'player')}`}
        </button>
      </div>
    </div>
  );
}

function NowRow({ now }: { readonly now: string }) {
  return (
    <div class="line now" role="row">
      <div role="gridcell">{`Now ${hourOf(now)}`}</div>
    </div>
  );
}

/** What the pointer and the keys do to the cells. */
function useCells(props: SheetGridProps, rows: readonly SheetRow[]) {
  const { choose, shortcut, covered } = props;
  const { table, active, setPlace, onKeyDown: rove, focus } = useRoving(rows);
  const [tip, setTip] = useState<SheetTip>();
  const [hot, setHot] = useState<string | null>(null);
  const hide = useCallback(() => setTip(undefined), []);
  useReturn(covered, focus);
  const look = (event: Event) => {
    const found = cellAt(event, rows);
    setHot(found?.cell?.kind === 'booking' ? found.cell.booking.linkedTeeTimeRef : null);
    setTip(found && { lines: tipLines(props, found.row, found.cell), of: found.element });
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

type LineProps = Pick<SheetGridProps, 'day' | 'course' | 'channels' | 'lost'> & {
  readonly row: SheetRow;
  readonly price: string | undefined;
  readonly arrived: ReadonlySet<string>;
  readonly active: GridPlace | undefined;
  readonly hot: string | null;
  readonly tipId: string;
  /** The tee time that a search has led to: its slot has the focus, of which browsers show nothing after a click. */
  readonly sought: number;
};

function Line(props: LineProps) {
  const { course, row, price, active, tipId, lost, sought } = props;
  const { teeTime, withdrawn, past, cells } = row;
  const { teeId, free, time } = teeTime;
  const states = [withdrawn && 'withdrawn', past && 'past', free === 0 && 'full', teeId === sought && 'sought'];
  return (
    <div class={['line', ...states].filter(Boolean).join(' ')} role="row">
      <div role="rowheader">
        <CellButton {...{ teeId, active, tipId }} column={0}>
          <TimeView course={course} row={row} price={price} />
        </CellButton>
      </div>
      {cells.map((cell) => (
        <div key={keyOf(cell)} role="gridcell" style={`grid-column: span ${cell.span}`} class={classOf(cell, props)}>
          <CellButton {...{ teeId, active, tipId }} column={cell.from}>
            <SlotView cell={cell} row={row} course={course} lost={lost} />
            <span class="unseen">{`, ${hourOf(time)}`}</span>
            {cell.kind === 'free' && !withdrawn && !past && <span class="book">Book</span>}
          </CellButton>
        </div>
      ))}
    </div>
  );
}

/** A booking keeps its element, so that it fades in once. */
function keyOf(cell: SlotCell): string | number {
  return cell.kind === 'booking' ? cell.booking.bookingId : cell.from;
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

function classOf(cell: SlotCell, { channels, hot, lost, arrived }: LineProps): string {
  if (cell.kind !== 'booking') return `slot ${cell.kind}`;
  const { bookingId, channel, linkedTeeTimeRef, payment } = cell.booking;
  const states = [
    payment === 'confirmed' && 'paid',
    hot !== null && linkedTeeTimeRef === hot && 'partner',
    lost.has(bookingId) && 'lost',
    arrived.has(bookingId) && 'arrived',
  ];
  return ['slot booking', `channel-${channels.indexOf(channel)}`, ...states].filter(Boolean).join(' ');
}
