import { setImmediate as nextTurn } from 'node:timers/promises';
import { textStreamBy } from '../../common/index.js';

let turns: Promise<void> = Promise.resolve();

/** A turn of the event loop for one slice, of whichever stream: readers that take all at once would hold up the others. */
function turn(): Promise<void> {
  turns = turns.then(() => nextTurn());
  return turns;
}

export const textStream = textStreamBy(turn);
