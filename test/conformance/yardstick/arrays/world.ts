/** The facilities, courses and products of the deployment, and the tee sheet of any date. */

export type Holes = 9 | 18;

export interface Product {
  readonly mid: number;
  readonly name: string;
  /** The holes that the product covers; more than `round` when it needs linked tee times. */
  readonly holes: Holes;
  /** The holes of the tee times that offer the product. */
  readonly round: Holes;
  readonly base: number;
  readonly from: number;
  readonly until: number;
}

export interface Course {
  readonly id: number;
  readonly name: string;
  readonly every: number;
  /** Weekdays without tee times, 0 for Sunday. */
  readonly closed: readonly number[];
  readonly holes: Holes;
  /** The minute of the day from which an 18-hole course sells nine holes. */
  readonly evening: number;
  readonly products: readonly Product[];
}

export interface Extra {
  readonly mid: number;
  readonly name: string;
  readonly category: 'Transfer' | 'Buggy';
  readonly price: number;
}

export interface Address {
  readonly address1: string;
  readonly address2: string;
  readonly number: string;
  /** Left out of responses when the facility has none. */
  readonly addition?: string;
  readonly zipcode: string;
  readonly place: string;
  readonly state: string;
  readonly country: string;
}

export interface Facility {
  readonly id: number;
  readonly name: string;
  readonly code: string;
  readonly address: Address;
  readonly region: string;
  readonly latitude: number;
  readonly longitude: number;
  readonly timeZone: string;
  readonly language: string;
  readonly currency: string;
  readonly domain: string;
  readonly phone: string;
  readonly founded: number;
  readonly created: string;
  /** Names of the channels that may sell the facility. */
  readonly connected: readonly string[];
  readonly weekend: number;
  /** The factor per player for groups of one to four. */
  readonly steps: readonly [number, number, number, number];
  readonly commission: number;
  readonly policy: readonly (readonly [from: number, to: number, hours: number])[];
  readonly extras: readonly Extra[];
  readonly courses: readonly Course[];
}

const minutes = (hour: number, minute = 0): number => hour * 60 + minute;
const opening = minutes(6, 30);
const closing = minutes(18, 30);
const endOfDay = minutes(24);

interface CourseOptions {
  readonly every?: number;
  readonly closed?: readonly number[];
  readonly twilight?: number;
  readonly evening?: number;
}

function fullCourse(id: number, name: string, base: number, options: CourseOptions = {}): Course {
  const { every = 20, closed = [], twilight = endOfDay, evening = endOfDay } = options;
  const full = { holes: 18, round: 18 } as const;
  const products: Product[] = [
    { mid: id * 100 + 1, name: 'Green fee', ...full, base, from: 0, until: Math.min(twilight, evening) },
  ];
  if (twilight < evening) {
    const price = base * 0.65;
    products.push({ mid: id * 100 + 2, name: 'Twilight rate', ...full, base: price, from: twilight, until: evening });
  }
  if (evening < endOfDay) {
    const nine = { holes: 9, round: 9, base: base / 2 } as const;
    products.push({ mid: id * 100 + 3, name: 'After-work nine', ...nine, from: evening, until: endOfDay });
  }
  return { id, name, every, closed, holes: 18, evening, products };
}

/** A nine-hole course: its 18-hole product takes two linked tee times. */
function nineCourse(id: number, name: string, base: number, options: CourseOptions = {}): Course {
  const { every = 20, closed = [] } = options;
  const round = { round: 9, from: 0, until: endOfDay } as const;
  return {
    id,
    name,
    every,
    closed,
    holes: 9,
    evening: endOfDay,
    products: [
      { mid: id * 100 + 1, name: 'Green fee, nine holes', holes: 9, base, ...round },
      { mid: id * 100 + 2, name: 'Green fee, 18 holes (two rounds)', holes: 18, base: base * 1.8, ...round },
    ],
  };
}

const flat = [1, 1, 1, 1] as const;
const cheaperInGroups = [1, 0.95, 0.9, 0.85] as const;
const dearerInFours = [1, 1, 1, 1.1] as const;
const both = ['fairway-direct', 'birdie-box'];

type Optional = 'weekend' | 'steps' | 'commission' | 'policy' | 'extras';

/** What differs between facilities; lists are in the order of the fields. */
interface Particulars extends Partial<Pick<Facility, Optional>>, Pick<Facility, 'connected' | 'courses'> {
  readonly address: readonly [string, string, string, string, string, string, string];
  readonly where: readonly [region: string, latitude: number, longitude: number];
  readonly about: readonly [domain: string, phone: string, founded: number, created: string];
}

