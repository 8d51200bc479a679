/** What has changed between two world files of one deployment, in the words of those who plan with it. */
import { canonicalJson, counted, isObject } from '../../common/index.js';
import type { WorldFile } from '../../contract/index.js';

type Facility = WorldFile['facilities'][number];
type Course = Facility['courses'][number];
type Product = Course['products'][number];

/** What a change is about. */
export type ChangeKind = 'facility' | 'course' | 'product' | 'price' | 'extra' | 'policy' | 'details' | 'dialect';

export interface WorldDrift {
  readonly kind: ChangeKind;
  /** Its id in the API. Absent for a change of the whole deployment. */
  readonly facility?: number;
  readonly course?: number;
  readonly product?: number;
  /** The change in a sentence. */
  readonly text: string;
  readonly before?: unknown;
  readonly now?: unknown;
}

/**
 * The changes from one world file to the next. Tee times and their free slots are not compared, since they change with every
 * booking; prices are, on the days that both files have.
 */
export function changesBetween(before: WorldFile, now: WorldFile): readonly WorldDrift[] {
  const [old, fresh] = [before, now].map((file) => new Map(file.facilities.map((one) => [one.id, one]))) as [
    Map<number, Facility>,
    Map<number, Facility>,
  ];
  const all = [...new Set([...old.keys(), ...fresh.keys()])].sort((a, b) => a - b);
  return [...all.flatMap((id) => changesOf(old.get(id), fresh.get(id))), ...answerChanges(before.dialect, now.dialect)];
}

function changesOf(before: Facility | undefined, now: Facility | undefined): readonly WorldDrift[] {
  if (!before) {
    const { id, name, country, courses } = now!;
    const text = `Facility ${id}, ${name} in ${country}, is new, with ${counted(courses.length, 'course')}.`;
    return [{ kind: 'facility', facility: id, text }];
  }
  const { id, name } = before;
  if (!now) return [{ kind: 'facility', facility: id, text: `Facility ${id}, ${name} in ${before.country}, is gone.` }];
  return [
    ...connection(before, now),
    ...details(before, now),
    ...listChanges(before, now),
    ...courseChanges(before, now),
  ];
}

const isConnected = ({ channels }: Facility): boolean => channels === undefined || channels.length > 0;

function connection(before: Facility, now: Facility): readonly WorldDrift[] {
  if (isConnected(before) === isConnected(now)) return [];
  const what = isConnected(now) ? 'is now connected to the channel' : 'is no longer connected to the channel';
  return [{ kind: 'facility', facility: now.id, text: `Facility ${now.id}, ${now.name}, ${what}.` }];
}

/** Members of a facility in words. */
const words: Readonly<Record<string, string>> = {
  name: 'name',
  country: 'country',
  timeZone: 'time zone',
  currency: 'currency',
  language: 'language',
  website: 'website',
  email: 'e-mail address',
  phone: 'phone number',
  description: 'description',
  founded: 'year of foundation',
  logo: 'logo',
  images: 'images',
  address: 'address',
  contact: 'contact for reservations',
  services: 'services',
  paymentRule: 'payment rule',
  applicableForWhitelable: '`applicableForWhitelable`',
};

function details(before: Facility, now: Facility): readonly WorldDrift[] {
  return Object.entries(words).flatMap(([member, word]): readonly WorldDrift[] => {
    const [old, fresh] = [before, now].map((one) => (one as unknown as Record<string, unknown>)[member]);
    if (isSame(old, fresh)) return [];
    const kind = member === 'paymentRule' ? 'policy' : 'details';
    return partsOf(old, fresh).map(([part, was, is]) => ({
      kind,
      facility: now.id,
      text: `The ${word}${part} of ${before.name} is ${shown(is)}; it was ${shown(was)}.`,
      before: was,
      now: is,
    }));
  });
}

