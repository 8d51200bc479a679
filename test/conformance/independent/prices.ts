import { daysFrom, queryDate, weekday } from './civil.js';
import type { Club, Course, Fee } from './clubs.js';
import type { Ask } from './desk.js';
import { Sheets } from './sheets.js';

const names = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];
const MOST_DAYS = 62;

/** The price list. */
export class Prices extends Sheets {
  prices({ query, channel }: Ask): unknown {
    const found = this.clubsAsked(query, channel, 5);
    const dates = this.rangeAsked(query);
    const records = found.flatMap((club) => this.recordsOf(club, dates));
    const [offset, limit] = [this.countAsked(query, 'offset', 0), this.countAsked(query, 'limit', records.length)];
    return this.page(records, offset, limit);
  }

  page(records: readonly unknown[], offset: number, limit: number): unknown {
    return { records: records.slice(offset, offset + limit), total: records.length };
  }

  clubsAsked(query: URLSearchParams, channel: Ask['channel'], most: number): readonly Club[] {
    const ids = this.given(query, 'facilityIds').split(',');
    if (ids.length > most) throw this.invalid('facilityIds', `at most ${most} ids`);
    return ids.map((id) => this.findOwnClub(channel, id.trim()));
  }

  rangeDate(text: string): string | undefined {
    return queryDate(text);
  }

  rangeAsked(query: URLSearchParams): readonly string[] {
    const [from, to] = ['fromDate', 'toDate'].map((name) => {
      const date = this.rangeDate(this.given(query, name));
      if (!date) throw this.invalid(name, 'a date, dd-mm-yyyy');
      return date;
    });
    return this.daysAsked(from!, to!);
  }

  daysAsked(from: string, to: string): readonly string[] {
    const dates = daysFrom(from, to);
    if (dates.length === 0) throw this.invalid('toDate', 'no earlier than fromDate');
    if (dates.length > MOST_DAYS) throw this.invalid('toDate', `within ${MOST_DAYS} days of fromDate`);
    return dates;
  }

  countAsked(query: URLSearchParams, name: string, fallback: number): number {
    if (query.get(name) === null) return fallback;
    return this.integer(query, name, (value) => value >= 0, 'zero or more');
  }

  recordsOf(club: Club, dates: readonly string[]): unknown[] {
    return dates.flatMap((date) =>
      club.courses.flatMap((course) =>
        course.fees.flatMap((fee) => (this.isOpen(club, date) ? [this.record(club, course, fee, date)] : [])),
      ),
    );
  }

  record(club: Club, course: Course, fee: Fee, date: string): Record<string, unknown> {
    const where = { facilityId: club.id, facilityName: club.name, courseId: course.id, courseName: course.name };
    const when = { countryName: this.countryOf(club), date, dayOfWeek: names[weekday(date)] };
    const what = { productId: fee.mid, productName: fee.name, price: this.rate(fee, date), currency: club.currency };
    return { ...where, ...when, ...what, availability: this.availability(club, course, fee, date) };
  }

  availability(club: Club, course: Course, fee: Fee, date: string): unknown {
    return this.find(club, [course], date, 1, fee.on).map((slot) => {
      return { time: slot.time.slice(11), available: this.free(slot) };
    });
  }
}
