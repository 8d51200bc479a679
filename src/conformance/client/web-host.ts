import type { Host } from './types.js';

/**
 * A host made of what browsers, workers and Node all have, with time and chance of the caller.
 *
 * @param given `fetch` goes to the network unless it is given, such as that of a service in this process.
 */
export function webHost({
  now,
  random,
  fetch: send,
}: Pick<Host, 'now' | 'random'> & Partial<Pick<Host, 'fetch'>>): Host {
  return { fetch: send ?? ((request) => fetch(request)), now, random, sleep, schedule };
}

function schedule(work: () => void, milliseconds: number): () => void {
  const timer = setTimeout(work, milliseconds);
  return () => clearTimeout(timer);
}

function sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds);
    signal?.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
