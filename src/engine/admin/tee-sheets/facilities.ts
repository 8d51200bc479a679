import type { Facility } from '../../model/world.js';
import { checkChannel, readQuery } from '../read.js';
import type { AdminCall } from '../route.js';

const USUAL_PAGE = 50;
/** Facilities that one call looks at, so that a world of 100,000 does not stop the others. */
const MOST_SEEN = 5000;

/** What each facility is good for in a test, derived from its data. */
const uses = {
  'linked-tee-times': ({ courses }) =>
    courses.some(({ products }) => products.some(({ holes, teeTimeHoles }) => holes > teeTimeHoles)),
  'two-courses': ({ courses }) => courses.length > 1,
  'nine-holes': ({ courses }) => courses.some(({ holes }) => holes === 9),
  unconnected: ({ channels }) => channels.length === 0,
  'several-channels': ({ channels }) => channels.length > 1,
  'closed-days': ({ courses }) => courses.some(({ closedWeekdays }) => closedWeekdays.length > 0),
  'closed-season': ({ courses }) => courses.some(({ closedMonths }) => closedMonths.length > 0),
  'extra-products': ({ extraProducts }) => extraProducts.length > 0,
  'cancellation-by-players': ({ cancellation }) => cancellation.length > 1,
  'payment-at-booking': ({ paymentRule }) => paysWithBooking(paymentRule) === 100,
  'payment-in-parts': ({ paymentRule }) => paysWithBooking(paymentRule) > 0 && paysWithBooking(paymentRule) < 100,
  'payment-at-club': ({ paymentRule }) => paysWithBooking(paymentRule) === 0,
  'fails-on-purpose': ({ scenario }) => scenario !== undefined,
} as const satisfies Readonly<Record<string, (facility: Facility) => boolean>>;

/** The percentage that is paid with the booking. */
function paysWithBooking({ firstPaymentCondition, firstPaymentConditionPercentage }: Facility['paymentRule']): number {
  return firstPaymentCondition === 'Time of Booking' ? firstPaymentConditionPercentage : 0;
}

/** In order of id; `next` is where to go on. */
export async function listFacilities({ host: { engine }, request }: AdminCall): Promise<unknown> {
  const query = await readQuery(request, 'listFacilitiesQuery');
  const { from = 0, limit = USUAL_PAGE, goodFor, channel, text = '' } = query;
  checkChannel(
    engine.store.world.channels.map(({ name }) => name),
    channel,
  );
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const fits = (facility: Facility) =>
    (goodFor === undefined || uses[goodFor](facility)) &&
    (channel === undefined || facility.channels.includes(channel)) &&
    words.every((word) => wordsOf(facility).includes(word));
  const { world } = engine.store;
  const found: Facility[] = [];
  let position = world.position(from);
  for (const last = position + MOST_SEEN; position < last && found.length < limit; position += 1) {
    const facility = world.at(position);
    if (facility && fits(facility)) found.push(facility);
  }
  return { total: world.size, facilities: found.map(viewOf), next: world.at(position)?.id ?? null };
}

function wordsOf({ id, name, address, courses, scenario = '' }: Facility): string {
  const named = courses.map((course) => course.name);
  return [id, name, address.place, address.country, scenario, ...named].join(' ').toLowerCase();
}

function viewOf(facility: Facility): unknown {
  const { id, name, address, timeZone, currency, courses, channels, scenario } = facility;
  return {
    facilityId: id,
    name,
    place: address.place,
    country: address.country,
    timeZone,
    currency,
    courses: courses.map((course) => ({ courseId: course.id, name: course.name, holes: course.holes })),
    channels,
    goodFor: Object.entries(uses).flatMap(([use, fits]) => (fits(facility) ? [use] : [])),
    scenario: scenario ?? null,
  };
}
