/** The page of a partner's front-end, whose service is the sandbox; the test reads what came of it. */
import { http, HttpResponse } from 'msw';
import { setupWorker } from 'msw/browser';
import { createSandbox, type Sandbox, type SandboxOptions } from '../../../src/engine/library.js';
import { createHandlers } from '../../../src/bindings/msw.js';
import { openShop } from '../../examples/shop.js';
import { startSandbox } from '../../examples/worker.js';
import { play, type Seen, type Sent } from '../../support/msw/play.js';

const BASE_URL = 'https://api.partner.example';
const RESULTS = 'https://partner.example/results';

/** What `replay` sends, to what sandbox. */
export interface Corpus {
  readonly requests: readonly Sent[];
  readonly options: SandboxOptions;
}

/** What came of a partner's day. */
export interface Day {
  readonly tokens: Record<string, unknown>;
  readonly teeTimes: number;
  readonly booked: string;
  readonly listed: readonly string[];
  /** Status and body of a booking that a scenario strikes, and how many bookings there are after it. */
  readonly struck: readonly [status: number, body: unknown, bookings: number];
  /** What the page's own handler got posted, and what the sandbox says of it. */
  readonly posted: readonly { readonly data: readonly unknown[] }[];
  readonly deliveries: Sandbox['callbacks']['deliveries'];
}

/** What the page does, by its query; it does so by itself, since what a debugger calls may do what the policy forbids. */
const deeds: Readonly<Record<string, () => Promise<unknown>>> = { day: partnersDay, replay, code: makeCode, example };

declare global {
  interface Window {
    /** What came of it, and the directives of the policy that were violated. */
    result: Promise<{ readonly result: unknown; readonly violations: readonly string[] }>;
  }
}

const worker = setupWorker();
const options = { quiet: true, onUnhandledRequest: 'bypass', onUnhandledFrame: 'bypass' } as const;

/** Bodies are judged by the test. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any
type Json = any;

type Call = (path: string, body?: unknown, headers?: Record<string, string>) => Promise<Json>;

function caller(authorization: string): Call {
  return async (path, body, headers = {}) => {
    const all = { authorization, 'content-type': 'application/json', ...headers };
    const init = body === undefined ? { headers: all } : { method: 'POST', headers: all, body: JSON.stringify(body) };
    const response = await fetch(`${BASE_URL}${path}`, init);
    return { status: response.status, ...(await response.json()) };
  };
}

function bookingOf(teeTime: Json): Record<string, unknown> {
  const { time, course, teeid: teeId, holes, products } = teeTime;
  const names = { contactFirstName: 'Ada', contactLastName: 'Lovelace' };
  const contact = { ...names, contactPhone: '+31 20 555 0100', contactEmail: 'ada@partner.example' };
  const place = { facilityId: 1001, teetime: time.replace('T', ' '), course, teeId, holes };
  return { ...place, players: 2, productId: products[0].mid, ...contact };
}

async function partnersDay(): Promise<Day> {
  const sandbox = await createSandbox();
  const posted: Day['posted'][number][] = [];
  const receiver = http.post(RESULTS, async ({ request }) => {
    posted.push((await request.json()) as Day['posted'][number]);
    return new HttpResponse(null, { status: 204 });
  });
  worker.use(...createHandlers(sandbox, { baseUrl: BASE_URL }), receiver);

  const { refreshToken } = sandbox.channels[0]!;
  const { data: tokens } = await caller('')('/api/v5/token/refreshToken', { refresh_token: refreshToken });
  const call = caller(`Bearer ${tokens.access_token}`);
  const { data } = await call('/api/v4/teetimes/1001?bookingDate=11-06-2026&players=2&holes=18');
  const [first, second] = data.teeTimeV3;
  const booking = await call('/api/v5/bookings', bookingOf(first));
  const struck = await call('/api/v5/bookings', bookingOf(second), { 'teebox-scenario': 'payment-pi-failed' });
  const { data: listed } = await call('/api/v4/bookings');
  const query = { facilityIds: '1001', fromDate: '11-06-2026', toDate: '11-06-2026', players: '2', holes: '18' };
  await call(`/api/v5/teetimes?${new URLSearchParams({ ...query, callbackUrl: RESULTS })}`);
  await sandbox.callbacks.settled();

  const { length } = sandbox.db.bookings.findMany((q) => q.where({ contactLastName: 'Lovelace' }));
  worker.resetHandlers();
  return {
    tokens,
    teeTimes: data.teeTimeV3.length,
    booked: booking.data.bookingId,
    listed: listed.map(({ bookingId }: Json) => bookingId),
    struck: [struck.status, { success: struck.success, message: struck.message }, length],
    posted,
    deliveries: sandbox.callbacks.deliveries,
  };
}

/** Sends the requests of the site's file to a sandbox of their own. */
async function replay(): Promise<Seen[]> {
  const { requests, options: made } = (await (await fetch('/corpus.json')).json()) as Corpus;
  const sandbox = await createSandbox(made);
  worker.use(...createHandlers(sandbox, { baseUrl: BASE_URL }));
  const seen = await play(requests, BASE_URL, (request) => fetch(request));
  worker.resetHandlers();
  await sandbox.reset();
  return seen;
}

/** What docs/front-ends.md shows for a page; gives back whether a booking is in the list. */
async function example(): Promise<boolean> {
  const sandbox = await startSandbox(BASE_URL);
  const shop = openShop(BASE_URL, sandbox.channels[0]!);
  const [teeTime] = await shop.teeTimes('11-06-2026');
  const { bookingId } = await shop.book(teeTime!);
  return (await shop.bookings()).includes(bookingId);
}

/** Makes code from text; gives back what came of it, or the name of the error. */
async function makeCode(): Promise<string> {
  try {
    return String(new Function('return 1')());
  } catch (error) {
    return (error as Error).name;
  }
}

async function run(deed: string): Promise<Awaited<Window['result']>> {
  const violations: string[] = [];
  addEventListener('securitypolicyviolation', ({ effectiveDirective }) => violations.push(effectiveDirective));
  // The example has a worker of its own.
  if (deed !== 'example') await worker.start(options);
  const result = await deeds[deed]!();
  // Violations are told by events, which come after.
  await new Promise((resolve) => setTimeout(resolve));
  return { result, violations };
}

window.result = run(location.search.slice(1));
