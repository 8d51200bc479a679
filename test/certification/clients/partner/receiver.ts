import type { components } from '../../../../src/contract/generated/types.js';

type SearchResult = components['schemas']['SearchResult'];
/** What a search found: the tee times of each facility. */
export type Found = SearchResult['data'];

interface Waiting {
  resolve(found: Found): void;
}

/** Receives the results of searches. Each search has an address of its own, so that none is taken for another. */
export class Receiver {
  readonly waiting = new Map<string, Waiting>();

  constructor(readonly address: string) {}

  addressOf(search: string): string {
    return `${this.address}?search=${search}`;
  }

  /** The result of a search, when it comes. */
  expect(search: string): Promise<Found> {
    return new Promise((resolve) => this.waiting.set(search, { resolve }));
  }

  /** A search for which nobody waits any more. */
  forget(search: string): void {
    this.waiting.delete(search);
  }

  /**
   * Answers a request to the receiver. Whatever came is acknowledged at once, so that the service does not repeat what
   * we could not use; what is late, repeated or unreadable changes nothing.
   */
  async handle(request: Request): Promise<Response> {
    if (request.method !== 'POST') return new Response(null, { status: 405, headers: { allow: 'POST' } });
    const search = new URL(request.url).searchParams.get('search') ?? '';
    const found = foundIn(await request.text());
    if (found) this.accept(search, found);
    return new Response(null, { status: 204 });
  }

  /** Takes the first result of a search. */
  accept(search: string, found: Found): void {
    this.waiting.get(search)?.resolve(found);
    this.waiting.delete(search);
  }
}

/** The elements of a result; a failed search has none, and what cannot be read is nothing. */
export function foundIn(text: string): Found | undefined {
  try {
    const { success, data } = JSON.parse(text) as { success: boolean; data: Found | null };
    return success ? (data ?? []) : [];
  } catch {
    return undefined;
  }
}
