import { formatQueryDate } from '../../model/calendar.js';
import type { PriceKey } from '../../model/forms.js';
import { invalid } from '../../model/refusal.js';
import { type PriceStep, priceSteps } from '../../model/tee-sheet.js';
import type { Course, Facility, Product } from '../../model/world.js';
import type { Answers } from '../../../contract/index.js';
import { type CachedPrices, cachedBody } from '../../store/caches.js';
import { type Call, encodeSuccess, type Engine, type Route } from './call.js';
import { facilityOf, isOpenTo } from './facilities.js';
import { jsonAround, midnight } from './tee-time-texts.js';

/** The price of one product on one day, for the writer of a version. */
interface PriceView {
  readonly facility: Facility;
  readonly course: Course;
  readonly product: Product;
  readonly day: number;
  /** `yyyy-mm-dd` */
  readonly date: string;
  readonly steps: readonly PriceStep[];
  /** Future tee times with free slots. */
  readonly availability: { time: string; available: number }[];
}

export interface PriceWriter<Written = unknown> {
  write(view: PriceView, answers: Answers): Written;
}

export interface PriceParams {
  readonly facilityIds: readonly number[];
  readonly fromDate: number;
  readonly toDate: number;
  readonly offset: number | undefined;
  readonly limit: number | undefined;
}

/** A page of price records. Whether `total` counts the records of the page or of the whole selection is open. */
export interface PricePage<Written> {
  readonly records: Written[];
  readonly total: number;
}

/** The records of one course over the requested days: by day, then in the order of its products. */
interface Stretch {
  readonly facility: Facility;
  readonly course: Course;
  readonly records: number;
}

/** The price records of up to five facilities over a range of days, in pages (section "Pricing"). */
export function listPrices<Written>(writer: PriceWriter<Written>): Route<PriceParams, PricePage<Written>> {
  return ({ engine, channel, params }: Call<PriceParams>) => {
    const { fromDate, toDate } = params;
    if (fromDate > toDate) {
      throw invalid('prices.range-order', 'toDate', 'must not be before `fromDate`', formatQueryDate(toDate));
    }
    const days = toDate - fromDate + 1;
    const most = engine.answers['prices.max-days'];
    if (days > most)
      throw invalid('prices.query.toDate', 'toDate', `must be at most ${most} days from \`fromDate\``, days);
    const { priceOrder, priceDays, priceFacilities } = engine.store.world.forms ?? {};
    const { facilityIds: asked } = params;
    const ids = priceFacilities === 'by-id' ? asked.toSorted((a, b) => a - b) : asked;
    const stretches = ids.flatMap((id) => stretchesOf(engine, channel.name, id, days));
    const { offset, limit } = pageOf(engine.answers, params);
    const selected = priceOrder || priceDays ? selectionOf(engine, stretches, fromDate, toDate) : undefined;
    const pieces = selected
      ? selected.slice(offset, offset + limit).map((one) => pieceOf(engine, writer, one))
      : piecesOf(engine, writer, stretches, fromDate, offset, limit);
    const isPage = engine.answers['prices.total-meaning'] === 'page';
    const total = isPage
      ? pieces.reduce((sum, { from, to }) => sum + to - from, 0)
      : (selected?.length ?? stretches.reduce((sum, { records }) => sum + records, 0));
    const key = `prices ${channel.name} ${params.facilityIds.join()} ${fromDate} ${toDate} ${offset} ${limit}`;
    const make = () => {
      const texts = pieces.flatMap(({ day, from, to }) => day.texts.slice(from, to));
      return encodeSuccess(jsonAround(texts, (records: Written[]): PricePage<Written> => ({ records, total })));
    };
    const parts = pieces.map(({ day }) => day);
    return { body: cachedBody(engine.store.caches.wholes, key, parts, make) };
  };
}

function stretchesOf(engine: Engine, channel: string, id: number, days: number): Stretch[] {
  const unknown = !engine.store.world.facility(id);
  if (unknown && engine.answers['facility.unknown'] === 'empty') return [];
  const facility = facilityOf(engine, id, null);
  if (!isOpenTo(engine, facility, channel)) return [];
  return facility.courses.map((course) => ({ facility, course, records: days * course.products.length }));
}

/** The default and the maximum of a page are open questions (section "Limits"). */
function pageOf(answers: Answers, params: PriceParams): { offset: number; limit: number } {
  const most = answers['prices.max-limit'] || Infinity;
  const offset = params.offset ?? answers['prices.default-offset'];
  const limit = params.limit ?? (answers['prices.default-limit'] || Infinity);
  if (limit > most && params.limit !== undefined && answers['prices.over-max-limit'] === 'refused') {
    throw invalid('prices.query.limit', 'limit', `must be at most ${most}`, limit);
  }
  return { offset, limit: Math.min(limit, most) };
}

