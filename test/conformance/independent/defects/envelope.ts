import { Refused } from '../desk.js';
import type { Change } from '../run.js';
import { eachObject, isRefusal, replying, rewriting, sending, wrap } from '../vary.js';
import { type Defect, done, minor, seen } from './row.js';

const anything = /./;
const reads = /\/(countries|facilities|teetimes\/|price)/;
const format = /^dates\.|\.(time|date|teetime|createdAt|created)$/;

const bytes = (write: (text: string) => Uint8Array<ArrayBuffer>, path = anything): Change =>
  replying(path, async (response) => {
    return new Response(write(await response.text()), { status: response.status, headers: response.headers });
  });

const header = (path: RegExp, type: string | undefined): Change =>
  replying(path, async (response) => {
    const headers = new Headers(response.headers);
    if (type) headers.set('content-type', type);
    else headers.delete('content-type');
    return new Response(await response.arrayBuffer(), { status: response.status, headers });
  });

/** Alters the dates of an answer wherever they are. */
const dates = (path: RegExp, write: (text: string) => unknown): Change =>
  sending(path, (body) => {
    eachObject(body, (object) => {
      for (const [name, value] of Object.entries(object)) {
        if (typeof value === 'string' && /^\d{4}-\d\d-\d\dT/.test(value)) object[name] = write(value);
      }
    });
  });

/** A mistake in the handling of what is wrong. */
const broken = (message: RegExp): Change =>
  wrap('refusal', (before) => (refused) => {
    return message.test(refused.message)
      ? { status: 500, data: null, message: 'Object reference not set' }
      : before(refused);
  });

export const envelope: readonly Defect[] = [
  seen(
    'no success',
    /^envelope/,
    rewriting(reads, (body) => ({ data: body.data })),
  ),
  seen(
    'success as a word',
    /^envelope/,
    rewriting(reads, (body) => ({ ...body, success: 'true' })),
  ),
  seen(
    'success is false although it went well',
    /^(envelope|errors)/,
    rewriting(reads, (body) => ({ ...body, success: false })),
  ),
  seen(
    'bare data in v1',
    /^envelope/,
    rewriting(/v1.facilities/, (body) => body.data),
  ),
  seen(
    'bare data of prices',
    /^envelope/,
    rewriting(/price/, (body) => body.data),
  ),
  seen(
    'payload under another name',
    /^envelope/,
    rewriting(/countries/, (body) => ({ success: true, result: body.data })),
  ),
  minor(seen('JSON called HTML', /^envelope/, header(reads, 'text/html; charset=utf-8'))),
  minor(seen('JSON called text in v2', /^envelope/, header(/v2.teetimes/, 'text/plain'))),
  minor(seen('JSON without a type', /^envelope/, header(reads, undefined))),
  seen(
    'a byte order mark',
    /^envelope/,
    bytes((text) => new TextEncoder().encode(`\ufeff${text}`)),
  ),
  seen(
    'Latin-1',
    /^envelope/,
    bytes((text) => Uint8Array.from(text, (char) => char.charCodeAt(0)), /v3.facilities/),
  ),
  seen(
    'refusals as HTML',
    /^envelope/,
    replying(anything, (response) => (isRefusal(response) ? page(response) : response)),
  ),
  seen(
    'refusals without an envelope',
    /^envelope/,
    rewriting(anything, ({ message }) => ({ error: message }), isRefusal),
  ),
  seen(
    'dates with a space',
    format,
    dates(/v4.teetimes/, (text) => text.replace('T', ' ')),
  ),
  seen(
    'dates as European',
    format,
    dates(/v2.teetimes/, (text) => text.replace(/(\d+)-(\d+)-(\d+)/, '$3-$2-$1')),
  ),
  seen(
    'dates in milliseconds',
    format,
    dates(/v4.bookings/, (text) => Date.parse(text)),
  ),
  seen(
    'times of tee times with a zone',
    format,
    dates(/teetimes/, (text) => `${text}Z`),
  ),
  seen(
    'a crash on an unknown facility',
    /^(errors|facilities|teetimes|health|prices)/,
    broken(/facility does not exist/),
  ),
  seen('a crash on a wrong date', /^(errors|teetimes|dates|prices)/, broken(/must be a date/)),
  seen('a crash on wrong words for numbers', /^(errors|teetimes|limits|facilities)/, broken(/integer|1 to 4|9 or 18/)),
  done('a crash on a body that is no JSON', /^(errors|envelope|bookings)/, broken(/not JSON/)),
  done('a crash on a tee time that is unknown', /^(errors|bookings)/, (service) => {
    service.cart = () => new Refused(500, 'NullPointerException');
  }),
  done(
    'a crash on an id past the end of a tee sheet',
    /^(errors|bookings)/,
    wrap('findSlot', (before) => (id) => {
      const slot = before(id);
      if (!slot && id < 1_000_000_000) throw new Refused(500, 'ArrayIndexOutOfBoundsException');
      return slot;
    }),
  ),
  done('a crash on missing fields', /^(errors|bookings)/, broken(/must be given|must be an integer/)),
];

function page({ status }: Response): Response {
  return new Response('<html><body><h1>Oops</h1></body></html>', { status, headers: { 'content-type': 'text/html' } });
}
