import http from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { defined } from '../../common/index.js';
import { effectOf } from '../../conformance/index.js';
import { type Answers, matchOperation } from '../../contract/index.js';
import { answerUnreadable } from '../unreadable.js';
import type { Injection, Injector } from './inject/injector.js';
import { passInjected } from './inject/pass-injected.js';
import type { CallbackRelay, CallbackRoute } from './wire/callbacks.js';
import { forward, passAnswer } from './wire/forward.js';
import { Transit } from './wire/transit.js';
import type { PassedAnswer, PassedExchange, PassedMessage } from './wire/passed.js';
import { MAX_HEADERS, openTarget, type ProxyTarget } from './wire/target.js';
import { type Tap, TapRoom } from './wire/tap.js';
import { answerAsProxy, OWN_HEADER, unreachableAnswer } from './wire/unreachable.js';
import { forwardedBy } from '../../engine/index.js';
import {
  CLIENT_IDLE,
  closeAfterPage,
  isForeignPage,
  isLoopbackAddress,
  isLoopbackHost,
  startListening,
  stopListening,
} from '../network/caller.js';
import { listensWider } from '../server.js';

/**
 * Whether a request to the admin API of a sandbox comes from another machine, or by a name that another site may own. The
 * sandbox trusts its own machine, on which this proxy runs, and cannot see who is behind it.
 */
function isForeignAdmin({ url = '', headers, socket }: IncomingMessage): boolean {
  const [path = ''] = url.split('?', 1);
  const decoded = path.replace(/%([\da-f]{2})/gi, (_, code: string) => String.fromCharCode(parseInt(code, 16)));
  if (!decoded.includes('__admin')) return false;
  return (
    !isLoopbackHost(headers.host) ||
    !isLoopbackAddress(socket.remoteAddress ?? '') ||
    forwardedBy(headers) !== undefined
  );
}

/**
 * Why a request is refused; undefined if it passes. A page of another site must not use the deployment with the
 * credentials of `--header`, neither by a plain post nor by a name that its owner has rebound to this machine.
 */
function whyRefused({ method, url = '', headers }: IncomingMessage, target: ProxyTarget, isLocal: boolean) {
  if (method === 'TRACE') return 'TRACE is not passed on: its answer would show the headers that this proxy adds.';
  if (isForeignPage(headers)) {
    return 'This request comes from a page of another site. Pages on this machine (http://localhost) may use this proxy.';
  }
  // Only a client that takes this server for its HTTP proxy sends a whole URL; a page cannot.
  const isOwnName = isLoopbackHost(headers.host) || headers.host === target.host || /^https?:/i.test(url);
  if (!isLocal || headers.host === undefined || isOwnName) return undefined;
  return `This proxy listens on this machine only, so it takes no requests to the host \`${headers.host}\`. Use 127.0.0.1 or localhost.`;
}

function refuseForeignAdmin(response: ServerResponse): void {
  const detail =
    'teebox proxy passes requests to an admin API only for callers on its own machine, under a loopback host name. ' +
    'Ask the sandbox itself.';
  answerAsProxy(response, 403, detail, 'foreign-admin');
}

export interface ProxyServerOptions {
  readonly target: ProxyTarget;
  /** 0 picks a free port. */
  readonly port: number;
  readonly hostname: string;
  readonly injector?: Injector;
  /** The answers to open questions, for the bodies of injected refusals. */
  readonly answers: Answers;
  readonly callbacks?: CallbackRelay;
  /** The most bytes of one body that is kept. */
  readonly maxBody?: number;
  /** The most bytes of all bodies that pass by or wait to be recorded. */
  readonly maxMemory?: number;
  /** Hears of connections that bring no HTTP. */
  readonly onStray?: (what: string) => void;
  /** Takes an exchange that is over, and calls `release` when it no longer holds its bodies. */
  readonly onExchange?: (exchange: PassedExchange, release: () => void) => void;
  readonly now: () => number;
}

export interface RunningProxy {
  readonly url: string;
  readonly port: number;
  /** Lets answers under way finish for a moment, then closes every connection. */
  close(): Promise<void>;
}

const MIB = 1024 * 1024;

/** @throws {Error} if it cannot listen, with the `code` of the system (`EADDRINUSE`). */
export async function startProxyServer(options: ProxyServerOptions): Promise<RunningProxy> {
  const { port, hostname, target } = options;
  const traffic = new Traffic(options);
  const server = http.createServer({
    requireHostHeader: false,
    maxHeaderSize: MAX_HEADERS,
    keepAliveTimeout: CLIENT_IDLE,
    // The deployment decides how long a request may take.
    requestTimeout: 0,
  });
  const take = (request: IncomingMessage, response: ServerResponse): void => traffic.take(request, response);
  server.on('request', take);
  // The deployment says whether it wants the body.
  server.on('checkContinue', take);
  answerUnreadable(server, {
    tunnel: 'Use this proxy as the base URL of the client. It does not support CONNECT.',
    mark: [OWN_HEADER, 'bad-request'],
    ...defined({ onStray: options.onStray }),
  });
  await startListening(server, port, hostname.replace(/^\[|\]$/g, ''));
  const bound = (server.address() as AddressInfo).port;
  const host = hostname.includes(':') && !hostname.startsWith('[') ? `[${hostname}]` : hostname;
  return { url: `http://${host}:${bound}`, port: bound, close: () => close(server, target, traffic) };
}

