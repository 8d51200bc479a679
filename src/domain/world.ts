/**
 * The catalogue of a sandbox world: facilities, their courses and what they sell. Everything here is
 * immutable after creation; bookings and tokens live in the store.
 *
 * Money is kept in whole cents, time of day in minutes after midnight, and a day as its number since
 * 1970-01-01 in the facility's own calendar.
 */

/** An amount in hundredths of the facility's currency. */
export type Cents = number;

export interface Address {
  readonly mid: number;
  readonly address1: string;
  readonly address2: string;
  readonly number: string;
  readonly addition: string;
  readonly zipcode: string;
  readonly place: string;
  readonly state: string;
  readonly country: string;
  readonly region: string;
  readonly latitude: number;
  readonly longitude: number;
}

export interface PaymentRule {
  readonly mid: number;
  readonly name: string;
  readonly description: string;
  readonly firstPaymentCondition: string;
  readonly lastPaymentCondition: string;
  /** Hours; the document leaves the unit open, see the question `payment-rule.duration-unit`. */
  readonly firstPaymentConditionDuration: number;
  readonly lastPaymentConditionDuration: number;
  readonly firstPaymentConditionPercentage: number;
  readonly lastPaymentConditionPercentage: number;
}

export interface Services {
  readonly mid: number;
  readonly drivingRange: boolean;
  readonly chippingArea: boolean;
  readonly puttingGreen: boolean;
  readonly proShop: boolean;
  readonly golfSchool: boolean;
  readonly golfBuggy: boolean;
  readonly pushTrolley: boolean;
  readonly electricTrolley: boolean;
  readonly golfClubRentals: boolean;
  readonly caddies: boolean;
  readonly restaurant: boolean;
  readonly bar: boolean;
  readonly lockerRoom: boolean;
  readonly wifi: boolean;
  readonly shuttleService: boolean;
}

/** Cancelling is allowed up to `timePeriod` hours before the tee time for this many players. */
export interface CancellationRange {
  readonly minimumPlayer: number;
  readonly maximumPlayer: number;
  readonly timePeriod: number;
}

export interface ExtraProduct {
  readonly mid: number;
  readonly name: string;
  readonly category: string;
  readonly price: Cents;
  readonly netRate: Cents;
  readonly publicRate: Cents;
}

/** A green fee: what one player pays to play `holes` holes, on tee times in [from, to). */
export interface Product {
  readonly mid: number;
  readonly courseId: number;
  readonly name: string;
  readonly category: string;
  /** Holes the product covers. More than the tee time's own holes: it needs linked tee times. */
  readonly holes: number;
  /** Holes of the tee times it is sold on, 9 or 18. */
  readonly teeTimeHoles: 9 | 18;
  /** Minutes after midnight: first (inclusive) and last (exclusive) tee time it is sold on. */
  readonly from: number;
  readonly to: number;
  /** Price for one player on a low-season weekday. */
  readonly price: Cents;
  /** Thousandths of the price: 850 is a net rate of 85 %, 1100 a public rate of 110 %. */
  readonly netRate: number;
  readonly publicRate: number;
  /** Thousandths applied to the total of 1, 2, 3 and 4 players; not always linear. */
  readonly groupRates: readonly [number, number, number, number];
}

/** What the operator of a course did since the world began. */
export interface CourseAmendments {
  /** Day numbers. */
  readonly soldOut: ReadonlySet<number>;
  /** Tee time ids. */
  readonly withdrawn: ReadonlySet<number>;
  /** How often the price of a day was raised. */
  readonly raised: ReadonlyMap<number, number>;
}

export interface Course {
  /** Globally unique, facility id * 10 + position. */
  readonly id: number;
  readonly facilityId: number;
  /** Position among all courses of the world, the base of tee time ids. */
  readonly ordinal: number;
  readonly name: string;
  readonly holes: 9 | 18;
  /** First and last tee of a summer day, minutes after midnight, and minutes between tee times. */
  readonly firstTee: number;
  readonly lastTee: number;
  readonly interval: number;
  /** Tee times from this minute on are for 9 holes on an 18-hole course. */
  readonly eveningNineFrom: number;
  /** Weekday closed for maintenance, 0 Sunday to 6 Saturday, or null. */
  readonly closedWeekday: number | null;
  /** Months, 1 to 12, in which the course is closed for the season. */
  readonly closedMonths: readonly number[];
  /** Months of high season: prices rise, mornings sell out. */
  readonly highMonths: readonly number[];
  /** Thousandths on the price at weekends and in high season. */
  readonly weekendRate: number;
  readonly highSeasonRate: number;
  /** The standard green fee stands first. */
  readonly products: readonly Product[];
  /** What its operator did since the world began. */
  readonly amended?: CourseAmendments;
}

export interface Facility {
  readonly id: number;
  readonly name: string;
  readonly website: string;
  readonly email: string;
  readonly phoneNumber: string;
  readonly address: Address;
  readonly timeZone: string;
  readonly language: string;
  readonly currency: string;
  /** ISO 8601 with milliseconds, no zone. */
  readonly created: string;
  readonly paymentRule: PaymentRule;
  readonly applicableForWhitelable: boolean;
  readonly reservationsContact: { readonly name: string; readonly email: string; readonly phoneNumber: string };
  readonly foundedIn: number;
  readonly description: string;
  readonly services: Services;
  /** How many images it has; the sandbox serves them itself. */
  readonly images: number;
  readonly cancellation: readonly CancellationRange[];
  readonly extraProducts: readonly ExtraProduct[];
  readonly courses: readonly Course[];
  /** Names of the channels it is connected to. */
  readonly channels: readonly string[];
  /** The scenario that strikes every booking of it, for facilities that are named for what they do. */
  readonly scenario?: string;
}

export interface Channel {
  readonly name: string;
  readonly username: string;
  readonly password: string;
  /** The initial refresh token, a UUID in form. */
  readonly refreshToken: string;
}

/** A booking that stands at the start, placed relative to the day on which the world begins. */
export interface SeedBooking {
  readonly channel: string;
  readonly facilityId: number;
  /** Position of the course in the facility. */
  readonly course: number;
  /** Days from the first day of the world: negative is past. */
  readonly day: number;
  /** Which of the day's tee times with room for it, counted from 0 and wrapping round. */
  readonly pick: number;
  readonly players: number;
  readonly status: 'BOOKED' | 'CANCELED';
  readonly contactFirstName: string;
  readonly contactLastName: string;
  readonly contactPhone: string;
  readonly contactEmail: string;
  /** Seconds before the tee time at which it was made; it is never later than the world's start. */
  readonly bookedAhead: number;
}

/** The catalogue, answered by id; derived lazily, so that a large world starts as fast as a small one. */
export interface World {
  readonly seed: number;
  /** Number of facilities. */
  readonly size: number;
  readonly channels: readonly Channel[];
  readonly seedBookings: readonly SeedBooking[];
  facility(id: number): Facility | undefined;
  course(id: number): Course | undefined;
  courseAt(ordinal: number): Course | undefined;
  /** In alphabetical order of code points. */
  countries(connectedTo?: string): readonly string[];
  /** In order of id. */
  facilitiesIn(country: string): readonly Facility[];
  /** Every facility in order of id; derives what was not derived yet. */
  facilities(): Iterable<Facility>;
}
