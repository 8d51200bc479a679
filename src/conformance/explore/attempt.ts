import { Inconclusive, NotAllowed, unlessInconclusive } from '../client/outcome.js';
import { operationIn } from '../client/operations.js';
import { Session } from '../client/session.js';
import { paramsOfSearch } from '../journeys/searches.js';
import { isObject } from '../../common/index.js';
import { together } from './bundle.js';
import { Contradiction, type Difference, type Focus, GivenUp } from './found.js';
import { type Ground, placeOf } from './ground.js';
import { freeIn } from '../journeys/pool/reads.js';
import { Readings } from './readings.js';
import { takeSpots, type Spot } from './spots.js';
import { type SingleStep, spotName, type Step, type Walk } from './steps.js';
import type { TimelineRow } from './options.js';
import { wordsOf } from './story.js';
import { refreshStep } from './tokens.js';
import { type Outcome, Walker } from './walker.js';

/** What came of a walk. */
export interface Attempt {
  readonly walk: Walk;
  readonly found?: Difference & { readonly step: number };
  /** Why it was given up. */
  readonly givenUp?: string;
  /** Whether the time of the run was over before its last step. */
  readonly isCut?: true;
  readonly timeline: readonly TimelineRow[];
  readonly steps: number;
  readonly spots: readonly Spot[];
  /** The free slots of its tee times at the beginning. */
  readonly free: readonly number[];
  readonly exchanges: readonly string[];
}

interface AttemptOptions {
  readonly focus?: Focus | undefined;
  readonly onStep?: ((step: Step) => void) | undefined;
}

/**
 * Takes a walk on fresh tee times.
 *
 * @throws {NotAllowed} at the end of the run; {@link Inconclusive} `no-data` where there are no more tee times, `budget`.
 */
export async function attempt(ground: Ground, walk: Walk, { focus, onStep }: AttemptOptions = {}): Promise<Attempt> {
  const { run, refusing } = ground;
  const preparing = new Walker(ground, walk, [], []).session;
  const isLinked = walk.spots.some(({ linked }) => linked !== undefined);
  const spots = await takeSpots(preparing, walk.spots, (id) => !refusing.has(placeOf('first', id))).catch(
    (error: unknown) => {
      if (!isLinked || !(error instanceof Inconclusive && error.reason === 'no-data')) throw error;
      ground.can = { ...ground.can, isLinked: false, ways: ground.can.ways.filter((way) => way !== 'linked') };
      return undefined;
    },
  );
  const timeline: TimelineRow[] = [];
  if (!spots) {
    const givenUp = 'There are no more linked tee times.';
    return { walk, givenUp, timeline, steps: 0, spots: [], free: [], exchanges: [] };
  }
  let done = 0;
  let free: readonly number[] = [];
  let walker: Walker | undefined;
  const result = (more: Partial<Attempt>): Attempt => {
    const exchanges = walker ? [...walker.session.exchanges] : [];
    return { walk, timeline, steps: done, spots, free, exchanges, ...more };
  };
  const contradicted = ({ difference }: Contradiction, step: number): Attempt => {
    // Perhaps an access token has expired early: then the walk finds nothing with the next one.
    if (difference.actual === 401) for (const as of ground.bearers.keys()) run.transport.channels[as]!.forgetAccess();
    return result({ found: { ...difference, step } });
  };
  try {
    for (const as of ground.bearers.keys()) await run.transport.channels[as]!.accessToken().catch(unlessInconclusive);
    free = await freeNow(ground, spots);
    walker = new Walker(ground, walk, spots, free);
    for (const [at, step] of walk.steps.entries()) {
      if (!focus && run.host.now() >= ground.end) return result({ isCut: true });
      const sentence = wordsOf(step, walker);
      const before = run.transport.mark();
      let outcomes: readonly Outcome[] | undefined;
      try {
        outcomes = await take(walker, step);
        done += step.do === 'together' ? step.steps.length : 1;
        onStep?.(step);
        await check(walker, step, outcomes);
      } catch (error) {
        timeline.push({ step: sentence, outcome: outcomes?.join(', ') ?? '', facts: factsOf(walker) });
        if (!(error instanceof Contradiction)) throw error;
        return contradicted(error, at);
      }
      timeline.push({ step: sentence, outcome: outcomes.join(', '), facts: factsOf(walker) });
      run.transport.forgetSince(before);
    }
    await walker.everything(focus);
    return result({});
  } catch (error) {
    if (error instanceof Contradiction) return contradicted(error, walk.steps.length - 1);
    if (error instanceof GivenUp) return result({ givenUp: error.message });
    const isOfWalk = error instanceof Inconclusive && error.reason !== 'no-data' && error.reason !== 'budget';
    if (!isOfWalk || run.transport.deadline.isOver) throw error;
    return result({ givenUp: `Missing: ${error.missing}.` });
  }
}

