import { harRequest, type HarRequest, harResponse, type HarResponse } from '../../common/index.js';
import { type EntryView, type ViewContext, viewOf } from './entry-view.js';
import type { JournalEntry } from './journal-entry.js';
import { maskAddress } from './mask.js';

/** One entry of an HTTP Archive; names that begin with an underscore are our own, as the format allows. */
export interface HarEntry {
  readonly startedDateTime: string;
  readonly time: number;
  readonly request: HarRequest;
  readonly response: HarResponse;
  readonly cache: Readonly<Record<string, never>>;
  readonly timings: { readonly send: 0; readonly wait: number; readonly receive: 0 };
  readonly _id: string;
  readonly _state: string;
  readonly _operation?: string;
  readonly _channel?: string;
  readonly _rule?: string;
  readonly _scenario?: string;
}

/** An HTTP Archive 1.2. */
export interface Har {
  readonly log: {
    readonly version: '1.2';
    readonly creator: { readonly name: 'teebox'; readonly version: string };
    readonly entries: readonly HarEntry[];
  };
}

const JSON_TYPE = 'application/json';

/** Exchanges as an HTTP Archive, without secrets; those still open are left out, since the format cannot hold them. */
export function harOf(journal: readonly JournalEntry[], context: ViewContext, version: string): Har {
  const entries = journal.filter(({ state }) => state !== 'open').map((one) => entryOf(one, context));
  return { log: { version: '1.2', creator: { name: 'teebox', version }, entries } };
}

function entryOf(entry: JournalEntry, context: ViewContext): HarEntry {
  const view = viewOf(entry, context);
  const { id, state, at, durationMs = 0, operation, channel, rule, scenario } = view;
  return {
    startedDateTime: at,
    time: durationMs,
    request: requestOf(entry, view),
    response: responseOf(view),
    cache: {},
    timings: { send: 0, wait: durationMs, receive: 0 },
    _id: id,
    _state: state,
    ...(operation === undefined ? {} : { _operation: operation }),
    ...(channel === undefined ? {} : { _channel: channel }),
    ...(rule === undefined ? {} : { _rule: rule }),
    ...(scenario?.struck ? { _scenario: scenario.id } : {}),
  };
}

function requestOf({ url: asked, method }: JournalEntry, { request }: EntryView): HarRequest {
  const { headers, body, length, dropped } = request;
  const url = maskAddress(asked);
  const at = url.indexOf('?');
  const query = new URLSearchParams(at < 0 ? '' : url.slice(at + 1));
  return harRequest(
    { method, url, query, headers, text: textOf(body), ...(dropped ? { size: length! } : {}) },
    JSON_TYPE,
  );
}

function responseOf({ status, response }: EntryView): HarResponse {
  const { headers = {}, body, length: size = 0 } = response ?? {};
  return harResponse({ status, headers, text: textOf(body), size }, JSON_TYPE);
}

function textOf(body: unknown): string | undefined {
  return typeof body === 'string' || body === undefined ? body : JSON.stringify(body);
}
