import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { call, noServer, perform, reasonOf } from '../../data/api.js';
import { sandboxClock } from '../../data/clock.js';
import { followJournal } from '../../data/journal.js';
import { liveState } from '../../data/live.js';
import { hrefOf, route } from '../../data/route.js';
import { RequestLog, type RequestRow } from '../../data/request-log.js';
import { AsCurl } from '../../parts/curl.js';
import { dropOnto, FileButton } from '../../parts/files.js';
import { lazy } from '../../parts/lazy.js';
import { Empty, Failure, PageHead } from '../../parts/page.js';
import { type RowChoice, type RowFold, VirtualTable } from '../../parts/virtual-table.js';
import { sinceColumns, timedColumns } from './columns.js';
import { Comparison } from './comparison.js';
import { Detail } from './detail.js';
import { failureName, folded, isUnknown, type ListRow, triggeredScenario } from './words.js';
import { ExportMenu } from './export.js';
import { choicesOf, filtersOf, newestFirst } from './filter.js';
import { openFile } from './replay/file.js';
import { Toolbar } from './toolbar.js';

const Replay = lazy(async () => (await import('../seldom.js')).ReplayPage);

/** The journal, or a file that was dropped onto it. */
export default function RequestsPage() {
  return route.value.rest[0] === 'capsule' ? <Replay /> : <Requests />;
}

const drop = dropOnto(async ([file]) => file && openFile(file.name, await file.text()));

/** The journal, live: what was asked, what was answered, and why. */
function Requests() {
  const { log, loaded, error, reload } = useLog();
  const failed = liveState.value === 'lost' ? noServer : error;
  const { rest, query } = route.value;
  const [paused, setPaused] = useState(false);
  const rows = useRows(log, paused);
  const filters = filtersOf(query);
  const shown = useMemo(() => newestFirst(rows, filters), [rows, query.toString()]);
  const [open, second] = rest;
  const [unfolded, setUnfolded] = useState<ReadonlySet<string>>(new Set());
  const list = useMemo(() => folded(shown, unfolded), [shown, unfolded]);
  const foldOf = ({ key, open: isOpen }: ListRow): RowFold | undefined =>
    isOpen === undefined ? undefined : { open: isOpen, toggle: () => setUnfolded(toggled(unfolded, key)) };
  const isFrozen = sandboxClock.value?.mode === 'standing';
  const columns = useMemo(() => (isFrozen ? sinceColumns(log) : timedColumns), [isFrozen]);
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const picked = useMemo(() => rows.filter(({ id }) => chosen.has(id)), [rows, chosen]);
  const choiceOf = ({ row, fold = [row] }: ListRow): RowChoice => ({
    chosen: fold.every(({ id }) => chosen.has(id)),
    choose: (on) => setChosen(changed(chosen, fold, on)),
  });
  return (
    <div class="fills panes requests" {...drop}>
      <PageHead
        title="Requests"
        about="The journal of this sandbox, as it happens. Drop a capsule, a HAR or a report of teebox check to step through it."
        actions={<FileButton label="Open a file" accept=".json,.har" take={openFile} />}
      />
      <AsCurl of={call('GET', 'requests')} title="List the requests" />
      <div class={open ? 'panes-body has-detail' : 'panes-body'}>
        <div class="panes-list">
          <Toolbar
            choices={choicesOf(rows)}
            paused={paused}
            pause={() => setPaused(!paused)}
            shown={shown}
            missed={paused ? log.rows.length - rows.length : 0}
            reload={reload}
          />
          {failed && <Failure reason={failed} retry={reload} />}
          {shown.length === 0 && !loaded && !error && <p class="loading">Loading…</p>}
          {shown.length === 0 && loaded && <Nothing filtered={rows.length > 0} />}
          {shown.length > 0 && (
            <VirtualTable
              label="Requests, newest first"
              columns={columns}
              rows={list}
              rowHeight={ROW_HEIGHT}
              keyOf={({ key }) => key}
              hrefOf={({ row }) => hrefOf(['requests', row.id], query)}
              nameOf={nameOf}
              selected={selectedIn(list, open)}
              foldOf={foldOf}
              classOf={classOf}
              choiceOf={choiceOf}
            />
          )}
          {picked.length > 0 && <ChosenBar rows={picked} none={() => setChosen(new Set())} />}
        </div>
        {open && second && <Comparison key={`${open} ${second}`} ids={[open, second]} rows={log.rows} />}
        {open && !second && <Detail key={open} id={open} row={log.find(open)} rows={log.rows} />}
      </div>
    </div>
  );
}