/** The free slots at the beginning: as the first version shows them that shows each tee time. */
async function freeNow({ run, can }: Ground, spots: readonly Spot[]): Promise<readonly number[]> {
  const readings = new Readings(new Session(run), spots);
  const free = new Map<number, number>();
  for (const version of can.sheets) {
    if (free.size === spots.length) break;
    for (const shown of await readings.sheet(version)) if (!free.has(shown.spot)) free.set(shown.spot, shown.free);
  }
  return spots.map(({ teeTime }, spot) => free.get(spot) ?? freeIn(teeTime));
}

function factsOf({ model, spots }: Walker): string {
  return spots.map((_, spot) => `${spotName(spot)} ${model.free[spot]}`).join(', ');
}

async function take(walker: Walker, step: Step): Promise<readonly Outcome[]> {
  if (step.do === 'together') return together(walker, step);
  return [await takeOne(walker, step)];
}

async function takeOne(walker: Walker, step: SingleStep): Promise<Outcome> {
  switch (step.do) {
    case 'book':
      return walker.book(step);
    case 'pay':
      return walker.pay(step);
    case 'cancel':
      return walker.cancel(step);
    case 'list':
      return walker.list(step.version, step.as);
    case 'sheet': {
      const { sheets, filters } = walker.ground.can;
      if (!(step.players === 1 ? sheets : filters).includes(step.version)) return 'skipped';
      if (step.players === 1) await walker.expect(() => walker.oracle.sheet(step.version));
      else await walker.expect(() => walker.oracle.filter(step.version, step.spot, step.players));
      return 'read';
    }
    case 'prices':
      if (!walker.ground.can.hasPrices) return 'skipped';
      await walker.expect(() => walker.oracle.prices(step.spot));
      return 'read';
    case 'search':
      return search(walker, step.spot);
    case 'refresh':
      return refreshStep(walker, step.again === true);
    case 'wait':
      await walker.ground.run.host.sleep(step.ms);
      return 'read';
  }
}

/** After a step that may have changed something, some facts are read again. */
async function check(walker: Walker, step: Step, outcomes: readonly Outcome[]): Promise<void> {
  const hasWritten = outcomes.some((outcome) => outcome === 'accepted' || outcome === 'refused');
  if (hasWritten && step.do !== 'refresh') await walker.sample(step.id, 'as' in step ? step.as : 'first');
}

/** A search by callback shows the free slots, too. */
async function search(walker: Walker, spot: number): Promise<Outcome> {
  const { ground, session, spots } = walker;
  if (!ground.can.searches) return 'skipped';
  let isDelivered = true;
  const look = async (): Promise<readonly Difference[]> => {
    const shown = await searched(walker, spot).catch(unlessInconclusive);
    isDelivered = shown !== undefined;
    const expected = walker.model.free[spot]!;
    if (!shown || shown.free === expected || walker.model.taking === 'unknown') return [];
    const message = `The result of a search shows ${shown.free} free of tee time ${spotName(spot)}; the bookings leave ${expected}.`;
    return [
      { fact: 'search', message, expected, actual: shown.free, shownBy: shown.by, operation: 'v5.searchTeeTimes' },
    ];
  };
  await walker.expect(look);
  if (!isDelivered) ground.can = { ...ground.can, searches: false };
  return spots[spot] && session ? 'read' : 'skipped';
}

async function searched(
  { session, spots, ground }: Walker,
  spot: number,
): Promise<{ free: number; by: string } | undefined> {
  const { sheet, teeTime } = spots[spot]!;
  const { facilityId, day, holes } = sheet;
  const address = await session.callbackAddress();
  const asked = { facilityIds: [facilityId], from: day, to: day, players: 1, holes };
  const form = ground.habits.get('dates of a search') === 'iso' ? 'iso' : 'query';
  const send = async (dates: 'query' | 'iso') =>
    session.send({ operation: operationIn('searchTeeTimes'), params: paramsOfSearch(asked, dates, address.url) });
  let reply = await send(form);
  if (!reply.ok && form === 'query') {
    reply = await send('iso');
    if (reply.ok) ground.habits.learn('dates of a search', 'iso');
  }
  if (!reply.ok || !(await address.wait(1, session.run.callbackTimeout))) return undefined;
  const { json } = session.received(address.deliveries[0]!);
  const data = isObject(json) && Array.isArray(json['data']) ? (json['data'] as readonly unknown[]) : undefined;
  const own = data?.filter(isObject).find((one) => one['facilityId'] === facilityId);
  if (!own || !Array.isArray(own['teeTimeV3'])) return undefined;
  const shown = (own['teeTimeV3'] as readonly unknown[]).filter(isObject).find((one) => one['teeid'] === teeTime.teeid);
  const products = Array.isArray(shown?.['products']) ? (shown['products'] as readonly unknown[]).filter(isObject) : [];
  return { free: Math.max(0, ...products.map((one) => Number(one['available']) || 0)), by: reply.id };
}

/** Whether an error ends the whole run. */
export function isEnd(error: unknown): error is NotAllowed | Inconclusive {
  return error instanceof NotAllowed || error instanceof Inconclusive;
}
