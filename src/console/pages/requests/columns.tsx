import type { RequestRow } from '../../data/request-log.js';
import { Badge, MethodBadge, StatusBadge } from '../../parts/badge.js';
import { TimeOfDay } from '../../parts/time.js';
import type { VirtualColumn } from '../../parts/virtual-table.js';
import { partsOf } from './filter.js';

/** What ended a request without a status. */
export function noneOf({ state }: Pick<RequestRow, 'state'>): string {
  return state === 'open' ? 'open' : 'cut';
}

export const columns: readonly VirtualColumn<RequestRow>[] = [
  { title: 'Time (UTC)', width: '96px', cell: ({ at }) => <TimeOfDay at={at} millis /> },
  { title: 'Status', width: '56px', cell: (row) => <StatusBadge status={row.status} none={noneOf(row)} /> },
  { title: 'Method', width: '52px', from: 460, cell: ({ method }) => <MethodBadge method={method} /> },
  {
    title: 'Path',
    width: 'minmax(120px, 3fr)',
    cell: ({ path }) => (
      <code class="path" title={path}>
        {path}
      </code>
    ),
  },
  {
    title: 'Operation',
    width: 'minmax(130px, 1fr)',
    from: 1000,
    cell: (row) => {
      const [version, name] = partsOf(row);
      return version === '' ? <span class="about">{name || 'none'}</span> : `${name} ${version}`;
    },
  },
  { title: 'Channel', width: '80px', from: 720, cell: ({ channel = '' }) => channel },
  {
    title: 'Decided by',
    width: 'minmax(140px, 1.2fr)',
    from: 1250,
    cell: ({ scenario, rule = '' }) =>
      scenario ? <Badge tone={scenario.struck ? 'accent' : 'neutral'}>{scenario.id}</Badge> : <code>{rule}</code>,
  },
  {
    title: 'Duration',
    width: '76px',
    from: 860,
    cell: ({ durationMs }) => (durationMs === undefined ? '' : `${durationMs.toFixed(durationMs < 10 ? 1 : 0)} ms`),
  },
];
