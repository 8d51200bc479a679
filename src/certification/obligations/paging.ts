import { isObject } from '../../conformance/index.js';
import { keepNewest } from './bounded.js';
import type { ObligationSpec } from './obligation.js';
import { endOf, knewOf, nameOf } from './operations.js';
import { answerOf, type ClientCall } from './traffic.js';

/** Selections of prices that are remembered. */
const MOST = 200;

/** One request for prices. */
interface PageRead {
  readonly call: ClientCall;
  /** The same for all pages of a selection. */
  readonly selection: string;
  /** What all channels call the selection: a request that is refused for its credentials is of no channel. */
  readonly query: string;
  readonly offset: number;
  /** Undefined where the answer has no page. */
  readonly records: number | undefined;
  readonly total: number;
}

function pageOf(call: ClientCall): PageRead | undefined {
  if (nameOf(call) !== 'listPrices') return undefined;
  const { facilityIds, fromDate, toDate, offset = '0' } = call.params;
  const { ok, data } = answerOf(call);
  const { records, total } = isObject(data) ? data : {};
  const isPage = ok && Array.isArray(records) && typeof total === 'number';
  const query = JSON.stringify([facilityIds, fromDate, toDate]).slice(0, 500);
  return {
    call,
    selection: `${call.channel ?? ''} ${query}`,
    query,
    offset: /^\d{1,9}$/.test(offset) ? Number(offset) : 0,
    records: isPage ? records.length : undefined,
    total: isPage ? total : 0,
  };
}

/** What is kept of a call; its answer can be large. */
interface PageCall {
  readonly id: string;
  readonly turn: number;
  readonly end: number;
  readonly hasLimit: boolean;
}

function pageCallOf(call: ClientCall): PageCall {
  const { id, turn, params } = call;
  return { id, turn, end: endOf(call), hasLimit: params['limit'] !== undefined };
}

/** How far a client has read a selection. */
interface Reading {
  readonly first: PageCall;
  readonly last: PageCall;
  readonly pages: number;
  /** The position behind the last record. Pages can be read in any order. */
  readonly reach: number;
  readonly total: number;
  readonly isComplete: boolean;
}

const toTheEnd: ObligationSpec = {
  id: 'paging.to-the-end',
  watch(sight) {
    const readings = new Map<string, Reading>();
    let pages = false;
    return {
      call(call) {
        const page = pageOf(call);
        if (!page) return;
        const known = readings.get(page.selection);
        // A first page begins anew, unless it was sent before the others and answered after them.
        const before = page.offset > 0 || (known && known.first.turn > call.turn) ? known : undefined;
        const reading = readOn(before, page);
        if (!reading) {
          const failed = [...readings.keys()].filter(
            (one) => one === page.selection || (call.channel === undefined && one.endsWith(` ${page.query}`)),
          );
          return failed.forEach((one) => readings.delete(one));
        }
        keepNewest(readings, page.selection, reading, MOST);
        if (!reading.isComplete || (reading.pages < 2 && page.offset === 0)) return;
        pages = true;
        sight.met(reading.first, call);
      },
      end({ exam, clientOk }) {
        if (pages || clientOk === false) return;
        // With a limit, a client may want no more than that. Only its own tests are expected to show that it can read on.
        const left = [...readings.values()].find(
          ({ isComplete, first }) => !isComplete && ((exam !== undefined && clientOk) || !first.hasLimit),
        );
        if (!left) return;
        sight.broken({
          message: `The client read ${left.reach} of ${left.total} prices and asked for no further page.`,
          expected: 'The client asks for the next `offset` until it has as many prices as `total` says.',
          evidence: left.pages === 1 ? [left.first] : [left.first, left.last],
          isOfAbsence: true,
        });
      },
    };
  },
};

/** The reading with another page; undefined if the page failed, so that nothing is known of the rest. */
function readOn(before: Reading | undefined, { call, offset, records, total }: PageRead): Reading | undefined {
  if (records === undefined) return undefined;
  const reach = Math.max(before?.reach ?? 0, offset + records);
  const isComplete = before?.isComplete === true || reach >= total || records === 0;
  const last = pageCallOf(call);
  return { first: before?.first ?? last, last, pages: (before?.pages ?? 0) + 1, reach, total, isComplete };
}

/** Requests behind an empty page after which a client does not stop. Several workers may each send one. */
const MOST_BEHIND = 2;

const stops: ObligationSpec = {
  id: 'paging.stops',
  watch(sight) {
    const ends = new Map<
      string,
      { readonly at: PageCall; readonly offset: number; readonly behind: readonly PageCall[] }
    >();
    return {
      call(call) {
        const page = pageOf(call);
        if (page?.records === undefined) return;
        const end = ends.get(page.selection);
        const isBehind = end && page.offset > end.offset && knewOf(call, end.at);
        if (page.records > 0 && page.offset + page.records >= page.total) sight.met(call);
        if (page.records > 0) return void ends.delete(page.selection);
        if (page.offset > 0 && !isBehind) sight.met(call);
        const at = pageCallOf(call);
        const behind = isBehind ? [...end.behind, at] : [];
        if (behind.length >= MOST_BEHIND) {
          sight.broken({
            message: `The client asked for ${behind.length} further pages after one without prices.`,
            expected: 'The client stops after a page without prices, or when it has as many as `total` says.',
            evidence: [end!.at, ...behind],
          });
        }
        const first = isBehind ? end : { at, offset: page.offset };
        keepNewest(ends, page.selection, { ...first, behind: behind.length < MOST_BEHIND ? behind : [] }, MOST);
      },
    };
  },
};

export const pagingObligations: readonly ObligationSpec[] = [toTheEnd, stops];
