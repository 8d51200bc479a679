/** The facilities of the independent deployment. */

export interface Money {
  readonly amount: number;
  readonly currency: string;
}

export interface Fee {
  readonly mid: number;
  readonly name: string;
  /** Holes that the player pays for; a fee with more holes than its tee times is sold for linked ones. */
  readonly holes: number;
  /** Holes of the tee times that offer it. */
  readonly on: number;
  /** Per player on a weekday. */
  readonly rate: number;
}

export interface Course {
  readonly id: number;
  readonly name: string;
  readonly fees: readonly Fee[];
  /** Tee times of a day at most. */
  readonly size: number;
  /** Minutes between two tee times. */
  readonly gap: number;
}

export interface Extra {
  readonly mid: number;
  readonly name: string;
  readonly category: string;
  readonly rate: number;
}

export interface Club {
  readonly id: number;
  readonly name: string;
  readonly country: string;
  readonly place: string;
  readonly state: string;
  readonly zone: string;
  readonly language: string;
  readonly currency: string;
  readonly latitude: number;
  readonly longitude: number;
  readonly since: number;
  readonly courses: readonly Course[];
  readonly extras: readonly Extra[];
  /** [fewest players, most players, hours] */
  readonly policy: readonly (readonly [number, number, number])[];
}

const full = (course: number, rate: number, more: readonly Fee[] = []): Fee[] => [
  { mid: course * 10 + 1, name: 'Greenfee 18 holes', holes: 18, on: 18, rate },
  { mid: course * 10 + 2, name: 'Greenfee 9 holes', holes: 9, on: 9, rate: Math.round(rate * 0.6) },
  ...more,
];
const short = (course: number, rate: number): Fee[] => [
  { mid: course * 10 + 1, name: 'Greenfee 9 holes', holes: 9, on: 9, rate },
  { mid: course * 10 + 2, name: 'Greenfee 18 holes (two rounds)', holes: 18, on: 9, rate: rate * 1.75 },
];
const buggy = (mid: number, rate: number): Extra => ({ mid, name: 'Buggy for two', category: 'Buggy', rate });
const transfer = (mid: number, rate: number): Extra => ({ mid, name: 'Hotel transfer', category: 'Transfer', rate });
const course = (id: number, name: string, size: number, gap: number, fees: readonly Fee[]): Course => {
  return { id, name, size, gap, fees };
};

type Row = readonly [id: number, name: string, country: string, place: string, state: string, at: Where, since: number];
type Where = readonly [zone: string, language: string, currency: string, latitude: number, longitude: number];

const nl = (latitude: number, longitude: number): Where => ['Europe/Amsterdam', 'nl', 'EUR', latitude, longitude];
const es = (latitude: number, longitude: number): Where => ['Europe/Madrid', 'es', 'EUR', latitude, longitude];
const jp = (latitude: number, longitude: number): Where => ['Asia/Tokyo', 'ja', 'JPY', latitude, longitude];
const us = (latitude: number, longitude: number): Where => ['America/New_York', 'en', 'USD', latitude, longitude];
const gb = (latitude: number, longitude: number): Where => ['Europe/London', 'en', 'GBP', latitude, longitude];

function club(row: Row, courses: readonly Course[], extras: readonly Extra[], policy: Club['policy']): Club {
  const [id, name, country, place, state, [zone, language, currency, latitude, longitude], since] = row;
  const where = { country, place, state, zone, language, currency, latitude, longitude };
  return { id, name, since, courses, extras, policy, ...where };
}

const vip: Fee = { mid: 2119, name: 'Greenfee 18 holes with lunch', holes: 18, on: 18, rate: 96 };

