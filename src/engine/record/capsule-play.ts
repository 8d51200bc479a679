import { ValidationError } from '../../common/index.js';
import { epochOf, type Schedule } from '../model/clock.js';
import type { Channel } from '../model/world.js';
import type { HostHints } from '../api/host-hints.js';
import type { StateOptions } from '../state/sandbox-state.js';
import type { State } from '../state/state.js';
import type { Capsule, CapsuleOptions, CapsuleOrder, CapsuleRequest, CapsuleStep } from './capsule.js';
import { compareResponses, type ResponseDifference } from './capsule-compare.js';
import { mintToken, type TokenKind } from '../store/tokens.js';
import type { RequestRecording } from './journal.js';
import { Player } from './capsule-player.js';
import { readCapsule } from './capsule-read.js';
import { revealed } from './capsule-secrets.js';
import { stateOf } from './state-difference.js';

/** What a replay asks of a sandbox. */
interface PlayedSandbox {
  readonly handle: (request: Request, hints?: HostHints) => Response | Promise<Response>;
  readonly channels: readonly Channel[];
  readonly clock: { now(): number; set(instant: number): void };
  readonly callbacks: { readonly deliveries: readonly { readonly id: string }[] };
  snapshot(): State;
  restore(state: State): Promise<void>;
}

/** The options of a sandbox for a replay. */
interface PlayOptions extends StateOptions, CapsuleOptions {
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>;
  readonly schedule: Schedule;
}

type PlayMaker<S> = (
  options: PlayOptions,
  recordingBy: (recording: RequestRecording, now: () => number) => RequestRecording,
) => Promise<S>;

/** A step that came out otherwise. */
export interface PlayDifference {
  /** The position of the step, from 1. */
  readonly step: number;
  /** The request, such as `req-3 POST /api/v5/bookings`, or the call of the admin API. */
  readonly what: string;
  readonly differences: readonly ResponseDifference[];
}

/** The result of a replay. */
export interface Playback<S = unknown> {
  /** Whether every response was the same, byte for byte. */
  readonly same: boolean;
  readonly requests: number;
  readonly differences: readonly PlayDifference[];
  /** The version of Teebox that wrote the capsule. */
  readonly teebox: string;
  /** The sandbox after the last step, with a frozen clock. */
  readonly sandbox: S;
}

/** Bytes of a body in the place of one that was too large. */
const FILLER = 16_777_216;

/** Seconds that a replay may take. */
const LONGEST = 120;

/**
 * Sends the requests of a capsule to a fresh sandbox, at the same clock and in the same order, and compares the responses.
 *
 * @param clock Epoch milliseconds; without it, the replay may take any time.
 * @throws {ValidationError} for what is no capsule, or takes too long.
 */
export async function playCapsule<S extends PlayedSandbox>(
  value: unknown,
  make: PlayMaker<S>,
  clock: () => number = () => 0,
): Promise<Playback<S>> {
  const end = clock() + LONGEST * 1000;
  const capsule = readCapsule(value);
  const { seed, facilities, now, dialect, options, state } = capsule;
  let isPlaying = true;
  let player: Player;
  const posts = new PlayedPosts();
  const sandbox = await make(
    {
      ...options,
      seed,
      ...(options.world ? {} : { facilities }),
      now,
      dialect,
      fetch: (url, init) =>
        isPlaying || posts.has(init) ? Promise.resolve(new Response(null, { status: 204 })) : fetch(url, init),
      schedule: (work, delay) => {
        const timer = setTimeout(work, isPlaying ? 0 : delay);
        return () => clearTimeout(timer);
      },
    },
    (...parts) => (player = new Player(...parts)),
  );
  if (state) {
    const at = epochOf(capsule.steps[0]?.at ?? now);
    const known = revealed(state, sandbox.channels, (kind, number) => mintToken(seed, kind, number));
    const start = stateOf(known, sandbox.snapshot());
    await sandbox.restore({ ...start, clock: { mode: 'standing', now: at, ahead: 0 } });
  }
  const differences = await new Play(capsule, sandbox, player!, () => clock() > end).run();
  posts.end(sandbox);
  isPlaying = false;
  const requests = capsule.steps.filter(({ kind }) => kind === 'request').length;
  return { same: differences.length === 0, requests, differences, teebox: capsule.teebox, sandbox };
}

/** The callbacks of a replay. None of them is ever posted: their addresses are those of whoever wrote the capsule. */
class PlayedPosts {
  readonly #played = new WeakSet<object>();
  #sandbox: PlayedSandbox | undefined;

