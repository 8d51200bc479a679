const DAY = 86_400_000;

/** A day as yyyy-mm-dd. */
export type Day = string;

export function dayOf(epoch: number): Day {
  return new Date(epoch).toISOString().slice(0, 10);
}

export function addDays(day: Day, days: number): Day {
  return dayOf(Date.parse(`${day}T00:00:00Z`) + days * DAY);
}

/** Dates in query parameters: dd-mm-yyyy ("What the service does", list 4). */
export function queryDate(day: Day): string {
  return day.split('-').reverse().join('-');
}

/** Dates in booking bodies: yyyy-mm-dd HH:MM:ss. Responses use ISO 8601. */
export function bodyTime(time: string): string {
  return time.slice(0, 19).replace('T', ' ');
}

/** Days from `first`, cut into ranges of at most so many. */
export function rangesOf(first: Day, days: number, most: number): { readonly from: Day; readonly to: Day }[] {
  const ranges = [];
  for (let at = 0; at < days; at += most) {
    ranges.push({ from: addDays(first, at), to: addDays(first, Math.min(days, at + most) - 1) });
  }
  return ranges;
}
