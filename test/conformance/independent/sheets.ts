import { clockTime, dateOf, epochDay, hash, queryDate, weekday } from './civil.js';
import type { Club, Course, Fee, Money } from './clubs.js';
import type { Ask } from './desk.js';
import { Directory } from './directory.js';

export interface Slot {
  readonly id: number;
  readonly club: Club;
  readonly course: Course;
  readonly date: string;
  /** yyyy-mm-ddTHH:MM:ss, local. */
  readonly time: string;
  readonly holes: number;
  /** Places that others hold. */
  readonly taken: number;
}

type Fields = Record<string, unknown>;

const EPOCH = epochDay('2024-01-01');
const DAYS = 4096;
const PLACES = 64;

/** Tee sheets: a function of course and day, and what was booked. */
export class Sheets extends Directory {
  /** Places that bookings hold, by the id of the tee time. */
  readonly held = new Map<number, number>();
  private readonly kept = new Map<string, readonly Slot[]>();

  /** All tee times of a course on a day. */
  sheet(club: Club, course: Course, date: string): readonly Slot[] {
    const key = `${course.id} ${date}`;
    const known = this.kept.get(key);
    if (known) return known;
    const count = this.isOpen(club, date) ? 7 + (hash(course.id, date) % (course.size - 6)) : 0;
    const made = Array.from({ length: count }, (_, index) => this.slot(club, course, date, index));
    this.kept.set(key, made);
    return made;
  }

  slot(club: Club, course: Course, date: string, index: number): Slot {
    const both = course.fees.some(({ on }) => on === 18);
    const holes = both && index % 3 < 2 ? 18 : 9;
    const luck = hash(course.id, date, index) % 12;
    const taken = luck < 7 ? 0 : [1, 2, 3, 4, 2][luck - 7]!;
    const time = `${date}T${clockTime(this.firstMinute(course) + index * course.gap)}`;
    return { id: this.slotId(course, date, index), club, course, date, time, holes, taken };
  }

  firstMinute(course: Course): number {
    return 440 + (course.id % 5) * 7;
  }

  isOpen(club: Club, date: string): boolean {
    return !(club.id === 131 && weekday(date) === 1) && epochDay(date) > EPOCH && epochDay(date) < EPOCH + DAYS;
  }

  slotId(course: Course, date: string, index: number): number {
    return (course.id * DAYS + epochDay(date) - EPOCH) * PLACES + index;
  }

  findSlot(id: number): Slot | undefined {
    const day = Math.floor(id / PLACES);
    const club = this.clubs.find(({ courses }) => courses.some((one) => one.id === Math.floor(day / DAYS)));
    const course = club?.courses.find((one) => one.id === Math.floor(day / DAYS));
    return club && course ? this.sheet(club, course, dateOf((day % DAYS) + EPOCH))[id % PLACES] : undefined;
  }

  free(slot: Slot): number {
    return Math.max(0, 4 - slot.taken - (this.held.get(slot.id) ?? 0));
  }

  isPast(slot: Slot): boolean {
    return slot.time <= this.localNow(slot.club);
  }

  /** Tee times that a search finds. */
  find(club: Club, courses: readonly Course[], date: string, players: number, holes: number): readonly Slot[] {
    const all = courses.flatMap((course) => this.sheet(club, course, date));
    const fitting = all.filter((slot) => this.fits(slot, players, holes) && !this.isPast(slot));
    return fitting.toSorted((one, other) => (one.time < other.time ? -1 : Number(one.time > other.time)));
  }

  fits(slot: Slot, players: number, holes: number): boolean {
    return slot.holes === holes && this.free(slot) >= players;
  }

  teeTimes({ args, query, channel, version }: Ask): unknown {
    const club = this.findOwnClub(channel, args[0]!);
    const courses = version === 5 ? [this.findCourse(club, args[1]!)] : club.courses;
    const date = this.dayAsked(query);
    const players = this.playersAsked(query);
    const found = this.find(club, courses, date, players, this.holesAsked(query));
    if (version === 2) return found.map((slot) => this.teeTimeV2(slot, 'round'));
    const list = found.map((slot) => this.writeSlot(slot, version));
    return { [version === 3 ? 'teeTimeV2' : 'teeTimeV3']: list, facilityCancellationPolicyRange: this.policy(club) };
  }

  findCourse(club: Club, id: string): Course {
    if (!/^\d+$/.test(id)) throw this.invalid('courseId', 'an integer');
    const course = club.courses.find((one) => one.id === Number(id));
    if (!course) throw this.unknown('course');
    return course;
  }

  dayAsked(query: URLSearchParams, name = 'bookingDate'): string {
    const date = queryDate(this.given(query, name));
    if (!date) throw this.invalid(name, 'a date, dd-mm-yyyy');
    return date;
  }

  playersAsked(query: URLSearchParams): number {
    return this.integer(query, 'players', (value) => value >= 1 && value <= 4, '1 to 4');
  }

  holesAsked(query: URLSearchParams): number {
    return this.integer(query, 'holes', (value) => value === 9 || value === 18, '9 or 18');
  }

  policy(club: Club): unknown {
    return club.policy.map(([minimumPlayer, maximumPlayer, timePeriod]) => {
      return { minimumPlayer, maximumPlayer, timePeriod };
    });
  }

  writeSlot(slot: Slot, version: number): Fields {
    return version === 3 ? this.teeTimeV2(slot, 'course') : this.teeTimeV3(slot);
  }

  teeTimeV2(slot: Slot, courseName: string): Fields {
    const { id, time, course, holes } = slot;
    const extras = courseName === 'course' ? { extraProducts: this.extras(slot) } : {};
    const pricing = [1, 2, 3, 4].map((players) => {
      return { players: String(players), price: this.total(slot, this.feesOf(slot)[0]!, players)['price'] };
    });
    return { id, time, [courseName]: course.name, holes, players: this.free(slot), ...extras, pricing };
  }

  teeTimeV3(slot: Slot): Fields {
    const { id, time, course, holes } = slot;
    const products = this.feesOf(slot).map((fee) => this.product(slot, fee));
    return { teeid: id, time, course: course.name, holes, extraProducts: this.extras(slot), products };
  }

  feesOf(slot: Slot): readonly Fee[] {
    return slot.course.fees.filter(({ on }) => on === slot.holes);
  }

  product(slot: Slot, fee: Fee): Fields {
    const pricing = [1, 2, 3, 4].map((quantity) => ({ quantity, ...this.total(slot, fee, quantity) }));
    const { mid, name } = fee;
    return { mid, name, category: 'Greenfee', available: this.free(slot), pricing, players: null, linkedProducts: [] };
  }

  extras({ club }: Slot): unknown {
    return club.extras.map(({ mid, name, category, rate }) => ({ mid, name, category, ...this.rates(rate, club) }));
  }

  /** A quarter more on weekends. */
  rate(fee: Fee, date: string): number {
    return [0, 6].includes(weekday(date)) ? Math.round(fee.rate * 125) / 100 : fee.rate;
  }

  total({ club, date }: Slot, fee: Fee, players: number): Record<string, Money> {
    return this.rates(this.rate(fee, date) * players, club);
  }

  rates(amount: number, { currency }: Club): Record<string, Money> {
    const unit = currency === 'JPY' ? 1 : 100;
    const money = (factor: number): Money => ({ amount: Math.round(amount * factor * unit) / unit, currency });
    return { price: money(1), netRate: money(0.85), publicRate: money(1.1) };
  }
}
