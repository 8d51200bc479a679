import type { ClientCall, ClientDelivery } from './obligations/traffic.js';
import { beginningOf } from '../conformance/index.js';
import { maskAddress, type Masker, maskHeader, maskJson, maskText } from '../common/index.js';

/** A call or a callback without secrets, as reports show it. */
export interface ShownExchange {
  readonly id: string;
  readonly exam: string;
  readonly kind: 'call' | 'callback';
  readonly method: string;
  /** Below the base URL; of a callback, its whole address. */
  readonly path: string;
  readonly operation?: string;
  /** ISO 8601, UTC, on the clock of the sandbox. */
  readonly at: string;
  /** 0: there was no answer. */
  readonly status: number;
  readonly requestHeaders: Readonly<Record<string, string>>;
  readonly requestBody?: string;
  readonly responseHeaders: Readonly<Record<string, string>>;
  readonly responseBody?: string;
  readonly struck?: { readonly scenario: string; readonly committed?: boolean };
  /** The test that sent it, if tests are told apart. */
  readonly test?: string;
}

/** A call or a callback as it is kept to be shown. */
export interface KeptExchange {
  /** Characters that it holds. */
  readonly size: number;
  show(): ShownExchange;
}

/** The most characters of a body that are shown. */
const LONGEST = 16_384;

/** Shows calls and callbacks of one exam. Its secrets, and those of the client, are hidden wherever they are. */
export class Showing {
  readonly bearerHeader: string;

  /** @param masker Of all exams: a client may send in one what is known as a secret only from another. */
  constructor(
    readonly exam: string,
    readonly masker: Masker,
  ) {
    this.bearerHeader = masker.bearerHeader;
  }

  /** Learns the secrets of a call, before any is shown. */
  learn({ headers, path, body, responseHeaders, responseBody }: ClientCall): void {
    this.masker.learnRequest(headers, path, body);
    this.masker.learnResponse(responseHeaders, responseBody);
  }

  /** A call that is shown later: no more is kept of its bodies than is shown. */
  keptCall(call: ClientCall): KeptExchange {
    const { body, responseBody, path, headers, responseHeaders } = call;
    const kept = { ...call, body: shownPart(body), responseBody: shownPart(responseBody) };
    const lists = [headers, responseHeaders].flatMap((list) => [...list].flat());
    const size = sizeOf([path, kept.body, kept.responseBody, ...lists]);
    return { size, show: () => this.#call(kept) };
  }

  keptDelivery(delivery: ClientDelivery): KeptExchange {
    const kept = { ...delivery, body: shownPart(delivery.body) };
    return { size: sizeOf([kept.url, kept.body]), show: () => this.#delivery(kept) };
  }

  #call(call: ClientCall): ShownExchange {
    const { id, method, path, operation, at, status, struck, test } = call;
    return {
      id,
      exam: this.exam,
      kind: 'call',
      method,
      path: this.text(maskAddress(path)),
      ...(operation === undefined ? {} : { operation }),
      at: new Date(at).toISOString(),
      status,
      requestHeaders: this.#headers(call.headers),
      ...this.#body('requestBody', call.body),
      responseHeaders: this.#headers(call.responseHeaders),
      ...this.#body('responseBody', call.responseBody),
      ...(struck ? { struck } : {}),
      ...(test === undefined ? {} : { test: this.text(test) }),
    };
  }

  #delivery({ id, url, at, status, body, struck }: ClientDelivery): ShownExchange {
    return {
      id,
      exam: this.exam,
      kind: 'callback',
      method: 'POST',
      path: this.text(maskAddress(url)),
      at: new Date(at).toISOString(),
      status,
      requestHeaders: {},
      ...this.#body('requestBody', body),
      responseHeaders: {},
      ...(struck ? { struck } : {}),
    };
  }

  /** A text of the client or about it. */
  text(text: string): string {
    return this.masker.text(maskText(text));
  }

  #headers(headers: Headers): Record<string, string> {
    const masked = [...headers].map(([name, value]) => [name, this.text(maskHeader(name, value, this.bearerHeader))]);
    return Object.fromEntries(masked) as Record<string, string>;
  }

  #body(name: 'requestBody' | 'responseBody', body: string | undefined): { readonly [Name in typeof name]?: string } {
    if (body === undefined) return {};
    const isLong = body.length > LONGEST;
    return { [name]: isLong ? this.text(`${body.slice(0, LONGEST)}...`) : this.text(maskedBody(body)) };
  }
}

/** One character more tells that it was longer. */
function shownPart<Body extends string | undefined>(body: Body): Body {
  return body === undefined ? body : (beginningOf(body, LONGEST + 1) as Body);
}

function sizeOf(texts: readonly (string | undefined)[]): number {
  return texts.reduce((sum, text) => sum + (text?.length ?? 0), 0);
}

function maskedBody(body: string): string {
  try {
    return JSON.stringify(maskJson(JSON.parse(body)));
  } catch {
    return maskText(body);
  }
}
