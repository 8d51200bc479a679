const DAY = 86_400_000;

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
