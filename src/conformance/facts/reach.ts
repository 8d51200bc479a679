import type { RunReach } from '../client/report-parts.js';
import type { RuleResult } from '../client/types.js';
import { type Claim, type Facts, freeOf, isCurrency, type ProductFact, type SheetClaim } from './facts.js';

const sorted = (values: Iterable<string>): string[] => [...new Set(values)].sort();

/** The data behind the verdicts of a run: what its answers were about, and which kinds of things they never showed. */
export function reachOf(facts: Facts, rules: readonly RuleResult[]): RunReach {
  const { sheets, prices, facilities, bookingLists } = facts;
  const claims: readonly Claim[] = [...sheets, ...prices, ...facilities, ...bookingLists];
  const records = prices.flatMap((page) => page.records);
  const ids = new Set([...sheets, ...facilities].map(({ facilityId }) => facilityId));
  const zones = sorted([...ids].flatMap((id) => facts.zoneOf(id) ?? []));
  const days = sorted([...sheets.map(({ day }) => day), ...records.map(({ date }) => String(date))]);
  const currencies = sorted(records.map(({ currency }) => currency).filter(isCurrency));
  return {
    comparisons: rules.reduce((sum, { reach }) => sum + (reach?.comparisons ?? 0), 0),
    facilities: ids.size,
    days: days.length,
    currencies,
    zones,
    versions: sorted(claims.map(({ version }) => version)),
    channels: new Set(claims.map(({ channel }) => channel)).size,
    never: claims.length === 0 ? [] : neverMet(facts, { zones, days, currencies }),
  };
}

/** The kinds that a deployment may offer and that no answer of the run showed, in words. */
function neverMet(
  { sheets, prices }: Facts,
  { zones, days, currencies }: Pick<RunReach, 'zones' | 'currencies'> & { readonly days: readonly string[] },
): readonly string[] {
  const teeTimes = sheets.flatMap((sheet) => sheet.teeTimes);
  const products = teeTimes.flatMap((one) => one.products ?? []);
  const weekday = (day: string): number => new Date(`${day}T00:00:00Z`).getUTCDay();
  const kinds: readonly (readonly [met: boolean, what: string])[] = [
    [currencies.length > 1, 'a second currency'],
    [currencies.some((code) => unitless.has(code.toUpperCase())), 'a currency without decimals'],
    [zones.some((zone) => zone.startsWith('America/')), 'a facility in America, west of UTC'],
    [zones.some((zone) => /^(Asia|Australia|Pacific)\//.test(zone)), 'a facility far east of UTC'],
    [days.some((day) => [0, 6].includes(weekday(day))), 'a weekend'],
    [new Set(days.map((day) => day.slice(0, 7))).size > 1, 'the turn of a month'],
    [hasSecondCourse(sheets), 'a facility with two courses'],
    [products.some(hasStepPrices), 'a product that costs less for more players'],
    [teeTimes.some(({ extras }) => (extras?.length ?? 0) > 0), 'extra products'],
    [sheets.some((sheet) => sheet.teeTimes.length === 0), 'a tee sheet without tee times'],
    [teeTimes.some((one) => [1, 2, 3].includes(freeOf(one) ?? 0)), 'a tee time that is booked in part'],
    [prices.some(({ total, records }) => Number(total) > records.length), 'a price list of several pages'],
  ];
  return kinds.filter(([met]) => !met).map(([, what]) => what);
}

/** Currencies that are in use without decimals. */
const unitless: ReadonlySet<string> = new Set(['JPY', 'KRW', 'ISK', 'CLP', 'VND', 'HUF', 'XOF', 'XAF', 'PYG', 'UGX']);

function hasSecondCourse(sheets: readonly SheetClaim[]): boolean {
  const courses = new Map<number, Set<unknown>>();
  for (const { facilityId, teeTimes } of sheets) {
    const known = courses.get(facilityId) ?? new Set();
    courses.set(facilityId, known);
    for (const { course } of teeTimes) known.add(course);
  }
  return [...courses.values()].some(({ size }) => size > 1);
}

/** Whether the price of several players is not so many times that of one. */
function hasStepPrices({ steps }: ProductFact): boolean {
  const one = steps.find(({ quantity }) => quantity === 1)?.price?.amount;
  if (one === undefined) return false;
  return steps.some(({ quantity, price }) => price && quantity && Math.abs(price.amount - one * quantity) > 0.05 * one);
}
