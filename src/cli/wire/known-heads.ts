import type { IncomingHttpHeaders } from 'node:http';

/** How many are known; a power of two. */
const SLOTS = 32;

/** Headers as they were read. */
interface ReadHeaders {
  readonly raw: readonly string[];
  readonly headers: IncomingHttpHeaders;
}

/**
 * The headers of the last requests, so that those of the next are not read again if the same bytes came: most callers
 * send the same ones with each request, and a journal that keeps one object has the least to collect.
 */
export class KnownHeaders {
  readonly #slots: (ReadHeaders | undefined)[] = Array.from({ length: SLOTS });

  find(raw: readonly string[]): IncomingHttpHeaders | undefined {
    const known = this.#slots[slotOf(raw)];
    return known && areEqual(known.raw, raw) ? known.headers : undefined;
  }

  /** Nobody can change what is kept. */
  keep(raw: readonly string[], headers: IncomingHttpHeaders): IncomingHttpHeaders {
    this.#slots[slotOf(raw)] = { raw, headers: Object.freeze(headers) };
    return headers;
  }
}

/** The targets of the last requests that were found plain, with their URLs. */
export class KnownTargets {
  readonly #slots: ({ readonly target: string; readonly origin: string; readonly url: string } | undefined)[] =
    Array.from({ length: SLOTS });

  /** The URL of a target, if it is plain. */
  find(target: string, origin: string, isPlain: (target: string) => boolean): string | undefined {
    const slot = hashOf(target) & (SLOTS - 1);
    const known = this.#slots[slot];
    if (known && known.target === target && known.origin === origin) return known.url;
    if (!isPlain(target)) return undefined;
    const url = origin + target;
    this.#slots[slot] = { target, origin, url };
    return url;
  }
}

function slotOf(raw: readonly string[]): number {
  let hash = 0;
  for (let at = 1; at < raw.length; at += 2) hash = (31 * hash + hashOf(raw[at]!)) | 0;
  return hash & (SLOTS - 1);
}

/** Cheap, and different for most texts. */
function hashOf(text: string): number {
  return 31 * text.length + (text.length === 0 ? 0 : text.charCodeAt(text.length - 1));
}

function areEqual(one: readonly string[], other: readonly string[]): boolean {
  if (one.length !== other.length) return false;
  for (let at = 0; at < one.length; at += 1) if (one[at] !== other[at]) return false;
  return true;
}