/** The records of one day on a page. */
interface CachedDay {
  readonly day: CachedPrices;
  readonly from: number;
  readonly to: number;
}

/** A price record before it is written. */
interface Selected {
  readonly facility: Facility;
  readonly course: Course;
  readonly day: number;
  /** The position of the product on its course. */
  readonly at: number;
}

/** The records of a world whose file says which there are, or in which order they come. */
function selectionOf({ store }: Engine, stretches: readonly Stretch[], from: number, to: number): readonly Selected[] {
  const { priceOrder = ['facility', 'course', 'date', 'product'], priceDays = 'all' } = store.world.forms ?? {};
  const isListed = (course: Course, day: number, product: Product): boolean => {
    if (priceDays === 'all') return true;
    const { teeTimes } = store.sheet(course, day);
    if (priceDays === 'open') return teeTimes.length > 0;
    return teeTimes.some((one) => one.products.includes(product) && store.free(one) > 0);
  };
  const found: (Selected & { readonly keys: Readonly<Record<PriceKey, number>> })[] = [];
  const facilities = [...new Set(stretches.map(({ facility }) => facility))];
  for (const [index, { facility, course }] of stretches.entries()) {
    for (let day = from; day <= to; day += 1) {
      for (const [at, product] of course.products.entries()) {
        if (!isListed(course, day, product)) continue;
        const keys = { facility: facilities.indexOf(facility), course: index, date: day, product: at };
        found.push({ facility, course, day, at, keys });
      }
    }
  }
  const compare = (one: (typeof found)[number], other: (typeof found)[number]): number => {
    const key = priceOrder.find((name) => one.keys[name] !== other.keys[name]);
    return key === undefined ? 0 : one.keys[key] - other.keys[key];
  };
  return found.sort(compare);
}

function pieceOf(engine: Engine, writer: PriceWriter, { facility, course, day, at }: Selected): CachedDay {
  return { day: dayPrices(engine, writer, facility, course, day), from: at, to: at + 1 };
}

/** Only the days on the page are written; the others are counted. */
function piecesOf(
  engine: Engine,
  writer: PriceWriter,
  stretches: readonly Stretch[],
  fromDate: number,
  offset: number,
  limit: number,
): CachedDay[] {
  const pieces: CachedDay[] = [];
  let skip = offset;
  let left = limit;
  for (const { facility, course, records } of stretches) {
    if (skip >= records) {
      skip -= records;
      continue;
    }
    const perDay = course.products.length;
    for (let at = skip; at < records && left > 0;) {
      const day = dayPrices(engine, writer, facility, course, fromDate + Math.floor(at / perDay));
      const from = at % perDay;
      const to = Math.min(perDay, from + left);
      pieces.push({ day, from, to });
      left -= to - from;
      at += to - from;
    }
    skip = 0;
    if (left <= 0) break;
  }
  return pieces;
}

/** The records of one course and day, cached until a booking or the clock changes them. */
function dayPrices(engine: Engine, writer: PriceWriter, facility: Facility, course: Course, day: number): CachedPrices {
  const { store } = engine;
  const key = `${course.id} ${day}`;
  const revision = store.revision([course], day);
  const now = engine.now();
  const kept = store.caches.priceDays.get(key);
  if (kept && kept.revision === revision && kept.from <= now && now < kept.until) return kept;
  const sheet = store.sheet(course, day);
  const start = midnight(engine, facility, sheet);
  const showsPast = store.world.forms?.pastTeeTimes === 'listed';
  const coming = sheet.teeTimes.filter(({ minute }) => showsPast || start + minute * 60_000 > now);
  const texts = course.products.map((product) => {
    const availability = coming.flatMap((teeTime) => {
      const available = teeTime.products.includes(product) ? store.free(teeTime) : 0;
      return available > 0 ? [{ time: teeTime.time.slice(11), available }] : [];
    });
    const steps = priceSteps(course, product, day);
    const view: PriceView = { facility, course, product, day, date: sheet.date, steps, availability };
    return JSON.stringify(writer.write(view, engine.answers));
  });
  const past = sheet.teeTimes.length - coming.length;
  const from = past > 0 ? start + sheet.teeTimes[past - 1]!.minute * 60_000 : -Infinity;
  const until = coming.length > 0 ? start + coming[0]!.minute * 60_000 : Infinity;
  return store.caches.priceDays.set(key, { texts, revision, from, until });
}
