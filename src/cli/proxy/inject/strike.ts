import type { IncomingMessage } from 'node:http';
import { failureBody, type RefusalCode, refusalStatus, refusalWords } from '../../../engine/index.js';
import type { Answers } from '../../../contract/index.js';
import { decodedBody } from '../wire/decoded.js';
import { answerHeaders } from '../wire/forward.js';
import type { Transit } from '../wire/transit.js';
import { type RawHeaders, without } from '../wire/raw-headers.js';
import type { Injection } from './injector.js';

/** An answer as the client is to get it. */
export interface Made {
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
export function scenarioHeader(injections: readonly Injection[]): readonly [name: string, value: string] {
  return ['Teebox-Scenario', injections.map(({ scenario, source }) => `${scenario.id}; source=${source}`).join(', ')];
}

/** Milliseconds that the request waits before it is sent. */
export function waitBefore(injections: readonly Injection[]): number {
  return sumOf(injections.filter((one) => isDelay(one) && one.phase === 'before-commit'));
}

/** Milliseconds by which the answer is late. */
export function waitAfter(injections: readonly Injection[]): number {
  const waits = (one: Injection): boolean =>
    !(isDelay(one) && one.phase === 'before-commit') && !lasting.some((fault) => fault === faultOf(one));
  return sumOf(injections.filter(waits));
}

function sumOf(injections: readonly Injection[]): number {
  return injections.reduce((sum, { delay }) => sum + delay, 0);
}

/** Whether the request is not sent at all. */
export function endsBefore(injections: readonly Injection[]): boolean {
  return injections.some((one) => one.phase === 'before-commit' && !isDelay(one));
}

/** Whether the answer of the deployment arrives as it is, perhaps late. */
export function onlyDelays(injections: readonly Injection[]): boolean {
  return injections.every(isDelay);
}

/** What an answer is replaced with, if anything. */
export function replacement(injections: readonly Injection[], answers: Answers): Made | undefined {
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
export async function readWhole(message: IncomingMessage, transit: Transit): Promise<Made> {
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
export async function sendBroken(
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
