import { randomBytes } from 'node:crypto';

/** Where the results of searches arrive at the proxy. */
const FOLDER = '/__teebox-proxy/callbacks/';
/** The most addresses that are remembered, the latest ones. */
const MOST = 10_000;
const parameter = /([?&]callbackUrl=)([^&#]*)/;

/** Where a result goes, and the search that asked for it. */
export interface CallbackRoute {
  readonly url: string;
  /** The id of the exchange. */
  readonly search: string;
}

/** Lets the results of searches pass through the proxy, so that they are seen. */
export class CallbackRelay {
  readonly #routes = new Map<string, CallbackRoute>();

  /** @param base The URL at which the deployment reaches the proxy. */
  constructor(readonly base: string) {}

  /** The path of a search with the address of the proxy instead of the client's; the rest stays as it is. */
  rewritten(path: string, search: string): string {
    return path.replace(parameter, (whole, start: string, value: string) => {
      const url = decoded(value);
      if (!/^https?:$/.test(URL.canParse(url) ? new URL(url).protocol : '')) return whole;
      const name = randomBytes(16).toString('hex');
      this.#routes.set(name, { url, search });
      const [oldest] = this.#routes.keys();
      if (this.#routes.size > MOST) this.#routes.delete(oldest!);
      return start + encodeURIComponent(this.base.replace(/\/+$/, '') + FOLDER + name);
    });
  }

  /** Where a request to the proxy goes if it is a result of a search. */
  routeOf(path: string): CallbackRoute | undefined {
    return path.startsWith(FOLDER) ? this.#routes.get(path.slice(FOLDER.length)) : undefined;
  }
}

function decoded(value: string): string {
  try {
    return decodeURIComponent(value.replaceAll('+', ' '));
  } catch {
    return value;
  }
}
