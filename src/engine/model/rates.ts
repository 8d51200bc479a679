import { civilDate, isWeekend } from './calendar.js';
import type { Cents, Course, Product } from './world.js';

/** The total for `quantity` players. */
export interface PriceStep {
  readonly quantity: number;
  readonly price: Cents;
  readonly netRate: Cents;
  readonly publicRate: Cents;
}

const QUANTITIES = [1, 2, 3, 4] as const;
/** Fees are rounded to half units of the currency, group totals to twentieths. */
const FEE_STEP = 50;
const TOTAL_STEP = 5;
/** A price increase is 10 %. */
const RISE = 1.1;

/** The fee of one player on a day. It is the same all day; the time of day selects the product. */
export function dayFee(course: Course, product: Product, day: number): Cents {
  const weekend = isWeekend(day) ? course.weekendRate : 1000;
  const season = course.highMonths.includes(civilDate(day).month) ? course.highSeasonRate : 1000;
  const raised = RISE ** (course.amended?.raised.get(day) ?? 0);
  return Math.round((product.price * weekend * season * raised) / (1_000_000 * FEE_STEP)) * FEE_STEP;
}

/** The prices of a product on a day for one to four players. Each is a total; `netRate <= price <= publicRate`. */
export function priceSteps(course: Course, product: Product, day: number): readonly PriceStep[] {
  const fee = dayFee(course, product, day);
  return QUANTITIES.map((quantity) => {
    const factor = product.groupRates[quantity - 1]!;
    const price = Math.round((fee * quantity * factor) / (1000 * TOTAL_STEP)) * TOTAL_STEP;
    return {
      quantity,
      price,
      netRate: Math.floor((price * product.netRate) / 1000),
      publicRate: Math.ceil((price * product.publicRate) / 1000),
    };
  });
}