  /** Callbacks of later requests are posted. */
  end(sandbox: PlayedSandbox): void {
    for (const delivery of sandbox.callbacks.deliveries) this.#played.add(delivery);
    this.#sandbox = sandbox;
  }

  has({ headers }: RequestInit): boolean {
    const name = new Headers(headers).get('teebox-callback');
    // After a reset, another callback may have the same name.
    const delivery = this.#sandbox?.callbacks.deliveries.find(({ id }) => id === name);
    // Requests that were accepted for any address name no callback.
    return !delivery || this.#played.has(delivery);
  }
}

/** One replay. */
class Play {
  readonly #found: PlayDifference[] = [];

  constructor(
    readonly capsule: Capsule,
    readonly sandbox: PlayedSandbox,
    readonly player: Player,
    readonly isLate: () => boolean,
  ) {}

  async run(): Promise<PlayDifference[]> {
    const { capsule, player } = this;
    for (const step of capsule.steps) {
      if (step.kind === 'resume') player.holdAt(step.of, step.turn);
      if (step.kind === 'request' && step.resumed !== undefined) player.holdAt(step.id, step.resumed + 1);
    }
    for (const [index, step] of capsule.steps.entries()) await this.#take(step, index + 1);
    for (const [index, step] of capsule.steps.entries()) this.#compare(step, index + 1);
    player.releaseAll();
    return this.#found.sort((one, other) => one.step - other.step);
  }

  async #take(step: CapsuleStep, number: number): Promise<void> {
    if (this.isLate()) {
      const advice = 'Record a shorter capsule.';
      throw new ValidationError(`The replay took ${LONGEST} seconds and came to step ${number}. ${advice}`, []);
    }
    const { clock } = this.sandbox;
    const at = epochOf(step.at);
    if (clock.now() !== at) clock.set(at);
    if (step.kind === 'request') return this.player.send(() => this.#send(this.#revealed(step)));
    if (step.kind === 'admin') return this.#order(this.#revealed(step), number);
    if (step.kind === 'resume') await this.player.release(step.of, step.turn);
  }

  #revealed<T>(value: T): T {
    const tokenOf = (kind: TokenKind, number: number) => mintToken(this.capsule.seed, kind, number);
    return revealed(value, this.sandbox.channels, tokenOf);
  }

  async #send({ method, url, address, reachesAll, headers, lost, ...step }: CapsuleRequest): Promise<unknown> {
    const text = step.text ?? ('json' in step ? JSON.stringify(step.json) : undefined);
    const hints: HostHints = {
      header: (name) => headers[name],
      headers,
      url: address ?? url,
      ...(reachesAll || this.#wasAccepted(step.id) ? { anyCallbackTarget: true } : {}),
      ...(text === undefined ? {} : { body: text }),
    };
    const body = lost === undefined ? {} : { body: lostBody(lost), duplex: 'half' };
    const response = await this.sandbox.handle(new Request(url, { method, ...body }), hints);
    return response.body?.cancel();
  }

  /** A callback address that was accepted for another host is accepted here. */
  #wasAccepted(id: string): boolean {
    const step = this.capsule.steps.find((one) => one.kind === 'request' && one.id === id) as CapsuleRequest;
    return (step.response?.status ?? 400) < 300;
  }

  async #order({ method, path, body }: CapsuleOrder, step: number): Promise<void> {
    const init = { method, ...(body === undefined || method === 'GET' ? {} : { body: JSON.stringify(body) }) };
    const response = await this.sandbox.handle(new Request(`http://sandbox.test/__admin/${path}`, init));
    if (response.ok) return;
    const { detail } = (await response.json()) as { detail?: string };
    const differences = [{ where: 'status', expected: 200, got: `${response.status}: ${detail ?? ''}` }];
    this.#found.push({ step, what: `${method} __admin/${path}`, differences });
  }

  #compare(step: CapsuleStep, number: number): void {
    if (step.kind !== 'request' || step.response === undefined) return;
    const expected = this.#revealed(step.response);
    const differences = compareResponses(expected, this.player.made.get(step.id));
    if (differences.length === 0) return;
    const { pathname, search } = new URL(step.url);
    this.#found.push({ step: number, what: `${step.id} ${step.method} ${pathname}${search}`, differences });
  }
}

/** A body that the service does not take: too long, or cut off. */
function lostBody(why: 'too-large' | 'broken'): ReadableStream<Uint8Array> {
  let sent = 0;
  return new ReadableStream({
    pull(controller) {
      if (why === 'broken') return controller.error(new TypeError('The body ended early.'));
      const piece = new Uint8Array(65_536).fill(32);
      controller.enqueue(piece);
      sent += piece.length;
      if (sent >= FILLER) controller.close();
    },
  });
}
