/**
 * The catalogue of a world: facilities, their courses and products. It is immutable after creation; bookings and
 * tokens are in the store.
 *
 * Money is in whole cents, time of day in minutes after midnight, and a day is the number of days since 1970-01-01 in
 * the facility's calendar.
 */

import type { components } from '../../contract/index.js';
import type { WorldForms } from './forms.js';

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

type Schemas = components['schemas'];

/** Durations are in hours; the API specification leaves the unit open, see the question `payment-rule.duration-unit`. */
export type PaymentRule = Readonly<Schemas['PaymentRule']>;
export type Services = Readonly<Schemas['Services']>;

/** Bookings for this many players can be cancelled up to `timePeriod` hours before the tee time. */
export type CancellationRange = Readonly<Schemas['CancellationRange']>;

export interface ExtraProduct {
  readonly mid: number;
  readonly name: string;
  readonly category: string;
  readonly price: Cents;
  readonly netRate: Cents;
  readonly publicRate: Cents;
}

/** A green fee: the price for one player and `holes` holes, at tee times in [from, to). */
export interface Product {
  readonly mid: number;
  readonly courseId: number;
  readonly name: string;
  readonly category: string;
  /** Holes of the product. If these are more than the tee time has, it needs linked tee times. */
  readonly holes: number;
  /** Holes of the tee times that sell it, 9 or 18. */
  readonly teeTimeHoles: 9 | 18;
  /** Minutes after midnight: first (inclusive) and last (exclusive) tee time that sells it. */
  readonly from: number;
  readonly to: number;
  /** The price for one player on a low-season weekday. */
  readonly price: Cents;
  /** Thousandths of the price: 850 is a net rate of 85 %, 1100 a public rate of 110 %. */
  readonly netRate: number;
  readonly publicRate: number;
  /** Thousandths applied to the total for 1, 2, 3 and 4 players; not always linear. */
  readonly groupRates: readonly [number, number, number, number];
  /** The totals for 1, 2, 3 and 4 players on a low-season weekday, in place of what the rates give. */
  readonly totals?: Totals;
}

/** Totals for 1, 2, 3 and 4 players. */
export type Totals = Readonly<Record<'price' | 'netRate' | 'publicRate', readonly Cents[]>>;

/** The tee sheet of a course on a day, as a file gives it. */
export interface ExactDay {
  readonly teeTimes: readonly ExactTeeTime[];
  /** Totals of this day by product id, to which no rate applies. */
  readonly prices: ReadonlyMap<number, Totals>;
}

/** A tee time of an exact tee sheet. */
interface ExactTeeTime {
  /** Its id, if the file gives it. A day that repeats this one has derived ids. */
  readonly id?: number;
  readonly minute: number;
  readonly holes: 9 | 18;
  readonly free: number;
  readonly products: readonly Product[];
}

/** The hours of some days: all whose weekday and month are listed. */
export interface Hours {
  /** 0 Sunday to 6 Saturday. */
  readonly weekdays: readonly number[];
  /** 1 to 12. */
  readonly months: readonly number[];
  /** Minutes after midnight. */
  readonly firstTee: number;
  readonly lastTee: number;
}

/** The changes by the operator of a course since the start of the world. */
interface CourseAmendments {
  /** Day numbers. */
  readonly soldOut: ReadonlySet<number>;
  /** Tee time ids. */
  readonly withdrawn: ReadonlySet<number>;
  /** The number of price increases by day. */
  readonly raised: ReadonlyMap<number, number>;
}

