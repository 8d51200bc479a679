import { localWords, utcWords } from '../../parts/time.js';
import { Pause, Play } from 'lucide';
import { call } from '../../data/api.js';
import { sandboxClock } from '../../data/clock.js';
import { useFacilityZone } from '../../data/zone.js';
import { Badge } from '../../parts/badge.js';
import { AsCurl } from '../../parts/curl.js';
import { Icon } from '../../parts/icon.js';
import { Card, PageHead } from '../../parts/page.js';
import { Coming } from './coming.js';
import { MoveForms } from './move-forms.js';
import { type ClockStepTaken, dueWords, moveCall, moveClock, moves, moving, undoMove } from './moves.js';
import { EventName, EventSubject, Moment } from './events.js';

/** What the moves of the clock set off, the last one first. */
function FiredCard() {
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
          <Badge tone={firedCount > 0 ? 'info' : 'neutral'}>{dueWords(firedCount)}</Badge>
        </summary>
        <ol class="clock-fired" aria-label={`Events until ${utcWords(to, true)}`}>
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

/** The clock of the sandbox: see and move it, and what hangs on it. */
export default function ClockPage() {
  return (
    <>
      <PageHead
        title="Clock"
        about="Tokens, cancellation windows, tee times, callbacks and plans follow this clock. Move it instead of waiting."
      />
      <div class="stack clock-page">
        <AsCurl of={call('GET', 'clock')} title="Read the clock" />
        <Now />
        <FiredCard />
        <Coming />
      </div>
    </>
  );
}

const weekday = new Intl.DateTimeFormat('en', { weekday: 'long', timeZone: 'UTC' });

function Now() {
  const clock = sandboxClock.value;
  const text = clock && new Date(clock.now).toISOString();
  const timeZone = useFacilityZone();
  return (
    <Card title="Now" actions={<RunSwitch />}>
      <p class="clock-face">
        <time dateTime={text} class="clock-time">
          {text ? text.slice(11, 19) : '…'}
        </time>
        <span class="clock-date">
          {text && `${weekday.format(clock.now)}, ${text.slice(0, 10)} UTC`}
          {text && <span class="about">{localWords(text, timeZone)}</span>}
          {clock && (
            <Badge tone={clock.mode === 'running' ? 'ok' : 'info'}>
              {clock.mode === 'running' ? 'running' : 'frozen'}
            </Badge>
          )}
        </span>
      </p>
      <MoveForms />
      <LastMove />
    </Card>
  );
}

/** What the last move came to, which is read aloud. */
function LastMove() {
  const [last] = moves.value;
  const canUndo = !moving.value && last?.isMove && last.from !== undefined;
  return (
    <div class="clock-status">
      <p role="status">
        {moving.value && 'The clock moves. Callbacks that fall due are posted first …'}
        {!moving.value && last && `Moved to ${utcWords(last.to, true)}. ${dueWords(last.firedCount)}.`}
      </p>
      {canUndo && (
        <button
          type="button"
          class="button"
          title="Callbacks that were posted stay posted"
          onClick={() => undoMove(last)}
        >
          Undo
        </button>
      )}
    </div>
  );
}

function RunSwitch() {
  const runs = sandboxClock.value?.mode === 'running';
  const body = runs ? ({ freeze: true } as const) : ({ resume: true } as const);
  return (
    <>
      <button type="button" class="button" disabled={moving.value} onClick={() => void moveClock(body)}>
        <Icon of={runs ? Pause : Play} size={14} />
        {runs ? 'Freeze' : 'Resume'}
      </button>
      <AsCurl of={moveCall(body)} title={runs ? 'Freeze' : 'Resume'} />
    </>
  );
}
