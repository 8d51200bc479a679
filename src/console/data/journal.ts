import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { AdminType } from './api.js';
import { baseUrl } from './base.js';
import { token } from './token.js';

/** An event of the journal: a request that arrived, was answered or cut, or the journal that began anew. */
export interface JournalEvent {
  readonly kind: string;
  readonly request?: AdminType<'RequestSummary'>;
}

type JournalReader = (event: JournalEvent) => void;

const RETRY_MS = 3000;
const readers = new Set<JournalReader>();
let stream: AbortController | undefined;
/** The last event with an id: what was missed after it is told when the stream comes back. */
let lastId: string | undefined;

/** Whether the events of the journal arrive. */
export const following = signal(false);

/** Tells of each event of the journal until the returned function is called. All readers share one stream. */
export function followJournal(reader: JournalReader): () => void {
  readers.add(reader);
  if (!stream) void follow();
  return () => {
    readers.delete(reader);
    if (readers.size > 0) return;
    stream?.abort();
    stream = lastId = undefined;
  };
}

/** Reads the stream with `fetch`, which sends the admin token; an `EventSource` could not. */
async function follow(): Promise<void> {
  const mine = new AbortController();
  stream = mine;
  while (!mine.signal.aborted) {
    const headers = new Headers(lastId === undefined ? {} : { 'last-event-id': lastId });
    if (token.value !== undefined) headers.set('authorization', `Bearer ${token.value}`);
    try {
      const { ok, body } = await fetch(`${baseUrl}/__admin/events`, { headers, signal: mine.signal });
      if (ok && body) await read(body);
    } catch {
      // The server is away, or nobody listens any more.
    }
    if (stream !== mine) return;
    following.value = false;
    await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
  }
}

async function read(body: ReadableStream<BufferSource>): Promise<void> {
  following.value = true;
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    const parts = (rest + decoder.decode(value, { stream: true })).split('\n\n');
    rest = parts.pop()!;
    for (const part of parts) tell(part);
  }
}

function tell(text: string): void {
  const kind = /^event: (.*)$/m.exec(text)?.[1];
  const data = /^data: (.*)$/m.exec(text)?.[1];
  lastId = /^id: (.*)$/m.exec(text)?.[1] ?? lastId;
  if (kind === undefined || data === undefined) return;
  const isRequest = kind === 'arrived' || kind === 'answered' || kind === 'cut';
  const event: JournalEvent = isRequest ? { kind, request: JSON.parse(data) } : { kind };
  for (const told of readers) told(event);
}

const TOGETHER_MS = 150;
const READ_MS = 20_000;

/** Calls `reload` soon after a request changed something, and now and then: operators and clocks change it too. */
export function useReload(reload: () => unknown, inputs: readonly unknown[]): void {
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const soon = ({ kind, request }: JournalEvent) => {
      if (kind === 'arrived' || kind === 'dropped' || request?.method === 'GET') return;
      timer ??= setTimeout(() => {
        timer = undefined;
        void reload();
      }, TOGETHER_MS);
    };
    const unfollow = followJournal(soon);
    const turn = setInterval(() => document.visibilityState === 'visible' && void reload(), READ_MS);
    return () => {
      unfollow();
      clearTimeout(timer);
      clearInterval(turn);
    };
  }, inputs as unknown[]);
}
