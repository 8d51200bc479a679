import type { RuleId } from '../../../../src/contract/generated/rule-basis.js';
import { altering, type Layer } from '../../deployment.js';
import { answering, confirmed, confusingChannels, type Listed, listing, refused } from '../layers/booking-lists.js';
import { noticing } from '../layers/creations.js';
import type { Mutant } from '../mutant.js';

const absent = (rule: string, path: string, version: string): Mutant => ({
  rule: `payments.${rule}.${version}` as RuleId,
  defect: `${version} does not have the operation`,
  layer: answering(new RegExp(`/${version}/${path}/`), () => refused(404)),
});

const paused = 'Payment confirmation is paused.';

/** Takes groups of the bulk booking alone. */
function bulkAlone(): Layer {
  const groups = new Set<string>();
  return async (request, through) => {
    const { pathname } = new URL(request.url);
    const id = pathname.split('/').at(-1)!;
    if (pathname.includes('/bulkbookings/payment/') && groups.has(id)) return refused(404);
    const response = await through(request);
    if (request.method === 'POST' && pathname === '/api/v5/bookings') {
      const { data } = (await response.clone().json()) as { data: { groupId?: number } | null };
      if (data?.groupId !== undefined) groups.add(String(data.groupId));
    }
    return response;
  };
}

/** Knows no booking of a group, but by the number of the group. */
function singlyAlone(status: number): Layer {
  const ofGroups = new Set<unknown>();
  const pays = answering(/\/v4\/bookings\/payment\/./, (request, through) => {
    const id = decodeURIComponent(new URL(request.url).pathname.split('/').at(-1)!);
    return ofGroups.has(id) ? refused(status) : through(request);
  });
  return noticing((id, _, body) => Array.isArray(body) && ofGroups.add(id), pays);
}

/** Refuses what was confirmed before. */
function once(): Layer {
  const seen = new Map<string, number>();
  return answering(/\/v4\/bookings\/payment\/./, async (request, through) => {
    const key = new URL(request.url).pathname;
    const count = (seen.get(key) ?? 0) + 1;
    seen.set(key, count);
    return count > 1 ? refused() : through(request);
  });
}

/** Alters the bookings whose payments v1 has confirmed, in the list of v4. */
function afterPayment(alter: (item: Listed) => readonly Listed[]): Layer {
  const paid = new Set<string>();
  const lists = listing('v4', (items) => items.flatMap((item) => (paid.has(item['bookingId']) ? alter(item) : [item])));
  const pays = answering(/\/v1\/bookings\/payment\/./, async (request, through) => {
    const response = await through(request);
    if (response.ok) paid.add(decodeURIComponent(new URL(request.url).pathname.split('/').at(-1)!));
    return response;
  });
  return (request, through) => lists(request, (inner) => pays(inner, through));
}

/** Mistakes in confirming payments. */
export const paymentMutants: readonly Mutant[] = [
  ...['v1', 'v3', 'v4', 'v5'].map((version) => absent('confirm', 'bookings/payment', version)),
  ...['v3', 'v4', 'v5'].map((version) => absent('confirm-bulk', 'bulkbookings/payment', version)),
  {
    rule: 'payments.confirm.v4',
    defect: 'v4 does not find the bookings of groups',
    layer: singlyAlone(404),
  },
  {
    rule: 'payments.confirm.v4',
    defect: 'v4 refuses the payment of one booking of a group',
    layer: singlyAlone(400),
  },
  ...(['v1', 'v4'] as const).map((version): Mutant => ({
    rule: 'payments.channel-scope',
    defect: `${version} confirms the payment of any channel's booking`,
    layer: confusingChannels(new RegExp(`/${version}/bookings/payment/`)),
  })),
  ...(['v3', 'v5'] as const).map((version): Mutant => ({
    rule: 'payments.channel-scope',
    defect: `${version} confirms the payment of any channel's group`,
    layer: confusingChannels(new RegExp(`/${version}/bulkbookings/payment/`)),
  })),
  {
    rule: 'payments.path.serviceBookingId',
    defect: 'v4 confirms a payment without a booking id',
    layer: answering(/\/v4\/bookings\/payment\/$/, confirmed),
  },
  {
    rule: 'payments.path.bulkBookingId',
    defect: 'v3 accepts a group id with letters after the number',
    layer: answering(/\/v3\/bulkbookings\/payment\/\d+abc$/, confirmed),
  },
  {
    rule: 'payments.paused.message',
    defect: 'v5 does not say that payments are paused',
    layer: answering(/\/v5\/bookings\/payment\//, confirmed),
  },
  {
    rule: 'payments.paused.place',
    defect: 'v5 says in data that payments are paused',
    layer: altering(/\/v5\/bookings\/payment\//, (body) => {
      body.data = { message: body.message };
      delete body.message;
    }),
  },
  {
    rule: 'payments.method',
    defect: 'v4 does not accept GET',
    layer: answering(/^GET .*\/v4\/bookings\/payment\//, () => refused(405)),
  },
  {
    rule: 'payments.sample-path',
    defect: 'v2 also confirms payments',
    layer: answering(/\/v2\/bookings\/payment\//, confirmed),
  },
  {
    rule: 'payments.confirm-bulk.state',
    defect: 'the bulk payment of v5 is paused',
    layer: altering(/\/v5\/bulkbookings\/payment\//, (body) => void (body.message = paused)),
  },
  { rule: 'payments.confirm-bulk.group-ids', defect: 'payments of v5 groups are refused', layer: bulkAlone() },
  {
    rule: 'payments.booking-unknown',
    defect: 'an unknown booking is answered with 400',
    layer: answering(/\/payment\/no-such-booking$/, () => refused()),
  },
  {
    rule: 'payments.keeps-booking',
    defect: 'v1 cancels the booking whose payment it confirms',
    layer: afterPayment((item) => [{ ...item, status: 'CANCELED' }]),
  },
  {
    rule: 'payments.keeps-booking',
    defect: 'v1 books again what it confirms the payment of',
    layer: afterPayment((item) => [item, { ...item, bookingId: `${item['bookingId']}-2` }]),
  },
  {
    rule: 'payments.keeps-booking',
    defect: 'v1 no longer lists the booking whose payment it confirms',
    layer: afterPayment(() => []),
  },
  { rule: 'payments.repeat', defect: 'a second confirmation of a payment is refused', layer: once() },
  {
    rule: 'payments.canceled',
    defect: 'the payment of a cancelled booking is confirmed',
    layer: answering(/\/v4\/bookings\/payment\//, confirmed),
    settings: { dialect: { answers: { 'booking.cancel': 'delete' } } },
  },
];
