import type { Permission } from './types.js';

/** What a request may do to a deployment: read it, or something that needs permission. */
export type Effect = 'read' | Permission;

/**
 * The shapes of the paths that do more than read, whatever their method and version: a payment may be a GET, and the
 * search is a GET that makes the deployment post somewhere.
 */
const shapes: readonly (readonly [shape: RegExp, effect: Permission])[] = [
  [/^token(\/|$)/, 'tokens'],
  [/^(bulk)?bookings\/payment(\/|$)/, 'payments'],
  [/^bulkbookings(\/|$)/, 'bookings'],
  [/^bookings\/./, 'bookings'],
  [/^teetimes$/, 'callbacks'],
];

/**
 * The permission that a request needs. It depends on the path as a lenient server would read it, not on the method, so
 * that no spelling of a request slips through: `/api/V5//teetimes/` is the search too.
 */
export function effectOf(method: string, path: string): Effect {
  const plain = cleanPath(path).toLowerCase();
  const resource = plain.replace(/^api\/[^/]*\/?/, '');
  for (const [shape, effect] of shapes) if (shape.test(resource) || shape.test(plain)) return effect;
  return method === 'GET' || method === 'HEAD' ? 'read' : 'bookings';
}

/** The booking or group that a request pays, cancels or changes. */
export interface Named {
  readonly kind: 'booking' | 'group';
  readonly id: string;
  readonly isPayment: boolean;
}

/** What a request names by its id; undefined if its path has no booking or group. */
export function namedIn(method: string, path: string): Named | undefined {
  const [, bulk, payment, id = ''] =
    /^(?:api\/[^/]*\/)?(bulk)?bookings(\/payment)?(?:\/(.*))?$/i.exec(cleanPath(path)) ?? [];
  if (payment === undefined && (id === '' || method === 'OPTIONS')) return undefined;
  return { kind: bulk === undefined ? 'booking' : 'group', id, isPayment: payment !== undefined };
}

/** An id as {@link namedIn} returns it. */
export function idInPath(id: string): string {
  return cleanPath(encodeURIComponent(id));
}

/** A path decoded, without query, matrix parameters, dot segments and doubled or trailing slashes. */
function cleanPath(path: string): string {
  const bare = decode(path.split(/[?#]/)[0]!).replaceAll('\\', '/');
  const segments: string[] = [];
  for (const part of bare.split('/')) {
    const segment = part.split(';')[0]!.trim();
    if (segment === '..') segments.pop();
    else if (segment !== '' && segment !== '.') segments.push(segment);
  }
  return segments.join('/').replace(/\.(json|xml)$/i, '');
}

/** Decoded until it no longer changes: a proxy in between may decode once more. */
function decode(text: string): string {
  let plain = text;
  for (let round = 0; round < 4; round += 1) {
    const next = plain.replace(/(?:%[0-9a-f]{2})+/gi, (escapes) => {
      try {
        return decodeURIComponent(escapes);
      } catch {
        return escapes;
      }
    });
    if (next === plain) break;
    plain = next;
  }
  return plain;
}
