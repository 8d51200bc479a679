import { Badge } from '../../parts/badge.js';
import { Card } from '../../parts/page.js';
import { EventName, EventSubject, Moment } from './events.js';
import { type ClockStepTaken, counted, moves } from './moves.js';

/** What the moves of the clock set off, the last one first. */
export function FiredCard() {
  const [latest, ...earlier] = moves.value;
  if (!latest) return null;
  return (
    <Card title="What fired" about="What the moves from this page set off, in the order of the clock.">
      <ol class="clock-moves" aria-label="Moves">
        <MoveTaken key={latest.id} move={latest} open />
        {earlier.map((move) => (
          <MoveTaken key={move.id} move={move} />
        ))}
      </ol>
    </Card>
  );
}

const SHOWN = 100;

function MoveTaken({ move, open = false }: { readonly move: ClockStepTaken; readonly open?: boolean }) {
  const { from, to, fired, firedCount } = move;
  const more = firedCount - Math.min(fired.length, SHOWN);
  return (
    <li>
      <details open={open}>
        <summary>
          <span>
            {from !== undefined && (
              <>
                <Moment at={new Date(from).toISOString()} /> to{' '}
              </>
            )}
            <Moment at={to} />
          </span>
          <Badge tone={firedCount > 0 ? 'info' : 'neutral'}>{counted(firedCount)}</Badge>
        </summary>
        <ol class="clock-fired" aria-label={`Events until ${to.slice(0, 10)} ${to.slice(11, 19)}`}>
          {fired.slice(0, SHOWN).map((event, index) => (
            <li key={index}>
              <Moment at={event.at} />
              <EventName event={event} past />
              <EventSubject event={event} />
            </li>
          ))}
        </ol>
        {more > 0 && <p class="about">{`And ${more} more.`}</p>}
      </details>
    </li>
  );
}
