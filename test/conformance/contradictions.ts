/**
 * Planted contradictions: of what several answers of a sound run claim about one thing, one answer claims something else. The
 * relations of the suite must see it. Nothing is deployed: a case costs milliseconds.
 */
import { isObject } from '../../src/common/index.js';
import { operationOf } from '../../src/contract/index.js';
import { Chance } from '../../src/conformance/client/chance.js';
import { bookingItems, type Reply } from '../../src/conformance/client/exchange.js';
import { operationIn } from '../../src/conformance/client/operations.js';
import { onlyReads } from '../../src/conformance/client/request.js';
import { Facts, grouped } from '../../src/conformance/facts/facts.js';
import { isDoubt } from '../../src/conformance/facts/relation.js';
import { ArchiveReader } from '../../src/conformance/replay/archive.js';
import { readRecording } from '../../src/conformance/replay/recorded-calls.js';
import { RecordedTransport, recordedRun, takeDelivery } from '../../src/conformance/replay/recorded-transport.js';
import { handWritten } from '../../src/conformance/rules/index.js';
import { NOW } from '../support/client.js';

/** What kind of value a case changes. */
type Kind = 'id' | 'price' | 'time' | 'slots' | 'name' | 'state' | 'text' | 'number';

type Json = Readonly<Record<string, unknown>>;
type Path = readonly (string | number)[];

/** A value that an answer claims of something. */
interface Claimed {
  readonly reply: Reply;
  /** From the payload of the answer to the value. */
  readonly path: Path;
  /** What it is a value of: two answers with the same key and value claim the same. */
  readonly key: string;
  /** Resource and member, for the table. */
  readonly member: string;
  readonly kind: Kind;
  readonly value: string | number | boolean;
}

/** A value of an answer, and what it is changed to. */
interface Case extends Claimed {
  readonly changed: unknown;
}

/** The exchanges of a run, as `check --replay` reads its recording. */
export function historyOf(archive: unknown): readonly Reply[] {
  const reader = new ArchiveReader();
  const { baseUrl, calls, deliveries } = readRecording(reader.end(archive));
  const transport = new RecordedTransport(
    { baseUrl, maxEvidence: undefined, runId: reader.runId },
    { now: () => Date.parse(NOW) },
    () => {},
  );
  const run = recordedRun(transport);
  for (const call of calls) transport.take(call);
  for (const delivery of deliveries) takeDelivery(run, delivery);
  return transport.replies;
}

const ONE_IN = 8;

/** Collects what an answer claims. */
class Walk {
  readonly claims: Claimed[] = [];
  constructor(
    readonly reply: Reply,
    /** How often the run had written before it. */
    readonly writes: number,
    readonly seed: number,
  ) {}

  /** Whether a tee time or price record is one of those that are looked at: a run has many, with much in each. */
  isChosen(key: string): boolean {
    const sum = [...key].reduce((hash, sign) => (hash * 31 + sign.charCodeAt(0)) % 10_007, this.seed);
    return sum % ONE_IN === 0;
  }

  add(path: Path, key: string, member: string, kind: Kind, value: unknown): void {
    if (!['string', 'number', 'boolean'].includes(typeof value) || value === '' || String(value).includes('***'))
      return;
    this.claims.push({
      reply: this.reply,
      path,
      key: `${member} ${key}`,
      member,
      kind,
      value: value as string,
    });
  }

  /** Every value at any depth, by its name. */
  leaves(path: Path, key: string, resource: string, value: unknown, kinds: Readonly<Record<string, Kind>> = {}): void {
    if (isObject(value) || Array.isArray(value)) {
      for (const [name, part] of Object.entries(value)) {
        const at = Array.isArray(value) ? Number(name) : name;
        if (name === 'id') continue;
        this.leaves([...path, at], key, resource, part, kinds);
      }
      return;
    }
    const names = path.filter((one) => typeof one === 'string');
    const name = names.at(-1)!;
    const index = path.filter((one) => typeof one === 'number').at(-1);
    const place = typeof path.at(-1) === 'number' ? ` ${index}` : '';
    const byType = typeof value === 'boolean' ? 'state' : typeof value === 'number' ? 'number' : 'text';
    this.add(path, `${key}${place}`, `${resource}.${name}`, kinds[name] ?? byType, value);
  }
}

