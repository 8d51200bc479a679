import type { Cents, ExtraProduct, Facility } from '../../model/world.js';
import type { Schemas } from '../routes/payload.js';

/** Section "Money". */
export function money(amount: Cents, currency: string): Schemas['Money'] {
  return { amount: amount / 100, currency };
}

/** The extra products of a facility as offers with a tee time (section "Tee time", ExtraProductOffer). */
export function extraProductOffers({ extraProducts, currency }: Facility): Schemas['ExtraProductOffer'][] {
  return extraProducts.map(({ mid, name, category, price, netRate, publicRate }: ExtraProduct) => ({
    mid,
    name,
    category,
    price: money(price, currency),
    netRate: money(netRate, currency),
    publicRate: money(publicRate, currency),
  }));
}
