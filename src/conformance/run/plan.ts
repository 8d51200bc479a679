import { isObject } from '../../common/index.js';
import { type OperationId, operationOf } from '../../contract/index.js';
import { checkBy } from './check.js';
import type { CheckOptions, RunOptions } from './check-options.js';
import { memoryJournal } from '../client/credentials.js';
import type { Caller, Exchange } from '../client/exchange.js';
import { type Effect, effectOf } from '../client/permission.js';
import { MemoryReceiver } from '../client/receiver.js';
import type { OperationCall, RequestCall } from '../client/request.js';
import { Contract } from '../client/contract.js';
import { type Day, dayAfter, dayOf } from '../client/day.js';

type ExampleFields = Readonly<Record<string, unknown>>;

/** Facilities of each country, and tee times of a day: enough for every journey. */
const PLENTY = 12;
/** More than most deployments have. They make up for the kinds of facilities that a rehearsal lacks, for which a run reads more. */
const COUNTRIES = 40;
/** The first countries have plenty of facilities, and the others one each: about as many as the sandbox has in all. */
const LARGE_COUNTRIES = 2;
/** How many times larger the tee sheets of a deployment are, which may fill the room for answers before all are read. */
const WEIGHT_OF_SHEETS = 10;
const isSheet = (call: RequestCall): boolean =>
  'operation' in call && operationOf(call.operation).name === 'listTeeTimes';
const MINUTES_APART = 50;
const FIRST_MINUTE = 7 * 60;
/** Every second facility has rounds of 9 holes only, and sells 18 holes as two of them. */
const isShort = (facilityId: number): boolean => facilityId % 2 === 1;
/** Every third facility has a second course, which has every second tee time. */
const hasTwoCourses = (facilityId: number): boolean => facilityId % 3 === 0;
const SECOND = { courseId: 2, courseName: 'Second course' };
const LINKED = { mid: 2, name: 'Green fee 18 holes' };

/** Answers of a deployment that has plenty of everything, made of the examples of the contract. Nothing is sent. */
class Rehearsal {
  readonly #contract = new Contract();
  #booked = 0;
  #groups = 0;

  /** The answer to a request: a refusal if it breaks the contract on purpose. */
  answer(call: RequestCall): Response {
    const refused = { success: false, data: null, message: 'rehearsed' };
    // Most deployments do not cancel.
    if (!('operation' in call) && call.method === 'DELETE') return Response.json(refused, { status: 404 });
    if (call.breaking !== undefined || !('operation' in call)) return Response.json(refused, { status: 400 });
    const example = this.#contract.answer(call.operation).example as ExampleFields;
    return Response.json({ ...example, data: this.#data(call, example['data']) });
  }

  #data(call: OperationCall, data: unknown): unknown {
    const { params = {}, body } = call;
    switch (operationOf(call.operation).name) {
      case 'listCountries':
        return numbered(data, (country, index) => `${String(country)} ${index}`, COUNTRIES);
      case 'listFacilities':
        return facilitiesOf(data, String(params['country']));
      case 'listPrices':
        return pricesOf(data as { readonly records: readonly ExampleFields[] }, params);
      case 'listTeeTimes':
        return sheetOf(data, params);
      case 'createBooking':
      case 'createBulkBooking':
        return this.#book(body, data as ExampleFields);
      default:
        return data;
    }
  }

  #book(body: unknown, data: ExampleFields): unknown {
    const list = isObject(body) && Array.isArray(body['details']) ? (body['details'] as unknown[]) : body;
    const items = (Array.isArray(list) ? list : [list]).filter(isObject);
    const made = items.map((item) => {
      const bookingId = `rehearsed-${(this.#booked += 1)}`;
      const teetime = String(item['teetime']).replace(' ', 'T');
      return { bookingId, teetime, courseId: 1 };
    });
    if (!Array.isArray(list)) return { ...data, bookingId: made[0]?.bookingId };
    this.#groups += 1;
    return { ['bulkBookingId' in data ? 'bulkBookingId' : 'groupId']: this.#groups, bookingIds: made };
  }
}

/** A list extended with copies of its first element. */
function numbered(list: unknown, copy: (first: unknown, index: number) => unknown, length = PLENTY): unknown {
  if (!Array.isArray(list) || list.length === 0) return list;
  return Array.from({ length }, (_, index) => (list as unknown[])[index] ?? copy(list[0], index));
}

/** The facilities of a country, each with an id of its own. */
function facilitiesOf(data: unknown, country: string): unknown {
  const number = [...country].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 997, 0);
  const address = (one: ExampleFields): ExampleFields => ({ ...(one['address'] as ExampleFields), country });
  const copy = (one: unknown, index: number): unknown =>
    isObject(one) ? { ...one, id: 1000 + number * PLENTY + index, address: address(one) } : one;
  const isLarge = Number(/\d+$/.exec(country)?.[0] ?? 0) < LARGE_COUNTRIES;
  const all = numbered(data, copy, isLarge ? PLENTY : 1);
  return Array.isArray(all) ? all.map((one, index) => copy(one, index)) : all;
}