export const clubs: readonly Club[] = [
  club(
    [101, 'Duinzicht Golf', 'the Netherlands', 'Noordwijk', 'Zuid-Holland', nl(52.27, 4.47), 1972],
    [course(210, 'Noord', 22, 10, full(210, 74)), course(211, 'Zuid', 14, 12, full(211, 58, [vip]))],
    [buggy(9001, 35), transfer(9002, 25.5)],
    [
      [1, 2, 24],
      [3, 4, 48],
    ],
  ),
  club(
    [102, 'Golfbaan de Veenweide', 'the Netherlands', 'Woerden', 'Utrecht', nl(52.08, 4.88), 1998],
    [course(220, 'Veenbaan', 28, 9, short(220, 29))],
    [],
    [[1, 4, 12]],
  ),
  club(
    [117, 'Real Club Costa Serena', 'Spain', 'Estepona', 'Málaga', es(36.43, -5.14), 1985],
    [course(230, 'Campo Mar', 18, 10, full(230, 115)), course(231, 'Campo Monte', 9, 10, full(231, 88))],
    [buggy(9003, 45)],
    [[1, 4, 48]],
  ),
  club(
    [118, 'Quinta da Ribeira', 'Portugal', 'Loulé', 'Faro', ['Europe/Lisbon', 'pt', 'EUR', 37.14, -8.02], 2003],
    [course(240, 'Ribeira', 16, 8, full(240, 99))],
    [transfer(9004, 30)],
    [[1, 4, 72]],
  ),
  club(
    [131, 'Golfclub Seeblick', 'Germany', 'Starnberg', 'Bayern', ['Europe/Berlin', 'de', 'EUR', 48, 11.34], 1964],
    [course(250, 'Seekurs', 12, 15, full(250, 85))],
    [],
    [
      [1, 3, 24],
      [4, 4, 96],
    ],
  ),
  club(
    [140, 'Heathmoor Golf Club', 'United Kingdom', 'Woking', 'Surrey', gb(51.31, -0.6), 1893],
    [course(260, 'Old Course', 20, 10, full(260, 120))],
    [buggy(9005, 40)],
    [[1, 4, 48]],
  ),
  club(
    [142, 'Inverlochan Links', 'United Kingdom', 'Dornoch', 'Highland', gb(57.88, -4.02), 1877],
    [course(270, 'Links', 7, 10, full(270, 140))],
    [],
    [[1, 4, 48]],
  ),
  club(
    [150, 'Zürisee Golf', 'Switzerland', 'Wädenswil', 'Zürich', ['Europe/Zurich', 'de', 'CHF', 47.22, 8.67], 1991],
    [course(280, 'See', 15, 10, full(280, 130))],
    [],
    [[1, 4, 24]],
  ),
  club(
    [160, 'Club de Golf Sierra Blanca', 'Spain', 'Madrid', 'Madrid', es(40.45, -3.75), 1979],
    [course(290, 'Sierra', 12, 10, full(290, 70))],
    [],
    [[1, 4, 24]],
  ),
  club(
    [161, 'Svartå Golfklubb', 'Sweden', 'Örebro', 'Örebro län', ['Europe/Stockholm', 'sv', 'SEK', 59.27, 15.21], 1988],
    [course(300, 'Svartå', 12, 10, full(300, 520))],
    [],
    [[1, 4, 24]],
  ),
  club(
    [170, 'Kasumigahara Country Club', 'Japan', 'Kawagoe', 'Saitama', jp(35.9, 139.4), 1929],
    [course(310, 'East', 20, 8, full(310, 21_000)), course(311, 'West Ōhashi', 11, 8, full(311, 17_500))],
    [buggy(9006, 4200)],
    [[1, 4, 96]],
  ),
  club(
    [171, "O'Hara & Sons Links", 'United States', 'Montauk', 'New York', us(41.05, -71.9), 1927],
    [course(320, 'Ocean', 20, 9, full(320, 175)), course(321, 'Par 3', 12, 9, short(321, 38))],
    [buggy(9007, 30), transfer(9008, 60)],
    [
      [1, 2, 24],
      [3, 4, 72],
    ],
  ),
];

/** Facilities of each channel. 150 belongs to the second alone, 160 and 161 to none. */
export const connections: Readonly<Record<string, readonly number[]>> = {
  north: [101, 102, 117, 118, 131, 140, 142, 170, 171],
  south: [101, 117, 131, 140, 150],
};
