import { isObject } from '../exchange.js';
import { dayAt } from '../day.js';
import type { Session } from '../session.js';
import { countries, facilities, type FacilityItem, places } from './places.js';
import { teeTimes } from './tee-sheets.js';

const MORE = 5;
const FAR = 2;

/** Hours by which a time zone is ahead of UTC at an instant; 0 for a zone that nobody knows. */
export function offsetHours(timeZone: string, now: number): number {
  try {
    const parts = new Intl.DateTimeFormat('en-GB', {
      timeZone,
      dateStyle: 'short',
      timeStyle: 'medium',
    }).formatToParts(now);
    const [day, month, year, hour, minute] = ['day', 'month', 'year', 'hour', 'minute'].map((type) =>
      Number(parts.find((part) => part.type === type)?.value),
    );
    return Math.round((Date.UTC(year!, month! - 1, day, hour, minute) - now) / 360_000) / 10;
  } catch {
    return 0;
  }
}

/** Tee times of today at facilities far from UTC, as written, in epoch milliseconds as though they were UTC. */
export async function* todaysTeeTimes(
  session: Session,
): AsyncGenerator<{ readonly timeZone: string; readonly times: readonly number[] }> {
  const now = session.run.host.now();
  for (const { id } of await farApart(session)) {
    const data = await session.data('v3.findFacility', { facilityId: id });
    const first: unknown = Array.isArray(data) ? data[0] : undefined;
    const timeZone = isObject(first) ? String(first['timeZone']) : 'UTC';
    const offset = offsetHours(timeZone, now);
    if (Math.abs(offset) < FAR) continue;
    const day = dayAt(now + offset * 3_600_000);
    const times: number[] = [];
    for (const holes of [18, 9] as const) {
      const found = await teeTimes(session, 'v4', { facilityId: id, day, holes });
      times.push(...found.map(({ time }) => Date.parse(`${time.slice(0, 19)}Z`)));
    }
    yield { timeZone, times };
  }
}

/** Facilities of as many countries as few requests find: the more, the farther apart. */
async function farApart(session: Session): Promise<readonly FacilityItem[]> {
  const near = await places(session);
  const known = new Set(near.map(({ country }) => country));
  const others = (await countries(session, 'v3', true)).filter((country) => !known.has(country)).slice(-MORE);
  const found = near.map(({ facilities: some }) => some[0]!);
  for (const country of others) found.push(...(await facilities(session, 'v3', country, true)).slice(0, 1));
  return found;
}
