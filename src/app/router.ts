import type { Result, Router } from 'hono/router';
import { TrieRouter } from 'hono/router/trie-router';
import { Kept } from '../store/kept.js';

/** Paths whose route is kept; what a partner's program asks again and again is among them. */
const KEPT_PATHS = 1000;

/**
 * Keeps what was found for a path. Of Hono's routers only the trie takes the paths of this service, and it walks
 * them anew for each request.
 */
export class KeptRouter<T> implements Router<T> {
  readonly name = 'KeptRouter';
  readonly #router = new TrieRouter<T>();
  readonly #found = new Kept<Result<T>>(KEPT_PATHS);

  add(method: string, path: string, handler: T): void {
    this.#found.clear();
    this.#router.add(method, path, handler);
  }

  match(method: string, path: string): Result<T> {
    const key = `${method} ${path}`;
    return this.#found.get(key) ?? this.#found.set(key, this.#router.match(method, path));
  }
}