const list = (value: unknown): readonly Json[] => (Array.isArray(value) ? (value as Json[]) : []);

/** What an answer claims, by the operation that it is of. */
function claimsOf(reply: Reply, writes: number, seed: number): readonly Claimed[] {
  const { operation, asked, data } = reply;
  const walk = new Walk(reply, writes, seed);
  if (!operation || !asked) return [];
  const { name, version } = operationOf(operation);
  const { params, caller, body } = asked;
  switch (name) {
    case 'listCountries':
      for (const [at, country] of list(data).entries())
        walk.add([at], `${caller} ${params['connected']} ${country}`, 'country.name', 'name', country);
      break;
    case 'listFacilities':
      for (const [at, one] of list(data).entries()) {
        const asked = `${caller} ${params['country']} ${params['connected']}`;
        walk.add([at, 'id'], `${asked} ${one['id']}`, 'facility.id (list)', 'id', one['id']);
        walk.leaves([at], String(one['id']), 'facility', one, { name: 'name' });
      }
      break;
    case 'findFacility':
    case 'facilityDetails': {
      const id = String(params['facilityId']);
      const parts = Array.isArray(data) ? data : [data];
      for (const [at, part] of parts.entries()) {
        const path = Array.isArray(data) ? [at] : [];
        if (!isObject(part)) continue;
        walk.add([...path, 'id'], id, 'facility.id (by id)', 'id', part['id']);
        const { name: own, paymentRule, reservationsContact, ...rest } = part;
        walk.add([...path, 'name'], id, 'facility.name', 'name', own);
        walk.leaves(path, id, 'facility', rest, { created: 'time' });
        walk.leaves([...path, 'paymentRule'], id, 'facility.paymentRule', paymentRule, { name: 'name', mid: 'id' });
        const contact = 'reservationsContact';
        walk.leaves([...path, contact], id, `facility.${contact}`, reservationsContact, { name: 'name' });
      }
      break;
    }
    case 'listTeeTimes':
      sheet(walk, version, caller, params, data);
      break;
    case 'listPrices':
      prices(walk, `${caller} ${params['facilityIds']} ${params['fromDate']} ${params['toDate']}`, params, data);
      break;
    case 'createBooking':
    case 'createBulkBooking':
      created(walk, body, data);
      break;
    case 'listBookings':
      for (const [at, one] of list(data).entries()) booking(walk, [at], one, caller, params);
      break;
    default:
  }
  return walk.claims;
}

