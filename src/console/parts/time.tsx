import { sandboxClock } from '../data/clock.js';

const units = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1000],
] as const;

const words = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });

/** How long before or after another moment, such as `3 hours ago`. */
function apart(moment: number, now: number): string {
  const [unit, length] = units.find(([, one]) => Math.abs(moment - now) >= one) ?? units[3];
  return words.format(Math.trunc((moment - now) / length), unit);
}

/** A moment seen from the clock of the sandbox; the title has it in full. */
export function RelativeTime({ at }: { readonly at: string }) {
  const now = sandboxClock.value?.now;
  return (
    <time dateTime={at} title={at}>
      {now === undefined ? at : apart(Date.parse(at), now)}
    </time>
  );
}

/** The time of a day in UTC, with the date in its title. */
export function TimeOfDay({ at, millis = false }: { readonly at: string; readonly millis?: boolean }) {
  return (
    <time dateTime={at} title={at}>
      {at.slice(11, millis ? 23 : 19)}
    </time>
  );
}
