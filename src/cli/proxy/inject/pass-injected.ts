import type { Answers } from '../../../contract/index.js';
import { setTimeout as sleep } from 'node:timers/promises';
import { answerHeaders, forward, passAnswer } from '../wire/forward.js';
import type { Transit } from '../wire/transit.js';
import type { ProxyTarget } from '../wire/target.js';
import { unreachableAnswer } from '../wire/unreachable.js';
import type { Injection } from './injector.js';
import type { IncomingMessage } from 'node:http';
import { failureBody, type RefusalCode, refusalStatus, refusalWords } from '../../../engine/index.js';
import { decodedBody } from '../wire/decoded.js';
import { type RawHeaders, without } from '../wire/raw-headers.js';

/** An answer as the client is to get it. */
interface Made {
  readonly status: number;
  readonly headers: RawHeaders;
  readonly body: Buffer;
}

type NetworkEffect = Extract<Injection['scenario']['effect'], { kind: 'network' }>;

const PIECES = 10;
/** The most bytes of an answer that is kept to be broken. */
const MAX_BROKEN = 64 * 1024 * 1024;
/** Faults whose delay is their duration. */
const lasting: readonly NetworkEffect['fault'][] = ['timeout', 'slow-body'];

const faultOf = ({ scenario: { effect } }: Injection): NetworkEffect['fault'] | undefined =>
  effect.kind === 'network' ? effect.fault : undefined;
const isDelay = (one: Injection): boolean => faultOf(one) === 'slow';

/** The header that tells the client what was injected. */
function scenarioHeader(injections: readonly Injection[]): readonly [name: string, value: string] {
  return ['Teebox-Scenario', injections.map(({ scenario, source }) => `${scenario.id}; source=${source}`).join(', ')];
}

/** Milliseconds that the request waits before it is sent. */
function waitBefore(injections: readonly Injection[]): number {
  return sumOf(injections.filter((one) => isDelay(one) && one.phase === 'before-commit'));
}

/** Milliseconds by which the answer is late. */
function waitAfter(injections: readonly Injection[]): number {
  const waits = (one: Injection): boolean =>
    !(isDelay(one) && one.phase === 'before-commit') && !lasting.some((fault) => fault === faultOf(one));
  return sumOf(injections.filter(waits));
}

function sumOf(injections: readonly Injection[]): number {
  return injections.reduce((sum, { delay }) => sum + delay, 0);
}

/** Whether the request is not sent at all. */
function endsBefore(injections: readonly Injection[]): boolean {
  return injections.some((one) => one.phase === 'before-commit' && !isDelay(one));
}

/** What an answer is replaced with, if anything. */
function replacement(injections: readonly Injection[], answers: Answers): Made | undefined {
  for (const { scenario } of injections) {
    const { effect } = scenario;
    if (effect.kind !== 'refusal') continue;
    const code = effect.code as RefusalCode;
    const body = Buffer.from(failureBody(answers, code, refusalWords(code, undefined)));
    const more = Object.entries(effect.headers ?? {}).flat();
    return {
      status: refusalStatus(code, answers),
      headers: ['Content-Type', 'application/json; charset=utf-8', ...more],
      body,
    };
  }
  return undefined;
}

/** Reads an answer whole, so that it can be broken. What is too large for that is cut off. */
async function readWhole(message: IncomingMessage, transit: Transit): Promise<Made> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of message as AsyncIterable<Buffer>) {
    transit.answered.add(chunk);
    size += chunk.length;
    if (size <= MAX_BROKEN) chunks.push(chunk);
  }
  return { status: message.statusCode!, headers: answerHeaders(message, transit), body: Buffer.concat(chunks) };
}

/** Sends an answer to the client as the faults of the network leave it. */
async function sendBroken(
  transit: Transit,
  made: Made | undefined,
  injections: readonly Injection[],
  pause: (milliseconds: number) => Promise<void>,
): Promise<void> {
  const broken = injections.find((one) => faultOf(one) !== undefined && !isDelay(one));
  const fault = broken && faultOf(broken);
  if (fault === 'connection-reset') return transit.cut('reset');
  if (fault === 'empty-response') return transit.cut('close');
  if (fault === 'timeout' || !made) {
    await pause(broken?.delay ?? 0);
    return transit.cut('reset');
  }
  const { response } = transit;
  const body = fault === 'malformed-json' ? withoutEnd(made) : made.body;
  const own = fault === 'malformed-json' ? coded : framed;
  const head = [...without(made.headers, own), 'Content-Length', String(body.length), ...scenarioHeader(injections)];
  const isWhole = fault === undefined || fault === 'slow-body' || fault === 'malformed-json';
  if (isWhole)
    transit.seen = { status: made.status, headers: head, body: new Uint8Array(body), size: body.length, isWhole };
  response.sendDate = false;
  response.writeHead(made.status, head);
  if (fault === 'truncated-body') return cutInHalf(transit, body);
  if (fault !== 'slow-body') return void response.end(body);
  const size = Math.max(1, Math.ceil(body.length / PIECES));
  for (let at = 0; at < body.length && !response.destroyed; at += size) {
    if (at > 0) await pause(broken!.delay / PIECES);
    response.write(body.subarray(at, at + size));
  }
  response.end();
}

const framed: ReadonlySet<string> = new Set(['content-length', 'trailer']);
const coded: ReadonlySet<string> = new Set([...framed, 'content-encoding']);

/** Half of a body, and then the end of the connection. */
function cutInHalf(transit: Transit, body: Buffer): void {
  transit.response.write(body.subarray(0, body.length >> 1), () => transit.cut('close'));
}

/** A body whose JSON breaks off. It is not compressed any more. */
function withoutEnd({ headers, body }: Made): Buffer {
  const text = new TextDecoder().decode(decodedBody(headers, body) ?? body);
  return Buffer.from(text.replace(/.{1,4}$/su, ''));
}

/** Passes an exchange on, with the failures that are injected into it. */
export async function passInjected(
  target: ProxyTarget,
  transit: Transit,
  injections: readonly Injection[],
  answers: Answers,
): Promise<void> {
  const { response } = transit;
  const gone = new AbortController();
  response.on('close', () => gone.abort());
  const pause = (milliseconds: number): Promise<void> =>
    sleep(milliseconds, undefined, { signal: gone.signal }).catch(() => {});
  const wasSent = !endsBefore(injections);
  const scenarios = injections.map(({ scenario }) => scenario.id);
  transit.injected = { scenarios, wasSent, changed: !injections.every(isDelay) };
  const refused = replacement(injections, answers);
  const finish = async (made: Made | undefined): Promise<void> => {
    const late = waitAfter(injections);
    if (late > 0) await pause(late);
    if (!gone.signal.aborted) await sendBroken(transit, refused ?? made, injections, pause);
  };
  const early = waitBefore(injections);
  if (early > 0) await pause(early);
  if (gone.signal.aborted) return;
  if (!wasSent) return finish(undefined);
  const giveUp = forward(target, transit, {
    answer: (message) => {
      transit.begin(message);
      if (!transit.injected!.changed) {
        void pause(waitAfter(injections)).then(() => {
          if (!gone.signal.aborted) passAnswer(message, transit, scenarioHeader(injections));
        });
      } else readWhole(message, transit).then(finish, () => {});
    },
    unreachable: (error) => unreachableAnswer(transit, target.baseUrl, error),
    lost: (error) => transit.lose(error),
  });
  response.on('close', giveUp);
}