/** The minute of each tee time of a day. */
function timesOf(): readonly string[] {
  return Array.from({ length: PLENTY }, (_, index) => {
    const minute = FIRST_MINUTE + index * MINUTES_APART;
    return [Math.floor(minute / 60), minute % 60, 0].map((part) => String(part).padStart(2, '0')).join(':');
  });
}

/** The price records of some facilities on some days. */
function pricesOf(
  { records: [record] }: { readonly records: readonly ExampleFields[] },
  params: ExampleFields,
): unknown {
  const ids = String(params['facilityIds']).split(',').map(Number);
  const [from, to] = [params['fromDate'], params['toDate']].map(dayInQuery);
  const last = to?.iso ?? '';
  const records: ExampleFields[] = [];
  for (let day = from; day && day.iso <= last; day = dayAfter(day, 1)) {
    for (const facilityId of ids) {
      const times = timesOf().map((time, index) => ({ time, available: freeAt(index) }));
      const on = (second: boolean): unknown => times.filter((_, index) => isOnSecond(facilityId, index) === second);
      const one = { ...record, facilityId, date: day.iso, availability: on(false) };
      records.push(one);
      if (hasTwoCourses(facilityId)) records.push({ ...one, ...SECOND, availability: on(true) });
      if (isShort(facilityId)) records.push({ ...one, productId: LINKED.mid, productName: LINKED.name });
    }
  }
  const [offset, limit] = [Number(params['offset'] ?? 0), Number(params['limit'] ?? records.length)];
  return { records: records.slice(offset, offset + limit), total: records.length };
}

function dayInQuery(date: unknown): Day | undefined {
  return dayOf(String(date).split('-').reverse().join('-'));
}

const isOnSecond = (facilityId: number, index: number): boolean => hasTwoCourses(facilityId) && index % 2 === 1;
const freeAt = (index: number): number => 4 - (index % 4);

/** The tee times of a day in the form of the example, whichever version it is of. */
function sheetOf(data: unknown, params: ExampleFields): unknown {
  const [day, facilityId] = [dayInQuery(params['bookingDate']), Number(params['facilityId'])];
  const { holes, players, courseId } = params;
  const times = timesOf();
  const copy = (one: ExampleFields, index: number): ExampleFields => {
    const id = facilityId * 1000 + (holes === 9 ? 0 : PLENTY) + index;
    const products = 'products' in one ? productsOf(one['products'], facilityId, freeAt(index)) : undefined;
    const free = products ? { products } : { players: freeAt(index) };
    const course = isOnSecond(facilityId, index) ? SECOND.courseName : one['course'];
    return {
      ...one,
      ...('teeid' in one ? { teeid: id } : { id }),
      ...('round' in one ? {} : { course }),
      ...free,
      time: `${day?.iso}T${times[index]}`,
      holes,
    };
  };
  const all = (list: unknown): unknown => {
    if (!Array.isArray(list) || !isObject(list[0])) return list;
    const [first] = list as unknown as readonly [ExampleFields];
    const copies = holes === 18 && isShort(facilityId) ? [] : times.map((_, index) => copy(first, index));
    const isOfCourse = (index: number): boolean =>
      courseId === undefined || (courseId === SECOND.courseId) === isOnSecond(facilityId, index);
    return copies.filter((_, index) => freeAt(index) >= Number(players) && isOfCourse(index));
  };
  if (!isObject(data)) return all(data);
  return Object.fromEntries(
    Object.entries(data).map(([name, value]) => [name, name.startsWith('teeTime') ? all(value) : value]),
  );
}