const countries = {
  GB: ['United Kingdom', 'en', 'GBP'],
  NL: ['the Netherlands', 'nl', 'EUR'],
  ES: ['Spain', 'es', 'EUR'],
  JP: ['Japan', 'ja', 'JPY'],
  IN: ['India', 'en', 'INR'],
  US: ['United States', 'en', 'USD'],
  ID: ['Indonesia', 'id', 'IDR'],
  AU: ['Australia', 'en', 'AUD'],
} as const;

function facility(
  id: number,
  name: string,
  code: keyof typeof countries,
  timeZone: string,
  particulars: Particulars,
): Facility {
  const [country, language, currency] = countries[code];
  const [address1, address2, number, addition, zipcode, place, state] = particulars.address;
  const [region, latitude, longitude] = particulars.where;
  const [domain, phone, founded, created] = particulars.about;
  const club = { id, name, code, timeZone, language, currency, domain, phone, founded, created };
  return {
    weekend: 1,
    steps: flat,
    commission: 0.1,
    policy: [[1, 4, 24]],
    extras: [],
    ...particulars,
    ...club,
    region,
    latitude,
    longitude,
    address: { address1, address2, number, ...(addition ? { addition } : {}), zipcode, place, state, country },
  };
}

export const facilities: readonly Facility[] = [
  facility(1019, "St. Ninian's & Links", 'GB', 'Europe/London', {
    address: ['Links Road', 'The Old Pavilion', '12', 'a', 'KY16 9XX', 'St. Ninian', 'Fife'],
    where: ['Scotland', 56.343, -2.803],
    about: ['ninians-links.example', '+44 1334 555 010', 1854, '2016-03-01T09:12:44.120'],
    connected: both,
    weekend: 1.2,
    steps: cheaperInGroups,
    commission: 0.15,
    policy: [
      [1, 2, 24],
      [3, 4, 48],
    ],
    extras: [
      { mid: 501, name: 'Buggy for 18 holes', category: 'Buggy', price: 32.5 },
      { mid: 502, name: 'Airport transfer & porter', category: 'Transfer', price: 48.35 },
    ],
    courses: [
      fullCourse(11, 'Old Course', 84.35, { twilight: minutes(15), evening: minutes(17) }),
      fullCourse(12, "The Duke's", 61.4, { evening: minutes(16), every: 15 }),
      nineCourse(13, 'Wee Nine', 18.7),
    ],
  }),
  facility(1020, 'Royal Heathfield', 'GB', 'Europe/London', {
    address: ['Heath Lane', '', '1', '', 'TN21 8RT', 'Heathfield', 'East Sussex'],
    where: ['South East', 50.969, 0.256],
    about: ['heathfield-golf.example', '', 1921, '2018-06-11T14:00:00.000'],
    connected: ['fairway-direct'],
    weekend: 1.35,
    commission: 0.12,
    courses: [fullCourse(14, 'Heath', 55, { closed: [1], twilight: minutes(16) })],
  }),
  facility(1101, "Golfclub 's-Gravenhage", 'NL', 'Europe/Amsterdam', {
    address: ['Duinweg', 'Achter het station', '40', 'bis', '2597 AB', "'s-Gravenhage", 'Zuid-Holland'],
    where: ['Randstad', 52.105, 4.309],
    about: ['golf-gravenhage.example', '+31 70 555 0101', 1893, '2017-01-20T08:30:05.007'],
    connected: both,
    weekend: 1.15,
    policy: [[1, 4, 48]],
    extras: [{ mid: 511, name: 'Elektrische buggy', category: 'Buggy', price: 29.95 }],
    courses: [fullCourse(15, 'Duinbaan', 72.6, { evening: minutes(16, 30) }), nineCourse(16, 'Bosbaan', 24.9)],
  }),
  facility(1102, 'De Hooge Vorst', 'NL', 'Europe/Amsterdam', {
    address: ['Vorstlaan', '', '7', '', '7361 AB', 'Beekbergen', 'Gelderland'],
    where: ['Veluwe', 52.161, 5.964],
    about: ['hoogevorst.example', '+31 55 555 0140', 1998, '2021-09-02T16:45:10.480'],
    connected: ['birdie-box'],
    steps: dearerInFours,
    policy: [
      [1, 3, 12],
      [4, 4, 36],
    ],
    courses: [nineCourse(17, 'Vorst', 21.45, { closed: [2] })],
  }),
  facility(1201, 'Club de Golf Peñíscola', 'ES', 'Europe/Madrid', {
    address: ['Camí de la Mar', '', 's/n', '', '12598', 'Peñíscola', 'Castelló'],
    where: ['Costa del Azahar', 40.359, 0.403],
    about: ['golfpeniscola.example', '+34 964 555 017', 1979, '2019-11-30T10:10:10.100'],
    connected: ['fairway-direct'],
    weekend: 1.1,
    steps: cheaperInGroups,
    commission: 0.18,
    policy: [[1, 4, 72]],
    extras: [{ mid: 521, name: 'Traslado al hotel', category: 'Transfer', price: 25 }],
    courses: [fullCourse(18, 'Campo Señorío', 66.3, { twilight: minutes(14) })],
  }),
  facility(1202, 'Golf Tenerife Norte', 'ES', 'Atlantic/Canary', {
    address: ['Calle del Volcán', '', '3', '', '38350', 'Tacoronte', 'Santa Cruz de Tenerife'],
    where: ['Canarias', 28.477, -16.41],
    about: ['tenerife-norte.example', '+34 922 555 090', 1932, '2022-02-14T07:00:00.250'],
    connected: both,
    commission: 0.2,
    policy: [
      [1, 2, 24],
      [3, 3, 48],
      [4, 4, 96],
    ],
    courses: [
      fullCourse(19, 'Volcán', 58.9, { closed: [3] }),
      nineCourse(20, 'Pitch & Putt', 12.3, { every: 10, closed: [3] }),
    ],
  }),
  facility(1301, '神戸ゴルフ倶楽部', 'JP', 'Asia/Tokyo', {
    address: ['六甲山町', '', '45', '', '657-0101', 'Kōbe', 'Hyōgo'],
    where: ['Kansai', 34.761, 135.237],
    about: ['kobe-golf.example', '+81 78 555 0199', 1903, '2015-05-05T00:00:00.001'],
    connected: both,
    weekend: 1.25,
    steps: cheaperInGroups,
    policy: [
      [1, 2, 72],
      [3, 4, 168],
    ],
    extras: [{ mid: 531, name: 'カート', category: 'Buggy', price: 4400 }],
    courses: [fullCourse(21, 'East Course', 14850, { twilight: minutes(14) }), fullCourse(22, 'Rokkō', 12310)],
  }),
  facility(1302, 'Hakone Mountain Links', 'JP', 'Asia/Tokyo', {
    address: ['Sengokuhara', '', '1246', '', '250-0631', 'Hakone', 'Kanagawa'],
    where: ['Kantō', 35.257, 139.007],
    about: ['hakone-links.example', '+81 460 555 012', 1917, '2018-08-08T08:08:08.888'],
    connected: ['birdie-box'],
    weekend: 1.15,
    policy: [[1, 4, 120]],
    courses: [fullCourse(23, 'Fuji', 9810, { evening: minutes(15), closed: [4] })],
  }),
  facility(1401, 'Bengaluru Golf & Country Club', 'IN', 'Asia/Kolkata', {
    address: ['Sankey Road', 'High Grounds', '2', '', '560001', 'Bengaluru', 'Karnataka'],
    where: ['Deccan', 12.989, 77.586],
    about: ['bengaluru-golf.example', '+91 80 5555 0123', 1876, '2020-01-26T05:30:00.530'],
    connected: both,
    weekend: 1.3,
    commission: 0.08,
    extras: [{ mid: 541, name: 'Hotel transfer', category: 'Transfer', price: 850 }],
    courses: [fullCourse(24, 'High Grounds', 4250.5, { closed: [1] })],
  }),
  facility(1501, 'Cactus Ridge', 'US', 'America/Phoenix', {
    address: ['E Saguaro Drive', 'Suite 4', '8800', '', '85255', 'Scottsdale', 'AZ'],
    where: ['Southwest', 33.684, -111.866],
    about: ['cactus-ridge.example', '+1 480 555 0175', 1986, '2019-04-01T12:00:00.000'],
    connected: ['fairway-direct'],
    weekend: 1.4,
    steps: dearerInFours,
    commission: 0.15,
    extras: [{ mid: 551, name: 'Shared cart', category: 'Buggy', price: 22.25 }],
    courses: [
      fullCourse(25, 'Saguaro', 145.1, { twilight: minutes(14, 30) }),
      fullCourse(26, 'Ocotillo', 119.7),
      fullCourse(27, 'Palo Verde', 99.9, { evening: minutes(17) }),
    ],
  }),
  facility(1502, "O'Malley's Bay Links", 'US', 'America/New_York', {
    address: ['Shore Parkway', '', '1500', '', '11214', 'New York', 'NY'],
    where: ['Northeast', 40.587, -74.002],
    about: ['omalleys-bay.example', '+1 718 555 0133', 1924, '2023-07-04T18:20:30.400'],
    connected: both,
    weekend: 1.25,
    commission: 0.15,
    policy: [
      [1, 3, 24],
      [4, 4, 72],
    ],
    courses: [fullCourse(28, 'Bay', 89.9, { twilight: minutes(15, 30) })],
  }),
  facility(1601, 'Padang Golf Sentosa Raya', 'ID', 'Asia/Jakarta', {
    address: ['Jalan Asia Afrika', '', '18', '', '10270', 'Jakarta', 'DKI Jakarta'],
    where: ['Jawa', -6.225, 106.802],
    about: ['sentosa-raya.example', '+62 21 555 0188', 1969, '2021-12-12T11:11:11.011'],
    connected: both,
    weekend: 1.5,
    steps: cheaperInGroups,
    policy: [[1, 4, 48]],
    extras: [{ mid: 561, name: 'Antar jemput bandara', category: 'Transfer', price: 350000 }],
    courses: [fullCourse(29, 'Garuda', 1875000), nineCourse(30, 'Melati', 640000, { closed: [2] })],
  }),
  facility(1701, 'Barossa Vale', 'AU', 'Australia/Adelaide', {
    address: ['Golf Links Road', '', '15', '', '5355', 'Nuriootpa', 'SA'],
    where: ['Barossa', -34.469, 138.996],
    about: ['barossa-vale.example', '+61 8 5555 0150', 1905, '2024-01-15T09:00:00.900'],
    connected: [],
    weekend: 1.1,
    courses: [fullCourse(31, 'Vale', 64.5)],
  }),
];

