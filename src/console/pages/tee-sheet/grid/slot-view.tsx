import { CircleCheck, CircleDashed, Flag, Link2 } from 'lucide';
import { counted } from '../../../../common/index.js';
import { Icon } from '../../../parts/icon.js';
import { Bolt } from '../../../parts/badge.js';
import { type CourseDay, linkedWith, type SheetRow, type SlotCell } from '../cells.js';
import type { LostBookings } from '../marks.js';
import { briefName, hourOf, paymentWords, playersOf } from '../words.js';

interface TimeViewProps {
  readonly course: CourseDay;
  readonly row: SheetRow;
  readonly price: string | undefined;
}

/** The time of a line, its usual price if it is another one than before, and what is special about it. */
export function TimeView({ course, row: { teeTime, withdrawn }, price }: TimeViewProps) {
  const further = Math.max(0, ...teeTime.linked.map(({ rounds }) => rounds));
  const full = !withdrawn && teeTime.free === 0;
  return (
    <span class="tee-time">
      <span class="hour">{hourOf(teeTime.time)}</span>
      {price !== undefined && <span class="price">{price}</span>}
      {price !== undefined && teeTime.holes !== course.holes && (
        <span class="mark" title={`${teeTime.holes} holes`}>
          <Icon of={Flag} size={11} />
          {teeTime.holes}
          <span class="unseen"> holes</span>
        </span>
      )}
      {withdrawn && <span class="mark">withdrawn</span>}
      {full && <span class={price === undefined ? 'mark' : 'unseen'}>sold out</span>}
      {further > 0 && !full && !withdrawn && (
        <span class="linkable" title={`Sold with ${further} linked rounds`}>
          <Icon of={Link2} size={12} />
          <span class="unseen">{`, ${further} linked rounds`}</span>
        </span>
      )}
    </span>
  );
}

interface SlotViewProps {
  readonly cell: SlotCell;
  readonly row: SheetRow;
  readonly course: CourseDay;
  readonly lost: LostBookings;
}

/** What holds a slot. */
export function SlotView({ cell, row, course, lost }: SlotViewProps) {
  if (cell.kind === 'elsewhere') return <span class="unseen">{`Sold elsewhere ×${cell.span}`}</span>;
  if (cell.kind === 'booking') return <BookingView cell={cell} course={course} lost={lost} />;
  const was = cell.was && <s class="was">{briefName(cell.was)}</s>;
  if (row.withdrawn || row.past) {
    return (
      <>
        <span class="unseen">{row.withdrawn ? 'Withdrawn' : 'Past'}</span>
        {was}
      </>
    );
  }
  return (
    <>
      <span class="unseen">Free</span>
      {was && <span class="unseen">, cancelled: </span>}
      {was}
    </>
  );
}

interface BookingViewProps {
  readonly cell: Extract<SlotCell, { kind: 'booking' }>;
  readonly course: CourseDay;
  readonly lost: LostBookings;
}

function BookingView({ cell: { booking }, course, lost }: BookingViewProps) {
  const { bookingId, channel, payment, players, linkedTeeTimeRef } = booking;
  const [partner] = linkedWith([course], booking);
  return (
    <span class="holder">
      <span class="unseen">
        {`${playersOf(booking).join(', ')}, ${counted(players, 'player')}, `}
        {paymentWords[payment].toLowerCase()}
        {lost.has(bookingId) && ', the client may not know'}
      </span>
      <span class="names" aria-hidden="true">
        {briefName(booking)}
      </span>
      <span class={players < 3 ? 'unseen' : 'channel'}>{channel}</span>
      {linkedTeeTimeRef !== null && (
        <span class="round">
          <Icon of={Link2} size={12} />
          {partner && <span class={players === 1 ? 'unseen' : ''}>{hourOf(partner.time)}</span>}
        </span>
      )}
      {players > 1 && (
        <span class={`payment ${payment}`}>
          <Icon of={payment === 'confirmed' ? CircleCheck : CircleDashed} size={12} />
        </span>
      )}
      {lost.has(bookingId) && <Bolt size={13} />}
    </span>
  );
}
