import type { Change } from '../run.js';
import { sending, type Loose } from '../vary.js';

const groups = /v5.bookings$|bulkbookings$/;

/** Changes the data with which bookings are answered. */
export const made = (alter: (data: Loose) => unknown, path = groups): Change =>
  sending(path, (body, { method }) => void (method === 'POST' && alter(body.data)));

/** Changes the data with which groups are answered. */
export const changing = (alter: (data: Loose) => void, path = groups): Change =>
  made((data) => {
    if (Array.isArray(data?.bookingIds)) alter(data);
    return true;
  }, path);

/** Changes each tee time of the sheets at these paths. */
export const each = (path: RegExp, alter: (teeTime: Loose, index: number) => void): Change =>
  sending(path, ({ data }) => listOf(data).forEach(alter));

export const listOf = (data: Loose): Loose[] => (Array.isArray(data) ? data : (data.teeTimeV3 ?? data.teeTimeV2));
