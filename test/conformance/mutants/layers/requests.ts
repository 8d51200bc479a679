import channels from '../../../../fixtures/channels.json' with { type: 'json' };
import type { ChannelOptions } from '../../../../src/conformance/client/credentials.js';
import type { Layer } from '../../deployment.js';

const { username, password } = channels.find(({ name }) => name === 'links')!;
/** A channel that one country has no connected facility for. */
export const LINKS: ChannelOptions = { basic: { username, password } };

/** A deployment that reads a request otherwise than it was sent: the layer alters the address on its way in. */
export function reading(path: RegExp, change: (query: URLSearchParams, url: URL) => void): Layer {
  return async (request, through) => {
    const url = new URL(request.url);
    if (!path.test(url.pathname)) return through(request);
    change(url.searchParams, url);
    return through(new Request(url, request));
  };
}

/** One that takes a value it must refuse, and goes on with another one. */
export const lenient = (path: RegExp, name: string, good: string, bad: (value: string | null) => boolean): Layer =>
  reading(path, (query) => {
    if (bad(query.get(name))) query.set(name, good);
  });

/** One that lacks what it was asked for, or has another status for it. */
export const refusing = (path: RegExp, status: number, when: (url: URL) => boolean = () => true): Layer => {
  return async (request, through) => {
    const url = new URL(request.url);
    if (!path.test(url.pathname) || !when(url)) return through(request);
    return Response.json({ success: false, data: null, message: 'No.' }, { status });
  };
};

/** A day written dd-mm-yyyy, so many days later. */
export function later(day: string, days: number): string {
  const [date, month, year] = day.split('-').map(Number) as [number, number, number];
  const iso = new Date(Date.UTC(year, month - 1, date + days)).toISOString().slice(0, 10);
  return iso.split('-').reverse().join('-');
}
