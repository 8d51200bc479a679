import { sandboxClock } from '../../../data/clock.js';
import { type CourseDay, linkedWith, type SheetDay, type SheetRow, type SlotCell } from '../cells.js';
import { deadlineWords, hourOf, money, paymentWords, playersOf, policyWords } from '../words.js';

/** What is known of a tee time: products with prices, further rounds, the policy. */
function linesOfTime(day: SheetDay, course: CourseDay, { teeTime, withdrawn }: SheetRow): string[] {
  const { productIds, linked, holes } = teeTime;
  const products = course.products.filter(({ productId }) => productIds.includes(productId));
  return [
    ...(withdrawn ? ['Withdrawn by the operator: no channel sees it.'] : []),
    `${hourOf(teeTime.time)}, ${holes} holes, ${teeTime.free} of ${teeTime.capacity} free`,
    ...products.map(({ productId, name, prices }) => {
      const rounds = linked.find((one) => one.productId === productId)?.rounds;
      const prefix = rounds === undefined ? name : `${name} (${rounds} linked rounds)`;
      return `${prefix}: ${prices.map(({ price }) => money(price, day.currency)).join(' / ')}`;
    }),
    policyWords(day),
  ];
}

function linesOfBooking(day: SheetDay, course: CourseDay, cell: Extract<SlotCell, { kind: 'booking' }>): string[] {
  const { booking } = cell;
  const product = course.products.find(({ productId }) => productId === booking.productId);
  const partners = linkedWith([course], booking).map(({ time }) => hourOf(time));
  return [
    playersOf(booking).join(', '),
    `${booking.channel}, ${booking.code}${booking.groupId === null ? '' : `, group ${booking.groupId}`}`,
    ...(product ? [product.name] : []),
    ...(partners.length > 0 ? [`Linked with the round at ${partners.join(' and ')}`] : []),
    paymentWords[booking.payment],
    deadlineWords(booking, day.timeZone, sandboxClock.value?.now ?? 0),
    policyWords(day),
  ];
}

/** What is said of a cell; `cell` is missing for the time itself. */
export function tipLines(day: SheetDay, course: CourseDay, row: SheetRow, cell?: SlotCell): readonly string[] {
  if (!cell) return linesOfTime(day, course, row);
  if (cell.kind === 'booking') return linesOfBooking(day, course, cell);
  if (cell.kind === 'elsewhere') {
    return ['Sold outside this sandbox', course.soldOut ? 'The operator has sold out this day.' : policyWords(day)];
  }
  return linesOfTime(day, course, row);
}