/** Two lines. */
const ROW_HEIGHT = 50;

function nameOf({ row, fold }: ListRow): string {
  const { id, method, path, status } = row;
  if (fold) return `: ${fold.length} times ${failureName(row)}, from ${fold.at(-1)!.id} to ${id}`;
  return `${id}: ${method} ${path}, ${status === 0 ? 'no response' : status}`;
}

function classOf({ fold, member, row }: ListRow): string {
  const kind = fold ? 'fold' : member ? 'member' : '';
  return `${kind} ${triggeredScenario(row) === undefined ? '' : isUnknown(row) ? 'met unknown' : 'met'}`;
}

/** The row of the request that is open, or the one that it is folded into. */
function selectedIn(list: readonly ListRow[], open: string | undefined): string | undefined {
  if (open === undefined) return undefined;
  const found = list.findLast(({ row, fold }) => (fold ? fold.some(({ id }) => id === open) : row.id === open));
  return found?.key;
}

function changed(chosen: ReadonlySet<string>, rows: readonly RequestRow[], on: boolean): ReadonlySet<string> {
  const next = new Set(chosen);
  for (const { id } of rows)
    if (on) next.add(id);
    else next.delete(id);
  return next;
}

/** What can be done with the chosen requests. */
function ChosenBar({ rows, none }: { readonly rows: readonly RequestRow[]; readonly none: () => void }) {
  const [one, other] = rows;
  return (
    <div class="chosen-bar" role="group" aria-label="Chosen requests">
      <strong role="status">{`${rows.length} chosen`}</strong>
      {rows.length === 2 && (
        <a class="button primary" href={hrefOf(['requests', one!.id, other!.id], route.value.query)}>
          Compare
        </a>
      )}
      {rows.length === 1 && <span class="about">Choose another to compare</span>}
      <ExportMenu rows={rows} what={rows.length === 1 ? one!.id : `the ${rows.length} chosen`} up />
      <button type="button" class="button quiet" onClick={none}>
        Choose none
      </button>
    </div>
  );
}

function toggled(keys: ReadonlySet<string>, key: string): ReadonlySet<string> {
  const next = new Set(keys);
  if (!next.delete(key)) next.add(key);
  return next;
}

/** The requests of the journal, from when the page is opened until it is left. */
function useLog() {
  const log = useMemo(() => new RequestLog(), []);
  const [error, setError] = useState<string>();
  const [loaded, setLoaded] = useState(false);
  const reload = async () => {
    try {
      const list = await perform(call('GET', 'requests'));
      if ('requests' in list) log.replace(list.requests);
      setError(undefined);
      setLoaded(true);
    } catch (reason) {
      setError(reasonOf(reason));
    }
  };
  useEffect(() => {
    const stale = (why: 'missed' | 'reset') => {
      if (why === 'reset') log.clear();
      void reload();
    };
    const changed = (what?: string) => what === 'requests' && stale('reset');
    const unfollow = followJournal({ entry: (row) => log.take(row), stale, changed });
    void reload();
    return () => {
      unfollow();
      log.clear();
    };
  }, [log]);
  return { log, loaded, error, reload };
}

/** The rows to show; those of before while the page is paused. */
function useRows(log: RequestLog, paused: boolean): readonly RequestRow[] {
  const version = log.version.value;
  const held = useRef<readonly RequestRow[]>([]);
  return useMemo(() => {
    if (!paused) held.current = [...log.rows];
    return held.current;
  }, [version, paused]);
}

function Nothing({ filtered }: { readonly filtered: boolean }) {
  if (filtered) {
    return (
      <Empty title="No request fits the filters">
        <a href="#/requests">Show all</a>
      </Empty>
    );
  }
  return (
    <Empty title="No requests yet" yet>
      Send one, such as <a href="#/start">the first call</a>. It appears here at once.
    </Empty>
  );
}
