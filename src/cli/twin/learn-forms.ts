/** Learns how the answers of a deployment differ from the documented form: what its world file says in `forms`. */
import { isObject } from '../../common/index.js';
import type { DeploymentFacts, FacilityFacts } from '../../conformance/index.js';
import { type OperationId, operationOf, type WorldFile } from '../../contract/index.js';
import type { KeptAnswer, Proof } from './proof.js';
import { unpacked } from './proof.js';

export type Forms = NonNullable<WorldFile['forms']>;
type Mutable = { -readonly [K in keyof Forms]: Forms[K] };

/** What the facts alone tell: the steps of prices, and the order and days of price records. */
export function formsOf(facts: DeploymentFacts, facilities: readonly FacilityFacts[]): Forms {
  const forms: Mutable = {};
  if (facts.steps.available > facts.steps.all) forms.priceSteps = 'available';
  if (facts.past > 0) forms.pastTeeTimes = 'listed';
  if (isById(facts.priceLists)) forms.priceFacilities = 'by-id';
  const order = orderOf(facts.priceLists.map(({ records }) => records));
  if (order && order.join() !== orders[0]!.join()) forms.priceOrder = [...order];
  const days = priceDaysOf(facilities);
  if (days !== 'all') forms.priceDays = days;
  return forms;
}

type Key = 'facility' | 'course' | 'date' | 'product';
const fields = { facility: 'facilityId', course: 'courseId', date: 'date', product: 'productId' } as const;

/** Orders of price records in which the facilities come first, and others; the usual one first. */
const orders: readonly (readonly Key[])[] = permutations<Key>(['facility', 'course', 'date', 'product']);

function permutations<T>(items: readonly T[]): readonly (readonly T[])[] {
  if (items.length < 2) return [items];
  return items.flatMap((one, at) =>
    permutations(items.filter((_, other) => other !== at)).map((rest) => [one, ...rest]),
  );
}

/** The first order in which all lists come: each key keeps its value until all faster ones have had theirs. */
function orderOf(lists: readonly PriceRecords[]): readonly Key[] | undefined {
  return orders.find((order) => lists.every((list) => isInOrder(list, order)));
}

/** Whether the facilities of some list come by their ids, and not as they were asked for. */
function isById(lists: DeploymentFacts['priceLists']): boolean {
  return lists.some(({ asked, records }) => {
    const seen = [...new Set(records.map(({ facilityId }) => facilityId))];
    if (seen.length < 2) return false;
    const wanted = asked.filter((id) => seen.includes(id));
    return seen.join() !== wanted.join() && seen.join() === seen.toSorted((a, b) => a - b).join();
  });
}

type PriceRecords = DeploymentFacts['priceLists'][number]['records'];

function isInOrder(list: PriceRecords, order: readonly Key[]): boolean {
  const seen = new Set<string>();
  let last: readonly string[] = [];
  for (const record of list) {
    const values = order.map((key) => String(record[fields[key]]));
    for (let depth = 1; depth <= values.length; depth += 1) {
      const prefix = values.slice(0, depth).join('|');
      if (last.slice(0, depth).join('|') === prefix) continue;
      // It comes back after others, or goes back in time.
      if (seen.has(prefix)) return false;
      const isLater = order[depth - 1] !== 'date' || last.slice(0, depth - 1).join('|') !== values.slice(0, depth - 1).join('|') || last[depth - 1]! < values[depth - 1]!; // oxfmt-ignore
      if (!isLater) return false;
      seen.add(prefix);
    }
    last = values;
  }
  return true;
}

/** Which days have price records. A deployment may leave out those on which a course is closed, or nothing is on sale. */
function priceDaysOf(facilities: readonly FacilityFacts[]): 'all' | 'open' | 'on-sale' {
  const missing = { closed: 0, unsold: 0 };
  const listed = { closed: 0, unsold: 0 };
  for (const { courses, sheets, priceRanges } of facilities) {
    for (const { days, priced, products } of courses.values()) {
      for (const date of sheets.keys()) {
        if (!priceRanges.some(([from, to]) => from <= date && date <= to)) continue;
        const sold = new Set([...(days.get(date)?.values() ?? [])].flatMap((one) => one.products ?? []));
        const isClosed = (days.get(date)?.size ?? 0) === 0;
        for (const id of products.keys()) {
          if (!isClosed && sold.has(id)) continue;
          const counts = priced.get(date)?.has(id) ? listed : missing;
          counts[isClosed ? 'closed' : 'unsold'] += 1;
        }
      }
    }
  }
  if (missing.unsold > listed.unsold) return 'on-sale';
  return missing.closed > listed.closed ? 'open' : 'all';
}

const ofFacilities: ReadonlySet<string> = new Set(['listFacilities', 'findFacility', 'facilityDetails']);

type Members = NonNullable<Forms['members']>;
type MemberLists = Readonly<Record<string, readonly string[]>>;

/** What was learnt about the members of facilities. */
export interface LearntMembers {
  /** Of all facilities, by operation. */
  readonly all: Members;
  /** Of single ones that differ from that, by their id. */
  readonly own: ReadonlyMap<number, Members>;
}

/**
 * The members of facilities that the answers of the deployment have and those of its twin lack, and the reverse.
 *
 * @param proof A twin whose world file has no `members` yet.
 */
