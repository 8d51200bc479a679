import { utcWords } from '../../parts/time.js';
import type { AdminType } from '../../data/api.js';
import { route, setQuery } from '../../data/route.js';
import { Icon } from '../../parts/icon.js';
import { type EventLane, lanes, TimeLeft } from './events.js';
import { dotsOf, type EventDot, marksOf, type TimeRange } from './ranges.js';

type NextEvents = AdminType<'NextEvents'>;

/** A lane for each sort of event, from now to the end of the range. Each lane says in words when its next one is. */
export function Timeline({ data, range }: { readonly data: NextEvents; readonly range: TimeRange }) {
  const now = Date.parse(data.now);
  const marks = marksOf(range, now);
  const tracks = marks.map(({ at }) => <span key={at} class="clock-grid" style={{ left: `${at}%` }} />);
  return (
    <div class="clock-timeline">
      <ul aria-label="Kinds of events">
        {lanes.map((lane) => (
          <li key={lane.id} class={`clock-lane ${lane.id}`}>
            <LaneName lane={lane} data={data} />
            <div class="clock-track" aria-hidden="true">
              {tracks}
              <Dots lane={lane} data={data} range={range} now={now} />
            </div>
          </li>
        ))}
      </ul>
      <div class="clock-axis" aria-hidden="true">
        <span class="clock-mark now">now</span>
        {marks.map(({ at, label }) => (
          <span
            key={at}
            class={`clock-mark${at < 7 || at > 96 ? ' close' : ''}${at < 20 ? ' early' : ''}`}
            style={{ left: `${at}%` }}
          >
            {label}
          </span>
        ))}
      </div>
    </div>
  );
}

function LaneName({ lane, data }: { readonly lane: EventLane; readonly data: NextEvents }) {
  const kinds = data.kinds.filter(({ event }) => lane.events.includes(event));
  const count = kinds.reduce((sum, kind) => sum + kind.count, 0);
  const chosen = route.value.query.get('kind') === lane.id;
  return (
    <button
      type="button"
      class="clock-lane-name"
      aria-pressed={chosen}
      onClick={() => setQuery({ kind: chosen ? '' : lane.id })}
    >
      <Icon of={lane.icon} />
      <span>
        {lane.title}
        <small>
          {kinds[0] ? (
            <>
              {`${count} to come, next in `}
              <TimeLeft at={kinds[0].first.at} />
            </>
          ) : (
            'none to come'
          )}
        </small>
      </span>
    </button>
  );
}

const SMALLEST = 9;
const LARGEST = 20;

function Dots(props: {
  readonly lane: EventLane;
  readonly data: NextEvents;
  readonly range: TimeRange;
  readonly now: number;
}) {
  const { lane, data, range, now } = props;
  const events = data.next.filter(({ event }) => lane.events.includes(event));
  return dotsOf(events, range, now).map((dot) => {
    const size = `${Math.min(LARGEST, SMALLEST + 3 * Math.log2(dot.count))}px`;
    return (
      <span
        key={dot.at}
        class="clock-dot"
        title={titleOf(dot)}
        style={{ left: `${dot.at}%`, width: size, height: size }}
      />
    );
  });
}

function titleOf({ count, first }: EventDot): string {
  const at = utcWords(first, true);
  return count === 1 ? at : `${count} events from ${at} on`;
}