export interface Slot {
  readonly id: number;
  readonly facility: Facility;
  readonly course: Course;
  readonly date: string;
  readonly minute: number;
  readonly time: string;
  readonly holes: Holes;
  /** Players who booked elsewhere. */
  readonly taken: number;
  readonly products: readonly Product[];
}

const millisecondsADay = 86_400_000;
const firstDay = Date.UTC(2020, 0, 1) / millisecondsADay;

export const dayNumber = (date: string): number => Date.parse(`${date}T00:00:00Z`) / millisecondsADay;
const dateOf = (day: number): string => new Date(day * millisecondsADay).toISOString().slice(0, 10);
export const addDays = (date: string, days: number): string => dateOf(dayNumber(date) + days);
export const weekdayOf = (date: string): number => new Date(`${date}T00:00:00Z`).getUTCDay();

export function clock(minute: number): string {
  const two = (value: number): string => String(value).padStart(2, '0');
  return `${two(Math.floor(minute / 60))}:${two(minute % 60)}:00`;
}

const formats = new Map<string, Intl.DateTimeFormat>();

/** The naive local time of a time zone: yyyy-mm-ddTHH:MM:ss. */
export function localTime(now: number, timeZone: string): string {
  const format =
    formats.get(timeZone) ?? new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' });
  formats.set(timeZone, format);
  return format.format(now).replace(' ', 'T');
}

