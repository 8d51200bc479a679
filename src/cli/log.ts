import { type CallbackDelivery, type JournalEntry, pathOf, whyOf } from '../engine/index.js';
import { consoleLine, maskText, visible, visibleJson, withoutCommand } from '../common/index.js';

export type LogLevel = 'silent' | 'error' | 'warn' | 'info' | 'debug';

export interface LogOptions {
  readonly level: LogLevel;
  readonly format: 'pretty' | 'json';
  readonly colour: boolean;
  write(line: string): void;
}

const order: readonly LogLevel[] = ['silent', 'error', 'warn', 'info', 'debug'];

/** Whether a line of `level` is written at the configured level. */
function enabled(asked: LogLevel, level: LogLevel): boolean {
  return order.indexOf(level) <= order.indexOf(asked);
}

function levelOf({ status, warnings }: JournalEntry): LogLevel {
  if (status >= 500) return 'error';
  return warnings ? 'warn' : 'info';
}

/** A logger that writes one line for each entry, without secrets; undefined if the level writes nothing. */
export function exchangeLog(options: LogOptions): ((entry: JournalEntry) => void) | undefined {
  if (!enabled(options.level, 'error')) return undefined;
  const format = options.format === 'json' ? jsonLine : prettyLine;
  const shownPath = keptPaths();
  return (entry) => {
    const level = levelOf(entry);
    if (enabled(options.level, level)) options.write(format(entry, level, options, shownPath(entry)));
  };
}

const KEPT_PATHS = 500;
const LONGEST_KEPT = 500;

/** Masks paths; many requests have the same one. */
function keptPaths(): typeof pathOf {
  const kept = new Map<string, string>();
  return (entry) => {
    const { url } = entry;
    const known = kept.get(url);
    if (known !== undefined) return known;
    const path = pathOf(entry);
    if (kept.size >= KEPT_PATHS) kept.clear();
    if (url.length <= LONGEST_KEPT) kept.set(url, path);
    return path;
  };
}

/** A logger of worlds that were evicted or deleted; undefined if the level writes nothing. */
export function worldLog(options: LogOptions): ((world: string, reason: string) => void) | undefined {
  if (!enabled(options.level, 'info')) return undefined;
  return (world, msg) => {
    const line = { level: 'info', time: new Date().toISOString(), msg, world };
    options.write(options.format === 'json' ? visibleJson(line) : consoleLine(msg));
  };
}

/** A logger of connections that bring no HTTP; undefined if the level writes nothing. */
export function strayLog(options: LogOptions): ((msg: string) => void) | undefined {
  if (!enabled(options.level, 'warn')) return undefined;
  return (msg) => {
    const line = { level: 'warn', time: new Date().toISOString(), msg };
    options.write(options.format === 'json' ? visibleJson(line) : consoleLine(msg));
  };
}

/** A logger of callbacks, one line for each attempt; undefined if the level writes nothing. */
export function callbackLog(options: LogOptions): ((delivery: CallbackDelivery) => void) | undefined {
  if (!enabled(options.level, 'warn')) return undefined;
  return (delivery) => {
    const level = delivery.state === 'failed' ? 'warn' : 'info';
    if (!enabled(options.level, level)) return;
    options.write(options.format === 'json' ? callbackJson(delivery, level) : consoleLine(callbackPretty(delivery)));
  };
}

/** What became of the last attempt: `delivered`, `failed`, `withheld`, or `to be retried`. */
function outcomeOf({ state }: CallbackDelivery): string {
  return state === 'pending' ? 'to be retried' : state;
}

function reasonOf({ attempts, state }: CallbackDelivery): string | undefined {
  const last = attempts.at(-1);
  if (!last || state === 'delivered') return undefined;
  return last.error ?? `the receiver answered ${last.status}`;
}

