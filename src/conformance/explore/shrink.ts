import { closed, flat, type BookStep, type Item, type SingleStep, type Step, type Walk } from './steps.js';

/** Looks whether a smaller walk still fails; gives back what is left of it then, up to the step that fails. */
export type StillFails = (walk: Walk) => Promise<Walk | undefined>;

/** Makes a failing walk smaller: fewer steps first, then less parallelism, fewer items and players, and simpler bodies. */
export async function shrunk(first: Walk, stillFails: StillFails): Promise<Walk> {
  const calm = await firstThatFails(withoutTogether(first), stillFails);
  let best = await withFewerSteps(calm ?? first, stillFails);
  for (;;) {
    const next = await firstThatFails(simpler(best), stillFails);
    if (!next) return best;
    best = await withFewerSteps(next, stillFails, 1);
  }
}

async function firstThatFails(candidates: Iterable<Walk>, stillFails: StillFails): Promise<Walk | undefined> {
  for (const candidate of candidates) {
    const next = await stillFails(candidate);
    if (next) return next;
  }
  return undefined;
}

/** Without steps at the same time: most walks fail without them, and are then quicker to repeat. */
function* withoutTogether(walk: Walk): Generator<Walk> {
  if (!walk.steps.some((step) => step.do === 'together')) return;
  yield closed({ ...walk, steps: walk.steps.filter((step) => step.do !== 'together') });
  yield closed({
    ...walk,
    steps: walk.steps.flatMap((step): Step[] => (step.do === 'together' ? [...step.steps] : [step])),
  });
}

/** Without reads, or without those that may take long: few walks need them to fail. */
export function* withoutReads(walk: Walk): Generator<Walk> {
  for (const kinds of [
    ['search', 'wait', 'list', 'sheet', 'prices'],
    ['search', 'wait'],
  ]) {
    const steps = walk.steps.filter((step) => !kinds.includes(step.do));
    if (steps.length > 0 && steps.length < walk.steps.length) yield closed({ ...walk, steps });
  }
}

/** Leaves out parts of the steps, the largest parts first. */
async function withFewerSteps(walk: Walk, stillFails: StillFails, largest?: number): Promise<Walk> {
  let best = walk;
  for (let size = largest ?? Math.ceil(walk.steps.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let from = 0; from < best.steps.length && best.steps.length > 1;) {
      const steps = best.steps.toSpliced(from, size);
      const next = steps.length === 0 ? undefined : await stillFails(closed({ ...best, steps }));
      if (next) best = next;
      else from += size;
    }
  }
  return best;
}

function* simpler(walk: Walk): Generator<Walk> {
  yield* fewerSpots(walk);
  yield* commonerSpots(walk);
  yield* lessParallel(walk);
  yield* simplerSteps(walk);
}

function replaced(walk: Walk, at: number, ...steps: readonly Step[]): Walk {
  return closed({ ...walk, steps: walk.steps.toSpliced(at, 1, ...steps) });
}

function* lessParallel(walk: Walk): Generator<Walk> {
  for (const [at, step] of walk.steps.entries()) {
    if (step.do !== 'together') continue;
    yield replaced(walk, at, ...step.steps);
    for (let left = 0; left < step.steps.length && step.steps.length > 1; left += 1) {
      yield replaced(walk, at, { ...step, steps: step.steps.toSpliced(left, 1) });
    }
    if (step.jitter > 0) yield replaced(walk, at, { ...step, jitter: 0 });
  }
}

function* simplerSteps(walk: Walk): Generator<Walk> {
  for (const [at, step] of walk.steps.entries()) {
    if (step.do !== 'together') {
      for (const simple of simplerThan(step)) yield replaced(walk, at, simple);
      continue;
    }
    for (const [inner, one] of step.steps.entries()) {
      for (const simple of simplerThan(one))
        yield replaced(walk, at, { ...step, steps: step.steps.with(inner, simple) });
    }
  }
}

function* simplerThan(step: SingleStep): Generator<SingleStep> {
  if (step.do === 'wait' && step.ms > 1) yield { ...step, ms: 1 };
  if (step.do === 'sheet' && step.players > 1) yield { ...step, players: 1 };
  if (step.do === 'book') yield* simplerBookings(step);
}

function* simplerBookings(step: BookStep): Generator<BookStep> {
  const { items, by, as } = step;
  const isOpen = items.length > 1 && by !== 'linked';
  for (const at of isOpen ? items.keys() : []) yield { ...step, items: items.toSpliced(at, 1) };
  if (items.length === 1 && by !== 'single') yield { ...step, by: 'single' };
  if (by === 'details' || by === 'linked') yield { ...step, by: 'list' };
  if (as === 'second') yield { ...step, as: 'first' };
  // All bookings of a linked group have the same number of players.
  if (by === 'linked' && items[0]!.players > 1)
    yield { ...step, items: items.map((item) => ({ ...item, players: 1 })) };
  for (const [at, item] of by === 'linked' ? [] : items.entries()) {
    for (const simple of simplerItems(item)) yield { ...step, items: items.with(at, simple) };
  }
}

function* simplerItems(item: Item): Generator<Item> {
  const { full, wrong, ...plain } = item;
  if (full) yield { ...plain, ...(wrong ? { wrong } : {}) };
  if (item.players > 1) yield { ...item, players: 1 };
}

/** Free slots of most tee times: few have less, and a walk on those is hard to repeat. */
const COMMON = 4;

/** Tee times with more free slots, which the first booking of each takes. */
function* commonerSpots(walk: Walk): Generator<Walk> {
  for (const [spot, kind] of walk.spots.entries()) {
    const at = walk.steps.findIndex((step) => step.do === 'book' && step.items.some((item) => item.spot === spot));
    const first = walk.steps[at];
    if (kind.free >= COMMON || first?.do !== 'book') continue;
    const taken = first.items.findIndex((item) => item.spot === spot);
    const players = first.items[taken]!.players + COMMON - kind.free;
    if (players > COMMON) continue;
    const steps = walk.steps.with(at, {
      ...first,
      items: first.items.with(taken, { ...first.items[taken]!, players }),
    });
    yield { ...walk, spots: walk.spots.with(spot, { ...kind, free: COMMON }), steps };
  }
}

/** Without the tee times that no step uses. */
function* fewerSpots(walk: Walk): Generator<Walk> {
  const used = new Set(
    flat(walk.steps).flatMap((step) =>
      'spot' in step ? [step.spot] : step.do === 'book' ? step.items.map(({ spot }) => spot) : [],
    ),
  );
  const kept = walk.spots.map((_, spot) => spot).filter((spot) => used.has(spot));
  if (kept.length === walk.spots.length || kept.length === 0) return;
  const at = (spot: number): number => kept.indexOf(spot);
  const moved = (step: SingleStep): SingleStep => {
    if ('spot' in step) return { ...step, spot: at(step.spot) };
    return step.do === 'book' ? { ...step, items: step.items.map((item) => ({ ...item, spot: at(item.spot) })) } : step;
  };
  const steps = walk.steps.map((step) =>
    step.do === 'together' ? { ...step, steps: step.steps.map(moved) } : moved(step),
  );
  yield { ...walk, spots: kept.map((spot) => walk.spots[spot]!), steps };
}

/** A walk up to the step at which it failed. */
export function upTo(walk: Walk, step: number): Walk {
  return { ...walk, steps: walk.steps.slice(0, step + 1) };
}
