import { isObject } from '../../common/index.js';
import { closed, flat, type Step, type Walk } from './steps.js';

type Fits = (value: unknown) => boolean;

/** The most steps and tee times of a file, and the longest wait in milliseconds. */
const [MOST_STEPS, MOST_ITEMS, LONGEST] = [1000, 50, 600_000];

const whole =
  (most = Number.MAX_SAFE_INTEGER): Fits =>
  (value) =>
    Number.isInteger(value) && (value as number) >= 0 && (value as number) <= most;
const word =
  (...words: readonly string[]): Fits =>
  (value) =>
    typeof value === 'string' && words.includes(value);
const isTrue: Fits = (value) => value === true;
const list =
  (fits: Fits, most = MOST_ITEMS): Fits =>
  (value) =>
    Array.isArray(value) && value.length <= most && value.every((one) => fits(one));
/** An object with these members and no others; a member whose name ends in `?` may be missing. */
const shape =
  (members: Readonly<Record<string, Fits>>): Fits =>
  (value) => {
    if (!isObject(value)) return false;
    const known = Object.entries(members).map(([name, fits]) => [name.replace('?', ''), fits, name] as const);
    if (Object.keys(value).some((name) => !known.some(([one]) => one === name))) return false;
    return known.every(([name, fits, given]) => (given.endsWith('?') && !(name in value)) || fits(value[name]));
  };

const id = whole();
const spot = whole(MOST_ITEMS);
const as = word('first', 'second');
const version = word('v1', 'v2', 'v3', 'v4', 'v5');
const item = shape({
  spot,
  players: whole(9),
  'full?': isTrue,
  'wrong?': word('tee time', 'product', 'players', 'contact', 'email', 'extra product'),
});

/** The members of each kind of step, beside `do` and `id`. */
const singles: Readonly<Record<string, Fits>> = Object.fromEntries(
  Object.entries({
    book: { as, by: word('single', 'list', 'details', 'linked', 'bulk', 'round'), items: list(item) },
    pay: { of: id, 'item?': spot, version, 'byOther?': isTrue },
    cancel: { of: id, item: spot, 'byOther?': isTrue },
    list: { as, version },
    sheet: { spot, version, players: whole(9) },
    prices: { spot },
    search: { spot },
    refresh: { 'again?': isTrue },
    wait: { ms: whole(LONGEST) },
  }).map(([kind, members]) => [kind, shape({ do: word(kind), id, ...members })]),
);

const isSingle: Fits = (step) => {
  const kind = isObject(step) ? step['do'] : undefined;
  return typeof kind === 'string' && Object.hasOwn(singles, kind) && singles[kind]!(step);
};
const isTogether = shape({ do: word('together'), id, steps: list(isSingle), jitter: whole(LONGEST) });
const isWalk = shape({
  form: (value) => value === 1,
  seed: whole(),
  spots: list(shape({ free: whole(9), 'linked?': whole() })),
  steps: list((step) => isSingle(step) || isTogether(step), MOST_STEPS),
});

/** The tee times that a step names. */
function spotsOf(step: Step): readonly number[] {
  return flat([step]).flatMap((one) => {
    if (one.do === 'book') return one.items.map((each) => each.spot);
    return 'spot' in one ? [one.spot] : [];
  });
}

/**
 * Reads a walk from parsed JSON, as `--save` writes it. Steps that name a booking which the walk does not make are left out.
 *
 * @throws {Error} if it is none.
 */
export function readWalk(value: unknown): Walk {
  if (!isWalk(value)) throw new Error('it is no walk that `teebox explore --save` has written.');
  const walk = value as Walk;
  const strange = walk.steps.flatMap(spotsOf).find((one) => one >= walk.spots.length);
  if (strange !== undefined)
    throw new Error(`a step names tee time ${strange}, and the walk has ${walk.spots.length}.`);
  return closed(walk);
}
