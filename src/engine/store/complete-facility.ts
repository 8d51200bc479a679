import { COURSES_PER_FACILITY } from '../model/tee-sheet.js';
import type { Address, Course, ExtraProduct, Facility, Product, Services } from '../model/world.js';

export const FIRST_FACILITY_ID = 1001;

/** A facility without what follows from the rest: ids from its own, and e-mail addresses from its website. */
export interface FacilityCore extends Omit<Facility, 'email' | Part> {
  readonly address: Omit<Address, 'mid'>;
  readonly services: Omit<Services, 'mid'>;
  readonly reservationsContact: Omit<Facility['reservationsContact'], 'email'>;
  readonly extraProducts: readonly Omit<ExtraProduct, 'mid'>[];
  readonly courses: readonly CourseCore[];
}
type Part = 'address' | 'services' | 'reservationsContact' | 'extraProducts' | 'courses';
interface CourseCore extends Omit<Course, 'id' | 'facilityId' | 'ordinal' | 'products'> {
  readonly products: readonly Omit<Product, 'mid' | 'courseId'>[];
}

/** A facility with its ids and addresses. */
export function completed(core: FacilityCore): Facility {
  const { id: facilityId, name, website, reservationsContact } = core;
  const domain = website.slice('https://www.'.length);
  return {
    ...preceded({ id: facilityId, name, website, email: `info@${domain}` }, core),
    address: preceded({ mid: 20_000 + facilityId }, core.address),
    services: preceded({ mid: 40_000 + facilityId }, core.services),
    reservationsContact: preceded(
      { name: reservationsContact.name, email: `reservations@${domain}` },
      reservationsContact,
    ),
    extraProducts: core.extraProducts.map((extra, index) => preceded({ mid: facilityId * 100 + index + 1 }, extra)),
    courses: core.courses.map((course, index) => {
      const id = facilityId * 10 + index + 1;
      const ordinal = (facilityId - FIRST_FACILITY_ID) * COURSES_PER_FACILITY + index;
      const products = course.products.map((product, at) => preceded({ mid: id * 10 + at + 1, courseId: id }, product));
      return { ...preceded({ id, facilityId, ordinal }, course), products };
    }),
  };
}

/** An object with these fields first, in place of its own. */
function preceded<First extends object, Rest extends object>(first: First, rest: Rest): First & Rest {
  return { ...first, ...rest, ...first };
}
