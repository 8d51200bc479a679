import type { Course, Facility, Product } from '../../src/engine/model/world.js';

/** A facility, and one of its courses and products, judged together. */
export interface Candidate {
  readonly facility: Facility;
  readonly course: Course;
  readonly product: Product;
}

/** What a test may need of a facility, in words of docs/facilities.md. */
export interface FacilityNeed {
  readonly need: string;
  /** The part that the need is about: the table names it. */
  readonly part: 'facility' | 'course' | 'product';
  readonly fits: (candidate: Candidate) => boolean;
}

const DAY_PASS_HOLES = 36;

const isOpenAllYear = ({ closedWeekdays, closedMonths }: Course): boolean =>
  closedWeekdays.length === 0 && closedMonths.length === 0;

const isOnly = ({ channels }: Facility, channel: string): boolean => channels.length === 1 && channels[0] === channel;

const reaches = ({ cancellation }: Facility, ...hours: number[]): boolean =>
  cancellation.map(({ timePeriod }) => timePeriod).join() === hours.join();

/** In the order of the page. */
export const facilityNeeds = {
  simple: {
    need: 'one course of 18 holes that is open all year',
    part: 'course',
    fits: ({ facility, course }) =>
      facility.courses.length === 1 && course.holes === 18 && isOpenAllYear(course) && facility.channels.length > 1,
  },
  'nine-holes': {
    need: '9 holes only, and no product that needs linked tee times',
    part: 'course',
    fits: ({ facility, course }) =>
      facility.courses.length === 1 && course.products.every(({ holes }) => holes === 9) && isOpenAllYear(course),
  },
  'evening-nine': {
    need: 'tee times of 9 holes on a course of 18, in the evening',
    part: 'product',
    fits: ({ course, product }) => course.holes === 18 && isOpenAllYear(course) && product.teeTimeHoles === 9,
  },
  'linked-twice-round': {
    need: 'a green fee for 18 holes on a course of 9: two linked tee times',
    part: 'product',
    fits: ({ facility, course, product }) =>
      facility.channels.length > 1 && isOpenAllYear(course) && product.holes === 18 && product.teeTimeHoles === 9,
  },
  'linked-day-pass': {
    need: 'a green fee for 36 holes on a course of 18: two linked tee times',
    part: 'product',
    fits: ({ course, product }) => isOpenAllYear(course) && product.holes === DAY_PASS_HOLES,
  },
  'two-courses': {
    need: 'exactly two courses, both of 18 holes',
    part: 'facility',
    fits: ({ facility: { courses } }) =>
      courses.length === 2 && courses.every((course) => course.holes === 18 && isOpenAllYear(course)),
  },
  'three-courses': {
    need: 'three courses, one of them of 9 holes',
    part: 'facility',
    fits: ({ facility: { courses } }) => courses.length === 3 && courses.every(isOpenAllYear),
  },
  'several-products': {
    need: 'two green fees at the same tee time',
    part: 'product',
    fits: ({ course, product }) => isOpenAllYear(course) && product.name.includes('buggy'),
  },
  twilight: {
    need: 'a cheaper green fee in the afternoon',
    part: 'product',
    fits: ({ course, product }) => isOpenAllYear(course) && product.name.startsWith('Twilight 18'),
  },
  'group-price': {
    need: 'a price for four players that is not four times the price for one',
    part: 'product',
    fits: ({ course, product }) => isOpenAllYear(course) && product.groupRates[3] !== 1000,
  },
  'extra-products': {
    need: 'buggies and transfers as extra products',
    part: 'facility',
    fits: ({ facility: { extraProducts } }) =>
      new Set(extraProducts.map(({ category }) => category)).size === 2 && extraProducts.length > 2,
  },
  'no-extra-products': {
    need: 'no extra products',
    part: 'facility',
    fits: ({ facility }) => facility.extraProducts.length === 0,
  },
  'no-decimals': {
    need: 'prices in yen, a currency without decimals: a client that multiplies by 100 is found',
    part: 'facility',
    fits: ({ facility }) => facility.currency === 'JPY',
  },
  'closed-weekday': {
    need: 'a course that is closed on one weekday: an empty tee sheet',
    part: 'course',
    fits: ({ course }) => course.closedWeekdays.length > 0 && course.closedMonths.length === 0,
  },
  'closed-season': {
    need: 'a course that is closed in winter',
    part: 'course',
    fits: ({ course }) => course.closedMonths.length > 0,
  },
  unconnected: {
    need: 'a facility that is connected to no channel',
    part: 'facility',
    fits: ({ facility }) => facility.channels.length === 0,
  },
  'every-channel': {
    need: 'a facility that is connected to all three channels',
    part: 'facility',
    fits: ({ facility }) => facility.channels.length === 3,
  },
  'only-fairway': {
    need: 'a facility that is connected only to `fairway`',
    part: 'facility',
    fits: ({ facility }) => isOnly(facility, 'fairway'),
  },
  'only-links': {
    need: 'a facility that is connected only to `links`',
    part: 'facility',
    fits: ({ facility }) => isOnly(facility, 'links'),
  },
  'only-caddie': {
    need: 'a facility that is connected only to `caddie`',
    part: 'facility',
    fits: ({ facility }) => isOnly(facility, 'caddie'),
  },
  'country-the': {
    need: 'a country with a leading "the"',
    part: 'facility',
    fits: ({ facility }) => facility.address.country.startsWith('the '),
  },
  'non-ascii-country': {
    need: 'a country name with a non-ASCII letter',
    part: 'facility',
    fits: ({ facility }) => isBeyondAscii(facility.address.country),
  },
  'non-ascii-course': {
    need: 'a course name with non-ASCII letters',
    part: 'course',
    fits: ({ course }) => isBeyondAscii(course.name) && isOpenAllYear(course),
  },
  'non-ascii-first': {
    need: 'a name that begins with a non-ASCII letter',
    part: 'facility',
    fits: ({ facility }) => isBeyondAscii(facility.name.slice(0, 1)),
  },
  'escaped-name': {
    need: 'a name with an ampersand',
    part: 'facility',
    fits: ({ facility }) => facility.name.includes('&'),
  },
  'apostrophe-name': {
    need: 'a name with an apostrophe',
    part: 'facility',
    fits: ({ facility }) => facility.name.includes("'"),
  },
  'empty-fields': {
    need: 'an empty telephone number and first address line',
    part: 'facility',
    fits: ({ facility }) => facility.phoneNumber === '' && facility.address.address1 === '',
  },
  'cancel-any': {
    need: 'one cancellation period for any number of players',
    part: 'facility',
    fits: ({ facility }) => facility.cancellation.length === 1,
  },
  'cancel-by-players': {
    need: 'cancellation up to 48 hours before play for 1 to 3 players, and 96 for 4',
    part: 'facility',
    fits: ({ facility }) => reaches(facility, 48, 96),
  },
  'cancel-late': {
    need: 'cancellation up to 12 hours before play',
    part: 'facility',
    fits: ({ facility }) => reaches(facility, 12),
  },
  'paid-at-booking': {
    need: 'everything is paid with the booking',
    part: 'facility',
    fits: ({ facility }) => facility.paymentRule.name === 'Prepaid',
  },
  'paid-deposit': {
    need: '30 percent is paid with the booking, the rest at the club',
    part: 'facility',
    fits: ({ facility }) => facility.paymentRule.name === 'Deposit',
  },
  'paid-halves': {
    need: 'half is paid with the booking, half before play',
    part: 'facility',
    fits: ({ facility }) => facility.paymentRule.name === 'Two halves',
  },
  'paid-at-club': {
    need: 'everything is paid at the club',
    part: 'facility',
    fits: ({ facility }) => facility.paymentRule.name === 'Pay and play',
  },
  west: {
    need: 'a time zone far west of UTC',
    part: 'facility',
    fits: ({ facility }) => facility.timeZone === 'America/Los_Angeles',
  },
  east: {
    need: 'a time zone far east of UTC',
    part: 'facility',
    fits: ({ facility }) => facility.timeZone === 'Asia/Bangkok',
  },
  'no-summer-time': {
    need: 'no daylight saving time, in a country that has it',
    part: 'facility',
    fits: ({ facility }) => facility.timeZone === 'America/Phoenix',
  },
  'island-zone': {
    need: 'a different time zone from the rest of its country',
    part: 'facility',
    fits: ({ facility }) => facility.timeZone.startsWith('Atlantic/'),
  },
  'large-amounts': {
    need: 'prices in the thousands',
    part: 'facility',
    fits: ({ facility, course }) => facility.currency === 'THB' && course.holes === 18,
  },
} as const satisfies Readonly<Record<string, FacilityNeed>>;

export type FacilityNeedId = keyof typeof facilityNeeds;

function isBeyondAscii(text: string): boolean {
  return [...text].some((letter) => letter.codePointAt(0)! > 127);
}
