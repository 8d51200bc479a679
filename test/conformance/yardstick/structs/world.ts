import { clockAt, dayOf, minutes, mix, weekdayOf } from './go.js';

/** The facilities, courses and products of the deployment, and the two channels that sell them. */

export type Holes = 9 | 18;

export interface Product {
  readonly mid: number;
  readonly name: string;
  /** The holes that it entitles to; more than a round of the course if tee times have to be linked. */
  readonly holes: Holes;
  /** The tee times that it is sold for: those from `from` until before `until`, in minutes of the day. */
  readonly from: number;
  readonly until: number;
  /** Per head on a weekday, and before a reduction for late tee times. */
  readonly rate: number;
  readonly fullRate: number;
  /** What each of 1, 2, 3 and 4 players pays of the rate. */
  readonly steps: readonly number[];
}

export interface Course {
  readonly id: number;
  readonly name: string;
  readonly holes: Holes;
  readonly interval: number;
  /** From this minute of the day on, an 18-hole course sells rounds of nine holes. */
  readonly nineFrom: number;
  readonly products: readonly Product[];
}

interface Extra {
  readonly mid: number;
  readonly name: string;
  readonly category: 'Buggy' | 'Transfer';
  readonly amount: number;
}

export interface Facility {
  readonly id: number;
  readonly name: string;
  readonly country: string;
  readonly zone: string;
  readonly currency: string;
  readonly language: string;
  readonly website: string;
  readonly phone: string;
  readonly address: readonly [street: string, number: string, zipcode: string, place: string, state: string];
  readonly position: readonly [latitude: number, longitude: number];
  readonly founded: number;
  /** An instant; some have milliseconds that end in zeros. */
  readonly created: string;
  readonly courses: readonly Course[];
  readonly extras: readonly Extra[];
  readonly surcharge: number;
  readonly closedWeekday?: number;
  /** Minimum players, maximum players and hours. */
  readonly policy: readonly (readonly [number, number, number])[];
  readonly deposit: number;
  readonly whiteLabel: boolean;
}

const even = [1, 1, 1, 1];
const cheaper = [1, 1, 0.95, 0.9];
const dearer = [1, 1, 1.04, 1.1];
const endOfDay = 24 * 60;

interface Layout {
  readonly steps?: readonly number[];
  readonly twilight?: string;
  readonly nine?: string;
  readonly interval?: number;
  readonly linked?: boolean;
}

function course(id: number, name: string, holes: Holes, rate: number, layout: Layout = {}): Course {
  const { steps = even, interval = 20 } = layout;
  const nineFrom = layout.nine === undefined ? endOfDay : minutes(layout.nine);
  const twilight = layout.twilight === undefined ? nineFrom : minutes(layout.twilight);
  const products: Product[] = [];
  const add = (title: string, entitled: Holes, from: number, until: number, factor: number, full = factor) =>
    products.push({
      mid: id * 10 + products.length + 1,
      name: title,
      holes: entitled,
      from,
      until,
      rate: rate * factor,
      fullRate: rate * full,
      steps,
    });
  add(holes === 18 ? 'Green fee 18 holes' : 'Green fee 9 holes', holes, 0, twilight, 1);
  if (twilight < nineFrom) add(`Twilight ${holes} holes`, holes, twilight, nineFrom, 0.6, 1);
  if (nineFrom < endOfDay) add('Sunset nine', 9, nineFrom, endOfDay, 0.45);
  if (layout.linked === true) {
    add('Two rounds (18 holes)', 18, 0, twilight, 0.9);
    add('Two rounds & lunch (18 holes)', 18, 0, twilight, 1.15);
  } else if (holes === 18) {
    add('Green fee & range balls', 18, 0, twilight, 1.12);
  }
  return { id, name, holes, interval, nineFrom, products };
}

