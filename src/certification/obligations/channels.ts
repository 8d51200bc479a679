import { isObject } from '../../common/index.js';
import { idOf } from './bookings/requested-bookings.js';
import { keepNewest } from './bounded.js';
import type { Exhibit, ObligationSpec } from './obligation.js';
import { answerOf, type ClientCall } from './traffic.js';

/** Bookings whose channel is remembered. */
const MOST = 500;

const oneChannel: ObligationSpec = {
  id: 'channel.one',
  watch(sight) {
    const owners = new Map<string, Pick<ClientCall, 'id' | 'channel'>>();
    const channels = new Map<string, Exhibit>();
    return {
      call(call) {
        const { id: callId, channel, params } = call;
        if (channel === undefined) return;
        const id = params['serviceBookingId'] ?? params['bulkBookingId'];
        const owner = id === undefined ? undefined : owners.get(id);
        if (owner && owner.channel !== channel) {
          sight.broken({
            message: 'The client paid with the credentials of one channel for what it booked with those of another.',
            expected: 'The client uses the credentials of the channel that made the booking.',
            evidence: [owner, call],
          });
        }
        if (!answerOf(call).ok) return;
        for (const made of idsIn(call)) keepNewest(owners, made, { id: callId, channel }, MOST);
        if (channels.has(channel)) sight.met(channels.get(channel)!, call);
        else if (channels.size < MOST) channels.set(channel, { id: callId });
      },
      end({ exam }) {
        // A client in an exam has the credentials of one channel; at a proxy, one address may serve several.
        if (exam === undefined || channels.size < 2) return;
        sight.broken({
          message: `The client used the credentials of ${channels.size} channels.`,
          expected: 'The client uses the credentials that it was given, and no others.',
          evidence: [...channels.values()],
        });
      },
    };
  },
};

/** The identifiers of the bookings and groups that a call made. */
function idsIn(call: ClientCall): string[] {
  const { data } = answerOf(call);
  if (call.method !== 'POST' || !isObject(data)) return [];
  const { bookingId, bookingIds, groupId, bulkBookingId } = data;
  const listed = Array.isArray(bookingIds)
    ? bookingIds.map((one: unknown) => (isObject(one) ? one['bookingId'] : one))
    : [];
  return [bookingId, groupId, bulkBookingId, ...listed].flatMap((id) => idOf(id) ?? []);
}

export const channelObligations: readonly ObligationSpec[] = [oneChannel];
