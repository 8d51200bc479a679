import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';

export interface VirtualColumn<Row> {
  readonly title: string;
  /** A track of the grid, such as `120px` or `minmax(200px, 1fr)`. */
  readonly width: string;
  readonly cell: (row: Row) => ComponentChildren;
  /** The width of the table from which on the column is shown. */
  readonly from?: number;
  readonly numeric?: boolean;
}

/** A row that stands for others, which are shown below it while it is open. */
export interface RowFold {
  readonly open: boolean;
  readonly toggle: () => void;
}

/** The box of a row that can be chosen. */
export interface RowChoice {
  readonly chosen: boolean;
  readonly choose: (chosen: boolean) => void;
}

interface VirtualTableProps<Row> {
  readonly label: string;
  readonly columns: readonly VirtualColumn<Row>[];
  /** Top to bottom. */
  readonly rows: readonly Row[];
  readonly rowHeight?: number;
  readonly keyOf: (row: Row) => string;
  /** Where a row leads; the first cell is the link, whose name goes on with this. */
  readonly hrefOf: (row: Row) => string;
  readonly nameOf: (row: Row) => string;
  /** The key of the row that is open. */
  readonly selected?: string | undefined;
  /** Of a row that leads nowhere, but shows and hides others. */
  readonly foldOf?: (row: Row) => RowFold | undefined;
  readonly classOf?: (row: Row) => string;
  /** Gives each row a box in front; the key x does the same. */
  readonly choiceOf?: (row: Row) => RowChoice;
}

const AROUND = 8;

/** The part of a list that can be seen, by scrolling and size. */
function useWindow(rowHeight: number) {
  const ref = useRef<HTMLDivElement>(null);
  const [seen, setSeen] = useState({ top: 0, height: 600, width: 1200 });
  useLayoutEffect(() => {
    const list = ref.current!;
    const look = () => {
      const { scrollTop, clientHeight: height, clientWidth: width } = list;
      const top = Math.floor(scrollTop / rowHeight) * rowHeight;
      setSeen((old) =>
        old.top === top && old.height === height && old.width === width ? old : { top, height, width },
      );
    };
    look();
    const observer = new ResizeObserver(look);
    observer.observe(list);
    list.addEventListener('scroll', look, { passive: true });
    return () => {
      observer.disconnect();
      list.removeEventListener('scroll', look);
    };
  }, [rowHeight]);
  return { ref, seen };
}

/** Rows that come in at the top move those that are being read out of sight, unless the list follows them. */
function useAnchor(list: { readonly current: HTMLElement | null }, keys: readonly string[], rowHeight: number) {
  const first = useRef<string | undefined>(undefined);
  useLayoutEffect(() => {
    const came = first.current === undefined ? -1 : keys.indexOf(first.current);
    if (came > 0 && list.current!.scrollTop > 0) list.current!.scrollTop += came * rowHeight;
    first.current = keys[0];
  });
}

/** Arrow keys and the letters j and k go from row to row, from the list itself to the first one; x chooses a row. */
function step(event: KeyboardEvent): void {
  if (event.ctrlKey || event.altKey || event.metaKey) return;
  if (event.key === 'x') (event.target as HTMLElement).closest('[role=row]')?.querySelector('input')?.click();
  const [down, up] = ['nextElementSibling', 'previousElementSibling'] as const;
  const way = { ArrowDown: down, j: down, ArrowUp: up, k: up } as const;
  const next = way[event.key as keyof typeof way];
  if (!next) return;
  const from = (event.target as HTMLElement).closest('[role=row]');
  const row = from ? from[next] : (event.currentTarget as HTMLElement).querySelector('[role=row]');
  if (!row) return;
  event.preventDefault();
  row.querySelector<HTMLElement>('.lead')?.focus();
}