/** What differs in two values: of objects, each member. */
function partsOf(before: unknown, now: unknown): readonly (readonly [part: string, before: unknown, now: unknown])[] {
  if (!isObject(before) || !isObject(now)) return [['', before, now]];
  return [...new Set([...Object.keys(before), ...Object.keys(now)])]
    .filter((name) => !isSame(before[name], now[name]))
    .map((name) => [` (\`${name}\`)`, before[name], now[name]] as const);
}

function listChanges(before: Facility, now: Facility): readonly WorldDrift[] {
  const policy = ({ cancellation }: Facility): string =>
    (cancellation ?? []).map(({ from, to, hours }) => `${hours} hours for ${from} to ${to} players`).join(', ') ||
    'none';
  const ranges: readonly WorldDrift[] =
    policy(before) === policy(now)
      ? []
      : [
          {
            kind: 'policy',
            facility: now.id,
            text: `The cancellation policy of ${now.name} is ${policy(now)}; it was ${policy(before)}.`,
            before: before.cancellation,
            now: now.cancellation,
          },
        ];
  const { currency = '' } = now;
  const extras = pairs(before.extras ?? [], now.extras ?? []).flatMap(([old, fresh]): readonly WorldDrift[] => {
    const about = { kind: 'extra', facility: now.id } as const;
    if (!old)
      return [
        { ...about, text: `${fresh!.name} (${fresh!.price} ${currency}) is a new extra product of ${now.name}.` },
      ];
    if (!fresh) return [{ ...about, text: `${old.name} is no longer an extra product of ${now.name}.` }];
    if (isSame(old, fresh)) return [];
    const text =
      old.price === fresh.price
        ? `The extra product ${old.name} of ${now.name} has other details.`
        : `The price of the extra product ${old.name} of ${now.name} is ${fresh.price} ${currency}; it was ${old.price}.`;
    return [{ ...about, text, before: old, now: fresh }];
  });
  return [...ranges, ...extras];
}

function courseChanges(before: Facility, now: Facility): readonly WorldDrift[] {
  return pairs(before.courses, now.courses).flatMap(([old, fresh]): readonly WorldDrift[] => {
    const about = { kind: 'course', facility: now.id, course: (fresh ?? old)!.id } as const;
    if (!old) return [{ ...about, text: `${fresh!.name} is a new course of ${now.name}.` }];
    if (!fresh) return [{ ...about, text: `${old.name} is no longer a course of ${now.name}.` }];
    const renamed = { ...about, text: `The course ${old.name} of ${now.name} is now called ${fresh.name}.` };
    return [...(old.name === fresh.name ? [] : [renamed]), ...productChanges(now, old, fresh)];
  });
}

function productChanges(facility: Facility, before: Course, now: Course): readonly WorldDrift[] {
  const place = `${now.name}, ${facility.name}`;
  return pairs(before.products, now.products).flatMap(([old, fresh]): readonly WorldDrift[] => {
    const about = { kind: 'product', facility: facility.id, course: now.id, product: (fresh ?? old)!.id } as const;
    if (!old) return [{ ...about, text: `${fresh!.name} is a new product at ${place}.` }];
    if (!fresh) return [{ ...about, text: `${old.name} is no longer sold at ${place}.` }];
    const renamed = { ...about, text: `The product ${old.name} at ${place} is now called ${fresh.name}.` };
    return [
      ...(old.name === fresh.name ? [] : [renamed]),
      ...priceChanges(facility, [before, old], [now, fresh]).map((one) => ({ ...about, ...one })),
    ];
  });
}

type Sold = readonly [course: Course, product: Product];

/** Days in a row on which a price differs in the same way. */
interface Stretch {
  readonly before: number;
  readonly now: number;
  readonly players: number;
  readonly first: string;
  last: string;
}