/** The minutes by which a time zone is ahead of UTC at the noon of a date. */
export function offsetOf(timeZone: string, date: string): number {
  const noon = Date.parse(`${date}T12:00:00Z`);
  return (Date.parse(`${localTime(noon, timeZone)}Z`) - noon) / 60_000;
}

export const isClosed = (course: Course, date: string): boolean =>
  date.endsWith('-12-25') || course.closed.includes(weekdayOf(date));

const takenInTurn = [0, 0, 2, 0, 4, 0, 1, 0, 3];

/** The tee times of a course on a date, without a look at the clock or the closed days. */
export function slotsOf(facility: Facility, course: Course, date: string): readonly Slot[] {
  const day = dayNumber(date) - firstDay;
  const slots: Slot[] = [];
  for (let minute = opening, index = 0; minute <= closing; minute += course.every, index += 1) {
    const holes = minute >= course.evening ? 9 : course.holes;
    slots.push({
      id: course.id * 10_000_000 + day * 1000 + index,
      facility,
      course,
      date,
      minute,
      time: `${date}T${clock(minute)}`,
      holes,
      taken: takenInTurn[(index * 4 + day * 5 + course.id) % 9] ?? 0,
      products: course.products.filter(({ round, from, until }) => round === holes && from <= minute && minute < until),
    });
  }
  return slots;
}

export function findSlot(facility: Facility, id: number): Slot | undefined {
  const course = facility.courses.find((each) => each.id === Math.floor(id / 10_000_000));
  if (!course) return undefined;
  const date = dateOf(firstDay + (Math.floor(id / 1000) % 10_000));
  return isClosed(course, date) ? undefined : slotsOf(facility, course, date)[id % 1000];
}

/** Rounds to what the currency can pay: yen have no decimals. */
export function payable(currency: string, amount: number): number {
  return currency === 'JPY' ? Math.round(amount) : Math.round(amount * 100) / 100;
}

/** The price of a product per player on a date, before rounding. */
export function perPlayer(facility: Facility, product: Product, date: string, players: number): number {
  const surcharge = [0, 6].includes(weekdayOf(date)) ? facility.weekend : 1;
  return product.base * surcharge * (facility.steps[players - 1] ?? 1);
}
