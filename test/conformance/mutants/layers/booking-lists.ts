import type { Layer } from '../../deployment.js';

/** A listed booking. */
export type Listed = Readonly<Record<string, any>>;

const isBookingList = (request: Request, version: string): boolean =>
  request.method === 'GET' && new URL(request.url).pathname === `/api/${version}/bookings`;

const changed = (request: Request, url: URL): Request =>
  new Request(url, { method: request.method, headers: request.headers });

/** Answers of the booking list of a version, altered. */
export function listing(version: string, alter: (items: Listed[], query: URLSearchParams) => readonly Listed[]): Layer {
  return async (request, through) => {
    const response = await through(request);
    if (!isBookingList(request, version) || !response.ok) return response;
    const body = (await response.json()) as { data: Listed[] };
    return Response.json({ ...body, data: alter(body.data, new URL(request.url).searchParams) });
  };
}

/** Reads the query of the booking list of a version otherwise than it was sent. */
export function asking(version: string, rewrite: (query: URLSearchParams) => void): Layer {
  return (request, through) => {
    if (!isBookingList(request, version)) return through(request);
    const url = new URL(request.url);
    rewrite(url.searchParams);
    return through(changed(request, url));
  };
}

/** Answers requests whose method and path fit by itself. */
export function answering(
  fits: RegExp,
  answer: (request: Request, through: Parameters<Layer>[1]) => Promise<Response> | Response,
): Layer {
  return async (request, through) =>
    fits.test(`${request.method} ${new URL(request.url).pathname}`) ? answer(request, through) : through(request);
}

/** A success without a payload. */
export const confirmed = (): Response => Response.json({ success: true, data: null });

/** A refusal. */
export function refused(status = 400): Response {
  return Response.json({ success: false, data: null, message: 'This is refused.' }, { status });
}

/** Answers the first request of an address over and over. */
export function caching(fits: RegExp): Layer {
  const kept = new Map<string, string>();
  return answering(fits, async (request, through) => {
    const known = kept.get(request.url);
    if (known !== undefined) return new Response(known, { headers: { 'content-type': 'application/json' } });
    const response = await through(request);
    const text = await response.text();
    kept.set(request.url, text);
    return new Response(text, { status: response.status, headers: response.headers });
  });
}

/** Takes every caller for the one that came first. */
export function confusingChannels(fits: RegExp): Layer {
  let first: string | null = null;
  return async (request, through) => {
    first ??= request.headers.get('authorization');
    const { method, pathname } = { method: request.method, pathname: new URL(request.url).pathname };
    if (!fits.test(`${method} ${pathname}`)) return through(request);
    const headers = new Headers(request.headers);
    headers.set('authorization', first ?? '');
    const body = method === 'GET' ? null : await request.text();
    return through(new Request(request.url, { method, headers, body: body === '' ? null : body }));
  };
}

/** A date of a query with its day and month the wrong way round, where that is a date. */
export function swapped(date: string): string {
  const [day, month, year] = date.split('-');
  return Number(day) <= 12 ? `${month}-${day}-${year}` : date;
}

/** A date of a query so many days later. */
export function shifted(date: string, days: number): string {
  const [day, month, year] = date.split('-').map(Number);
  const later = new Date(Date.UTC(year!, month! - 1, day! + days)).toISOString().slice(0, 10);
  return later.split('-').reverse().join('-');
}

/** Changes a parameter that is there. */
export function param(name: string, change: (value: string) => string | undefined): (query: URLSearchParams) => void {
  return (query) => {
    const value = query.get(name);
    if (value === null) return;
    const next = change(value);
    if (next === undefined) query.delete(name);
    else query.set(name, next);
  };
}
