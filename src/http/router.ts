import type { Result, Router } from 'hono/router';
import { TrieRouter } from 'hono/router/trie-router';
import type { Caches } from '../store/bounded-cache.js';

/** Maximum number of paths with a cached route, and of characters of one. */
const KEPT_PATHS = 1000;
const LONGEST_PATH = 256;
/** What the route of a path holds, with its parameters. */
const ROUTE_BYTES = 400;

/**
 * Caches the route of a path. Of Hono's routers, only the trie supports the paths of this service, and it walks its
 * tree for each request.
 */
export class KeptRouter<T> implements Router<T> {
  readonly name = 'KeptRouter';
  readonly #router = new TrieRouter<T>();
  readonly #found;

  constructor(caches: Caches) {
    this.#found = caches.create<Result<T>>(KEPT_PATHS, () => ROUTE_BYTES);
  }

  add(method: string, path: string, handler: T): void {
    this.#found.clear();
    this.#router.add(method, path, handler);
  }

  match(method: string, path: string): Result<T> {
    const key = `${method} ${path}`;
    const known = this.#found.get(key);
    if (known) return known;
    const found = this.#router.match(method, path);
    return path.length > LONGEST_PATH ? found : this.#found.set(key, found);
  }
}
