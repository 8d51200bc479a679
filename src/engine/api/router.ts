import { TrieRouter } from 'hono/router/trie-router';

/**
 * The router of all APIs. That of Hono looks the method up in plain objects and writes to what it finds, so that a method
 * named `__proto__` or `constructor`, which `fetch` in process takes, would change every object there is.
 */
export class Router<T> extends TrieRouter<T> {
  override match(method: string, path: string): ReturnType<TrieRouter<T>['match']> {
    return super.match(method in Object.prototype ? 'NONE' : method, path);
  }
}
