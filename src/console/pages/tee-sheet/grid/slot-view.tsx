import { CircleCheck, CircleDashed, Link2, Plus } from 'lucide';
import { Icon } from '../../../parts/icon.js';
import { type CourseDay, linkedWith, type SheetDay, type SheetRow, type SlotCell, usualProduct } from '../cells.js';
import { hourOf, money, playersOf } from '../words.js';

/** The time of a line, its usual price, and what is special about it. */
export function TimeView({
  day,
  course,
  row: { teeTime, withdrawn },
}: {
  readonly day: SheetDay;
  readonly course: CourseDay;
  readonly row: SheetRow;
}) {
  const price = usualProduct(course, teeTime)?.prices[0]?.price;
  const further = Math.max(0, ...teeTime.linked.map(({ rounds }) => rounds));
  return (
    <span class="tee-time">
      <span class="hour">{hourOf(teeTime.time)}</span>
      {price !== undefined && <span class="price">{money(price, day.currency)}</span>}
      <span class="marks">
        {teeTime.holes !== course.holes && <span class="mark">{teeTime.holes} holes</span>}
        {further > 0 && (
          <span class="mark linkable" title={`Sold with ${further} linked rounds`}>
            <Icon of={Link2} size={12} />
            <span class="words">{further} rounds</span>
          </span>
        )}
        {withdrawn && <span class="mark bad">withdrawn</span>}
        {!withdrawn && teeTime.free === 0 && <span class="mark bad">sold out</span>}
      </span>
    </span>
  );
}

/** What holds a slot. */
export function SlotView({
  cell,
  row,
  course,
}: {
  readonly cell: SlotCell;
  readonly row: SheetRow;
  readonly course: CourseDay;
}) {
  if (cell.kind === 'elsewhere') {
    return (
      <span class="what">
        <span class="words">Sold elsewhere</span>
        <span class="count">×{cell.span}</span>
      </span>
    );
  }
  if (cell.kind === 'booking') return <BookingView cell={cell} course={course} />;
  if (row.withdrawn || row.past) return <span class="unseen">{row.withdrawn ? 'Withdrawn' : 'Past'}</span>;
  return (
    <span class="what">
      <Icon of={Plus} size={13} />
      Free
    </span>
  );
}

function BookingView({
  cell: { booking },
  course,
}: {
  readonly cell: Extract<SlotCell, { kind: 'booking' }>;
  readonly course: CourseDay;
}) {
  const { channel, payment, players, linkedTeeTimeRef } = booking;
  const [partner] = linkedWith([course], booking);
  return (
    <span class="holder">
      <span class="names">{playersOf(booking).join(', ')}</span>
      <span class="by">
        <span class="channel">{channel}</span>
        <span class="unseen">{`, ${players} player${players === 1 ? '' : 's'}`}</span>
        <span class="payment" title={payment === 'confirmed' ? 'Payment confirmed' : 'Payment not confirmed'}>
          <Icon of={payment === 'confirmed' ? CircleCheck : CircleDashed} size={12} />
          <span class="unseen">{payment === 'confirmed' ? ', payment confirmed' : ', payment not confirmed'}</span>
        </span>
        {linkedTeeTimeRef !== null && (
          <span class="round">
            <Icon of={Link2} size={12} />
            {partner ? <span>{hourOf(partner.time)}</span> : <span class="unseen">, linked</span>}
          </span>
        )}
      </span>
    </span>
  );
}