function sheet(walk: Walk, version: string, caller: string, params: Json, data: unknown): void {
  const { facilityId: facility, bookingDate: day, players, holes } = params;
  const name = isObject(data) ? ('teeTimeV3' in data ? 'teeTimeV3' : 'teeTimeV2') : undefined;
  const [times, base] = name === undefined ? [data, []] : [(data as Json)[name], [name]];
  for (const [at, one] of list(times).entries()) {
    const path = [...base, at];
    const idName = 'teeid' in one ? 'teeid' : 'id';
    const id = one[idName];
    const key = `${caller} ${facility} ${id}`;
    if (!walk.isChosen(key)) continue;
    const course = 'round' in one ? 'round' : 'course';
    const asked = `${caller} ${day} ${facility} ${one['time']} ${one[course]} ${one['holes']}`;
    walk.add([...path, idName], asked, 'teetime.id', 'id', id);
    walk.add([...path, 'time'], key, 'teetime.time', 'time', one['time']);
    walk.add([...path, course], key, 'teetime.course', 'name', one[course]);
    walk.add([...path, 'holes'], key, 'teetime.holes', 'number', one['holes']);
    const of = `${version} ${players} ${walk.writes} ${key}`;
    walk.add([...path, 'players'], of, 'teetime.players', 'slots', one['players']);
    for (const [index, step] of list(one['pricing']).entries()) {
      const [place, ofStep] = [[...path, 'pricing', index], `${key} ${String(step['players']).slice(0, 1)}`];
      money(walk, [...place, 'price'], ofStep, 'teetime.pricing.price', step['price']);
    }
    for (const [index, extra] of list(one['extraProducts']).entries()) {
      const place = [...path, 'extraProducts', index];
      walk.add([...place, 'mid'], `${key} ${extra['name']}`, 'extra.mid', 'id', extra['mid']);
      const ofExtra = `${key} ${extra['mid']}`;
      walk.add([...place, 'name'], ofExtra, 'extra.name', 'name', extra['name']);
      walk.add([...place, 'category'], ofExtra, 'extra.category', 'text', extra['category']);
      for (const rate of rates) money(walk, [...place, rate], `${key} ${extra['mid']}`, `extra.${rate}`, extra[rate]);
    }
    for (const [index, product] of list(one['products']).entries()) {
      const place = [...path, 'products', index];
      const { mid } = product;
      walk.add([...place, 'mid'], `${key} ${product['name']}`, 'product.mid', 'id', mid);
      walk.add([...place, 'name'], `${key} ${mid}`, 'product.name', 'name', product['name']);
      walk.add([...place, 'category'], `${key} ${mid}`, 'product.category', 'text', product['category']);
      const now = `${walk.writes} ${key} ${mid}`;
      walk.add([...place, 'available'], now, 'product.available', 'slots', product['available']);
      for (const [nth, step] of list(product['pricing']).entries()) {
        const ofStep = `${key} ${mid} ${step['quantity']}`;
        for (const rate of rates) money(walk, [...place, 'pricing', nth, rate], ofStep, `product.${rate}`, step[rate]);
        walk.add(
          [...place, 'pricing', nth, 'quantity'],
          `${key} ${mid} ${nth}`,
          'product.quantity',
          'number',
          step['quantity'],
        );
      }
    }
  }
  if (!isObject(data)) return;
  const range = 'facilityCancellationPolicyRange';
  for (const [at, one] of list(data[range]).entries())
    for (const member of Object.keys(one))
      walk.add([range, at, member], `${caller} ${facility} ${day} ${at}`, `policy.${member}`, 'number', one[member]);
  void holes;
}

const rates = ['price', 'netRate', 'publicRate'] as const;

function money(walk: Walk, path: Path, key: string, member: string, value: unknown): void {
  if (!isObject(value)) return;
  walk.add([...path, 'amount'], key, `${member}.amount`, 'price', value['amount']);
  walk.add([...path, 'currency'], key, `${member}.currency`, 'text', value['currency']);
}

function prices(walk: Walk, selection: string, params: Json, data: unknown): void {
  if (!isObject(data)) return;
  if (Number(params['limit'] ?? 1) > 0) walk.add(['total'], selection, 'prices.total', 'number', data['total']);
  for (const [at, record] of list(data['records']).entries()) {
    const { facilityId, courseId, productId, date, courseName } = record;
    const path = ['records', at];
    const key = `${selection.split(' ')[0]} ${facilityId} ${courseId} ${productId} ${date}`;
    if (!walk.isChosen(key)) continue;
    const position = `${selection} ${Number(params['offset'] ?? NaN) + at}`;
    for (const name of ['facilityId', 'courseId', 'productId'])
      walk.add([...path, name], position, `record.${name}`, 'id', record[name]);
    walk.add([...path, 'date'], position, 'record.date', 'time', date);
    walk.add([...path, 'facilityName'], String(facilityId), 'facility.name', 'name', record['facilityName']);
    walk.add([...path, 'countryName'], String(facilityId), 'facility.country', 'text', record['countryName']);
    walk.add([...path, 'courseId'], `${facilityId} ${courseName}`, 'course.courseId', 'id', courseId);
    walk.add([...path, 'courseName'], `${facilityId} ${courseId}`, 'course.name', 'name', courseName);
    walk.add(
      [...path, 'productName'],
      `${facilityId} ${productId} ${date}`,
      'record.productName',
      'name',
      record['productName'],
    );
    walk.add([...path, 'price'], key, 'record.price', 'price', record['price']);
    walk.add([...path, 'currency'], key, 'record.currency', 'text', record['currency']);
    walk.add([...path, 'dayOfWeek'], String(date), 'record.dayOfWeek', 'text', record['dayOfWeek']);
    for (const [nth, slot] of list(record['availability']).entries()) {
      const place = [...path, 'availability', nth];
      const now = `${walk.writes} ${key}`;
      walk.add([...place, 'time'], `${now} ${nth}`, 'record.availability.time', 'time', slot['time']);
      walk.add(
        [...place, 'available'],
        `${now} ${slot['time']}`,
        'record.availability.available',
        'slots',
        slot['available'],
      );
    }
  }
}

