import { useState } from 'preact/hooks';
import { call } from '../../data/api.js';
import { useReload } from '../../data/journal.js';
import { useCall, useKept } from '../../data/load.js';
import { hrefOf, route } from '../../data/route.js';
import { CopyCurl } from '../../parts/copy.js';
import { Empty, Failure, PageHead } from '../../parts/page.js';
import { VirtualTable } from '../../parts/virtual-table.js';
import { type BookingRow, columns } from './columns.js';
import { BookingDetail } from './detail.js';
import { Filters, filtersIn, isFiltered, queryOf } from './filters.js';

const PAGE = 1000;
const MOST = 10_000;

/** The bookings of all channels, the newest first, and what happened to each. */
export default function Bookings() {
  const { rest, query } = route.value;
  const filters = filtersIn(query);
  const [limit, setLimit] = useState(PAGE);
  const command = call('GET', 'bookings', { query: { ...queryOf(filters), order: 'newest', limit } });
  const { data, error, reload } = useKept(command);
  useReload(reload, [reload]);
  const open = rest[0];
  const { count = 0, bookings = [] } = data ?? {};
  return (
    <div class="fills panes">
      <PageHead title="Bookings" about="Of all channels, the newest first." actions={<CopyCurl of={command} />} />
      <div class={open ? 'panes-body has-detail' : 'panes-body'}>
        <div class="panes-list">
          <div class="toolbar">
            <Filters filters={filters} channels={useChannels()} />
            <Count shown={bookings.length} count={count} more={() => setLimit(MOST)} />
          </div>
          {error && <Failure reason={error} retry={reload} />}
          {data && count === 0 && (
            <Empty title={isFiltered(filters) ? 'No booking is like that.' : 'There are no bookings.'} />
          )}
          {count > 0 && (
            <VirtualTable
              label="Bookings, newest first"
              columns={columns}
              rows={bookings}
              keyOf={({ bookingId }) => bookingId}
              hrefOf={({ bookingId }) => hrefOf(['bookings', bookingId], query)}
              nameOf={nameOf}
              selected={open}
            />
          )}
        </div>
        {open && <BookingDetail key={open} id={open} changed={reload} />}
      </div>
    </div>
  );
}

function nameOf({ contactFirstName, contactLastName, channel }: BookingRow): string {
  return `: ${contactFirstName} ${contactLastName}, ${channel}`;
}

/** The channels that may have bookings. Competing buyers are one of them. */
function useChannels(): readonly string[] {
  const { data } = useCall(call('GET', 'channels'));
  return [...(data?.channels ?? []).map(({ name }) => name), 'rivals'];
}

function Count({ shown, count, more }: { readonly shown: number; readonly count: number; readonly more: () => void }) {
  const all = `${count.toLocaleString('en')} booking${count === 1 ? '' : 's'}`;
  return (
    <div class="actions">
      <span class="about" role="status">
        {shown < count ? `${shown.toLocaleString('en')} of ${all}` : all}
      </span>
      {shown < count && shown < MOST && (
        <button type="button" class="button" onClick={more}>
          Show more
        </button>
      )}
    </div>
  );
}
