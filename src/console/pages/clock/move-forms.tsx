import { useState } from 'preact/hooks';
import { sandboxClock } from '../../data/clock.js';
import { readClockMove } from '../../data/local-time.js';
import { AsCurl } from '../../parts/curl.js';
import { TextField } from '../../parts/field.js';
import { localWords, placeOf } from '../../parts/time.js';
import { useFacilityZone } from '../../data/zone.js';
import { moveCall, moveClock, moving } from './moves.js';

const steps: readonly (readonly [label: string, duration: string])[] = [
  ['1 minute', 'PT1M'],
  ['15 minutes', 'PT15M'],
  ['1 hour', 'PT1H'],
  ['6 hours', 'PT6H'],
  ['1 day', 'P1D'],
  ['1 week', 'P1W'],
];

/** The ways to move the clock: by usual steps, and by any duration or to any moment. */
export function MoveForms() {
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
            onClick={() => void moveClock({ advance: step })}
          >
            {label}
          </button>
        ))}
      </div>
      <MoveForm />
    </>
  );
}

function MoveForm() {
  const [text, setText] = useState('');
  const timeZone = useFacilityZone();
  const read = readClockMove(text, sandboxClock.value?.now ?? 0, timeZone);
  const submit = (event: Event) => {
    event.preventDefault();
    if (read) void moveClock(read.body).then((moved) => moved && setText(''));
  };
  return (
    <form class="inline-form" aria-label="Move the clock" onSubmit={submit}>
      <TextField
        label={`By a duration, or to a time in ${placeOf(timeZone)}`}
        value={text}
        change={setText}
        placeholder="2h, 2d, sat 9:00"
        hint={hintOf(text, read?.to, timeZone)}
      />
      <button type="submit" class="button primary" disabled={!read || moving.value}>
        Move
      </button>
      {read && <AsCurl of={moveCall(read.body)} title="Move the clock" />}
    </form>
  );
}

function hintOf(text: string, to: number | undefined, timeZone: string) {
  if (text.trim() === '') return 'Such as 2h, 2d, sat 9:00 or 2026-06-13 09:00';
  if (to !== undefined && Math.abs(to) <= 8.64e15) return `To ${localWords(new Date(to).toISOString(), timeZone)}`;
  return <span class="fault">Write a duration such as 2h or 2d, or a time such as sat 9:00 or 2026-06-13 09:00.</span>;
}