function created(walk: Walk, body: unknown, data: unknown): void {
  if (!isObject(data)) return;
  for (const group of ['groupId', 'bulkBookingId'])
    walk.add([group], String(data[group]), `created.${group}`, 'id', data[group]);
  const entries = data['bookingIds'];
  const items = list(bookingItems(body));
  for (const [at, entry] of (Array.isArray(entries) ? list(entries) : [data]).entries()) {
    const path = Array.isArray(entries) ? ['bookingIds', at] : [];
    const id = entry['bookingId'];
    walk.add([...path, 'bookingId'], String(id), 'booking.bookingId', 'id', id);
    walk.add([...path, 'teetime'], String(id), 'booking.teetime', 'time', entry['teetime']);
    const item = items.find(({ teetime }) => String(entry['teetime']).startsWith(String(teetime).replace(' ', 'T')));
    if (item)
      walk.add(
        [...path, 'courseId'],
        `${item['facilityId']} ${item['course']}`,
        'course.courseId',
        'id',
        entry['courseId'],
      );
  }
}

const bookingKinds: Readonly<Record<string, Kind>> = {
  teetime: 'time',
  createdAt: 'time',
  teeId: 'id',
  facilityId: 'id',
  contactName: 'name',
  contactFirstName: 'name',
  contactLastName: 'name',
  course: 'name',
  status: 'state',
};

function booking(walk: Walk, path: Path, one: Json, caller: string, params: Json): void {
  const id = String(one['bookingId']);
  for (const [name, value] of Object.entries(one)) {
    const member = name === 'round' ? 'course' : name;
    const key = member === 'status' ? `${walk.writes} ${id}` : id;
    if (name !== 'bookingId')
      walk.add([...path, name], key, `booking.${member}`, bookingKinds[member] ?? 'text', value);
  }
  const listed = `${caller} ${params['fromDate']} ${params['toDate']} ${walk.writes} ${id}`;
  walk.add([...path, 'bookingId'], listed, 'booking.bookingId (list)', 'id', id);
  walk.add([...path, 'bookingId'], id, 'booking.bookingId', 'id', id);
}

/** A value of the same form that is another one. An id becomes that of another thing, where the answers know one. */
function changedValue({ kind, value, member }: Claimed, others: readonly unknown[], chance: Chance): unknown {
  if (typeof value === 'boolean') return !value;
  if (kind === 'id') {
    const neighbour = chance.pick(others.filter((one) => one !== value));
    // A group has no second answer: another one claims its id.
    if (neighbour !== undefined && (member.startsWith('created.') || chance.next() < 0.5)) return neighbour;
    if (member.startsWith('created.')) return undefined;
    return typeof value === 'number' ? value + 900_001 : `${value}x`;
  }
  if (kind === 'slots') return value === 4 ? 3 : Number(value) + 1;
  if (kind === 'price' || typeof value === 'number') return Number(value) + (member === 'teetime.holes' ? 9 : 1);
  if (kind === 'state') return value === 'BOOKED' ? 'CANCELED' : 'BOOKED';
  if (kind === 'time') return shifted(value);
  if (member.endsWith('currency') || member.endsWith('currencyCode')) return value === 'EUR' ? 'GBP' : 'EUR';
  return `${value}x`;
}

/** A moment, a day or a time of day, ten minutes or a day later. */
function shifted(text: string): string {
  const [, day = '2026-01-01', time] = /^(\d{4}-\d\d-\d\d)?T?(\d\d:\d\d:\d\d)?/.exec(text) ?? [];
  const moved = new Date(Date.parse(`${day}T${time ?? '00:00:00'}Z`) + (time ? 600_000 : 86_400_000)).toISOString();
  return (
    [text.includes('-') ? moved.slice(0, 10) : '', time ? moved.slice(11, 19) : ''].filter(Boolean).join('T') +
    text.slice([text.includes('-') ? 10 : 0, time ? 8 : 0, text.includes('T') ? 1 : 0].reduce((a, b) => a + b))
  );
}

