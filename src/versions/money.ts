import type { Cents, ExtraProduct, Facility } from '../domain/world.js';

/** Section "Money". */
export function money(amount: Cents, currency: string): { amount: number; currency: string } {
  return { amount: amount / 100, currency };
}

/** The extra products of a facility as offers with a tee time (section "Tee time", ExtraProductOffer). */
export function extraProductOffers({ extraProducts, currency }: Facility): unknown[] {
  return extraProducts.map(({ mid, name, category, price, netRate, publicRate }: ExtraProduct) => ({
    mid,
    name,
    category,
    price: money(price, currency),
    netRate: money(netRate, currency),
    publicRate: money(publicRate, currency),
  }));
}