const buggies = (mid: number, amount: number): Extra[] => [
  { mid, name: 'Buggy (2 seats)', category: 'Buggy', amount },
  { mid: mid + 1, name: 'Hotel transfer <one way>', category: 'Transfer', amount: amount * 0.8 },
];

export const facilities: readonly Facility[] = [
  {
    id: 1204,
    name: "Golfclub 't Zwaluwnest",
    country: 'the Netherlands',
    zone: 'Europe/Amsterdam',
    currency: 'EUR',
    language: 'nl',
    website: 'https://zwaluwnest.example',
    phone: '+31 20 555 0104',
    address: ["Laan van 't Duin", '12', '1949 AB', 'Wijk aan Zee', 'Noord-Holland'],
    position: [52.4931, 4.5942],
    founded: 1921,
    created: '2019-03-04T09:15:22.000Z',
    courses: [
      course(311, 'Duincourse', 18, 72.35, { steps: cheaper, twilight: '15:00', nine: '17:00' }),
      course(312, 'Korte Negen', 9, 24.95, { linked: true, twilight: '16:00' }),
    ],
    extras: buggies(901, 37.5),
    surcharge: 1.2,
    policy: [[1, 4, 48]],
    deposit: 30,
    whiteLabel: true,
  },
  {
    id: 1207,
    name: 'Golf & Country Club De Hoge Veenen',
    country: 'the Netherlands',
    zone: 'Europe/Amsterdam',
    currency: 'EUR',
    language: 'nl',
    website: '',
    phone: '',
    address: ['Veenweg', '3', '6731 XS', 'Otterlo', 'Gelderland'],
    position: [52.0987, 5.7731],
    founded: 1978,
    created: '2020-11-19T14:02:07.120Z',
    courses: [course(321, 'Parkbaan', 18, 58.95, { steps: dearer, interval: 25 })],
    extras: [],
    surcharge: 1.15,
    closedWeekday: 1,
    policy: [
      [1, 2, 24],
      [3, 4, 72],
    ],
    deposit: 0,
    whiteLabel: false,
  },
  {
    id: 1311,
    name: "Saint Mungo's Links",
    country: 'the United Kingdom',
    zone: 'Europe/London',
    currency: 'GBP',
    language: 'en',
    website: 'https://mungo-links.example',
    phone: '+44 1334 555 017',
    address: ['Shore Road', '1', 'KY10 3XN', 'Crail', 'Fife'],
    position: [56.2608, -2.6262],
    founded: 1786,
    created: '2018-06-30T07:45:59.418Z',
    courses: [
      course(331, 'Old Course', 18, 118.5, { twilight: '14:30', nine: '17:00' }),
      course(332, 'Old Course Short', 9, 31.25, { interval: 15 }),
      course(333, 'Championship', 18, 164, { steps: cheaper, interval: 30 }),
    ],
    extras: buggies(911, 45),
    surcharge: 1.25,
    policy: [
      [1, 2, 48],
      [3, 4, 120],
    ],
    deposit: 50,
    whiteLabel: true,
  },
  {
    id: 1318,
    name: 'Ashdown Heath Golf Club',
    country: 'the United Kingdom',
    zone: 'Europe/London',
    currency: 'GBP',
    language: 'en',
    website: 'https://ashdown-heath.example',
    phone: '+44 1342 555 082',
    address: ['Chapel Lane', '40', 'RH18 5LR', 'Forest Row', 'East Sussex'],
    position: [51.0789, 0.0412],
    founded: 1888,
    created: '2021-02-11T10:00:00.500Z',
    courses: [course(341, 'Heath', 18, 66.75, { steps: dearer, nine: '16:00' })],
    extras: [],
    surcharge: 1.3,
    policy: [[1, 4, 24]],
    deposit: 100,
    whiteLabel: false,
  },
  {
    id: 1402,
    name: 'Club de Golf Peñalara',
    country: 'Spain',
    zone: 'Europe/Madrid',
    currency: 'EUR',
    language: 'es',
    website: 'https://penalara.example/reservas?idioma=es&canal=web',
    phone: '+34 91 555 04 40',
    address: ['Camino del Arroyo', 's/n', '28740', 'Rascafría', 'Madrid'],
    position: [40.9048, -3.8791],
    founded: 1994,
    created: '2019-09-01T00:00:00.000Z',
    courses: [
      course(351, 'Campo Norte', 18, 54.45, { steps: cheaper, twilight: '15:30' }),
      course(352, 'Campo Sur', 18, 49.95, { interval: 30 }),
    ],
    extras: buggies(921, 32.5),
    surcharge: 1.18,
    policy: [[1, 4, 72]],
    deposit: 20,
    whiteLabel: true,
  },
  {
    id: 1409,
    name: 'Campo de Golf Los Órganos',
    country: 'Spain',
    zone: 'Atlantic/Canary',
    currency: 'EUR',
    language: 'es',
    website: 'https://los-organos.example',
    phone: '+34 922 555 318',
    address: ['Calle del Mar', '7', '38840', 'Vallehermoso', 'Santa Cruz de Tenerife'],
    position: [28.1817, -17.2655],
    founded: 2003,
    created: '2022-01-20T16:20:41.077Z',
    courses: [course(361, 'Océano', 18, 83.15, { twilight: '14:00' })],
    extras: buggies(931, 28),
    surcharge: 1.1,
    policy: [
      [1, 3, 24],
      [4, 4, 96],
    ],
    deposit: 25,
    whiteLabel: true,
  },
  {
    id: 1515,
    name: 'Higashiyama Country Club 東山',
    country: 'Japan',
    zone: 'Asia/Tokyo',
    currency: 'JPY',
    language: 'ja',
    website: 'https://higashiyama.example',
    phone: '+81 75 555 0190',
    address: ['Kiyomizu', '2-114', '605-0862', 'Kyōto', '京都府'],
    position: [34.9948, 135.785],
    founded: 1962,
    created: '2020-05-17T03:33:10.250Z',
    courses: [
      course(371, 'East', 18, 14800, { steps: dearer, twilight: '14:00' }),
      course(372, '西コース', 18, 12650, { interval: 30, nine: '16:30' }),
    ],
    extras: buggies(941, 5400),
    surcharge: 1.35,
    closedWeekday: 2,
    policy: [[1, 4, 168]],
    deposit: 0,
    whiteLabel: false,
  },
  {
    id: 1610,
    name: 'Nandi Hills & Lake Golf Resort',
    country: 'India',
    zone: 'Asia/Kolkata',
    currency: 'INR',
    language: 'en',
    website: 'https://nandi-lake.example',
    phone: '+91 80 5550 1620',
    address: ['Lake View Road', '88', '562101', 'Chikkaballapur', 'Karnataka'],
    position: [13.4355, 77.7315],
    founded: 2008,
    created: '2021-08-08T11:11:11.111Z',
    courses: [
      course(381, 'Hills', 18, 4250.5, { steps: cheaper, twilight: '14:30' }),
      course(382, 'Lake', 9, 1899.75, { interval: 30 }),
    ],
    extras: buggies(951, 1250),
    surcharge: 1.2,
    policy: [[1, 4, 24]],
    deposit: 40,
    whiteLabel: true,
  },
  {
    id: 1701,
    name: 'Rimba Raya Golf',
    country: 'Indonesia',
    zone: 'Asia/Jakarta',
    currency: 'IDR',
    language: 'id',
    website: 'https://rimba-raya.example',
    phone: '+62 21 5550 177',
    address: ['Jalan Rimba', '5', '16810', 'Bogor', 'Jawa Barat'],
    position: [-6.5971, 106.806],
    founded: 1996,
    created: '2023-04-02T02:48:36.900Z',
    courses: [course(391, 'Gunung', 18, 5_950_000, { twilight: '13:30' })],
    extras: buggies(961, 1_100_000),
    surcharge: 1.4,
    policy: [[1, 4, 48]],
    deposit: 50,
    whiteLabel: false,
  },
  {
    id: 1803,
    name: 'Mesa del Sol Golf',
    country: 'United States',
    zone: 'America/Denver',
    currency: 'USD',
    language: 'en',
    website: 'https://mesa-sol.example',
    phone: '+1 505 555 0133',
    address: ['University Boulevard', '5601', '87106', 'Albuquerque', 'NM'],
    position: [34.9881, -106.6187],
    founded: 1999,
    created: '2018-12-12T22:05:03.040Z',
    courses: [course(401, 'Mesa', 18, 89, { steps: cheaper, nine: '16:30' })],
    extras: [],
    surcharge: 1.25,
    policy: [[1, 4, 24]],
    deposit: 100,
    whiteLabel: true,
  },
  {
    id: 1812,
    name: 'Pine Hollow Municipal',
    country: 'United States',
    zone: 'America/New_York',
    currency: 'USD',
    language: 'en',
    website: 'https://pine-hollow.example',
    phone: '+1 585 555 0171',
    address: ['Hollow Road', '210', '14617', 'Rochester', 'NY'],
    position: [43.2206, -77.5983],
    founded: 1934,
    created: '2019-07-04T12:00:00.700Z',
    courses: [course(411, 'Pines', 9, 27.5, { linked: true, interval: 15 })],
    extras: buggies(971, 18),
    surcharge: 1.15,
    policy: [
      [1, 2, 12],
      [3, 3, 24],
      [4, 4, 48],
    ],
    deposit: 0,
    whiteLabel: false,
  },
  {
    id: 1905,
    name: "Golf d'Assinie-Lagune",
    country: "Côte d'Ivoire",
    zone: 'Africa/Abidjan',
    currency: 'XOF',
    language: 'fr',
    website: 'https://assinie-lagune.example',
    phone: '+225 27 5550 1905',
    address: ["Route de l'Océan", '', '', 'Assinie-Mafia', 'Sud-Comoé'],
    position: [5.1312, -3.2817],
    founded: 2011,
    created: '2022-10-10T08:08:08.008Z',
    courses: [course(421, 'Lagune', 18, 34500, { steps: dearer, twilight: '15:00', nine: '16:30' })],
    extras: buggies(981, 15000),
    surcharge: 1.2,
    policy: [[1, 4, 36]],
    deposit: 10,
    whiteLabel: false,
  },
  {
    id: 2001,
    name: 'Bayside Golf & Racquet',
    country: 'Trinidad & Tobago',
    zone: 'America/Port_of_Spain',
    currency: 'TTD',
    language: 'en',
    website: 'https://bayside.example',
    phone: '+1 868 555 0120',
    address: ['Bay Street', '9', '900001', 'Scarborough', 'Tobago'],
    position: [11.1837, -60.7352],
    founded: 1955,
    created: '2024-02-29T18:30:00.001Z',
    courses: [course(431, 'Bay', 18, 420)],
    extras: [],
    surcharge: 1.1,
    policy: [[1, 4, 24]],
    deposit: 0,
    whiteLabel: false,
  },
];

