import { isObject } from '../../common/index.js';
import { dayAfter } from '../client/day.js';
import type { Reply } from '../client/exchange.js';
import { isOf, operationIn } from '../client/operations.js';
import type { Param } from '../client/request.js';
import { lastOf, type Session } from '../client/session.js';
import type { ListVersion } from '../journeys/booking-lists.js';
import { paramsOf, priceParamsOf, recordsIn, type SheetVersion } from '../journeys/pool/reads.js';
import { summariesOf } from '../journeys/tee-times-by-version.js';
import { Contradiction, GivenUp } from './found.js';
import type { Spot } from './spots.js';
import type { Channel } from './steps.js';

type Params = Readonly<Record<string, Param>>;
type Row = Readonly<Record<string, unknown>>;

/** The free slots that a tee sheet shows of a tee time: 0 where it is not listed. */
export interface Shown {
  readonly spot: number;
  readonly free: number;
  readonly isListed: boolean;
  readonly shownBy: string;
}

/** What a walk reads: each time anew. */
export class Readings {
  constructor(
    readonly session: Session,
    readonly spots: readonly Spot[],
  ) {}

  /** The tee times of the walk on the tee sheets of a version, or some of them. */
  async sheet(version: string, as: Channel = 'first', players = 1, only?: number): Promise<readonly Shown[]> {
    const groups = new Map<string, number[]>();
    for (const [spot, one] of this.spots.entries()) {
      if ((only !== undefined && spot !== only) || (as === 'second' && !one.isShared)) continue;
      const params = this.#paramsOf(version as SheetVersion, one, players);
      if (!params) continue;
      const key = JSON.stringify(params);
      groups.set(key, [...(groups.get(key) ?? []), spot]);
    }
    const shown: Shown[] = [];
    for (const [key, spots] of groups) {
      const reply = await this.read(
        operationIn('listTeeTimes', version as SheetVersion),
        JSON.parse(key) as Params,
        as,
      );
      const found = new Map(summariesOf(version as SheetVersion, reply).map((one) => [`${one.id} ${one.time}`, one]));
      for (const spot of spots) {
        const { teeid, time } = this.spots[spot]!.teeTime;
        const one = found.get(`${teeid} ${time}`);
        shown.push({ spot, free: one?.free ?? 0, isListed: one !== undefined, shownBy: reply.id });
      }
    }
    return shown;
  }

  #paramsOf(version: SheetVersion, { sheet, courseId }: Spot, players: number): Params | undefined {
    const { facilityId, day, holes } = sheet;
    if (!isOf('courseSheet', version)) return paramsOf({ facilityId, day, holes, players });
    return courseId === undefined ? undefined : paramsOf({ facilityId, day, holes, players, courseId });
  }

  /** The bookings of a channel for the days of the walk; the days around them are read too (`time.borders`). */
  async list(version: string, as: Channel, scheme?: 'bearer'): Promise<readonly Row[]> {
    const days = this.spots.map(({ sheet }) => sheet.day).sort((a, b) => (a.iso < b.iso ? -1 : 1));
    const [from, to] = [dayAfter(days[0]!, -1), dayAfter(days.at(-1)!, 2)];
    return rowsOf(await this.#list(version, as, { fromDate: from.query, toDate: to.query }, scheme));
  }

  /** All bookings of a channel from yesterday on, or its list without parameters. */
  wholeList(version: string, as: Channel, isBare: boolean): Promise<Reply> {
    return this.#list(version, as, isBare ? {} : { fromDate: this.session.day(-1).query });
  }

  async #list(version: string, as: Channel, params: Params, scheme?: 'bearer'): Promise<Reply> {
    const reply = await this.read(operationIn('listBookings', version as ListVersion), params, as, scheme);
    if (!Array.isArray(reply.data)) throw new GivenUp('A booking list has another form.');
    return reply;
  }

  /** The free slots of a tee time in the price list; undefined where it does not show them. */
  async prices({ sheet, teeTime }: Spot, productId: number): Promise<number | undefined> {
    const { facilityId, day } = sheet;
    const params = priceParamsOf({ facilityIds: [facilityId], from: day });
    const { data } = await this.read(operationIn('listPrices'), params, 'first');
    const record = recordsIn(data).find((one) => one.productId === productId && one.courseName === teeTime.course);
    if (!Array.isArray(record?.availability) || record.availability.length === 0) return undefined;
    return record.availability.find(({ time }) => time === teeTime.time.slice(11, 19))?.available ?? 0;
  }

  /** The id of the last answer of an operation. */
  last(operation: Reply['operation']): string | undefined {
    return operation && lastOf(this.session, operation);
  }

  /** A read that was answered when the walk began. */
  async read(
    operation: NonNullable<Reply['operation']>,
    params: Params,
    as: Channel,
    scheme?: 'bearer',
  ): Promise<Reply> {
    const send = (): Promise<Reply> => this.session.send({ operation, params, as, ...(scheme ? { scheme } : {}) });
    const first = await send();
    const reply = first.ok ? first : await send();
    expectNoServerError(reply);
    if (reply.ok) return reply;
    throw new Contradiction({
      fact: 'read',
      message: `${reply.what} is refused, and was not before.`,
      expected: 'a success',
      actual: reply.status,
      shownBy: reply.id,
      operation,
    });
  }
}

/** The bookings of a list. */
export function rowsOf({ data }: Reply): readonly Row[] {
  return (data as readonly unknown[]).filter(isObject);
}

/** Statuses of a gateway or of a busy service: they say nothing about the service itself. */
const busy: readonly number[] = [501, 502, 503, 504];

/** @throws {Contradiction} for an error of the server, {@link GivenUp} where the service is busy. */
export function expectNoServerError({ status, id, what, operation }: Reply): void {
  if (status < 500) return;
  if (busy.includes(status)) throw new GivenUp(`The deployment answers ${status}.`);
  const message = `${what} ends in an error of the server (${status}).`;
  throw new Contradiction({ fact: 'server-error', message, actual: status, shownBy: id, operation });
}
