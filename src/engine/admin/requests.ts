import { unknownRequest } from '../record/inspector.js';
import { Crowded, type JournalEntry, numberOf } from '../record/journal.js';
import { problemResponse } from '../api/problem.js';
import { Unverified } from '../record/unverified.js';
import { type Expectation, SandboxEnded } from '../record/verify.js';
import { Problem, shown } from './problem.js';
import { readJson, readQuery } from './read.js';
import type { AdminCall, AdminRoute } from './route.js';

/** The requests in the journal: list, explain and verify them. */
export const requestRoutes: readonly AdminRoute[] = [
  { method: 'GET', path: 'requests', answer: list },
  { method: 'DELETE', path: 'requests', answer: clear },
  { method: 'POST', path: 'requests/verify', answer: verify },
  { method: 'GET', path: 'requests/:id', answer: (call) => call.host.inspector.view(find(call)) },
  {
    method: 'GET',
    path: 'requests/:id/explain',
    answer: (call) => call.host.inspector.explain(find(call).requestId),
  },
];

const MOST = 1000;

/** Oldest first. `count` is the number of all matches, of which the newest are listed. */
async function list({ host: { inspector }, request }: AdminCall): Promise<unknown> {
  const { since, limit = MOST, format, ...filter } = await readQuery(request, 'listRequestsQuery');
  const last = since === undefined ? 0 : readRequestId('since', since);
  const found = inspector.select(filter).filter((one) => numberOf(one) > last);
  const newest = found.slice(-limit);
  if (format !== 'har') return { count: found.length, requests: newest.map((one) => inspector.summary(one)) };
  return Response.json(inspector.har(newest), {
    headers: { 'cache-control': 'no-store', 'content-disposition': 'attachment; filename="teebox.har"' },
  });
}

/** The number of `req-17`. */
export function readRequestId(name: string, text: string): number {
  const [, digits] = /^req-(\d{1,15})$/.exec(text) ?? [];
  if (digits !== undefined) return Number(digits);
  throw new Problem(400, `\`${name}\` must be the id of a request, such as req-17; got ${shown(text)}.`);
}

function find({ host, path }: AdminCall): JournalEntry {
  const id = path['id']!;
  const entry = host.inspector.journal.find(id);
  if (entry) return entry;
  throw new Problem(404, `${unknownRequest(id)} GET requests lists them.`);
}

function clear({ host }: AdminCall): unknown {
  host.inspector.journal.clear();
  return { status: 'cleared' };
}

/** Responds with 200 as soon as the expectation is met, and with 409 if it can no longer be met. */
async function verify({ host: { inspector }, request }: AdminCall): Promise<unknown> {
  const body = await readJson(request);
  try {
    return await inspector.verify(body as Expectation, request.signal);
  } catch (error) {
    if (error instanceof SandboxEnded) throw new Problem(410, error.message);
    if (error instanceof Crowded) throw new Problem(429, `${error.message} Try again when one is over.`);
    if (!(error instanceof Unverified)) throw error;
    const { message, count, nearest } = error;
    return problemResponse(409, message, { count, nearest });
  }
}
