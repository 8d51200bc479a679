import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { SheetRow } from '../cells.js';

/** The place of the focus in a grid: a line, and the time (0) or a slot (1 to 4). */
export interface GridPlace {
  readonly teeId: number;
  readonly column: number;
}

const LAST_COLUMN = 4;
const PAGE = 10;

/** The column at which the cell over a column begins; wide cells cover several. */
function startOf({ cells }: SheetRow, column: number): number {
  const cell = cells.find(({ from, span }) => column >= from && column < from + span);
  return cell?.from ?? 0;
}

function sideways(row: SheetRow, column: number, step: 1 | -1): number {
  const starts = [0, ...row.cells.map(({ from }) => from)];
  const at = starts.indexOf(startOf(row, column));
  return starts[Math.min(starts.length - 1, Math.max(0, at + step))]!;
}

/** Where a key leads from a place; undefined for keys that lead nowhere. */
function placeAfter(
  rows: readonly SheetRow[],
  place: GridPlace,
  { key, ctrlKey }: Pick<KeyboardEvent, 'key' | 'ctrlKey'>,
): GridPlace | undefined {
  const at = Math.max(
    0,
    rows.findIndex(({ teeTime }) => teeTime.teeId === place.teeId),
  );
  const to = (index: number, column: number): GridPlace => {
    const row = rows[Math.min(rows.length - 1, Math.max(0, index))]!;
    return { teeId: row.teeTime.teeId, column };
  };
  const { column } = place;
  switch (key) {
    case 'ArrowDown':
      return to(at + 1, column);
    case 'ArrowUp':
      return to(at - 1, column);
    case 'ArrowRight':
      return to(at, sideways(rows[at]!, column, 1));
    case 'ArrowLeft':
      return to(at, sideways(rows[at]!, column, -1));
    case 'PageDown':
      return to(at + PAGE, column);
    case 'PageUp':
      return to(at - PAGE, column);
    case 'Home':
      return to(ctrlKey ? 0 : at, 0);
    case 'End':
      return to(ctrlKey ? rows.length - 1 : at, LAST_COLUMN);
    default:
      return undefined;
  }
}

/** What happens to a tee time may replace the cell that has the focus, whose place then gets it. */
function useKeptFocus(table: { readonly current: HTMLElement | null }, focus: () => void): void {
  const last = useRef<Element>(undefined);
  useEffect(() => {
    const grid = table.current!;
    const enter = ({ target }: Event) => void (last.current = target as Element);
    // Some browsers tell of a cell that is replaced as of one that is left.
    const leave = ({ target }: Event) =>
      queueMicrotask(() => target === last.current && (target as Element).isConnected && (last.current = undefined));
    grid.addEventListener('focusin', enter);
    grid.addEventListener('focusout', leave);
    return () => {
      grid.removeEventListener('focusin', enter);
      grid.removeEventListener('focusout', leave);
    };
  }, []);
  useLayoutEffect(() => {
    if (last.current && !last.current.isConnected && document.activeElement === document.body) focus();
  });
}

/** One cell of the grid is in the order of the Tab key; arrow keys move it. */
export function useRoving(rows: readonly SheetRow[]) {
  const table = useRef<HTMLDivElement>(null);
  const [place, setPlace] = useState<GridPlace>({ teeId: -1, column: 0 });
  const row = rows.find(({ teeTime }) => teeTime.teeId === place.teeId) ?? rows[0];
  const active: GridPlace | undefined = row && {
    teeId: row.teeTime.teeId,
    column: row.teeTime.teeId === place.teeId ? startOf(row, place.column) : 0,
  };
  const focus = useCallback(() => table.current?.querySelector<HTMLElement>('[tabindex="0"]')?.focus(), []);
  useKeptFocus(table, focus);
  useEffect(() => {
    // From a page that has just opened, an arrow leads into the grid.
    const enter = (event: KeyboardEvent): void => {
      if (event.key !== 'ArrowDown' || !(event.target as Element).matches('body, main')) return;
      event.preventDefault();
      focus();
    };
    addEventListener('keydown', enter);
    return () => removeEventListener('keydown', enter);
  }, [focus]);
  const onKeyDown = (event: KeyboardEvent): void => {
    if (!active || event.altKey || event.metaKey) return;
    const next = placeAfter(rows, { ...active, column: place.column }, event);
    const target = rows.find(({ teeTime }) => teeTime.teeId === next?.teeId);
    if (!next || !target) return;
    event.preventDefault();
    const cell = `[data-tee="${next.teeId}"][data-column="${startOf(target, next.column)}"]`;
    table.current?.querySelector<HTMLElement>(cell)?.focus();
    // The column stays the one of before, over cells that are wider.
    setPlace(next);
  };
  return { table, active, setPlace, onKeyDown, focus };
}