export interface Account {
  readonly name: string;
  readonly password: string;
  readonly refreshToken: string;
  readonly connected: ReadonlySet<number>;
}

export const accounts: readonly Account[] = [
  {
    name: 'fairway-travel',
    password: 'niblick:1921',
    refreshToken: 'rt_0f6c2d51a9e84b7794d1',
    connected: new Set([1204, 1207, 1311, 1402, 1515, 1610, 1701, 1812]),
  },
  {
    name: 'links-and-more',
    password: 'mashie&spoon',
    refreshToken: 'rt_b3a70c1e55d24f08862e',
    connected: new Set([1204, 1311, 1318, 1409, 1515, 1803, 1812, 1905]),
  },
];

/** A booking that exists from the start: on which day it is, counted from today, and who made it. */
interface EarlierBooking {
  readonly account: number;
  readonly facility: number;
  readonly course: number;
  readonly offset: number;
  readonly players: number;
  readonly canceled: boolean;
  readonly contact: readonly [first: string, last: string];
}

const earlier = (
  account: number,
  facility: number,
  course: number,
  offset: number,
  players: number,
  contact: readonly [string, string],
  canceled = false,
): EarlierBooking => ({ account, facility, course, offset, players, contact, canceled });

export const earlierBookings: readonly EarlierBooking[] = [
  earlier(0, 1204, 311, 6, 2, ['Maartje', "van 't Hoff"]),
  earlier(0, 1610, 381, 11, 3, ['Arjun', 'Nāyak']),
  earlier(0, 1311, 333, -12, 4, ['Siobhán', "O'Neill"]),
  earlier(0, 1515, 371, 20, 2, ['Jörg', 'Müller & Söhne'], true),
  earlier(0, 1207, 321, -45, 1, ['Anna', 'de Wit']),
  earlier(1, 1204, 311, 6, 1, ['Lucía', 'Fernández Peña']),
  earlier(1, 1318, 341, 9, 4, ['Tom', 'Ashby-Clarke']),
  earlier(1, 1803, 401, -5, 2, ['Renée', 'Dubois']),
  earlier(1, 1905, 421, 30, 3, ['Awa', 'Koné'], true),
  earlier(1, 1515, 372, -70, 2, ['Haruki', '佐藤'], true),
];

