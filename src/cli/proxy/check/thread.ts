import { parentPort, workerData } from 'node:worker_threads';
import type { FromThread, ToThread } from './checker-thread.js';
import { TrafficChecker, type TrafficCheckerOptions } from './traffic-checker.js';

/** Milliseconds in which exchanges are gathered before the rules are evaluated. */
const PACE = 250;
const port = parentPort!;
const post = (message: FromThread): void => port.postMessage(message);
const checker = new TrafficChecker(workerData as TrafficCheckerOptions, (event) => post({ type: 'event', event }));
let evaluating: Promise<void> = Promise.resolve();
let isDue = false;

/** Schedules an evaluation. Evaluations never overlap. */
function evaluateSoon(): void {
  if (isDue) return;
  isDue = true;
  setTimeout(() => {
    isDue = false;
    evaluating = evaluating.then(() => checker.evaluate(nextTurn));
  }, PACE);
}

/** Lets the thread record new exchanges before the evaluation continues. */
const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

function take(message: ToThread): void {
  if (message.type === 'end') {
    void evaluating
      .then(() => checker.end(message.facts, message.reports))
      .then((end) => post({ type: 'ended', end }))
      .then(() => port.close());
    return;
  }
  checker.take(message.exchanges, message.lost);
  post({ type: 'taken', count: message.exchanges.length });
  evaluateSoon();
}

// A port hands over up to 1000 messages in one turn. If each were recorded at once, the evaluation would never get its turn.
const waiting: ToThread[] = [];
port.on('message', (message: ToThread) => {
  if (waiting.push(message) === 1) setImmediate(() => waiting.splice(0).forEach(take));
});