/** A table of many rows of one height: only those in sight are in the page. */
export function VirtualTable<Row>(props: VirtualTableProps<Row>) {
  const { label, columns, rows, rowHeight = 36, keyOf, choiceOf } = props;
  const { ref, seen } = useWindow(rowHeight);
  useAnchor(ref, rows.slice(0, MOST_NEW).map(keyOf), rowHeight);
  const shown = columns.filter(({ from = 0 }) => seen.width >= from);
  const start = Math.max(0, seen.top / rowHeight - AROUND);
  const visible = rows.slice(start, start + Math.ceil(seen.height / rowHeight) + 2 * AROUND);
  return (
    <div class="virtual" role="table" aria-label={label} aria-rowcount={rows.length + 1}>
      <div class="virtual-head" role="rowgroup">
        <div
          class="virtual-row"
          role="row"
          aria-rowindex={1}
          style={{ gridTemplateColumns: tracksOf(shown, choiceOf) }}
        >
          {choiceOf && (
            <span role="columnheader">
              <span class="unseen">Chosen</span>
            </span>
          )}
          {shown.map(({ title, numeric }) => (
            <span key={title} role="columnheader" class={numeric ? 'numeric' : ''}>
              {title}
            </span>
          ))}
        </div>
      </div>
      <div class="virtual-scroll" ref={ref} role="rowgroup" tabIndex={0} aria-label={label} onKeyDown={step}>
        <div class="virtual-space" role="presentation" style={{ height: `${rows.length * rowHeight}px` }}>
          <div class="virtual-shown" role="presentation" style={{ transform: `translateY(${start * rowHeight}px)` }}>
            {visible.map((row, index) => (
              <VirtualRow {...props} key={keyOf(row)} columns={shown} row={row} place={start + index} />
            ))}
          </div>
        </div>
      </div>
    </div>
  );
}

function tracksOf(columns: readonly { readonly width: string }[], choiceOf: unknown): string {
  return `${choiceOf ? '16px ' : ''}${columns.map(({ width }) => width).join(' ')}`;
}

function VirtualRow<Row>({
  columns,
  row,
  place,
  rowHeight = 36,
  keyOf,
  hrefOf,
  nameOf,
  selected,
  foldOf,
  classOf,
  choiceOf,
}: Omit<VirtualTableProps<Row>, 'rows'> & { readonly row: Row; readonly place: number }) {
  const mark = keyOf(row) === selected ? ' selected' : '';
  return (
    <div
      class={`virtual-row${mark} ${classOf?.(row) ?? ''}`}
      role="row"
      aria-rowindex={place + 2}
      style={{ gridTemplateColumns: tracksOf(columns, choiceOf), height: `${rowHeight}px` }}
    >
      {choiceOf && <ChoiceCell {...choiceOf(row)} name={nameOf(row)} />}
      {columns.map(({ title, cell, numeric }, index) => (
        <span key={title} role="cell" class={numeric ? 'numeric' : ''}>
          {index === 0 ? (
            <Lead href={hrefOf(row)} fold={foldOf?.(row)} name={nameOf(row)} content={cell(row)} />
          ) : (
            cell(row)
          )}
        </span>
      ))}
    </div>
  );
}

function ChoiceCell({ chosen, choose, name }: RowChoice & { readonly name: string }) {
  return (
    <span role="cell" class="choice-cell">
      <label class="choice">
        <input
          type="checkbox"
          tabIndex={-1}
          checked={chosen}
          onChange={({ currentTarget }) => choose(currentTarget.checked)}
        />
        <span class="unseen">Choose {name}</span>
      </label>
    </span>
  );
}

interface LeadProps {
  readonly href: string;
  readonly fold: RowFold | undefined;
  readonly name: string;
  readonly content: ComponentChildren;
}

function Lead({ href, fold, name, content }: LeadProps) {
  const inside = (
    <>
      {content}
      <span class="unseen">{name}</span>
    </>
  );
  if (!fold) {
    return (
      <a class="lead" href={href}>
        {inside}
      </a>
    );
  }
  return (
    <button type="button" class="lead" aria-expanded={fold.open} onClick={fold.toggle}>
      {inside}
    </button>
  );
}

const MOST_NEW = 500;
