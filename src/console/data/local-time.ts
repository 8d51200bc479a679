import { isDay, readDuration } from '../../common/index.js';

/** An instant as local time in a time zone, `yyyy-mm-ddTHH:MM:ss`. */
export function localTime(timeZone: string, epoch: number): string {
  const parts = new Intl.DateTimeFormat('sv', { timeZone, dateStyle: 'short', timeStyle: 'medium' }).format(epoch);
  return parts.replace(' ', 'T');
}

/** The instant of a local time in a time zone. */
export function instantOf(timeZone: string, time: string): number {
  const asUtc = Date.parse(`${time}Z`);
  const offsetAt = (epoch: number) => Date.parse(`${localTime(timeZone, epoch)}Z`) - epoch;
  return asUtc - offsetAt(asUtc - offsetAt(asUtc));
}

/** A date some days later. */
export function dayAfter(date: string, days: number): string {
  return new Date(Date.parse(`${date}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10);
}

const days = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];

/** The date of `2026-06-13`, `13-06-2026`, `today`, `tomorrow`, `sat`; undefined for no day. A weekday is today or later. */
export function readDay(text: string, today: string): string | undefined {
  const word = text.trim().toLowerCase();
  const written = word.replace(/^(\d\d)-(\d\d)-(\d{4})$/, '$3-$2-$1');
  if (isDay(written)) return written;
  if (word === 'today' || word === 'tomorrow') return dayAfter(today, word === 'today' ? 0 : 1);
  const weekday = word.length < 3 ? -1 : days.findIndex((day) => day.startsWith(word));
  return weekday < 0 ? undefined : dayAfter(today, (weekday - new Date(today).getUTCDay() + 7) % 7);
}

/** What a move of the clock asks of the admin API, and the instant at which it arrives. */
export interface ClockMoveRead {
  readonly body: { readonly advance: string } | { readonly set: string };
  readonly to: number;
}

const units = { second: 's', sec: 's', minute: 'm', min: 'm', hour: 'h', hr: 'h', day: 'd' } as const;

/** A duration as the sandbox reads it: `2 days` is `2d`, and `p2d` is `P2D`. */
function durationIn(text: string): string {
  const [, count, unit = ''] = /^\+?\s*([\d.]+)\s*([a-z]+)$/i.exec(text) ?? [];
  if (count === undefined) return text.toUpperCase();
  const word = unit.toLowerCase();
  return count + (units[word.replace(/s$/, '') as keyof typeof units] ?? word);
}

/** The time of a day, `HH:MM:ss`, of `9:00`, `9am` or `21:30:15`. */
function timeIn(text: string): string | undefined {
  const [, hour, minute, second = '00', half] = /^(\d{1,2})(?::(\d\d))?(?::(\d\d))?\s*([ap]m)?$/i.exec(text) ?? [];
  if (hour === undefined || (minute === undefined && half === undefined)) return undefined;
  const late = half?.toLowerCase() === 'pm' ? 12 : 0;
  if (half !== undefined && (Number(hour) < 1 || Number(hour) > 12)) return undefined;
  const whole = half === undefined ? Number(hour) : (Number(hour) % 12) + late;
  const fits = whole < 24 && Number(minute ?? 0) < 60 && Number(second) < 60;
  return fits ? `${String(whole).padStart(2, '0')}:${minute ?? '00'}:${second}` : undefined;
}

/**
 * A move of the clock as people write it: a duration (`2h`, `2 days`, `P2DT30M`), or a time at a facility (`sat 9:00`,
 * `tomorrow`, `18:30`, `2026-06-13 09:00`). A weekday and an hour without a date are the next ones to come. Undefined for
 * any other text.
 */
export function readClockMove(text: string, now: number, timeZone: string): ClockMoveRead | undefined {
  const words = text.trim().replace(/\s+/g, ' ');
  const advance = durationIn(words);
  const duration = readDuration(advance);
  if (duration !== undefined) return { body: { advance }, to: now + duration };
  const to = instantIn(words, now, timeZone);
  return to === undefined || Number.isNaN(to) ? undefined : { body: { set: isoOf(to) }, to };
}

function instantIn(words: string, now: number, timeZone: string): number | undefined {
  if (/^\d{4}-\d\d-\d\d[T ][\d:.]+(?:Z|[+-]\d\d:\d\d)$/i.test(words)) return Date.parse(words.replace(' ', 'T'));
  const today = localTime(timeZone, now).slice(0, 10);
  const isWhole = timeIn(words) !== undefined || readDay(words, today) !== undefined;
  const [, before, after] = isWhole ? [] : (/^(.+?)(?:,? at |, ?|t| )(\d\S*(?: ?[ap]m)?)$/i.exec(words) ?? []);
  const day = before ?? (timeIn(words) === undefined ? words : '');
  const date = day === '' ? today : readDay(day, today);
  const hour = timeIn(after ?? (day === '' ? words : '0:00'));
  if (date === undefined || hour === undefined) return undefined;
  const at = instantOf(timeZone, `${date}T${hour}`);
  if (at > now || /^\d|^to/i.test(day)) return at;
  return instantOf(timeZone, `${dayAfter(date, day === '' ? 1 : 7)}T${hour}`);
}

/** An instant in ISO 8601, without milliseconds that are zero. */
export function isoOf(epoch: number): string {
  return new Date(epoch).toISOString().replace('.000Z', 'Z');
}
