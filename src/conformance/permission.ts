import type { Permission } from './types.js';

/** What a request may do to a deployment: read it, or something that needs leave. */
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
 * What leave a request needs. It is told by the path as a lenient server would read it, not by the method, so that
 * no spelling of a request slips through: `/api/V5//teetimes/` is the search too.
 */
export function effectOf(method: string, path: string): Effect {
  const plain = plainPath(path);
  const resource = plain.replace(/^api\/[^/]*\/?/, '');
  for (const [shape, effect] of shapes) if (shape.test(resource) || shape.test(plain)) return effect;
  return method === 'GET' || method === 'HEAD' ? 'read' : 'bookings';
}

/** A path in lower case, decoded, without query, matrix parameters, dot segments and doubled or trailing slashes. */
function plainPath(path: string): string {
  const bare = decode(path.split(/[?#]/)[0]!).toLowerCase().replaceAll('\\', '/');
  const segments: string[] = [];
  for (const part of bare.split('/')) {
    const segment = part.split(';')[0]!.trim();
    if (segment === '..') segments.pop();
    else if (segment !== '' && segment !== '.') segments.push(segment);
  }
  return segments.join('/').replace(/\.(json|xml)$/, '');
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
