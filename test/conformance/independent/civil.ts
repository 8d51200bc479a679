/** Dates and times as the service writes them: text without a zone, which sorts as time does. */

const DAY = 86_400_000;
const clocks = new Map<string, Intl.DateTimeFormat>();

/** The local date and time of a zone, yyyy-mm-ddTHH:MM:ss. */
export function localTime(instant: number, zone: string): string {
  let clock = clocks.get(zone);
  if (!clock) {
    const parts = { year: 'numeric', month: '2-digit', day: '2-digit' } as const;
    const hours = { hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' } as const;
    clock = new Intl.DateTimeFormat('sv-SE', { timeZone: zone, ...parts, ...hours });
    clocks.set(zone, clock);
  }
  return clock.format(instant).replace(' ', 'T');
}

/** A date of a query, dd-mm-yyyy, as yyyy-mm-dd; undefined when it is no date. */
export function queryDate(text: string): string | undefined {
  const found = /^(\d\d)-(\d\d)-(\d{4})$/.exec(text);
  return found ? realDate(`${found[3]}-${found[2]}-${found[1]}`) : undefined;
}

/** The date itself when the calendar has it. */
export function realDate(iso: string): string | undefined {
  if (!/^\d{4}-\d\d-\d\d$/.test(iso)) return undefined;
  const parsed = new Date(`${iso}T00:00:00Z`);
  return !Number.isNaN(parsed.getTime()) && parsed.toISOString().startsWith(iso) ? iso : undefined;
}

export const epochDay = (date: string): number => Date.parse(`${date}T00:00:00Z`) / DAY;
export const dateOf = (day: number): string => new Date(day * DAY).toISOString().slice(0, 10);
export const weekday = (date: string): number => (epochDay(date) + 4) % 7;

/** All days from one to the other, both included. */
export function daysFrom(from: string, to: string): string[] {
  const [first, last] = [epochDay(from), epochDay(to)];
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => dateOf(first + index));
}

/** HH:MM:ss of a minute of the day. */
export function clockTime(minute: number): string {
  const two = (value: number): string => String(value).padStart(2, '0');
  return `${two(Math.floor(minute / 60))}:${two(minute % 60)}:00`;
}

/** A number that looks like chance and is always the same for the same parts. */
export function hash(...parts: readonly (string | number)[]): number {
  let value = 2166136261;
  for (const char of parts.join('|')) value = Math.imul(value ^ char.charCodeAt(0), 16777619);
  value = Math.imul(value ^ (value >>> 15), 2246822507);
  return (value ^ (value >>> 13)) >>> 0;
}
