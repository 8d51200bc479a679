import { useState } from 'preact/hooks';
import { hrefOf } from '../../../data/route.js';
import { ActionButton } from '../../../parts/action.js';
import { Dialog } from '../../../parts/dialog.js';
import { SelectField } from '../../../parts/field.js';
import { Facts } from '../../../parts/page.js';
import { type Column, Table } from '../../../parts/table.js';
import type { CourseDay, SheetDay, SheetRow } from '../cells.js';
import { restoreCommand, rivalCommand, withdrawCommand } from './changes.js';
import { dayName, hourOf, money, playersOf, policyWords } from '../words.js';

type ProductRow = CourseDay['products'][number];

interface TeeTimeDialogProps {
  readonly day: SheetDay;
  readonly course: CourseDay;
  readonly row: SheetRow;
  readonly close: () => void;
  /** Opens the form of a booking. */
  readonly book: () => void;
  readonly done: () => unknown;
}

/** A tee time: what it costs, and what its operator and other buyers can do to it. */
export function TeeTimeDialog({ day, course, row, close, book, done }: TeeTimeDialogProps) {
  const { teeTime, withdrawn, past, cancelled } = row;
  const { time, teeId, free, soldElsewhere, holes } = teeTime;
  const products = course.products.filter(({ productId }) => teeTime.productIds.includes(productId));
  const isOpen = free > 0 && !withdrawn && !past;
  return (
    <Dialog title={`${hourOf(time)}, ${course.name}`} close={close}>
      <Facts
        of={[
          ['Day', dayName(day.date)],
          ['Tee time', teeId],
          ['Holes', holes],
          [
            'Slots',
            `${free} ${past ? 'unsold' : 'free'}, ${soldElsewhere} sold elsewhere, ${4 - free - soldElsewhere} booked`,
          ],
          ['Policy', policyWords(day)],
        ]}
      />
      <Table label="Prices" columns={columnsFor(day.currency)} rows={products} keyOf={(one) => String(one.productId)} />
      {cancelled.length > 0 && (
        <ul class="cancelled" aria-label="Cancelled bookings">
          {cancelled.map((one) => (
            <li key={one.bookingId}>
              Cancelled: <a href={hrefOf(['bookings', one.bookingId])}>{playersOf(one).join(', ')}</a>, {one.channel}
            </li>
          ))}
        </ul>
      )}
      {isOpen && <Rival {...{ day, row, done }} />}
      <div class="dialog-actions">
        <Withdrawal {...{ day, row, done }} />
        {isOpen && (
          <button type="button" class="button primary" onClick={book}>
            Book…
          </button>
        )}
      </div>
    </Dialog>
  );
}

function Withdrawal({ day, row, done }: Pick<TeeTimeDialogProps, 'day' | 'row' | 'done'>) {
  const { teeId, time } = row.teeTime;
  const hour = hourOf(time);
  return row.withdrawn ? (
    <ActionButton command={restoreCommand(day, teeId)} done={`${hour} is for sale again.`} then={done}>
      Put back on sale
    </ActionButton>
  ) : (
    <ActionButton command={withdrawCommand(day, teeId)} done={`${hour} was withdrawn.`} then={done}>
      Withdraw
    </ActionButton>
  );
}

function columnsFor(currency: string): readonly Column<ProductRow>[] {
  return [
    { title: 'Product', cell: ({ name }) => name, wrap: true },
    ...[1, 2, 3, 4].map((players) => ({
      title: String(players),
      numeric: true,
      cell: ({ prices }: ProductRow) => {
        const { price, publicRate, netRate } = prices[players - 1]!;
        const rates = `Public rate ${money(publicRate, currency)}, net rate ${money(netRate, currency)}`;
        return <span title={rates}>{money(price, currency)}</span>;
      },
    })),
  ];
}

/** Another buyer, who takes slots without a request. */
function Rival({ day, row: { teeTime }, done }: Pick<TeeTimeDialogProps, 'day' | 'row' | 'done'>) {
  const { teeId, free } = teeTime;
  const [players, setPlayers] = useState(1);
  const count = Math.min(players, free);
  return (
    <div class="inline-form">
      <SelectField
        label="A rival takes"
        value={String(count)}
        change={(value) => setPlayers(Number(value))}
        options={Array.from({ length: free }, (_, index) => [
          String(index + 1),
          index === 0 ? '1 slot' : `${index + 1} slots`,
        ])}
      />
      <ActionButton
        command={rivalCommand(day, teeId, count)}
        done={`A rival booked ${count} at ${hourOf(teeTime.time)}.`}
        then={done}
      >
        Book as a rival
      </ActionButton>
    </div>
  );
}
