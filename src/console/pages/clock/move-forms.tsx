import { useState } from 'preact/hooks';
import { sandboxClock } from '../../data/clock.js';
import { AsCurl } from '../../parts/curl.js';
import { TextField } from '../../parts/field.js';
import { type ClockBody, moveCall, moveClock, moving } from './moves.js';

const steps: readonly (readonly [label: string, duration: string])[] = [
  ['1 minute', 'PT1M'],
  ['15 minutes', 'PT15M'],
  ['1 hour', 'PT1H'],
  ['6 hours', 'PT6H'],
  ['1 day', 'P1D'],
  ['1 week', 'P1W'],
];

/** The ways to move the clock: by usual steps, by any duration, and to a moment. */
export function MoveForms() {
  const [duration, setDuration] = useState('PT1H');
  return (
    <>
      <div class="clock-steps" role="group" aria-label="Advance by">
        <span class="about">Advance by</span>
        {steps.map(([label, step]) => (
          <button
            key={step}
            type="button"
            class="button"
            disabled={moving.value}
            onClick={() => {
              setDuration(step);
              void moveClock({ advance: step });
            }}
          >
            {label}
          </button>
        ))}
      </div>
      <div class="clock-forms">
        <MoveForm label="Any ISO 8601 duration" verb="Advance" body={{ advance: duration }} fits={duration !== ''}>
          <TextField
            label="Any ISO 8601 duration"
            value={duration}
            change={(text) => setDuration(text.trim().toUpperCase())}
            placeholder="P2DT30M"
          />
        </MoveForm>
        <SetForm />
      </div>
    </>
  );
}

function SetForm() {
  const [typed, setTyped] = useState<string>();
  const now = sandboxClock.value?.now;
  const shown = typed ?? (now === undefined ? '' : new Date(now).toISOString().slice(0, 16));
  const set = shown.length === 16 ? `${shown}:00Z` : `${shown}Z`;
  return (
    <MoveForm label="Set the clock" verb="Set" body={{ set }} fits={shown !== ''}>
      <TextField label="A moment, in UTC" type="datetime-local" value={shown} change={setTyped} />
    </MoveForm>
  );
}

interface MoveFormProps {
  readonly label: string;
  readonly verb: string;
  readonly body: ClockBody;
  readonly fits: boolean;
  readonly children: preact.ComponentChildren;
}

function MoveForm({ label, verb, body, fits, children }: MoveFormProps) {
  const submit = (event: Event) => {
    event.preventDefault();
    if (fits) void moveClock(body);
  };
  return (
    <form class="inline-form" aria-label={label} onSubmit={submit}>
      {children}
      <button type="submit" class="button primary" disabled={!fits || moving.value}>
        {verb}
      </button>
      <AsCurl of={moveCall(body)} title={`${verb} the clock`} />
    </form>
  );
}
