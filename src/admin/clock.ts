import { DAY_MS } from '../domain/calendar.js';
import { type Clock, epochOf } from '../domain/clock.js';
import { FIRST_DAY, LAST_DAY } from '../domain/opening.js';
import { readDuration } from './duration.js';
import { firedBetween } from './fired.js';
import { Problem, shown } from './problem.js';
import { readChoice, readJson } from './read.js';
import type { AdminCall, AdminRoute } from './route.js';

/** The clock that everything hangs on which hangs on time. */
export const clockRoutes: readonly AdminRoute[] = [
  { method: 'GET', path: 'clock', answer: ({ host }) => shownClock(host.clock) },
  { method: 'POST', path: 'clock', answer: move },
];

const forms = {
  freeze: '{"freeze": true}',
  set: '{"set": "2026-06-01T08:00:00Z"}',
  advance: '{"advance": "PT49H"}',
  resume: '{"resume": true}',
};

function shownClock({ now, mode }: Clock) {
  return { now: new Date(now()).toISOString(), mode };
}

async function move({ host, request }: AdminCall): Promise<unknown> {
  const [what, value] = readChoice(await readJson(request), forms);
  const { clock } = host;
  const before = clock.now();
  if (what === 'set') clock.set(within(readInstant(value)));
  else if (what === 'advance') advance(clock, readDuration(value));
  else if (value !== true) throw new Problem(400, `\`${what}\` must be true; got ${shown(JSON.stringify(value))}.`);
  else if (what === 'freeze') clock.freeze();
  else resume(clock);
  return { ...shownClock(clock), ...firedBetween(host, before, clock.now()) };
}

function advance(clock: Clock, milliseconds: number): void {
  within(clock.now() + milliseconds);
  clock.advance(milliseconds);
}

function resume(clock: Clock): void {
  try {
    clock.resume();
  } catch (error) {
    throw new Problem(409, (error as Error).message);
  }
}

function readInstant(value: unknown): number {
  try {
    return epochOf(typeof value === 'string' ? value : NaN);
  } catch {
    const due = '`set` must be an instant in ISO 8601 with a zone, such as 2026-06-01T08:00:00Z';
    throw new Problem(400, `${due}; got ${shown(JSON.stringify(value))}.`);
  }
}

/** Outside these years there are no tee times, and nothing to see. */
function within(epoch: number): number {
  if (epoch >= FIRST_DAY * DAY_MS && epoch < (LAST_DAY + 1) * DAY_MS) return epoch;
  throw new Problem(400, 'The clock goes from 2000-01-01T00:00:00Z to the end of 2199; this would set it elsewhere.');
}
