import type { OperationId } from '../../../contract/index.js';
import { type AskedFor, isObject } from '../../client/exchange.js';
import { operationOf } from '../../client/request.js';

/** A longer page may be refused: its maximum is an open question. */
const MODEST_LIMIT = 100;
const MOST_PLAYERS = 4;

/** The kinds that a right request belongs to: each must be accepted by itself. */
export function kindsOf(origin: OperationId, { params, body }: AskedFor): readonly string[] {
  const { name, bodies = [] } = operationOf(origin);
  const has = (field: string): boolean => params[field] !== undefined;
  const kinds: Readonly<Record<string, readonly string[]>> = {
    createBooking: [...(bodies.length > 1 ? [shapeOf(body)] : []), ...playersOf(body), ...holesOf(body)],
    createBulkBooking: [...playersOf(body), ...holesOf(body)],
    listTeeTimes: [`for ${String(params['holes'])} holes`, `for ${counted(params['players'])}`],
    listCountries: [has('connected') ? `with connected=${String(params['connected'])}` : 'without `connected`'],
    listFacilities: [has('connected') ? `with connected=${String(params['connected'])}` : 'without `connected`'],
    // Whether `toDate` is accepted alone is an open question.
    listBookings: has('fromDate') ? ['with `fromDate`'] : has('toDate') ? [] : ['without parameters'],
    listPrices: [
      ...(String(params['facilityIds']).includes(',') ? ['for several facilities'] : []),
      ...(has('offset') ? ['with `offset`'] : []),
      ...(has('limit') && Number(params['limit']) <= MODEST_LIMIT ? ['with `limit`'] : []),
    ],
  };
  return kinds[name] ?? [];
}

function shapeOf(body: unknown): string {
  if (Array.isArray(body)) return 'with a list of bookings';
  return isObject(body) && 'details' in body ? 'with bookings in `details`' : 'with one booking';
}

function playersOf(body: unknown): readonly string[] {
  const same = sameIn(body, 'players');
  return same >= 1 && same <= MOST_PLAYERS ? [`for ${counted(same)}`] : [];
}

function holesOf(body: unknown): readonly string[] {
  const same = sameIn(body, 'holes');
  return same === 9 || same === 18 ? [`for ${same} holes`] : [];
}

/** A number that all bookings of a body have in common; 0 if they differ. */
function sameIn(body: unknown, field: 'players' | 'holes'): number {
  const numbers = itemsOf(body).map((item) => (isObject(item) ? Number(item[field]) : 0));
  return new Set(numbers).size === 1 ? numbers[0]! : 0;
}

function counted(players: unknown): string {
  return Number(players) === 1 ? '1 player' : `${String(players)} players`;
}

/** The single bookings of a body in any shape. */
export function itemsOf(body: unknown): readonly unknown[] {
  const list = isObject(body) && Array.isArray(body['details']) ? (body['details'] as unknown[]) : body;
  return Array.isArray(list) ? (list as unknown[]) : [list];
}
