import { ChevronDown, ChevronRight, Zap } from 'lucide';
import { hasFailed, type RequestLog, type RequestRow } from '../../data/request-log.js';
import { MethodBadge, StatusBadge } from '../../parts/badge.js';
import { Icon } from '../../parts/icon.js';
import { Prose } from '../../parts/prose.js';
import { TimeOfDay } from '../../parts/time.js';
import type { VirtualColumn } from '../../parts/virtual-table.js';
import { partsOf } from './filter.js';
import { failureName, isUnknown, type ListRow, outcomeOf, triggeredScenario } from './words.js';

/** What ended a request without a status. */
export function noneOf({ state }: Pick<RequestRow, 'state'>): string {
  return state === 'open' ? 'open' : 'cut';
}

/** Two lines: what was asked, and why it was answered as it was. */
function Asked({ row, fold, open }: ListRow) {
  const { method, path } = row;
  return (
    <span class="asked">
      <span class="row-line">
        {fold && <Icon of={open ? ChevronDown : ChevronRight} size={14} />}
        {fold && <strong class="times">{`${fold.length} × ${failureName(row)}`}</strong>}
        <MethodBadge method={method} />
        <code class="path" title={path}>
          {fold ? path.split('?')[0] : path}
        </code>
      </span>
      <Why row={row} />
    </span>
  );
}

function Why({ row }: { readonly row: RequestRow }) {
  const { head, reason } = outcomeOf(row);
  const triggered = triggeredScenario(row);
  const [version, name] = partsOf(row);
  const operation = name === '' ? 'no operation' : `${name} ${version}`;
  return (
    <span class="row-line reason">
      {triggered !== undefined && (
        <span class={isUnknown(row) ? 'triggered unknown' : 'triggered'}>
          <Icon of={Zap} size={12} />
          <span class="unseen">Triggered a scenario: </span>
        </span>
      )}
      {reason === undefined && !hasFailed(row) ? (
        operation
      ) : (
        <span title={reason}>
          {head}
          {reason && ': '}
          {reason && <Prose text={reason} />}
        </span>
      )}
    </span>
  );
}

function durationText(milliseconds: number): string {
  if (milliseconds >= 1000) return `${(milliseconds / 1000).toFixed(1)} s`;
  return `${milliseconds.toFixed(milliseconds < 10 ? 1 : 0)} ms`;
}

const columns: readonly VirtualColumn<ListRow>[] = [
  { title: 'Status', width: '48px', cell: ({ row }) => <StatusBadge status={row.status} none={noneOf(row)} /> },
  { title: 'Request, and why', width: 'minmax(120px, 1fr)', cell: Asked },
  { title: 'Channel', width: '76px', from: 620, cell: ({ row }) => row.channel ?? '' },
  {
    title: 'Duration',
    width: '64px',
    from: 760,
    numeric: true,
    cell: ({ row: { durationMs } }) => (durationMs === undefined ? '' : durationText(durationMs)),
  },
];

const time = { width: '92px', from: 470, numeric: true } as const;

export const timedColumns: readonly VirtualColumn<ListRow>[] = [
  ...columns,
  { ...time, title: 'Time (UTC)', cell: ({ row }) => <TimeOfDay at={row.at} millis /> },
];

/** While the clock of the sandbox stands, every request has the same time. The clock of the page tells them apart. */
export function sinceColumns(log: RequestLog): readonly VirtualColumn<ListRow>[] {
  const cell = ({ row: { id } }: ListRow) => {
    const since = log.sinceLast(id);
    return since === undefined ? '' : `+${durationText(since)}`;
  };
  return [...columns, { ...time, title: 'Since last', cell }];
}
