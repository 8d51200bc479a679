/** Questions that a crawl has not asked: other versions, players, courses, days and pages, and wrong ones. */
import { type OperationId, operationOf, type RuleId } from '../../contract/index.js';
import { Chance } from '../client/chance.js';
import type { Day } from '../client/day.js';
import { isOf, operationIn, type VersionOf, versionsOf } from '../client/operations.js';
import { MOST_IDS } from '../journeys/connected-facilities.js';
import { paramsOf, priceParamsOf } from '../journeys/pool/reads.js';
import { keyOfQuestion, type Question } from './crawler.js';
import type { DeploymentFacts, FacilityFacts } from './facts.js';

/** What other questions are made of. */
export interface Known {
  readonly facts: DeploymentFacts;
  /** The facilities whose tee sheets were read, with their days. */
  readonly facilities: readonly { readonly facility: FacilityFacts; readonly days: readonly Day[] }[];
  /** All facilities that were read, those without tee sheets as well. */
  readonly all: readonly number[];
  /** Whether the deployment has an operation. */
  readonly has: (operation: OperationId) => boolean;
}

/** An id that no deployment has. */
const UNKNOWN = 2_147_483_646;
/** Draws in a row that give nothing new, after which there is nothing left to ask. */
const MOST_IN_VAIN = 200;

type Draw = (chance: Chance, known: Known) => Question | undefined;

/**
 * Questions in an order of chance, none of them twice and none of those that were asked.
 *
 * @param seed The same seed gives the same questions.
 */
export function* otherQuestions(known: Known, asked: ReadonlySet<string>, seed: number): Generator<Question> {
  const chance = new Chance(seed);
  const seen = new Set(asked);
  let vain = 0;
  while (vain < MOST_IN_VAIN) {
    const question = chance.weighted(kinds)(chance, known);
    const key = question && keyOfQuestion(question);
    if (question && !seen.has(key!) && known.has(question.operation)) {
      seen.add(key!);
      vain = 0;
      yield question;
    } else vain += 1;
  }
}

/** The operations that read. */
type ReadName = 'listCountries' | 'listFacilities' | 'findFacility' | 'facilityDetails' | 'listTeeTimes';

const served = <N extends ReadName>(name: N, { has }: Known): readonly VersionOf<N>[] =>
  versionsOf(name).filter((version) => has(`${version}.${name}` as OperationId));

const countries: Draw = (chance, known) => {
  const version = chance.pick(served('listCountries', known));
  if (version === undefined) return undefined;
  const connected = chance.pick([undefined, true, false]);
  return {
    operation: operationIn('listCountries', version),
    params: connected === undefined ? {} : { connected },
  };
};

const lists: Draw = (chance, known) => {
  const version = chance.pick(served('listFacilities', known));
  const country = chance.pick([...known.facts.countries]);
  if (version === undefined || country === undefined) return undefined;
  const connected = chance.pick([undefined, true, false]);
  return {
    operation: operationIn('listFacilities', version),
    params: { country, ...(connected === undefined ? {} : { connected }) },
  };
};

const records: Draw = (chance, known) => {
  const facilityId = chance.pick(known.all);
  const name = chance.pick(['findFacility', 'facilityDetails'] as const);
  const version = chance.pick<string>(served(name, known));
  if (facilityId === undefined || version === undefined) return undefined;
  return { operation: `${version}.${name}` as OperationId, params: { facilityId } };
};

const sheets: Draw = (chance, known) => {
  const version = chance.pick(served('listTeeTimes', known));
  const one = chance.pick(known.facilities);
  const day = one && chance.pick(one.days);
  if (version === undefined || day === undefined) return undefined;
  const courseId = chance.pick(idsOf(one!.facility));
  if (isOf('courseSheet', version) && courseId === undefined) return undefined;
  const query = {
    facilityId: one!.facility.id,
    day,
    holes: chance.pick([9, 18] as const),
    players: 1 + chance.below(4),
    ...(isOf('courseSheet', version) ? { courseId: courseId! } : {}),
  };
  return { operation: operationIn('listTeeTimes', version), params: paramsOf(query) };
};

const idsOf = ({ courses }: FacilityFacts): readonly number[] =>
  [...courses.values()].flatMap(({ id }) => (id === undefined ? [] : [id]));

const prices: Draw = (chance, known) => {
  const first = chance.pick(known.facilities);
  if (!first || first.days.length === 0) return undefined;
  // Where the day is another one already, the facilities have other days.
  const alike = known.facilities.filter(({ days }) => days[0]?.iso === first.days[0]?.iso);
  const others = Array.from({ length: chance.below(MOST_IDS) }, () => chance.pick(alike)!.facility.id);
  const facilityIds = [...new Set([first.facility.id, ...others])];
  const [from, to] = [chance.below(first.days.length), chance.below(first.days.length)].sort((a, b) => a - b);
  const isPage = chance.below(3) === 0;
  const page = isPage ? { offset: chance.below(12), limit: 1 + chance.below(12) } : {};
  const params = priceParamsOf({ facilityIds, from: first.days[from!]!, to: first.days[to!]!, ...page });
  return { operation: operationIn('listPrices'), params };
};

/** A right request for a tee sheet, to be spoiled. */
const someSheet = (chance: Chance, known: Known): Question | undefined => sheets(chance, known);

/** The rule of a parameter, which a wrong value of it breaks on purpose. */
function ruleOf(operation: OperationId, parameter: string): RuleId {
  return operationOf(operation).parameters.find(({ name }) => name === parameter)!.rule;
}

function spoiled(
  question: Question | undefined,
  parameter: string,
  value: string | number | undefined,
): Question | undefined {
  if (!question || !operationOf(question.operation).parameters.some(({ name }) => name === parameter)) return undefined;
  const params = { ...question.params, [parameter]: value };
  return { operation: question.operation, params, breaking: ruleOf(question.operation, parameter) };
}

const wrong: readonly Draw[] = [
  (chance, known) => spoiled(someSheet(chance, known), 'players', chance.pick([0, 5, -1, 'two'])),
  (chance, known) => spoiled(someSheet(chance, known), 'holes', chance.pick([0, 10, 27, 'all'])),
  (chance, known) => spoiled(someSheet(chance, known), 'bookingDate', chance.pick([undefined, '31-02-2026', 'today'])),
  (chance, known) => spoiled(lists(chance, known), 'country', undefined),
  (chance, known) => spoiled(prices(chance, known), 'toDate', undefined),
  (chance, known) => {
    const ids = Array.from({ length: MOST_IDS + 1 + chance.below(3) }, (_, at) => UNKNOWN - at);
    return spoiled(prices(chance, known), 'facilityIds', ids.join(','));
  },
  // These keep to the contract: the facility, the course or the country does not exist.
  (chance, known) => {
    const question = chance.pick([sheets, records])!(chance, known);
    return question && { ...question, params: { ...question.params, facilityId: UNKNOWN - chance.below(50) } };
  },
  (chance, known) => {
    const question = someSheet(chance, known);
    if (question?.params['courseId'] === undefined) return undefined;
    return { ...question, params: { ...question.params, courseId: UNKNOWN - chance.below(50) } };
  },
  (chance, known) => {
    const question = lists(chance, known);
    return question && { ...question, params: { ...question.params, country: `Nowhere ${chance.below(50)}` } };
  },
];

const kinds: readonly (readonly [weight: number, draw: Draw])[] = [
  [1, countries],
  [4, lists],
  [8, records],
  [60, sheets],
  [12, prices],
  [10, (chance, known) => chance.pick(wrong)!(chance, known)],
];
