import { DURATION_FORMS, maskHeader, parsedJson, readDuration, validationError } from '../../common/index.js';
import { INBOX_SIZE, type InboxMessage } from '../callbacks/inbox.js';
import { pause } from '../api/request-context.js';
import { problemResponse } from '../api/problem.js';
import { Problem, shown } from './problem.js';
import { readBody, readQuery } from './read.js';
import type { AdminCall, AdminRoute } from './route.js';

/**
 * A receiver of callbacks within the sandbox, which can be set to fail. Whoever posts a callback has no admin token,
 * so messages are taken without one (see `hosts/admin-guard.ts`); to read them takes it.
 */
export const inboxRoutes: readonly AdminRoute[] = [
  {
    method: 'GET',
    path: 'inbox',
    answer: ({ host: { inbox } }) => ({ count: inbox.names.length, names: inbox.names }),
  },
  { method: 'DELETE', path: 'inbox', answer: emptyAll },
  { method: 'GET', path: 'inbox/:name', answer: show },
  { method: 'POST', path: 'inbox/:name', answer: take },
  { method: 'PUT', path: 'inbox/:name', answer: take },
  { method: 'PATCH', path: 'inbox/:name', answer: take },
  { method: 'DELETE', path: 'inbox/:name', answer: empty },
];

const form = /^[A-Za-z0-9][\w.-]{0,63}$/;

/** Bytes of a message from a caller without the token that the admin API requires. */
const STRANGERS_MESSAGE = 1_048_576;

function nameOf({ path }: AdminCall): string {
  const name = path['name']!;
  if (form.test(name)) return name;
  const due = 'must begin with a letter or digit and have up to 64 letters, digits or any of - . _';
  throw new Problem(400, `The name of an inbox ${due}; got ${shown(name)}.`);
}

/** Keeps what came, then answers as the query says: `?status=503&delay=2s`. */
async function take(call: AdminCall): Promise<Response> {
  const { host, request, isStranger } = call;
  const name = nameOf(call);
  const { status = 204, delay: text = '0s' } = await readQuery(request, 'postToInboxQuery');
  const delay = delayOf(text);
  // The sandbox posts its own results without the token, and they may be larger.
  const isOwn = host.engine.callbacks.isPosting(request.headers.get('teebox-callback'));
  const { largestMessage = INBOX_SIZE } = host.place;
  const body = await readBody(request, isStranger && !isOwn ? STRANGERS_MESSAGE : largestMessage);
  const headers = Object.fromEntries(
    [...request.headers].map(([header, value]) => [header, shownHeader(header, value)]),
  );
  host.inbox.take(name, { at: new Date(host.engine.now()).toISOString(), method: request.method, headers, text: body });
  if (delay > 0) await pause(host.inspector.schedule, delay, request.signal);
  if (status < 400) return new Response(null, { status });
  return problemResponse(status, `The message is stored. The query of this address asks for the status ${status}.`);
}

/** Milliseconds that a message may wait for its response. */
const LONGEST_DELAY = 120_000;

function delayOf(text: string): number {
  const delay = readDuration(text);
  if (delay !== undefined && delay <= LONGEST_DELAY) return delay;
  throw validationError('delay', `a duration of at most 2m with its unit, such as ${DURATION_FORMS}`, text);
}

/** Signatures are not masked: they reveal no secret, and tests of a receiver check them. */
function shownHeader(name: string, value: string): string {
  return name.endsWith('signature') ? value : maskHeader(name, value);
}

function show(call: AdminCall): Response {
  const name = nameOf(call);
  const messages = call.host.inbox.messages(name);
  const text = `{"name":"${name}","count":${messages.length},"messages":[${messages.map(written).join()}]}`;
  return new Response(text, { headers: { 'content-type': 'application/json', 'cache-control': 'no-store' } });
}

/** A body that is JSON stays as it came: to write it anew would change its numbers, and fail where it is deep. */
function written({ at, method, headers, text }: InboxMessage): string {
  const contentType = headers['content-type'] ?? null;
  const rest = JSON.stringify({ at, method, headers, contentType });
  const body = isJson(contentType, text) ? text : JSON.stringify(text);
  return `${rest.slice(0, -1)},"body":${body}}`;
}

function isJson(contentType: string | null, text: string): boolean {
  return /^application\/([\w.-]+\+)?json *(;|$)/i.test(contentType ?? '') && parsedJson(text) !== undefined;
}

function empty(call: AdminCall): unknown {
  call.host.inbox.empty(nameOf(call));
  return { status: 'emptied' };
}

function emptyAll({ host }: AdminCall): unknown {
  host.inbox.empty();
  return { status: 'emptied' };
}
