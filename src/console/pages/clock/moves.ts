import { signal } from '@preact/signals';
import { counted } from '../../../common/index.js';
import { type AdminType, call, perform } from '../../data/api.js';
import { readClock, sandboxClock } from '../../data/clock.js';
import { isoOf } from '../../data/local-time.js';
import { attempt } from '../../data/toasts.js';
import type { ClockEvent } from './ranges.js';

export type ClockBody = AdminType<'ClockMove'>;

/** A move of the clock from this page, with what it set off. */
export interface ClockStepTaken {
  readonly id: number;
  readonly from: number | undefined;
  /** Whether it changed the time, rather than whether the clock runs. */
  readonly isMove: boolean;
  readonly to: string;
  readonly fired: readonly ClockEvent[];
  readonly firedCount: number;
}

const MOST = 10;
let last = 0;

/** The moves from this page, newest first. */
export const moves = signal<readonly ClockStepTaken[]>([]);

/** Whether a move is under way: it ends when every callback that fell due has been posted. */
export const moving = signal(false);

export const moveCall = (body: ClockBody) => call('POST', 'clock', { body });

/** Moves the clock, and keeps what that set off. Gives back whether it succeeded. */
export async function moveClock(body: ClockBody): Promise<boolean> {
  moving.value = true;
  const from = sandboxClock.value?.now;
  const isMove = 'set' in body || 'advance' in body;
  const moved = await attempt(async () => {
    const { now: to, fired, firedCount } = await perform(moveCall(body));
    await readClock();
    moves.value = [{ id: ++last, from, isMove, to, fired, firedCount }, ...moves.value].slice(0, MOST);
  });
  moving.value = false;
  return moved;
}

/** Takes a move back: a clock that runs has gone on since. */
export function undoMove({ from, to }: ClockStepTaken): void {
  const since = sandboxClock.value!.now - Date.parse(to);
  void moveClock({ set: isoOf(from! + since) });
}

/** How many events a move set off, in words. */
export function dueWords(events: number): string {
  return events === 0 ? 'Nothing fell due' : `${counted(events, 'event')} fell due`;
}
