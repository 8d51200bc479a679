import type { AdminType } from '../../data/api.js';

/** Something that happens when the clock reaches its instant. */
export type ClockEvent = AdminType<'Fired'>;

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** A stretch of time ahead that the timeline shows. */
export interface TimeRange {
  readonly id: string;
  readonly title: string;
  readonly length: number;
  /** Milliseconds between two marks of the axis. */
  readonly step: number;
}

export const ranges: readonly TimeRange[] = [
  { id: 'hour', title: '1 hour', length: HOUR, step: HOUR / 6 },
  { id: 'day', title: '1 day', length: DAY, step: 4 * HOUR },
  { id: 'week', title: '1 week', length: 7 * DAY, step: DAY },
  { id: 'month', title: '30 days', length: 30 * DAY, step: 5 * DAY },
  { id: 'year', title: '1 year', length: 365 * DAY, step: 61 * DAY },
];

const ENOUGH = 5;

/** The chosen range, or the shortest one in which there is something to see. */
export function rangeOf(id: string | null, events: readonly ClockEvent[], now: number): TimeRange {
  const chosen = ranges.find((one) => one.id === id);
  if (chosen) return chosen;
  const wanted = Math.min(ENOUGH, events.length);
  const within = ({ length }: TimeRange) => events.filter(({ at }) => Date.parse(at) <= now + length).length >= wanted;
  return ranges.slice(1).find(within) ?? ranges.at(-1)!;
}

/** The marks of the axis, at whole hours or days, as percentages of its width. */
export function marksOf({ length, step }: TimeRange, now: number): { readonly at: number; readonly label: string }[] {
  const marks = [];
  const short = length <= DAY;
  for (let moment = Math.ceil(now / step) * step; moment < now + length; moment += step) {
    const text = new Date(moment).toISOString();
    marks.push({ at: ((moment - now) / length) * 100, label: short ? text.slice(11, 16) : dayOf(text) });
  }
  return marks;
}

const months = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ');

function dayOf(iso: string): string {
  return `${Number(iso.slice(8, 10))} ${months[Number(iso.slice(5, 7)) - 1]}`;
}

/** Events so close to each other on the timeline that they are one dot. */
export interface EventDot {
  /** Percent of the width. */
  readonly at: number;
  readonly count: number;
  readonly first: string;
}

const PLACES = 90;

export function dotsOf(events: readonly ClockEvent[], { length }: TimeRange, now: number): EventDot[] {
  const dots = new Map<number, EventDot>();
  for (const { at } of events) {
    const part = (Date.parse(at) - now) / length;
    if (part < 0 || part > 1) continue;
    const place = Math.round(part * PLACES);
    const { count = 0, first = at } = dots.get(place) ?? {};
    dots.set(place, { at: (place / PLACES) * 100, count: count + 1, first });
  }
  return [...dots.values()];
}

const units = [
  ['d', DAY],
  ['h', HOUR],
  ['min', 60_000],
  ['s', 1000],
] as const;

/** A stretch of time in its two largest units, such as `1 d 21 h`. */
export function lengthOf(milliseconds: number): string {
  const first = units.findIndex(([, length]) => milliseconds >= length);
  if (first < 0) return '0 s';
  let rest = milliseconds;
  const parts = units.slice(first, first + 2).map(([unit, length]) => {
    const count = Math.floor(rest / length);
    rest -= count * length;
    return count === 0 ? '' : `${count} ${unit}`;
  });
  return parts.join(' ').trim();
}
