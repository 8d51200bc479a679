import { Badge } from '../../../parts/badge.js';
import type { CourseDay, SheetDay } from '../cells.js';

/** Which colour and edge stands for which channel, and what is changed of the day. */
export function Legend({
  day,
  course,
  channels,
}: {
  readonly day: SheetDay;
  readonly course: CourseDay;
  readonly channels: readonly string[];
}) {
  const { soldOut, raised, teeTimes, withdrawn } = course;
  const free = teeTimes.reduce((sum, one) => sum + one.free, 0);
  const full = teeTimes.filter((one) => one.free === 0).length;
  return (
    <div class="legend">
      <ul aria-label="Channels">
        {channels.map((channel, index) => (
          <li key={channel}>
            <span class={`swatch channel-${index}`} aria-hidden="true" />
            {channel}
          </li>
        ))}
        <li>
          <span class="swatch elsewhere" aria-hidden="true" />
          sold elsewhere
        </li>
      </ul>
      <p>
        {teeTimes.length} tee times, {free} free slots, {full} sold out
        {day.channels.length === 0 && <Badge tone="warn">no channel connected</Badge>}
        {day.scenario !== null && <Badge tone="warn">{`triggers: ${day.scenario}`}</Badge>}
        {soldOut && <Badge tone="bad">day sold out</Badge>}
        {raised > 0 && <Badge tone="warn">{`prices raised ${raised}×`}</Badge>}
        {withdrawn.length > 0 && <Badge tone="warn">{`${withdrawn.length} withdrawn`}</Badge>}
      </p>
    </div>
  );
}