export interface Course {
  /** Globally unique; in the generated world, facility id * 10 + position. */
  readonly id: number;
  readonly facilityId: number;
  /** The position among all courses of the world, from which tee time ids are derived. */
  readonly ordinal: number;
  readonly name: string;
  readonly holes: 9 | 18;
  /** First and last tee time of a summer day in minutes after midnight, and minutes between tee times. */
  readonly firstTee: number;
  readonly lastTee: number;
  readonly interval: number;
  /** From this minute on, tee times of an 18-hole course are for 9 holes. */
  readonly eveningNineFrom: number;
  /** Weekdays closed for maintenance, 0 Sunday to 6 Saturday. */
  readonly closedWeekdays: readonly number[];
  /** Months, 1 to 12, in which the course is closed for the season. */
  readonly closedMonths: readonly number[];
  /** Months of the high season, with higher prices and sold-out mornings. */
  readonly highMonths: readonly number[];
  /** Thousandths applied to the price at weekends and in the high season. */
  readonly weekendRate: number;
  readonly highSeasonRate: number;
  /** The least amount of its currency, in hundredths: 100 for yen, which has no decimals. Default: 1. */
  readonly leastAmount?: Cents;
  /** Whether its first and last tee time are the same all year, instead of following the daylight. */
  readonly hasOwnHours?: boolean;
  /** Hours of some days in place of these. The first that fits a day counts. */
  readonly hours?: readonly Hours[];
  /** How busy it is, if not as weekends, season and seed say. */
  readonly demand?: 'none' | 'low' | 'high';
  /** Exact tee sheets by day number. */
  readonly days?: ReadonlyMap<number, ExactDay>;
  /** The day numbers of those by weekday, ascending, if other days repeat them. */
  readonly repeated?: readonly (readonly number[])[];
  /** The standard green fee is first. */
  readonly products: readonly Product[];
  /** The changes by its operator since the start of the world. */
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
  /** ISO 8601 with milliseconds, without a time zone. */
  readonly created: string;
  readonly paymentRule: PaymentRule;
  readonly applicableForWhitelable: boolean;
  readonly reservationsContact: Readonly<Schemas['ReservationsContact']>;
  readonly foundedIn: number;
  readonly description: string;
  readonly services: Services;
  /** The number of images that the sandbox serves itself. */
  readonly images: number;
  /** URLs to list instead of those. */
  readonly imageUrls?: readonly string[];
  readonly logoUrl?: string;
  readonly cancellation: readonly CancellationRange[];
  readonly extraProducts: readonly ExtraProduct[];
  readonly courses: readonly Course[];
  /** The names of the connected channels. */
  readonly channels: readonly string[];
  /** How its answers differ from the documented form, besides those of all facilities. */
  readonly members?: WorldForms['members'];
  /** The scenario that applies to every booking at this facility, if it is named after one. */
  readonly scenario?: string;
}

export interface Channel {
  readonly name: string;
  readonly username: string;
  readonly password: string;
  /** The initial refresh token, in the form of a UUID. */
  readonly refreshToken: string;
}

/** A booking that exists from the start. Its day is relative to the first day of the world. */
export interface SeedBooking {
  readonly channel: string;
  readonly facilityId: number;
  /** The position of the course in the facility. */
  readonly course: number;
  /** Days from the first day of the world; negative for past days. */
  readonly day: number;
  /** The day number instead, whatever the first day is. */
  readonly on?: number;
  /** The minute of its tee time, if it is not any. */
  readonly minute?: number;
  /** The position among the day's tee times with enough free slots, from 0, wrapping around. */
  readonly pick: number;
  readonly players: number;
  readonly status: 'BOOKED' | 'CANCELED';
  readonly contactFirstName: string;
  readonly contactLastName: string;
  readonly contactPhone: string;
  readonly contactEmail: string;
  /** Seconds between its creation and the tee time. It is never created after the start of the world. */
  readonly bookedAhead: number;
}

/** How the tee times of a world are numbered whose file gives some ids. */
export interface TeeIds {
  /** The first id that is derived. None of those from here on is given. */
  readonly from: number;
  /** The most tee times of a course on a day. */
  readonly most: number;
  /** The places of the ids that are given. */
  readonly given: ReadonlyMap<number, TeeTimePlace>;
}

/** The place of a tee time: its course, its day, and its position on that day. */
export interface TeeTimePlace {
  readonly ordinal: number;
  readonly day: number;
  readonly index: number;
}

/** The catalogue by id. It is derived lazily, so that a large world starts as fast as a small one. */
export interface World {
  readonly seed: number;
  /** What tells the file of a world of one's own from others. */
  readonly digest?: string;
  /** Number of facilities. */
  readonly size: number;
  /** Number of places for courses, from which tee time ids are derived. */
  readonly ordinals: number;
  /** Absent where ids are derived from the ordinals alone. */
  readonly teeIds?: TeeIds;
  readonly channels: readonly Channel[];
  /** How its answers differ from the documented form. */
  readonly forms?: WorldForms;
  readonly seedBookings: readonly SeedBooking[];
  facility(id: number): Facility | undefined;
  /** The facility at a position in the order of ids, from 0. */
  at(position: number): Facility | undefined;
  /** The number of facilities with a smaller id. */
  position(id: number): number;
  course(id: number): Course | undefined;
  courseAt(ordinal: number): Course | undefined;
  /** In order of code points. */
  countries(connectedTo?: string): readonly string[];
  /** In order of id. */
  facilitiesIn(country: string): readonly Facility[];
  /** All facilities in order of id; derives those that are missing. */
  facilities(): Iterable<Facility>;
}

/** The value of an `Authorization` header with Basic credentials in UTF-8 (RFC 7617). */
export function basicCredentials({ username, password }: Pick<Channel, 'username' | 'password'>): string {
  const bytes = new TextEncoder().encode(`${username}:${password}`);
  return `Basic ${btoa(String.fromCharCode(...bytes))}`;
}
