import { minute } from '../../data/clock.js';
import { localTime } from '../../data/local-time.js';
import { type CourseDay, freeAt, type SheetDay, type SheetTime } from './cells.js';
import type { LostBookings } from './marks.js';
import { sunrise } from './sun.js';
import { hourOf, playersWords } from './words.js';

interface StripProps {
  readonly day: SheetDay;
  readonly course: CourseDay;
  /** The channels in the order of their colours. */
  readonly channels: readonly string[];
  readonly lost?: LostBookings;
  /** The tee times that are looked for; the others are pale. */
  readonly wanted?: ReadonlySet<number> | undefined;
  /** A thumbnail has no words. */
  readonly small?: boolean;
}

const SLOTS = 4;
const HOUR_MS = 3_600_000;
/** Minutes around the first and the last column. */
const MARGIN = 8;
/** The part of the width in which a second label would cover the first. */
const NEAR = 0.2;

/** The minute of the day of a local time. */
function minuteOf(time: string): number {
  return Number(time.slice(11, 13)) * 60 + Number(time.slice(14, 16));
}

/** What holds the slots of a tee time, each by a class of its colour. */
function classesOf(teeTime: SheetTime, props: StripProps): string[] {
  const { teeId, bookings, soldElsewhere } = teeTime;
  const { day, channels, lost, wanted } = props;
  const free = freeAt(teeTime, localTime(day.timeZone, minute.value));
  const open = wanted?.has(teeId) ? 'wanted' : 'free';
  return [
    ...bookings.flatMap(({ bookingId, channel, players }) =>
      Array<string>(players).fill(lost?.has(bookingId) ? 'lost' : `channel-${channels.indexOf(channel)}`),
    ),
    ...Array<string>(soldElsewhere).fill('elsewhere'),
    ...Array<string>(Math.max(0, free)).fill(open),
  ];
}

/** The dots of a day: one line for each colour, of pieces without a length, whose round ends are the dots. */
function linesOf(props: StripProps): ReadonlyMap<string, string> {
  const lines = new Map<string, string>();
  const { teeTimes, withdrawn } = props.course;
  for (const teeTime of [...teeTimes, ...withdrawn.map((one) => ({ ...one, free: 0 }))]) {
    for (const [index, name] of classesOf(teeTime, props).entries()) {
      lines.set(name, `${lines.get(name) ?? ''}M${minuteOf(teeTime.time)} ${SLOTS - index - 0.5}h.01`);
    }
  }
  return lines;
}

interface StripMark {
  readonly kind: 'now' | 'deadline' | 'sunrise';
  readonly time: string;
  readonly words: string;
}

/** Now, from which tee time on bookings can still be cancelled, and sunrise, as far as they are on that day. */
function marksOf({ timeZone, latitude, longitude, date, cancellation }: SheetDay): StripMark[] {
  const now = minute.value;
  const rise = sunrise(latitude, longitude, date);
  const mark = (kind: StripMark['kind'], epoch: number, before: string, after = ''): StripMark => {
    const time = localTime(timeZone, epoch);
    return { kind, time, words: `${before} ${hourOf(time)}${after}` };
  };
  const marks = [
    mark('now', now, 'Now'),
    ...cancellation
      .filter(({ timePeriod }) => timePeriod > 0)
      .map((rule) => {
        const who = cancellation.length > 1 ? `, ${playersWords(rule)}` : '';
        return mark('deadline', now + rule.timePeriod * HOUR_MS, 'Can be cancelled from', who);
      }),
    ...(rise === undefined ? [] : [mark('sunrise', rise, 'Sunrise')]),
  ];
  return marks.filter(({ time }) => time.startsWith(date));
}

/** A day of a course at a glance: a column of four dots for each tee time, in the colours of who holds the slots. */
export function Strip(props: StripProps) {
  const { day, course, small = false, wanted } = props;
  const minutes = [...course.teeTimes, ...course.withdrawn].map(({ time }) => minuteOf(time));
  const marks = marksOf(day).filter(({ kind }) => !small || kind !== 'sunrise');
  const early = marks.filter(({ kind }) => kind === 'sunrise').map(({ time }) => minuteOf(time));
  const from = Math.min(...minutes, ...early) - MARGIN;
  const to = Math.max(...minutes) + MARGIN;
  const placeOf = (one: number) => (one - from) / (to - from);
  const left = (one: number) => `left: ${(placeOf(one) * 100).toFixed(2)}%`;
  const shown = marks
    .map((mark) => ({ ...mark, minute: minuteOf(mark.time) }))
    .filter((mark) => mark.minute >= from && mark.minute <= to);
  const counted = `${course.teeTimes.length} tee times from ${hourOf(course.teeTimes[0]?.time ?? '')}`;
  const label = [counted, ...shown.map(({ words }) => words)].join('. ');
  return (
    <div
      class={['strip', small && 'small', wanted && 'searched'].filter(Boolean).join(' ')}
      {...(small ? { 'aria-hidden': true } : { role: 'img', 'aria-label': label })}
    >
      <svg viewBox={`${from} 0 ${to - from} ${SLOTS}`} preserveAspectRatio="none" aria-hidden="true">
        {[...linesOf(props)].map(([name, line]) => (
          <path key={name} class={name} d={line} />
        ))}
      </svg>
      {shown.map(({ kind, minute: one, words }, index) => (
        <span key={words} class={`strip-mark ${kind} ${placeOf(one) > 0.6 ? 'late' : ''}`} style={left(one)}>
          {!small &&
            shown.slice(0, index).every((before) => Math.abs(placeOf(one) - placeOf(before.minute)) > NEAR) && (
              <span>{words}</span>
            )}
        </span>
      ))}
      {!small &&
        hoursBetween(from, to).map((hour) => (
          <span key={hour} class="strip-hour" style={left(hour * 60)}>
            {hour}
          </span>
        ))}
    </div>
  );
}

function hoursBetween(from: number, to: number): number[] {
  const first = Math.ceil(from / 60);
  return Array.from({ length: Math.floor(to / 60) - first + 1 }, (_, index) => first + index);
}