export const facilityOf = (id: number): Facility | undefined => facilities.find((facility) => facility.id === id);

const courseOrder = facilities.flatMap((facility) => facility.courses.map(({ id }) => id));
/** The players of ten tee times in a row; where the row starts differs from day to day and course to course. */
const occupancy = [0, 0, 3, 0, 1, 0, 0, 4, 2, 0];
const opening = 7 * 60 + 30;
const closing = 18 * 60;

/** One place on the tee sheet, as the facility plans it. */
export interface Slot {
  readonly teeId: number;
  readonly day: number;
  readonly clock: string;
  readonly holes: Holes;
  /** Players of the facility itself, who have their tee time already. */
  readonly taken: number;
  readonly products: readonly Product[];
}

const closedOn = (facility: Facility, day: number): boolean =>
  weekdayOf(day) === facility.closedWeekday || day === dayOf(`${new Date(day * 86_400_000).getUTCFullYear()}-12-25`);

/** The whole tee sheet of a course on a day, without regard to bookings and the clock. */
export function plan(facility: Facility, { id, holes, interval, nineFrom, products }: Course, day: number): Slot[] {
  if (closedOn(facility, day)) return [];
  const slots: Slot[] = [];
  for (let minute = opening; minute <= closing; minute += interval) {
    const teeId = (day * 32 + courseOrder.indexOf(id)) * 64 + slots.length;
    const round = minute >= nineFrom ? 9 : holes;
    slots.push({
      teeId,
      day,
      clock: clockAt(minute),
      holes: round,
      taken: occupancy[(slots.length + mix(day, id)) % occupancy.length] ?? 0,
      products: products.filter(({ from, until }) => from <= minute && minute < until),
    });
  }
  return slots;
}

export const isWeekend = (day: number): boolean => weekdayOf(day) === 0 || weekdayOf(day) === 6;

const wholeUnits = new Set(['JPY', 'XOF', 'IDR']);

/** Rounds an amount to what the currency can pay. */
export const rounded = (amount: number, currency: string): number =>
  wholeUnits.has(currency) ? Math.round(amount) : Math.round(amount * 100 + 1e-6) / 100;

/** The total for a number of players. */
export function totalFor(facility: Facility, product: Product, weekend: boolean, players: number): number {
  const head = product.rate * (weekend ? facility.surcharge : 1);
  return rounded(head * players * (product.steps[players - 1] ?? 1), facility.currency);
}
