import type { Exchange } from '../app/journal.js';
import { pathOf, whyOf } from '../app/exchange-view.js';

export type LogLevel = 'silent' | 'error' | 'warn' | 'info' | 'debug';

export interface LogOptions {
  readonly level: LogLevel;
  readonly format: 'pretty' | 'json';
  readonly colour: boolean;
  write(line: string): void;
}

const order: readonly LogLevel[] = ['silent', 'error', 'warn', 'info', 'debug'];

/** Whether a line of `level` is written under the level that was asked for. */
function enabled(asked: LogLevel, level: LogLevel): boolean {
  return order.indexOf(level) <= order.indexOf(asked);
}

function levelOf(status: number): LogLevel {
  return status >= 500 ? 'error' : 'info';
}

/** A logger of exchanges, one line each, without secrets; undefined when nothing would ever be written. */
export function exchangeLog(options: LogOptions): ((exchange: Exchange) => void) | undefined {
  if (!enabled(options.level, 'error')) return undefined;
  const format = options.format === 'json' ? jsonLine : prettyLine;
  return (exchange) => {
    const level = levelOf(exchange.status);
    if (enabled(options.level, level)) options.write(format(exchange, level, options));
  };
}

/** `payment-pi-failed(header)`; what was asked for in vain says so. */
function scenarioOf({ id, source, struck }: NonNullable<Exchange['scenario']>): string {
  return `${id}(${source}${struck ? '' : ', in vain'})`;
}

function jsonLine(exchange: Exchange, level: LogLevel, { level: asked }: LogOptions): string {
  const { requestId, method, status, operation, channel, rule, at } = exchange;
  const durationMs = exchange.durationMs === undefined ? undefined : Number(exchange.durationMs.toFixed(3));
  const detail = whyOf(exchange);
  const path = pathOf(exchange);
  const msg = `${method} ${path} ${exchange.state === 'cut' ? 'cut' : status}`;
  const why = detail !== undefined && (asked === 'debug' || status >= 400) ? { detail } : {};
  return JSON.stringify({
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
    ...(exchange.scenario ? { scenario: scenarioOf(exchange.scenario) } : {}),
    durationMs,
    ...why,
  });
}

function prettyLine(exchange: Exchange, _level: LogLevel, { colour }: LogOptions): string {
  const { requestId, method, status, channel, rule } = exchange;
  const code = status >= 500 ? 31 : status >= 400 ? 33 : 32;
  const seen = exchange.state === 'cut' ? 'cut' : status;
  const shown = colour ? `\u001b[${code}m${seen}\u001b[0m` : String(seen);
  const parts = [method, pathOf(exchange), shown];
  if (exchange.durationMs !== undefined) parts.push(`${exchange.durationMs.toFixed(1)}ms`);
  if (channel) parts.push(`channel=${channel}`);
  if (exchange.scenario) parts.push(`scenario=${scenarioOf(exchange.scenario)}`);
  if (status >= 400) parts.push(`rule=${rule}`, `why=${JSON.stringify((whyOf(exchange) ?? '').split('\n')[0])}`);
  parts.push(`id=${requestId}`);
  return parts.join(' ');
}
