import { isObject } from '../../common/index.js';
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
  /** Infinity where the request has none. */
  readonly limit: number;
  /** Undefined where the answer has no page. */
  readonly records: number | undefined;
  readonly total: number;
}

function pageOf(call: ClientCall): PageRead | undefined {
  if (nameOf(call) !== 'listPrices') return undefined;
  const { facilityIds, fromDate, toDate, offset = '', limit = '' } = call.params;
  const { ok, data } = answerOf(call);
  const { records, total } = isObject(data) ? data : {};
  const isPage = ok && Array.isArray(records) && typeof total === 'number';
  const query = JSON.stringify([facilityIds, fromDate, toDate]).slice(0, 500);
  const numberOr = (other: number, text: string): number => (/^\d{1,9}$/.test(text) ? Number(text) : other);
  return {
    call,
    selection: `${call.channel ?? ''} ${query}`,
    query,
    offset: numberOr(0, offset),
    limit: numberOr(Infinity, limit),
    records: isPage ? records.length : undefined,
    total: isPage ? total : 0,
  };
}

/** What is kept of a call; its answer can be large. */
interface PageCall {
  readonly id: string;
  readonly turn: number;
  readonly end: number;
}

function pageCallOf(call: ClientCall): PageCall {
  return { id: call.id, turn: call.turn, end: endOf(call) };
}

/** Positions of records, without the last one. */
type Range = readonly [from: number, to: number];

/** What a client has read of a selection, in any order and by any of its tests. */
interface Reading {
  readonly first: PageCall;
  readonly ranges: readonly Range[];
  /** Pages that had fewer records than the client asked for, and the position after them. */
  readonly short: readonly (Pick<PageRead, 'limit'> & { readonly page: PageCall; readonly next: number })[];
  readonly total: number;
  readonly isPaged: boolean;
  /** A page failed, so that nothing is known of what the client wanted to read. */
  readonly hasFailed: boolean;
}

const MOST_RANGES = 50;
/** Pages of one size after which it shows whether they follow one another. */
const LEAST_PAGES = 4;

/** The prices that pages show, each counted once. */
function covered(pages: ReadonlyMap<number, number>): number {
  let [end, sum] = [0, 0];
  for (const [offset, records] of [...pages].toSorted(([one], [other]) => one - other)) {
    sum += Math.max(0, offset + records - Math.max(end, offset));
    end = Math.max(end, offset + records);
  }
  return sum;
}

const toTheEnd: ObligationSpec = {
  id: 'paging.to-the-end',
  watch(sight) {
    const readings = new Map<string, Reading>();
    /** The records of each page, by selection and size and then by offset. */
    const turned = new Map<string, ReadonlyMap<number, number>>();
    let pages = false;
    const turn = ({ call, selection, limit, offset }: PageRead, records: number): void => {
      const key = `${limit} ${selection}`;
      const all = new Map([...(turned.get(key) ?? []), [offset, records] as const].slice(-MOST_RANGES));
      keepNewest(turned, key, all, MOST);
      const [got, distinct] = [[...all.values()].reduce((sum, one) => sum + one, 0), covered(all)];
      if (all.size < LEAST_PAGES || got < distinct * 2) return;
      turned.delete(key);
      sight.broken({
        message: `The client asked for pages at the offsets ${[...all.keys()].join(', ')}, and so got ${got} records of ${distinct} prices.`,
        expected: 'The next `offset` is that of the page before plus the number of its records.',
        evidence: [call],
      });
    };
    return {
      call(call) {
        const page = pageOf(call);
        if (!page) return;
        const { selection, query, records } = page;
        if (records === undefined) {
          for (const [key, reading] of readings) {
            const isOfIt = key === selection || (call.channel === undefined && key.endsWith(` ${query}`));
            if (isOfIt) readings.set(key, { ...reading, hasFailed: true });
          }
          return;
        }
        if (records > 0) turn(page, records);
        const reading = readOn(readings.get(selection), page, records);
        keepNewest(readings, selection, reading, MOST);
        if (!reading.isPaged || !reading.ranges.some(([from, to]) => from === 0 && to >= reading.total)) return;
        pages = true;
        sight.met(reading.first, call);
      },
      end({ exam, clientOk }) {
        if (pages || clientOk === false) return;
        for (const { ranges, short, total, hasFailed } of readings.values()) {
          const isRead = (at: number): boolean => at >= total || ranges.some(([from, to]) => from <= at && at < to);
          // With a limit, a client may want no more than that. Only its own tests are expected to show that it can read on.
          const left = short.find(
            ({ next, limit }) => !isRead(next) && ((exam !== undefined && clientOk) || limit === Infinity),
          );
          if (!left || hasFailed) continue;
          const read = ranges.reduce((sum, [from, to]) => sum + Math.max(0, Math.min(to, total) - from), 0);
          return sight.broken({
            message: `The client read ${read} of ${total} prices, and did not ask for those from offset ${left.next} on.`,
            expected: 'The client asks for the next `offset` until it has as many prices as `total` says.',
            evidence: [left.page],
            isOfAbsence: true,
          });
        }
      },
    };
  },
};

/** The reading with another page. Behind an empty page, there is nothing, whatever `total` says. */
function readOn(before: Reading | undefined, { call, offset, limit, total }: PageRead, records: number): Reading {
  const page = pageCallOf(call);
  const next = offset + records;
  const ranges = joined(before?.ranges ?? [], [offset, records === 0 ? Infinity : next]);
  const short = before?.short ?? [];
  return {
    first: before?.first ?? page,
    ranges: ranges.slice(0, MOST_RANGES),
    short: records > 0 && records < limit ? [...short.slice(1 - MOST_RANGES), { page, next, limit }] : short,
    total,
    isPaged: before?.isPaged === true || offset > 0,
    hasFailed: before?.hasFailed === true || ranges.length > MOST_RANGES,
  };
}

function joined(ranges: readonly Range[], [from, to]: Range): readonly Range[] {
  const apart = ranges.filter(([start, end]) => end < from || start > to);
  const beside = [...ranges.filter((range) => !apart.includes(range)), [from, to] as const];
  const whole = [Math.min(...beside.map(([start]) => start)), Math.max(...beside.map(([, end]) => end))] as const;
  return [...apart, whole];
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