/** A part of an answer with one value changed; everything else is shared. */
function replaced(value: unknown, [at, ...rest]: Path, by: unknown): unknown {
  if (at === undefined) return by;
  if (Array.isArray(value)) return value.map((one: unknown, index) => (index === at ? replaced(one, rest, by) : one));
  return { ...(value as Json), [at]: replaced((value as Json)[at], rest, by) };
}

/** A run that was sound, and what its answers claim. */
export class History {
  readonly #byKey = new Map<string, Claimed[]>();
  readonly #byScope = new Map<string, Reply[]>();
  readonly #order = new Map<Reply, number>();
  readonly #values = new Map<string, Set<unknown>>();

  constructor(
    readonly replies: readonly Reply[],
    readonly seed: number,
  ) {
    let writes = 0;
    for (const [order, reply] of replies.entries()) {
      this.#order.set(reply, order);
      if (isWrite(reply)) writes += 1;
      if (!reply.ok || reply.probe) continue;
      const scope = scopeOf(reply);
      if (scope !== undefined) this.#byScope.set(scope, [...(this.#byScope.get(scope) ?? []), reply]);
      for (const claim of claimsOf(reply, writes, seed)) {
        const all = this.#byKey.get(claim.key);
        if (all) all.push(claim);
        else this.#byKey.set(claim.key, [claim]);
        const known = this.#values.get(claim.member) ?? new Set();
        this.#values.set(claim.member, known.add(claim.value));
      }
    }
  }

