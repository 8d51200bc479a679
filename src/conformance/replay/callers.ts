import { isObject, parsedJson } from '../../common/index.js';
import { matchOperation } from '../../contract/index.js';
import type { Caller } from '../client/exchange.js';
import type { ArchivedExchange } from './archive.js';

/**
 * Tells whose credentials the requests of a recording carry, as far as it shows them. The first that are accepted are those of
 * the first channel, all others those of the second; what is never accepted is made up. Tokens belong together that come of
 * each other.
 */
export class Callers {
  /** The first accepted user, and the first line of tokens. */
  readonly #first = new Map<string, string>();
  readonly #accepted = new Set<string>();
  /** The line of a token: the first token of it. */
  readonly #lines = new Map<string, string>();

  callerOf(exchange: ArchivedExchange): Caller {
    this.#learnTokens(exchange);
    if (exchange.caller) return exchange.caller;
    const header = exchange.requestHeaders.get('authorization');
    if (header === null) return 'nobody';
    const [scheme = '', value = ''] = header.split(/ +(.*)/s);
    const kind = scheme.toLowerCase();
    const who = `${kind} ${this.#lines.get(value) ?? value}`;
    if (exchange.status >= 200 && exchange.status < 300) this.#accepted.add(who);
    if (!this.#accepted.has(who)) return 'nobody';
    if (!this.#first.has(kind)) this.#first.set(kind, who);
    return this.#first.get(kind) === who ? 'first' : 'second';
  }

  #learnTokens({ method, url, requestBody = '', text }: ArchivedExchange): void {
    if (!/\/refreshToken\/?$/.test(url) || matchOperation(method, url.slice(url.indexOf('/api/'))) === undefined)
      return;
    const [sent, answer] = [parsedJson(requestBody), parsedJson(text ?? '')];
    const data = isObject(answer) ? answer['data'] : undefined;
    const spent = isObject(sent) ? sent['refresh_token'] : undefined;
    if (!isObject(data) || typeof spent !== 'string') return;
    for (const token of [data['access_token'], data['refresh_token']]) {
      if (typeof token === 'string') this.#lines.set(token, this.#lines.get(spent) ?? spent);
    }
  }
}
