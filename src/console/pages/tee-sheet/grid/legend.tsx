import { minute } from '../../../data/clock.js';
import { localTime } from '../../../data/local-time.js';
import { Badge } from '../../../parts/badge.js';
import { placeOf } from '../../../parts/time.js';
import { type CourseDay, freeSlots, type SheetDay } from '../cells.js';
import { dayName } from '../words.js';

interface LegendProps {
  readonly day: SheetDay;
  readonly course: CourseDay;
  readonly channels: readonly string[];
  /** How many bookings a client may not know of. */
  readonly lost: number;
}

/** Which colour and edge stands for which channel, and what is changed of the day. */
export function Legend({ day, course, channels, lost }: LegendProps) {
  const { holes, soldOut, raised, teeTimes, withdrawn } = course;
  const free = freeSlots(course, localTime(day.timeZone, minute.value));
  return (
    <span class="legend">
      <span>{`${dayName(day.date)} in ${placeOf(day.timeZone)}: ${holes} holes, ${teeTimes.length} tee times, ${free} free slots`}</span>
      <span role="list" aria-label="Channels">
        {channels.map((channel, index) => (
          <span key={channel} role="listitem">
            <span class={`swatch channel-${index}`} aria-hidden="true" />
            {channel}
          </span>
        ))}
        <span role="listitem">
          <span class="swatch elsewhere" aria-hidden="true" />
          sold elsewhere
        </span>
        <span role="listitem">
          <span class="swatch paid" aria-hidden="true" />
          paid
        </span>
      </span>
      {lost > 0 && <Badge tone="bad">{`the client may not know of ${lost}`}</Badge>}
      {day.channels.length === 0 && <Badge tone="warn">no channel connected</Badge>}
      {day.scenario !== null && <Badge tone="warn">{`triggers: ${day.scenario}`}</Badge>}
      {soldOut && <Badge>day sold out</Badge>}
      {raised > 0 && <Badge>{`prices raised ${raised}×`}</Badge>}
      {withdrawn.length > 0 && <Badge>{`${withdrawn.length} withdrawn`}</Badge>}
    </span>
  );
}
