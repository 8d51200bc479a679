import { parentPort, workerData } from 'node:worker_threads';
import type { FromThread, ToThread } from './judge-thread.js';
import { TrafficJudge, type TrafficJudgeOptions } from './traffic-judge.js';

/** Milliseconds in which exchanges are gathered before the deployment is judged. */
const PACE = 250;
const port = parentPort!;
const post = (message: FromThread): void => port.postMessage(message);
const judge = new TrafficJudge(workerData as TrafficJudgeOptions, (event) => post({ type: 'event', event }));
let judging: Promise<void> = Promise.resolve();
let isDue = false;

/** Judges soon, and not twice at a time. */
function judgeSoon(): void {
  if (isDue) return;
  isDue = true;
  setTimeout(() => {
    isDue = false;
    judging = judging.then(() => judge.judge(nextTurn));
  }, PACE);
}

/** What has come meanwhile is recorded before the judge goes on. */
const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

function take(message: ToThread): void {
  if (message.type === 'end') {
    void judging
      .then(() => judge.end(message.facts, message.reports))
      .then((end) => post({ type: 'ended', end }))
      .then(() => port.close());
    return;
  }
  judge.take(message.exchanges, message.lost);
  post({ type: 'taken', count: message.exchanges.length });
  judgeSoon();
}

// A port hands over up to 1000 messages in one turn. If each were recorded at once, judging would never get its turn.
const waiting: ToThread[] = [];
port.on('message', (message: ToThread) => {
  if (waiting.push(message) === 1) setImmediate(() => waiting.splice(0).forEach(take));
});
