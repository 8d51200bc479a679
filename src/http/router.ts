import type { Result, Router } from 'hono/router';
import { TrieRouter } from 'hono/router/trie-router';
import { BoundedCache } from '../store/bounded-cache.js';

/** Maximum number of paths with a cached route. */
const KEPT_PATHS = 1000;

/**
 * Caches the route of a path. Of Hono's routers, only the trie supports the paths of this service, and it walks its
 * tree for each request.
 */
export class KeptRouter<T> implements Router<T> {
  readonly name = 'KeptRouter';
  readonly #router = new TrieRouter<T>();
  readonly #found = new BoundedCache<Result<T>>(KEPT_PATHS);

  add(method: string, path: string, handler: T): void {
    this.#found.clear();
    this.#router.add(method, path, handler);
  }

  match(method: string, path: string): Result<T> {
    const key = `${method} ${path}`;
    return this.#found.get(key) ?? this.#found.set(key, this.#router.match(method, path));
  }
}
