import type { AdminType } from '../../data/api.js';
import { hrefOf } from '../../data/route.js';
import { Badge, type Tone } from '../../parts/badge.js';
import { TimeOfDay } from '../../parts/time.js';
import { type VirtualColumn, VirtualTable } from '../../parts/virtual-table.js';

type DeliveryRow = AdminType<'CallbackSummary'>;

const tones: Readonly<Record<DeliveryRow['state'], Tone>> = {
  pending: 'info',
  delivered: 'ok',
  failed: 'bad',
  withheld: 'warn',
};

export function StateBadge({ state }: { readonly state: DeliveryRow['state'] }) {
  return <Badge tone={tones[state]}>{state}</Badge>;
}

const columns: readonly VirtualColumn<DeliveryRow>[] = [
  { title: 'Callback', width: '84px', cell: ({ id }) => id },
  { title: 'State', width: '84px', cell: ({ state }) => <StateBadge state={state} /> },
  { title: 'Address', width: 'minmax(120px, 3fr)', cell: ({ url }) => <code title={url}>{url}</code> },
  { title: 'Attempts', width: '64px', from: 520, cell: ({ attempts }) => attempts.length },
  {
    title: 'Last attempt',
    width: '88px',
    from: 620,
    cell: ({ attempts }) => (attempts.length === 0 ? 'none' : <TimeOfDay at={attempts.at(-1)!.at} />),
  },
  { title: 'Channel', width: '80px', from: 700, cell: ({ channel }) => channel },
  { title: 'Scenario', width: '120px', from: 820, cell: ({ fault }) => fault ?? '' },
];

const MOST_ROWS = 12;

/** The deliveries, newest first. */
export function Deliveries({
  of,
  selected,
}: {
  readonly of: readonly DeliveryRow[];
  readonly selected: string | undefined;
}) {
  return (
    <div class="deliveries" style={{ height: `${Math.min(of.length, MOST_ROWS) * 36 + 35}px` }}>
      <VirtualTable
        label="Deliveries, newest first"
        columns={columns}
        rows={[...of].reverse()}
        keyOf={({ id }) => id}
        hrefOf={({ id }) => hrefOf(['callbacks', id])}
        nameOf={({ state, url }) => `${state}, to ${url}`}
        selected={selected}
      />
    </div>
  );
}