async function close(server: Server, target: ProxyTarget, traffic: Traffic): Promise<void> {
  await stopListening(server);
  target.close();
  await traffic.settled();
}

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Leads each request through the proxy. */
class Traffic {
  #turn = 0;
  /** Reports an exchange that is not reported yet. */
  readonly #open = new Set<() => void>();
  readonly #room: TapRoom;

  constructor(readonly options: ProxyServerOptions) {
    const { maxBody = 16 * MIB, maxMemory = 32 * MIB } = options;
    this.#room = new TapRoom(maxBody, maxMemory);
  }

  take(request: IncomingMessage, response: ServerResponse): void {
    const { callbacks, injector, now } = this.options;
    if (injector) closeAfterPage(request, response);
    const transit = new Transit(this.#turn++, request, response, this.#room, now());
    const route = callbacks?.routeOf(transit.path);
    if (route) return this.#deliver(transit, route);
    const why = whyRefused(request, this.options.target, !listensWider(this.options.hostname));
    if (why !== undefined) return answerAsProxy(response, request.method === 'TRACE' ? 405 : 403, why, 'refused');
    if (isForeignAdmin(request)) return refuseForeignAdmin(response);
    const injections = this.#prepare(transit);
    this.#settleAtEnd(transit);
    if (injections.length === 0) pass(this.options.target, transit);
    else void passInjected(this.options.target, transit, injections, this.options.answers);
  }

  /** Resolves when each exchange is reported. A server ends before the connections that it has just cut. */
  async settled(): Promise<void> {
    await nextTurn();
    await nextTurn();
    // Node closes no response that waited behind another one of its connection.
    for (const report of this.#open) report();
    await nextTurn();
  }

  /** Rewrites the callback address if that is wanted, and draws what is injected into the request. */
  #prepare(transit: Transit): readonly Injection[] {
    const { callbacks, injector } = this.options;
    if (!callbacks && !injector) return [];
    const found = matchOperation(transit.method, transit.path);
    if (!found) return [];
    const { operation } = found;
    const doing = effectOf(transit.method, operation.path);
    const injections = injector?.injectionsFor(operation, doing) ?? [];
    if (callbacks && operation.name === 'searchTeeTimes')
      transit.onwardPath = callbacks.rewritten(transit.path, transit.id);
    return injections;
  }

  /** Passes the result of a search on to the client. */
  #deliver(transit: Transit, route: CallbackRoute): void {
    const { origin, pathname, search } = new URL(route.url);
    const receiver = openTarget({ baseUrl: origin });
    transit.onwardPath = pathname + search;
    this.#settleAtEnd(transit, route);
    transit.response.on('close', () => receiver.close());
    pass(receiver, transit);
  }

  #settleAtEnd(transit: Transit, delivery?: CallbackRoute): void {
    const { onExchange } = this.options;
    if (!onExchange) return;
    const report = (): void => {
      if (!this.#open.delete(report)) return;
      transit.clientLeft = !transit.response.writableFinished && !transit.wasCut;
      // What happens to the connections comes first: the copies are made when nobody waits for them.
      setImmediate(() => onExchange(passedOf(transit, delivery), releaseOf(transit)));
    };
    this.#open.add(report);
    transit.response.on('close', report);
  }
}

/** Passes a request on, and its answer back. */
function pass(target: ProxyTarget, transit: Transit): void {
  const giveUp = forward(target, transit, {
    answer: (message) => {
      transit.begin(message);
      passAnswer(message, transit);
    },
    unreachable: (error) => unreachableAnswer(transit, target.baseUrl, error),
    lost: (error) => transit.lose(error),
  });
  transit.response.on('close', giveUp);
}

function passedOf(transit: Transit, delivery: CallbackRoute | undefined): PassedExchange {
  const { id, turn, at, method, path, headers, sent, answered, answer, failure, injected } = transit;
  return {
    id,
    turn,
    at,
    durationMs: transit.answerMs ?? transit.elapsed,
    method,
    path,
    request: { headers, ...keptOf(sent) },
    answer: answer && { ...answer, ...keptOf(answered) },
    failure,
    isUnreachable: transit.isUnreachable,
    injected,
    seen: injected?.changed ? (transit.seen ?? nothing) : undefined,
    clientLeft: transit.clientLeft,
    delivery: delivery && { url: delivery.url, search: delivery.search },
  };
}

/** It outlives the request, so it must not hold on to more of it than the bodies. */
function releaseOf({ sent, answered }: Transit): () => void {
  return () => {
    sent.release();
    answered.release();
  };
}

/** A body as the checks get it. */
function keptOf(tap: Tap): Omit<PassedMessage, 'headers'> {
  return { body: tap.bytes(), size: tap.size, foundNoRoom: tap.foundNoRoom };
}

const nothing: PassedAnswer = { status: 0, headers: [], body: undefined, size: 0, isWhole: false };