function priceChanges(
  { currency = '' }: Facility,
  old: Sold,
  fresh: Sold,
): readonly Pick<WorldDrift, 'kind' | 'text' | 'before' | 'now'>[] {
  const dates = Object.keys(fresh[0].days ?? {})
    .filter((date) => old[0].days?.[date] !== undefined)
    .sort();
  const stretches: Stretch[] = [];
  const kinds = new Map<string, Stretch>();
  for (const date of dates) {
    const [was, is] = [totalsOn(old, date), totalsOn(fresh, date)];
    const at = [0, 1, 2, 3].find((players) => !isClose(was[players]!, is[players]!));
    if (at === undefined) continue;
    // Weekends have other prices, so that the days of a change are not in a row.
    const key = `${at} ${was[at]} ${is[at]}`;
    const known = kinds.get(key);
    if (known) known.last = date;
    else {
      const stretch = { before: was[at]!, now: is[at]!, players: at + 1, first: date, last: date };
      kinds.set(key, stretch);
      stretches.push(stretch);
    }
  }
  const [{ name: course }, { name }] = fresh;
  return stretches.map(({ before, now, players, first, last }) => {
    const group = players === 1 ? '' : ` for ${players} players`;
    const when = first === last ? `on ${dayText(first)}` : `from ${dayText(first)} to ${dayText(last)}`;
    const text = `The price of ${name} at ${course}${group} is ${now} ${currency}, ${when}; it was ${before}.`;
    return { kind: 'price', text, before, now };
  });
}

const isClose = (one: number, other: number): boolean => Math.abs(one - other) < 0.005;
const isWeekend = (date: string): boolean => [0, 6].includes(new Date(`${date}T00:00:00Z`).getUTCDay());

/** The totals for 1, 2, 3 and 4 players on a day of a file. */
function totalsOn([course, product]: Sold, date: string): readonly number[] {
  const sold = (course.days?.[date] ?? []).flatMap(({ products = [] }) => products);
  const exact = [...sold, ...(course.prices?.[date] ?? [])].find(
    (one) => typeof one !== 'number' && one.id === product.id,
  );
  const { price } = typeof exact === 'object' ? exact : product;
  const rate = exact === undefined && isWeekend(date) ? (course.weekendRate ?? 1) : 1;
  const totals = typeof price === 'number' ? [1, 2, 3, 4].map((players) => players * price) : price;
  return totals.map((one) => Math.round(one * rate * 100) / 100);
}

function answerChanges(before: WorldFile['dialect'], now: WorldFile['dialect']): readonly WorldDrift[] {
  const [old, fresh] = [before, now].map((card) => (card?.answers ?? {}) as Readonly<Record<string, unknown>>) as [
    Readonly<Record<string, unknown>>,
    Readonly<Record<string, unknown>>,
  ];
  return Object.keys(old)
    .filter((id) => fresh[id] !== undefined && !isSame(old[id], fresh[id]))
    .sort()
    .map((id) => ({
      kind: 'dialect',
      text: `The answer to the open question ${id} is ${shown(fresh[id])}; it was ${shown(old[id])}.`,
      before: old[id],
      now: fresh[id],
    }));
}

/** Elements of two lists by their ids, in the order of the ids. */
function pairs<T extends { readonly id: number }>(
  before: readonly T[],
  now: readonly T[],
): readonly (readonly [before: T | undefined, now: T | undefined])[] {
  const ids = [...new Set([...before, ...now].map(({ id }) => id))].sort((a, b) => a - b);
  return ids.map((id) => [before.find((one) => one.id === id), now.find((one) => one.id === id)]);
}

const isSame = (one: unknown, other: unknown): boolean =>
  one === other || (one !== undefined && other !== undefined && canonicalJson(one) === canonicalJson(other));

function shown(value: unknown): string {
  if (value === undefined) return 'unknown';
  return typeof value === 'string' ? (value === '' ? 'empty' : value) : JSON.stringify(value);
}

const dayFormat = new Intl.DateTimeFormat('en-GB', { timeZone: 'UTC', day: 'numeric', month: 'long', year: 'numeric' });
const dayText = (date: string): string => dayFormat.format(new Date(`${date}T00:00:00Z`));