  /** Cases by chance, so many of each member. */
  cases(ofEach: number): readonly Case[] {
    const chance = new Chance(this.seed);
    const byMember = new Map<string, Claimed[][]>();
    for (const claims of this.#byKey.values()) {
      const [first] = claims;
      const isElsewhere = claims.some(({ reply, value }) => reply !== first!.reply && value === first!.value);
      if (!isElsewhere && !isGroupId(first!)) continue;
      const known = byMember.get(first!.member) ?? [];
      known.push(claims);
      byMember.set(first!.member, known);
    }
    return [...byMember].flatMap(([member, groups]) => {
      const others = [...this.#values.get(member)!];
      return Array.from({ length: ofEach }, (): Case | undefined => {
        const group = chance.pick(groups)!;
        const claim = chance.pick(group)!;
        const isElsewhere = group.some(({ reply, value }) => reply !== claim.reply && value === claim.value);
        if (!isElsewhere && !isGroupId(claim)) return undefined;
        const changed = changedValue(claim, others, chance);
        return changed === undefined ? undefined : { ...claim, changed };
      }).filter((one) => one !== undefined);
    });
  }

  /** How the relations take a case: as a finding, as a doubt, or not at all. */
  outcomeOf(one: Case): Outcome {
    const { reply, path, changed } = one;
    const data = replaced(reply.data, path, changed);
    const wrong: Reply = { ...reply, data, json: { ...(reply.json as object), data } };
    const beside = this.#beside(one);
    const found = differencesIn(this.#with(beside, reply, wrong), wrong);
    const finding = found.find(({ isDoubt }) => !isDoubt);
    if (finding) return { how: 'finding', rule: finding.rule };
    if (found.length === 0) return { how: 'missed' };
    const before = new Set(differencesIn(this.#with(beside, reply, reply), reply).map(({ words }) => words));
    const doubt = found.find(({ words }) => !before.has(words));
    return doubt ? { how: 'doubt', rule: doubt.rule } : { how: 'missed' };
  }

  /** Pages that show whether their total counts all. */
  get #pages(): readonly Reply[] {
    return (this.#paged ??= this.replies
      .filter(
        ({ operation, asked, ok, probe }) =>
          ok && !probe && operation === operationIn('listPrices') && asked?.params['limit'] === '1',
      )
      .slice(0, 1));
  }

  #paged: readonly Reply[] | undefined;

  /** Answers that claim the same, and those of the same day of the same facility. */
  #beside({ reply, key, member, changed }: Case): ReadonlySet<Reply> {
    const own = this.#order.get(reply)!;
    const distance = (other: Reply): number => Math.abs(this.#order.get(other)! - own);
    const nearest = (all: readonly Reply[]): Reply[] =>
      [...new Set(all)].sort((a, b) => distance(a) - distance(b)).slice(0, MOST_BESIDE);
    const scope = scopeOf(reply);
    const other = this.#byKey.get(`${member} ${String(changed)}`) ?? [];
    const claiming = [...this.#byKey.get(key)!, ...other].map((claim) => claim.reply);
    const scopes = [...new Set([...claiming.map(scopeOf), scope])].flatMap((one) =>
      one === undefined ? [] : nearest(this.#byScope.get(one)!),
    );
    return new Set([...nearest(claiming), ...scopes, ...this.#pages]);
  }

  /** Some answers with one of them changed, and all that was written between them. */
  #with(beside: ReadonlySet<Reply>, reply: Reply, by: Reply): readonly Reply[] {
    return this.replies.flatMap((one) => {
      if (one === reply) return by;
      if (beside.has(one)) return one;
      return isWrite(one) ? { ...one, ok: false } : [];
    });
  }
}

const MOST_BESIDE = 24;

const isGroupId = ({ member }: Claimed): boolean => member.startsWith('created.');

const isWrite = ({ operation }: Reply): boolean => operation !== undefined && !onlyReads(operation);

/** What an answer is about besides the things that it names: a day of a facility. */
function scopeOf({ operation, asked }: Reply): string | undefined {
  if (!operation || !asked) return undefined;
  const { facilityId, bookingDate, facilityIds, fromDate, country } = asked.params;
  if (bookingDate !== undefined) return `${facilityId} ${bookingDate}`;
  if (facilityIds !== undefined) return `${facilityIds} ${fromDate}`;
  return facilityId === undefined
    ? country === undefined
      ? operationOf(operation).name
      : String(country)
    : String(facilityId);
}

const relations = handWritten.flatMap(({ id, relation }) => (relation ? [{ id, relation }] : []));

/** How a contradiction comes out, and which rule finds it. */
interface Outcome {
  readonly how: 'finding' | 'doubt' | 'missed';
  readonly rule?: string;
}

interface Difference {
  readonly rule: string;
  readonly words: string;
  readonly isDoubt: boolean;
}

/** The differences between one answer and others. */
function differencesIn(replies: readonly Reply[], own: Reply): readonly Difference[] {
  const facts = new Facts(replies);
  const found: Difference[] = [];
  for (const { id: rule, relation } of relations) {
    for (const one of relation.compare(facts, facts)) {
      if (one.holds || ![...one.claims, ...(one.earlier ?? [])].some(({ by }) => by === own)) continue;
      const words = JSON.stringify([rule, one.what(), one.expected, one.actual]);
      found.push({ rule, words, isDoubt: isDoubt(relation, one, facts) });
    }
  }
  return found;
}

type Judged = Case & Outcome;

/** The cases that no relation has compared, each in a line. */
export const missesIn = (cases: readonly Judged[]): readonly string[] =>
  cases
    .filter(({ how }) => how === 'missed')
    .map(
      ({ member, value, changed, path, reply }) =>
        `${member}: ${value} -> ${String(changed)} (${reply.what}, ${path.join('.')})`,
    );

/** Findings, doubts and misses by kind of value, and the members with misses. */
export function tableOf(cases: readonly Judged[]): string {
  const row = (name: string, some: readonly Judged[]): string => {
    const count = (how: Outcome['how']): number => some.filter((one) => one.how === how).length;
    return `${name.padEnd(40)} ${some.length} cases: ${count('finding')} findings, ${count('doubt')} doubts, ${count('missed')} missed`;
  };
  const rows = (keyOf: (one: Judged) => string): string[] =>
    [...grouped(cases, keyOf)].sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, some]) => row(key, some));
  const missed = rows(({ member }) => member).filter((text) => !text.includes(' 0 missed'));
  return [row('all', cases), ...rows(({ kind }) => kind), ...missed, ...missesIn(cases)].join('\n');
}
