import { drawsOf } from '../../client/chance.js';
import type { Exchange } from '../../client/exchange.js';
import { nothingYet, type Run } from '../../client/session.js';
import { type RunOptions, SETTLE } from '../check-options.js';
import { openTransport, type Patience, PATIENCE } from './open-transport.js';

/** Makes a run: what is shared by all that talks to one deployment. Nothing is sent yet. */
export function openRun(options: RunOptions, onExchange: (exchange: Exchange) => void, answers: Patience = {}): Run {
  const { host, receiver } = options;
  const runId = Math.floor(host.random() * 36 ** 6)
    .toString(36)
    .padStart(6, '0');
  const transport = openTransport(options, { runId, onExchange, ...answers });
  const { callbackTimeout = PATIENCE, callbackTimeout: patience = 0 } = options;
  const { deadline } = transport;
  return {
    transport,
    // No rule waits longer than the run lasts. What the run draws follows from its id, so that its recording can be judged.
    host: { ...host, sleep: deadline.sleep, random: drawsOf(runId) },
    runId,
    receiver,
    get callbackTimeout() {
      return Math.min(callbackTimeout, deadline.left);
    },
    get patience() {
      return Math.min(patience, deadline.left);
    },
    settle: options.settle ?? SETTLE,
    recorded: false,
    onExchange,
    ...nothingYet(),
  };
}

/** The base URL without user and password. */
export function shownBase(baseUrl: string): string {
  return baseUrl.replace(/\/\/[^/@]*@/, '//').replace(/\/+$/, '');
}
