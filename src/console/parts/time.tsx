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

/** An instant in UTC, such as `2030-06-11 07:39 UTC`. */
export function utcWords(at: string, seconds = false): string {
  return `${at.slice(0, 10)} ${at.slice(11, seconds ? 19 : 16)} UTC`;
}

/** The place that gives a time zone its name, such as `Amsterdam`. */
export function placeOf(timeZone: string): string {
  return timeZone.split('/').at(-1)!.replaceAll('_', ' ');
}

/** An instant as the clocks at a facility show it: `2030-06-11 09:39 Amsterdam`. */
export function localWords(at: string, timeZone: string): string {
  const format = new Intl.DateTimeFormat('sv', { timeZone, dateStyle: 'short', timeStyle: 'short' });
  return `${format.format(Date.parse(at))} ${placeOf(timeZone)}`;
}

/** An instant in UTC. */
export function UtcTime({ at, seconds = false }: { readonly at: string; readonly seconds?: boolean }) {
  return <time dateTime={at}>{utcWords(at, seconds)}</time>;
}

/** An instant in the time of a facility; the title has it in UTC. */
export function FacilityTime({ at, timeZone }: { readonly at: string; readonly timeZone: string }) {
  return (
    <time dateTime={at} title={utcWords(at)}>
      {localWords(at, timeZone)}
    </time>
  );
}

/** A moment seen from the clock of the sandbox; the title has it in full. */
export function RelativeTime({ at }: { readonly at: string }) {
  const now = sandboxClock.value?.now;
  return (
    <time dateTime={at} title={utcWords(at, true)}>
      {now === undefined ? utcWords(at) : apart(Date.parse(at), now)}
    </time>
  );
}

/** The time of a day in UTC, with the date in its title. */
export function TimeOfDay({ at, millis = false }: { readonly at: string; readonly millis?: boolean }) {
  return (
    <time dateTime={at} title={utcWords(at, true)}>
      {at.slice(11, millis ? 23 : 19)}
    </time>
  );
}
