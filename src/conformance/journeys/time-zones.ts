import { isObject } from '../client/exchange.js';
import { type Day, dayAfter, dayAt } from '../client/day.js';
import { newestWith, newestOf, operationIn, shows } from '../client/operations.js';
import type { Session } from '../client/session.js';
import {
  connectedCountries,
  connectedFacilities,
  type FacilityItem,
  namesOfConnectedCountries,
} from './connected-facilities.js';
import { teeTimes } from './tee-sheets.js';

/** The newest facility that has a time zone. */
const facilityWithZone = operationIn('findFacility', newestOf('findFacility', shows('timeZone')));

const MORE = 5;
const FAR = 2;
/** Days. */
const WEEK = 7;
/** Milliseconds. */
const DAY = 86_400_000;

/** Hours by which a time zone is ahead of UTC at an instant; 0 for an unknown zone. */
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

/**
 * Today's tee times at facilities far from UTC: their local times, in epoch milliseconds as if they were UTC. A facility
 * whose tee times of the same weekday all start later than now tells nothing: none of them is past.
 */
export async function* todaysTeeTimes(
  session: Session,
): AsyncGenerator<{ readonly timeZone: string; readonly times: readonly number[] }> {
  const now = session.run.host.now();
  for (const { id } of await farApart(session)) {
    const data = await session.data(facilityWithZone, { facilityId: id });
    const first: unknown = Array.isArray(data) ? data[0] : undefined;
    const timeZone = isObject(first) ? String(first['timeZone']) : 'UTC';
    const offset = offsetHours(timeZone, now);
    if (Math.abs(offset) < FAR) continue;
    const today = dayAt(now + offset * 3_600_000);
    const usual = await localTimes(session, id, dayAfter(today, WEEK));
    const earliest = Math.min(now, now + offset * 3_600_000);
    if (!usual.some((time) => time - WEEK * DAY < earliest)) continue;
    yield { timeZone, times: await localTimes(session, id, today) };
  }
}

async function localTimes(session: Session, facilityId: number, day: Day): Promise<readonly number[]> {
  const times: number[] = [];
  for (const holes of [18, 9] as const) {
    const found = await teeTimes(session, newestWith.facilitySheet, { facilityId, day, holes });
    times.push(...found.map(({ time }) => Date.parse(`${time.slice(0, 19)}Z`)));
  }
  return times;
}

/** One facility for each of several countries, to cover different time zones. */
async function farApart(session: Session): Promise<readonly FacilityItem[]> {
  const near = await connectedCountries(session);
  const known = new Set(near.map(({ country }) => country));
  const others = (await namesOfConnectedCountries(session)).filter((country) => !known.has(country)).slice(-MORE);
  const found = near.map(({ facilities: some }) => some[0]!);
  for (const country of others) found.push(...(await connectedFacilities(session, country)).slice(0, 1));
  return found;
}
