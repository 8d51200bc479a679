import {
  applyKnownObligations,
  type ClientCall,
  type ClientDelivery,
  type KnownObligation,
  type ObligationBreach,
  type ObligationResult,
  placed,
  testOf,
} from '../../../certification/index.js';
import {
  type Exchange,
  harEntry,
  KeptExchanges,
  LiveReplay,
  type LiveReplayOptions,
  NOT_KEPT,
  type ReportFormat,
  withTexts,
} from '../../../conformance/index.js';
import { version } from '../../version.js';
import { proxyReporters, type ProxyRun } from '../report.js';
import { outcomeOf, type ProxyOutcome } from '../outcome.js';
import type { PassedExchange } from '../wire/passed.js';
import { archivedOf, headersOf, textOf } from './archived.js';
import type { TrafficEvent } from './events.js';
import { OverheardClients } from './overheard.js';
import { createHash } from 'node:crypto';
import { closeSync, openSync, readSync, writeSync } from 'node:fs';
import { counted, defined, type Masker, parsedJson, visibleJson } from '../../../common/index.js';

/** Exchanges that are written at once. */
const MOST_AT_ONCE = 50;

/** An HTTP Archive that grows with the traffic. The file is complete after each write, so that nothing is lost. */
class HarFile {
  readonly #file: number;
  /** Where the first entry begins, and the end. */
  readonly #start: number;
  #at: number;
  #entries = 0;
  /** The secrets that were known when the last entry was masked, and the entries before that which may show others. */
  #learnt = 0;
  #stale = 0;
  /** What the recording lacks, in words. */
  #comment: string | undefined;
  #waiting: Exchange[] = [];

