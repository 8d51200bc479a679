import type { ClockStep } from '../model/agenda.js';
import { type Clock, clockInstant, epochOf } from '../model/clock.js';
import { firedBetween, nextEvents } from './fired.js';
import { DURATION_FORMS, readDuration, validationError } from '../../common/index.js';
import { fit, loadAdminValidators } from '../../contract/index.js';
import { Problem } from './problem.js';
import { readJson, readQuery } from './read.js';
import type { AdminCall, AdminHost, AdminRoute } from './route.js';

/** The clock of the sandbox. */
export const clockRoutes: readonly AdminRoute[] = [
  { method: 'GET', path: 'clock', answer: ({ host }) => shownClock(host.clock) },
  { method: 'POST', path: 'clock', answer: move },
  { method: 'GET', path: 'clock/next', answer: next },
];

const NEXT_LISTED = 100;

async function next({ host, request }: AdminCall): Promise<unknown> {
  const { limit = NEXT_LISTED } = await readQuery(request, 'listNextEventsQuery');
  return nextEvents(host, limit);
}

/** The clock as the admin API shows it. */
export function shownClock({ now, mode }: Clock) {
  return { now: new Date(now()).toISOString(), mode };
}

async function move({ host, request }: AdminCall): Promise<unknown> {
  const { ClockMove } = await loadAdminValidators();
  const { freeze, set, advance } = fit(ClockMove, await readJson(request), { whole: 'The body' });
  const { clock } = host;
  const before = clock.now();
  if (set !== undefined) return moved(host, { set: within(readInstant(set)) });
  if (advance !== undefined) return moved(host, { advance: within(before + durationOf(advance)) - before });
  if (freeze) clock.freeze();
  else resume(clock);
  host.agenda.catchUp();
  return { ...shownClock(clock), ...firedBetween(host, before, clock.now(), []) };
}

/** Responds when everything that fell due is over. */
async function moved(host: AdminHost, step: ClockStep): Promise<unknown> {
  const { clock } = host;
  const before = clock.now();
  const posted = await host.agenda.move(step);
  if (posted) return { ...shownClock(clock), ...firedBetween(host, before, clock.now(), posted) };
  throw new Problem(409, 'The sandbox was reset or restored before the clock arrived. Move the clock again.');
}

function resume(clock: Clock): void {
  try {
    clock.resume();
  } catch (error) {
    throw new Problem(409, (error as Error).message);
  }
}

function readInstant(text: string): number {
  try {
    return epochOf(text);
  } catch {
    throw validationError('set', 'an instant in ISO 8601 with a time zone, such as 2026-06-01T08:00:00Z', text);
  }
}

function durationOf(text: string): number {
  const duration = readDuration(text);
  if (duration === undefined) throw validationError('advance', `a duration such as ${DURATION_FORMS}`, text);
  return duration;
}

function within(epoch: number): number {
  try {
    return clockInstant(epoch);
  } catch (error) {
    throw new Problem(400, (error as Error).message);
  }
}