function callbackJson(delivery: CallbackDelivery, level: LogLevel): string {
  const { id: callbackId, requestId, channel, url, state, attempts } = delivery;
  const last = attempts.at(-1);
  return visibleJson({
    level,
    time: last?.at ?? new Date().toISOString(),
    msg: `callback ${url} ${outcomeOf(delivery)}`,
    callbackId,
    requestId,
    channel,
    url,
    state,
    attempts: attempts.length,
    status: last?.status,
    why: reasonOf(delivery),
  });
}

function callbackPretty(delivery: CallbackDelivery): string {
  const { id, requestId, channel, url, attempts } = delivery;
  const parts = ['callback', url, outcomeOf(delivery), `attempts=${attempts.length}`];
  const why = reasonOf(delivery);
  if (why !== undefined) parts.push(`why=${JSON.stringify(why)}`);
  parts.push(`channel=${channel}`, `callback=${id}`, `id=${requestId}`);
  return parts.join(' ');
}

/** `payment-pi-failed(header)`; a scenario that was not triggered is marked. */
function scenarioOf({ id, source, struck, also = [] }: NonNullable<JournalEntry['scenario']>): string {
  return [`${id}(${source}${struck ? '' : ', not triggered'})`, ...also].join('+');
}

function warningsOf({ warnings }: JournalEntry): { readonly warnings?: readonly string[] } {
  return warnings ? { warnings: warnings.map((one) => maskText(one)) } : {};
}

/** Whether the sandbox says why, as of a request that was refused, and of one whose body did not arrive whole. */
function isFailure({ state, status, detail }: JournalEntry): boolean {
  return status >= 400 || (state === 'cut' && detail !== undefined);
}

function jsonLine(entry: JournalEntry, level: LogLevel, { level: asked }: LogOptions, path: string): string {
  const { requestId, method, status, operation, channel, rule, at } = entry;
  const durationMs = entry.durationMs === undefined ? undefined : Number(entry.durationMs.toFixed(3));
  const detail = whyOf(entry);
  const msg = `${method} ${path} ${entry.state === 'cut' ? 'cut' : status}`;
  const why = detail !== undefined && (asked === 'debug' || isFailure(entry)) ? { detail } : {};
  return visibleJson({
    level,
    time: new Date(at).toISOString(),
    msg,
    requestId,
    method,
    path,
    status,
    operation,
    channel,
    rule,
    ...(entry.scenario ? { scenario: scenarioOf(entry.scenario) } : {}),
    durationMs,
    ...why,
    ...warningsOf(entry),
  });
}

function prettyLine(entry: JournalEntry, _level: LogLevel, { colour }: LogOptions, path: string): string {
  const { method, status } = entry;
  const seen = entry.state === 'cut' ? 'cut' : status;
  const start = `${method} ${path} `;
  const rest = restOf(entry);
  if (!colour) return consoleLine(`${start}${seen} ${rest}`);
  const code = status >= 500 ? 31 : status >= 400 ? 33 : 32;
  return withoutCommand(`${visible(start)}\u001b[${code}m${seen}\u001b[0m ${visible(rest)}`);
}

/** What a line says after the status. It is made for each request, so it takes no list. */
function restOf(entry: JournalEntry): string {
  const { requestId, channel, rule, durationMs, scenario, warnings } = entry;
  let rest = '';
  if (durationMs !== undefined) rest = `${tenths(durationMs)}ms `;
  if (channel) rest += `channel=${channel} `;
  if (scenario) rest += `scenario=${scenarioOf(scenario)} `;
  if (isFailure(entry)) rest += `rule=${rule} why=${JSON.stringify((whyOf(entry) ?? '').split('\n')[0])} `;
  if (warnings) for (const warning of warnings) rest += `warning=${JSON.stringify(maskText(warning))} `;
  return `${rest}id=${requestId}`;
}

/** One digit after the point, in a fifth of the time of `toFixed`. */
function tenths(value: number): string {
  const rounded = Math.round(value * 10);
  return `${Math.floor(rounded / 10)}.${rounded % 10}`;
}
