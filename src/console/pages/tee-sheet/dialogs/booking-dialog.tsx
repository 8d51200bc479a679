import { Zap } from 'lucide';
import { call } from '../../../data/api.js';
import { sandboxClock } from '../../../data/clock.js';
import { hrefOf } from '../../../data/route.js';
import { ActionButton } from '../../../parts/action.js';
import { Badge } from '../../../parts/badge.js';
import { CopyValue } from '../../../parts/copy.js';
import { Dialog } from '../../../parts/dialog.js';
import { Icon } from '../../../parts/icon.js';
import { Facts } from '../../../parts/page.js';
import { type CourseDay, linkedWith, type SheetDay, type ShownBooking } from '../cells.js';
import type { LostEvent } from '../marks.js';
import { dayName, deadlineWords, hourOf, lostWords, paymentWords, playersOf } from '../words.js';

interface BookingDialogProps {
  readonly day: SheetDay;
  readonly course: CourseDay;
  readonly booking: ShownBooking;
  /** What made it, if its client may not know of it. */
  readonly lost: LostEvent | undefined;
  readonly close: () => void;
  readonly done: () => unknown;
}

/** A booking of the sheet: who holds it, and how to cancel it. */
export function BookingDialog({ day, course, booking, lost, close, done }: BookingDialogProps) {
  const { bookingId } = booking;
  const over = (sandboxClock.value?.now ?? 0) > Date.parse(booking.cancellableUntil);
  const command = call('POST', 'bookings/{bookingId}/cancel', {
    path: { bookingId },
    query: { force: over ? 'true' : 'false' },
  });
  const then = async () => {
    await done();
    close();
  };
  return (
    <Dialog title={`${hourOf(booking.time)}, ${playersOf(booking)[0]}`} close={close}>
      {lost && (
        <p class="lost-note">
          <Icon of={Zap} />
          <span>
            {lostWords(lost)}{' '}
            {lost.requestId !== null && <a href={hrefOf(['requests', lost.requestId])}>See the request</a>}
          </span>
        </p>
      )}
      <BookingFacts day={day} course={course} booking={booking} />
      <div class="dialog-actions">
        <a class="button" href={hrefOf(['bookings', bookingId])}>
          History
        </a>
        <ActionButton command={command} done={`Cancelled ${booking.code}.`} then={then}>
          {over ? 'Cancel against the policy' : 'Cancel the booking'}
        </ActionButton>
      </div>
    </Dialog>
  );
}

interface BookingFactsProps {
  readonly day: SheetDay;
  readonly course: CourseDay;
  readonly booking: ShownBooking;
}

function BookingFacts({ day, course, booking }: BookingFactsProps) {
  const product = course.products.find(({ productId }) => productId === booking.productId);
  const partners = linkedWith([course], booking);
  const { groupId, comments } = booking;
  return (
    <Facts
      of={[
        ['Booking', <CopyValue value={booking.bookingId} name="the booking id" />],
        ['Code', <CopyValue value={booking.code} name="the code" />],
        ['Channel', booking.channel],
        ['Players', playersOf(booking).join(', ')],
        ['Product', product?.name ?? booking.productId],
        ['Day', dayName(day.date)],
        [
          'Payment',
          <Badge tone={booking.payment === 'confirmed' ? 'ok' : 'neutral'}>{paymentWords[booking.payment]}</Badge>,
        ],
        ['Policy', deadlineWords(booking, day.timeZone, sandboxClock.value?.now ?? 0)],
        ...(groupId === null ? [] : [['Group', groupId] as const]),
        ...(partners.length === 0
          ? []
          : [['Linked rounds', partners.map(({ time }) => hourOf(time)).join(', ')] as const]),
        ...(comments === null ? [] : [['Comments', comments] as const]),
      ]}
    />
  );
}