function productsOf(example: unknown, facilityId: number, available: number): unknown {
  const [product] = example as readonly ExampleFields[];
  const single = { ...product, available };
  return isShort(facilityId) ? [single, { ...single, ...LINKED }] : [single];
}

/** Requests of one kind that a run would send. */
export interface PlannedRequest {
  readonly method: string;
  /** The path with its parameters; values that come from the deployment are in braces. */
  readonly path: string;
  readonly effect: Effect;
  readonly caller: Caller;
  readonly count: number;
}

/**
 * The requests that a run would send. Nothing is sent: the rules run against a deployment that has plenty of everything.
 * One with other data gets a few more or fewer requests.
 */
export function plan(options: CheckOptions): Promise<readonly PlannedRequest[]> {
  return planOf(options, checkBy);
}

/** The requests that a piece of work would send. */
export async function planOf(
  options: CheckOptions,
  work: (options: RunOptions) => Promise<unknown>,
): Promise<readonly PlannedRequest[]> {
  const rehearsal = new Rehearsal();
  const sent: Exchange[] = [];
  const { first, second } = options;
  // A rehearsal must not touch a token journal.
  const pretend = ({ basic, refreshToken, journal }: CheckOptions['first']): CheckOptions['first'] => ({
    ...(basic ? { basic } : {}),
    ...(journal ? { journal: memoryJournal('rehearsed-token') } : {}),
    ...(refreshToken && !journal ? { refreshToken: 'rehearsed-token' } : {}),
  });
  await work({
    ...options,
    first: pretend(first),
    ...(second ? { second: pretend(second) } : {}),
    host: { ...options.host, sleep: async () => {} },
    // A rehearsal shows no write, however long a run looks for one. Some looks make up for reads that it does without.
    settle: 300,
    rps: 0,
    deadline: 0,
    receiver: new MemoryReceiver('http://127.0.0.1/planned', { now: options.host.now, sleep: async () => {} }),
    rehearse: (call) => ({ response: rehearsal.answer(call), weight: isSheet(call) ? WEIGHT_OF_SHEETS : 1 }),
    onEvent: (event) =>
      void (event.type === 'exchange' && event.exchange.caller !== 'deployment' && sent.push(event.exchange)),
  });
  return grouped(sent, options.baseUrl.replace(/\/+$/, ''));
}

/** One line for each kind of request, in the order of first use. */
function grouped(sent: readonly Exchange[], base: string): PlannedRequest[] {
  const kinds = new Map<string, PlannedRequest>();
  for (const { request, operation, caller } of sent) {
    const path = planned(operation, request.url.slice(base.length));
    const key = `${request.method} ${path} ${caller}`;
    const count = (kinds.get(key)?.count ?? 0) + 1;
    const effect = effectOf(request.method, path);
    kinds.set(key, { method: request.method, path, effect, caller: caller as Caller, count });
  }
  return [...kinds.values()];
}

/** Parameters whose values come from the deployment. */
const told = /^(country|facilityIds|callbackUrl)$/;

function planned(operation: OperationId | undefined, path: string): string {
  const at = path.indexOf('?');
  const bare = at < 0 ? path : path.slice(0, at);
  const query = at < 0 ? [] : [...new URLSearchParams(path.slice(at + 1))];
  const shown = query.map(([name, value]) => `${name}=${told.test(name) ? `{${name}}` : value}`).join('&');
  const place = operation === undefined ? bare : operationOf(operation).path;
  return shown === '' ? place : `${place}?${shown}`;
}
