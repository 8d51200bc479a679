import { Pause, Play } from 'lucide';
import { call } from '../../data/api.js';
import { sandboxClock } from '../../data/clock.js';
import { Badge } from '../../parts/badge.js';
import { CopyCurl } from '../../parts/copy.js';
import { Icon } from '../../parts/icon.js';
import { Card, PageHead } from '../../parts/page.js';
import { Coming } from './coming.js';
import { FiredCard } from './fired-card.js';
import { MoveForms } from './move-forms.js';
import { counted, moveCall, moveClock, moves, moving } from './moves.js';

/** The clock of the sandbox: see and move it, and what hangs on it. */
export default function ClockPage() {
  return (
    <>
      <PageHead
        title="Clock"
        about="Tokens, cancellation windows, tee times, callbacks and plans follow this clock. Move it instead of waiting."
        actions={<CopyCurl of={call('GET', 'clock')} />}
      />
      <div class="stack clock-page">
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
  return (
    <Card title="Now" actions={<RunSwitch />}>
      <p class="clock-face">
        <time dateTime={text} class="clock-time">
          {text ? text.slice(11, 19) : '…'}
        </time>
        <span class="clock-date">
          {text && `${weekday.format(clock.now)}, ${text.slice(0, 10)} UTC`}
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
  return (
    <p role="status" class="clock-status">
      {moving.value && 'The clock moves. Callbacks that fall due are posted first …'}
      {!moving.value &&
        last &&
        `Moved to ${last.to.slice(0, 10)} ${last.to.slice(11, 19)}. ${counted(last.firedCount)}.`}
    </p>
  );
}

function RunSwitch() {
  const runs = sandboxClock.value?.mode === 'running';
  const body = runs ? ({ freeze: true } as const) : ({ resume: true } as const);
  return (
    <span class="action">
      <button type="button" class="button" disabled={moving.value} onClick={() => void moveClock(body)}>
        <Icon of={runs ? Pause : Play} size={14} />
        {runs ? 'Freeze' : 'Resume'}
      </button>
      <CopyCurl of={moveCall(body)} bare />
    </span>
  );
}
