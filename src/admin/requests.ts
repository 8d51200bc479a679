import { type ExchangeFilter, filterFields } from '../app/exchange-filter.js';
import { unknownRequest } from '../app/inspector.js';
import type { Exchange } from '../app/journal.js';
import { problemResponse } from '../app/problem.js';
import { type Expectation, Unverified } from '../app/verify.js';
import { Misfit } from '../scenarios/spec.js';
import { Problem, problemOf, shown } from './problem.js';
import { oneOf, readJson, readQuery, wholeNumber } from './read.js';
import type { AdminCall, AdminRoute } from './route.js';

/** What the journal has of the requests: each of them, why it was answered so, and whether it was as expected. */
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
const textFields = filterFields.filter((name) => name !== 'match');

/** Oldest first; `count` is that of all that fit, of which the newest are listed. */
function list({ host: { inspector }, request }: AdminCall): unknown {
  const query = readQuery(request, [...textFields, 'since', 'limit', 'format']);
  const { since, limit, format = 'json', status, ...rest } = query;
  const filter = status === undefined ? rest : { ...rest, status: wholeNumber('status', status, 0, 599) };
  const last = since === undefined ? 0 : readRequestId('since', since);
  const most = limit === undefined ? MOST : wholeNumber('limit', limit, 1, MOST);
  oneOf('format', format, ['json', 'har']);
  const found = fitting(() => inspector.select(filter as ExchangeFilter)).filter((one) => numberOf(one) > last);
  const newest = found.slice(-most);
  if (format === 'json') return { count: found.length, requests: newest.map((one) => inspector.summary(one)) };
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

/** The number of an exchange; they are counted from the start of the sandbox. */
export function numberOf({ requestId }: Exchange): number {
  return Number(requestId.slice('req-'.length));
}

function find({ host, path }: AdminCall): Exchange {
  const id = path['id']!;
  const exchange = host.inspector.journal.find(id);
  if (exchange) return exchange;
  throw new Problem(404, `${unknownRequest(id)} GET requests lists them.`);
}

function clear({ host }: AdminCall): unknown {
  host.inspector.journal.clear();
  return { status: 'cleared' };
}

/** Answers 200 as soon as what is expected is so, and 409 when it cannot be any more. */
async function verify({ host: { inspector }, request }: AdminCall): Promise<unknown> {
  const body = await readJson(request);
  try {
    return await inspector.verify(body as Expectation);
  } catch (error) {
    if (error instanceof Misfit) throw problemOf(error);
    if (!(error instanceof Unverified)) throw error;
    const { message, count, nearest } = error;
    return problemResponse(409, message, { count, nearest });
  }
}

function fitting<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw error instanceof Misfit ? problemOf(error) : error;
  }
}
