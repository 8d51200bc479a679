/** Milliseconds. */
export const [HOUR, DAY] = [3_600_000, 86_400_000];

/** Days from now from which a list has past bookings, too: all that the rules compare with. */
export const LONG_AGO = -200;

/** A day of the calendar, as queries (`dd-mm-yyyy`) and answers (`yyyy-mm-dd`) write it. */
export interface Day {
  readonly query: string;
  readonly iso: string;
}

/** The day in UTC of an instant, so many days later. */
export function dayAt(now: number, days = 0): Day {
  const iso = new Date(now + days * DAY).toISOString().slice(0, 10);
  return { iso, query: iso.split('-').reverse().join('-') };
}

/** The day in an answer; undefined for text that is not a date. */
export function dayOf(iso: unknown): Day | undefined {
  const instant = Date.parse(`${String(iso).slice(0, 10)}T00:00:00Z`);
  return Number.isNaN(instant) ? undefined : dayAt(instant);
}

/** A day so many days after another one. */
export function dayAfter({ iso }: Day, days: number): Day {
  return dayAt(Date.parse(`${iso}T00:00:00Z`), days);
}

/** To make one takes longer than to use it. Only time zones that exist have one. */
const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone);
  if (known) return known;
  const format = new Intl.DateTimeFormat('en-GB', { timeZone, dateStyle: 'short', timeStyle: 'medium' });
  formats.set(timeZone, format);
  return format;
}

/** Whether there is a time zone of this name. */
export function isTimeZone(name: string): boolean {
  try {
    return formatOf(name) !== undefined;
  } catch {
    return false;
  }
}

/** Hours by which a time zone is ahead of UTC at an instant; 0 for an unknown zone. */
export function offsetHours(timeZone: string, now: number): number {
  try {
    const parts = formatOf(timeZone).formatToParts(now);
    const [day, month, year, hour, minute] = ['day', 'month', 'year', 'hour', 'minute'].map((type) =>
      Number(parts.find((part) => part.type === type)?.value),
    );
    return Math.round((Date.UTC(year!, month! - 1, day, hour, minute) - now) / 360_000) / 10;
  } catch {
    return 0;
  }
}