  constructor(
    path: string,
    baseUrl: string,
    readonly masker: Masker,
  ) {
    this.#file = openSync(path, 'w+');
    const log = visibleJson({ version: '1.2', creator: { name: 'teebox', version }, _baseUrl: baseUrl });
    const start = `{"log":${log.slice(0, -1)},"entries":[`;
    writeSync(this.#file, start + this.#end, 0);
    this.#start = Buffer.byteLength(start);
    this.#at = this.#start;
  }

  /** Adds a masked exchange; {@link write} writes it. */
  add(exchange: Exchange): void {
    this.#noteLearnt();
    this.#entries += 1;
    this.#waiting.push(exchange);
    if (this.#waiting.length >= MOST_AT_ONCE) this.write();
  }

  /** Writes the exchanges at the end, and what the recording lacks. */
  write(comment = this.#comment): void {
    const isNew = comment !== this.#comment;
    this.#comment = comment;
    if (this.#waiting.length > 0) this.#append();
    else if (isNew) writeSync(this.#file, this.#end, this.#at);
  }

  /** Masks, in all that is written, what became known as a secret only afterwards, and closes the file. */
  close(): void {
    this.#noteLearnt();
    let entries = 0;
    for (const { at, line } of linesOf(this.#file, this.#start + 1, this.#at)) {
      if (entries === this.#stale) break;
      entries += 1;
      const [, entry = '', comma = ''] = /^(.*?)(,?)$/s.exec(line.toString()) ?? [];
      const masked = this.#maskedAgain(entry);
      if (masked === entry) continue;
      // Each entry keeps its place, so the file is valid at any moment.
      const room = line.length - Buffer.byteLength(masked) - comma.length;
      writeSync(this.#file, `${masked}${' '.repeat(room)}${comma}`, at);
    }
    closeSync(this.#file);
  }

  #noteLearnt(): void {
    const { learnt } = this.masker;
    if (learnt > this.#learnt) this.#stale = this.#entries;
    this.#learnt = learnt;
  }

  /** An entry is never longer then: a mask is shorter than any secret. */
  #maskedAgain(entry: string): string {
    const value = parsedJson(entry);
    if (value === undefined) return entry;
    return visibleJson(withTexts(value, (text) => this.masker.known(text)));
  }

  get #end(): string {
    return `\n]${this.#comment === undefined ? '' : `,"comment":${visibleJson(this.#comment)}`}}}\n`;
  }

  #append(): void {
    const entries = this.#waiting.map((exchange) => visibleJson(harEntry(exchange)));
    this.#waiting = [];
    const text = `${this.#at > this.#start ? ',' : ''}\n${entries.join(',\n')}`;
    writeSync(this.#file, text + this.#end, this.#at);
    this.#at += Buffer.byteLength(text);
  }
}

/** Bytes of a file that are read at once. */
const PIECE = 256 * 1024;

/** The lines of a part of a file, without their ends, and where they are. */
function* linesOf(file: number, from: number, to: number): Generator<{ readonly at: number; readonly line: Buffer }> {
  let [at, read, rest] = [from, from, Buffer.alloc(0)];
  while (read < to) {
    const piece = Buffer.alloc(Math.min(PIECE, to - read));
    const length = readSync(file, piece, 0, piece.length, read);
    if (length === 0) return;
    read += length;
    rest = Buffer.concat([rest, piece.subarray(0, length)]);
    for (let end = rest.indexOf('\n'); end >= 0; end = rest.indexOf('\n')) {
      yield { at, line: rest.subarray(0, end) };
      at += end + 1;
      rest = rest.subarray(end + 1);
    }
  }
  if (rest.length > 0) yield { at, line: rest };
}

/** What a client did wrong, without the secrets of its requests. */
function maskedResult<T extends ObligationResult | ObligationBreach>(result: T, masker: Masker): T {
  const said = defined({
    message: result.message && masker.cut(result.message),
    expected: result.expected && masker.cut(result.expected),
  });
  const { deliberate, doubtful } = result as ObligationResult;
  const noted = defined({
    deliberate: deliberate && { ...deliberate, message: masker.cut(deliberate.message) },
    doubtful: doubtful && { ...doubtful, message: masker.cut(doubtful.message) },
  });
  return { ...result, ...said, ...noted };
}

/** A request as the obligations see it: the answer is what the client got. */
export function clientCallOf(passed: PassedExchange): ClientCall {
  const { id, turn, at, durationMs, method, path, request, injected, clientLeft } = passed;
  const answer = passed.seen ?? passed.answer;
  const arrived = answer?.isWhole && !clientLeft ? answer : undefined;
  const headers = headersOf(request.headers);
  const channel = channelOf(headers);
  const [scenario] = injected?.scenarios ?? [];
  const body = request.size === 0 ? undefined : textOf(request);
  return {
    id,
    turn,
    at,
    ...(arrived ? { answeredAt: at + durationMs } : {}),
    method,
    path,
    headers,
    body,
    ...(request.size > 0 && body === undefined ? { isBodyUnknown: true as const } : {}),
    ...placed(method, path),
    status: arrived?.status ?? 0,
    responseHeaders: headersOf(arrived?.headers ?? []),
    responseBody: arrived && textOf(arrived),
    ...testOf(headers),
    ...(injected?.changed && scenario ? { struck: { scenario, committed: injected.wasSent } } : {}),
    ...(channel === undefined ? {} : { channel }),
  };
}

/** The result of a search, as the obligations see it. */
export function deliveryOf({ id, at, durationMs, request, answer, delivery }: PassedExchange): ClientDelivery {
  return {
    id,
    search: delivery!.search,
    url: delivery!.url,
    at,
    ...(answer ? { answeredAt: at + durationMs } : {}),
    body: textOf(request) ?? '',
    status: answer?.status ?? 0,
  };
}

/** A fingerprint of a user name. Tokens change, and two of them may be of one channel. */
function channelOf(headers: Headers): string | undefined {
  const [, credentials] = /^basic ([\w+/=-]+)$/i.exec(headers.get('authorization') ?? '') ?? [];
  if (credentials === undefined) return undefined;
  const [user] = Buffer.from(credentials, 'base64').toString('utf8').split(':', 1);
  return createHash('sha256').update(user!).digest('hex').slice(0, 12);
}

/** How traffic is checked; plain data, so that it can be sent to another thread. */
export interface TrafficCheckerOptions {
  readonly baseUrl: string;
  readonly deployment: Omit<LiveReplayOptions, 'baseUrl' | 'host' | 'onExchange'>;
  /** Globs of the obligations that are evaluated. */
  readonly obligations: readonly string[];
  readonly knownObligations?: readonly KnownObligation[];
  /** Whether traffic is recorded without being checked. */
  readonly onlyRecord?: boolean;
  /** Whether each exchange is reported. */
  readonly tellsExchanges?: boolean;
  readonly har?: string;
}

/** What is known only where the traffic passes. */
export interface TrafficFacts {
  readonly unreachable: number;
  /** Requests that the target has not answered, or not to the end, those included that did not reach it. */
  readonly unanswered: number;
  /** Exchanges that passed while there was no room for them. */
  readonly lost: number;
}

/** The result, when all traffic has passed. */
export interface TrafficResult {
  readonly outcome: ProxyOutcome;
  /** The reports that were asked for, in that order. */
  readonly texts: readonly string[];
}

/** Characters of an answer that are read for the obligations when too many come at once. */
const MOST_IN_HURRY = 10_000;

/** Checks both sides of traffic that has passed by. */
export class TrafficChecker {
  readonly #live: LiveReplay;
  readonly #client: OverheardClients;
  readonly #har: HarFile | undefined;
  readonly #told = new Set<string>();
  #injected = 0;
  #taken = 0;
  #missed = 0;
  #unread = 0;
  #withoutBody = 0;
  #lost = 0;
  /** Whether exchanges that do not come here were among the ones that are being taken. */
  #hasGap = false;

  constructor(
    readonly options: TrafficCheckerOptions,
    readonly tell: (event: TrafficEvent) => void,
  ) {
    const { baseUrl, deployment, obligations, onlyRecord = false, har } = options;
    this.#live = new LiveReplay({
      ...deployment,
      ...(onlyRecord ? { only: [] } : {}),
      baseUrl,
      host: { now: () => Date.now() },
      onExchange: (exchange) => {
        this.#har?.add(exchange);
        if (options.tellsExchanges) tell({ type: 'exchange', exchange });
      },
    });
    this.#client = new OverheardClients({
      only: onlyRecord ? [] : obligations,
      onBreach: (breach) => this.#breach(breach),
    });
    this.#har = har === undefined ? undefined : new HarFile(har, baseUrl, this.#live.masker);
  }

  /**
   * Takes exchanges in the order of their ends, and records them. The obligations are evaluated at once, the rules with the
   * next {@link evaluate}, as far as there is room until then.
   *
   * @param lost The exchanges so far that do not come here.
   */
  take(passed: readonly PassedExchange[], lost = 0): void {
    this.#hasGap = lost > this.#lost;
    this.#lost = lost;
    if (this.#hasGap) this.#client.skip();
    for (const one of passed) {
      this.#taken += 1;
      if (one.injected) this.#injected += 1;
      const isBodiless = [one.request, one.answer].some((message) => message?.foundNoRoom);
      if (isBodiless) this.#withoutBody += 1;
      if (this.options.onlyRecord) this.#live.show(archivedOf(one, this.options.baseUrl), one.id);
      else if (isBodiless || this.#live.isFull) this.#miss(one);
      else this.#check(one);
    }
    this.#har?.write(this.#lackOf(lost));
  }

  /** Evaluates the rules against all exchanges that were taken. */
  async evaluate(pause = async (): Promise<void> => {}): Promise<void> {
    while (this.#live.isBehind) {
      for (const result of await this.#live.evaluate()) this.tell({ type: 'finding', side: 'deployment', result });
      await pause();
    }
  }

  async end({ unreachable, unanswered, lost }: TrafficFacts, reports: readonly ReportFormat[]): Promise<TrafficResult> {
    await this.evaluate();
    this.#har?.write(this.#lackOf(lost));
    this.#har?.close();
    const { deployment, knownObligations = [], baseUrl } = this.options;
    const report = this.#live.report();
    const { masker } = this.#live;
    const { results, stale } = applyKnownObligations(
      this.#client.end().map((result) => maskedResult(result, masker)),
      knownObligations,
      report.target.startedAt.slice(0, 10),
    );
    const kept = new KeptExchanges();
    // A secret may have been shown before it was known as one.
    for (const exchange of this.#live.exchanges.values()) kept.keep(exchange);
    kept.maskAgain((text) => masker.text(text));
    const traffic = {
      baseUrl,
      exchanges: this.#taken + lost,
      unreachable,
      unanswered,
      missed: this.#missed + lost,
      unread: this.#unread + this.#live.withoutRoom,
      unrecorded: this.#har ? lost : 0,
      withoutBody: this.#har ? this.#withoutBody : 0,
      injected: this.#injected,
      senders: {
        ...this.#client.senders,
        userAgents: this.#client.senders.userAgents.map((agent) => masker.text(agent)),
      },
    };
    const outcome = outcomeOf({
      report,
      client: results,
      stale,
      traffic,
      dropped: this.#live.dropped,
      failOn: deployment.failOn,
    });
    const run: ProxyRun = { outcome, exchanges: kept, version };
    return { outcome, texts: reports.map((format) => proxyReporters[format](run)) };
  }

  #check(one: PassedExchange): void {
    const archived = archivedOf(one, this.options.baseUrl);
    if (one.delivery) this.#live.deliver(archived, one.id);
    else if (this.#live.take(archived, one.id) === NOT_KEPT && one.answer?.isWhole) this.#unread += 1;
    this.#checkClient(one);
  }

  /** Records an exchange against which no rule is evaluated. */
  #miss(one: PassedExchange): void {
    this.#missed += 1;
    this.#live.show(archivedOf(one, this.options.baseUrl), one.id);
    this.#checkClient(one, MOST_IN_HURRY);
  }

  /** A lost request would make the next one look wrong, so no obligation is evaluated in a batch that lacks any. */
  #checkClient(one: PassedExchange, longest = Infinity): void {
    if (this.#hasGap) return;
    if (one.delivery) return this.#client.delivery(deliveryOf(one));
    const { responseBody, ...call } = clientCallOf(one);
    const isLong = responseBody !== undefined && responseBody.length > longest;
    const heard = { ...call, responseBody: isLong ? undefined : responseBody };
    this.#client.call(heard, (path) => ({ ...heard, path, ...placed(heard.method, path) }));
  }

  /** What the recording lacks, in a sentence. */
  #lackOf(lost: number): string | undefined {
    const are = (number: number): string => counted(number, 'exchange is', 'exchanges are');
    const parts = [
      ...(lost > 0 ? [`${are(lost)} missing`] : []),
      ...(this.#withoutBody > 0 ? [`${are(this.#withoutBody)} without a body`] : []),
    ];
    return parts.length > 0 ? `${parts.join(', and ')}: too many came at once.` : undefined;
  }

  /** Each obligation is told of once, in whatever world it was broken first. */
  #breach(breach: ObligationBreach): void {
    if (this.#told.has(breach.id)) return;
    this.#told.add(breach.id);
    this.tell({ type: 'finding', side: 'client', breach: maskedResult(breach, this.#live.masker) });
  }
}