export async function membersOf(kept: readonly KeptAnswer[], proof: Proof): Promise<LearntMembers> {
  const shown = new Map<OperationId, Shown[]>();
  for (const one of kept) {
    const { operation } = one.question;
    if (!one.ok || !ofFacilities.has(operationOf(operation).name)) continue;
    const here = (await (await proof.ask(one.question)).response.json()) as { readonly data?: unknown };
    shown.set(operation, [...(shown.get(operation) ?? []), ...pairsOf(unpacked(one).data, here.data)]);
  }
  const all: Record<string, MemberLists> = {};
  const own = new Map<number, Record<string, MemberLists>>();
  for (const [operation, records] of [...shown].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const ofAll = listsOf(records);
    if (ofAll) all[operation] = ofAll;
    for (const record of records) {
      const ofOne = restOf(record, ofAll ?? {});
      if (ofOne) own.set(record.id, { ...own.get(record.id), [operation]: ofOne });
    }
  }
  return { all, own };
}

/** A facility in an answer of the deployment, and in that of the twin: members by their paths. */
interface Shown {
  readonly id: number;
  readonly there: ReadonlyMap<string, unknown>;
  readonly here: ReadonlyMap<string, unknown>;
}

/** What all facilities have in common. */
function listsOf(records: readonly Shown[]): MemberLists | undefined {
  const paths = [...new Set(records.flatMap(({ there, here }) => [...there.keys(), ...here.keys()]))].sort();
  const having = (side: 'there' | 'here', path: string): readonly Shown[] =>
    records.filter((one) => one[side].has(path));
  const isMissing = (path: string): boolean => having('there', path).length === 0 && having('here', path).length > 0;
  const isEmptyWhereMissing = (path: string): boolean => {
    const missing = having('here', path).filter(({ there }) => !there.has(path));
    return missing.length > 0 && missing.every(({ here }) => here.get(path) === '');
  };
  const nulls = paths.filter((path) => {
    const known = having('there', path);
    // An object that is null at some facilities has members at others.
    const isObjectElsewhere = paths.some((other) => other.startsWith(`${path}.`) && having('there', other).length > 0);
    return known.length > 0 && !isObjectElsewhere && known.every(({ there }) => there.get(path) === null);
  });
  const others = paths.filter((path) => !isBelow(path, nulls));
  return filled({
    with: others.filter((path) => having('there', path).length === records.length && having('here', path).length === 0),
    without: withParents(
      others.filter((path) => isMissing(path) && !isEmptyWhereMissing(path)),
      paths,
    ),
    withoutEmpty: others.filter(isEmptyWhereMissing),
    null: nulls,
  });
}

/** What a single facility has besides. */
function restOf(
  { there, here }: Shown,
  { without = [], withoutEmpty = [], null: ofAll = [] }: MemberLists,
): MemberLists | undefined {
  const nulls = [...there].flatMap(([path, value]) => {
    const isHere = here.has(path)
      ? here.get(path) !== null
      : [...here.keys()].some((one) => one.startsWith(`${path}.`));
    return value === null && isHere && !isBelow(path, ofAll) ? [path] : [];
  });
  const missing = [...here].flatMap(([path, value]) => {
    const isKnown = isBelow(path, [...without, ...ofAll, ...nulls]) || (value === '' && withoutEmpty.includes(path));
    return there.has(path) || isKnown ? [] : [path];
  });
  return filled({ without: withParents(missing, [...here.keys()]), null: nulls });
}

/** Whether a path is one of these, or of a member of one. */
const isBelow = (path: string, those: readonly string[]): boolean =>
  those.some((one) => path === one || path.startsWith(`${one}.`));

/** Lists without those that are empty; undefined if all are. */
function filled(lists: MemberLists): MemberLists | undefined {
  const found = Object.entries(lists).filter(([, list]) => list.length > 0);
  return found.length === 0 ? undefined : Object.fromEntries(found);
}

/** Paths, of which those of an object are one where all its members are among them. */
function withParents(paths: readonly string[], all: readonly string[]): readonly string[] {
  const parentOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('.')));
  const isWhole = (parent: string): boolean =>
    parent !== '' && all.every((path) => !path.startsWith(`${parent}.`) || paths.includes(path));
  return [...new Set(paths.map((path) => (isWhole(parentOf(path)) ? parentOf(path) : path)))];
}

/** The facilities of two answers, side by side. */
function pairsOf(there: unknown, here: unknown): readonly Shown[] {
  const recordsOf = (data: unknown): readonly Record<string, unknown>[] => {
    const parts = (Array.isArray(data) ? (data as unknown[]) : [data]).filter(isObject);
    // The by-id form has a facility and its terms.
    const isPair = parts.length === 2 && !('id' in parts[1]!);
    return isPair ? [{ ...parts[0], ...parts[1] }] : parts.filter((one) => typeof one['id'] === 'number');
  };
  const ours = new Map(recordsOf(here).map((one) => [one['id'], one]));
  return recordsOf(there).flatMap((one) => {
    const own = ours.get(one['id']);
    return own ? [{ id: one['id'] as number, there: pathsOf(one), here: pathsOf(own) }] : [];
  });
}

/** The members of a record, those of objects in it by their path. */
function pathsOf(record: Record<string, unknown>, before = ''): ReadonlyMap<string, unknown> {
  const found = new Map<string, unknown>();
  for (const [name, value] of Object.entries(record)) {
    const path = before + name;
    if (isObject(value)) for (const [inner, one] of pathsOf(value, `${path}.`)) found.set(inner, one);
    else found.set(path, value);
  }
  return found;
}
