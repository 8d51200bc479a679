import type { Exchange } from '../../client/exchange.js';

/** The maximum number of characters of a body in a report that is read by people. */
export const MOST_BODY = 4000;
/** Characters of all bodies that are kept whole, and of each body after those. */
const [MOST_BODIES, LEAST_BODY] = [20_000_000, 2000];

/** An exchange with the beginning of its bodies. */
export function cutExchange(exchange: Exchange, most = MOST_BODY): Exchange {
  const { request, response } = exchange;
  const cut = (body: string): string => body.slice(0, most);
  return {
    ...exchange,
    request: request.body === undefined ? request : { ...request, body: cut(request.body) },
    ...(response ? { response: { ...response, body: cut(response.body) } } : {}),
  };
}

/** The exchanges of a run by id, without most of their bodies when there is no room for more. */
export class KeptExchanges extends Map<string, Exchange> {
  /** Characters of bodies so far. */
  #size = 0;

  keep(exchange: Exchange): void {
    const { request, response } = exchange;
    this.#size += (request.body?.length ?? 0) + (response?.body.length ?? 0);
    this.set(exchange.id, this.#size <= MOST_BODIES ? exchange : cutExchange(exchange, LEAST_BODY));
  }
}
