import { canonicalInAnyOrder, isObject, MASK } from '../../common/index.js';
import { Finding, type FindingDetail, Inconclusive, NotAllowed } from '../client/outcome.js';
import { type Param, onlyReads } from '../client/request.js';
import type { Caller, Reply } from '../client/exchange.js';
import type { ComparedAnswers, Reach } from '../client/report-parts.js';
import type { Session } from '../client/session.js';
import { type Claim, Facts, factsOf, isCurrency, type PricePage, type SheetClaim } from './facts.js';

/**
 * Two claims, or one and itself, that a relation has compared. A run makes hundreds of thousands. Where one is written with
 * a spread, the spread comes last: members behind it cost a third of the CPU time of a run.
 */
export interface Comparison {
  readonly holds: boolean;
  /** The claim that is wrong if one is, and then those that it was compared with. */
  readonly claims: readonly Claim[];
  /** Claims of an earlier moment, which cannot be asked again. */
  readonly earlier?: readonly Claim[];
  /** Whether what it compares is the same for longer than a run takes, although the relation compares what changes. */
  readonly lasts?: boolean;
  /** The finding in one sentence. */
  readonly what: () => string;
  readonly expected?: unknown;
  readonly actual?: unknown;
  /** What it is about, as far as it is about one. */
  readonly facility?: number | undefined;
  readonly day?: string | undefined;
  readonly currency?: string | undefined;
}

/** What the suite reads so that a relation has something to compare. */
export type Material = 'facilities' | 'prices' | 'sheets' | 'bookings';

/** What must hold between facts, wherever they come from. */
export interface Relation {
  readonly reads: readonly Material[];
  /**
   * Whether what is compared may change between two answers, as prices and free slots do, and fields of a facility within
   * months only. Where nothing can be asked again, only answers of one moment differ then.
   */
  readonly changes: boolean;
  /** Whether it compares what one channel has: few recordings tell which channel sent a request. */
  readonly ofChannel?: boolean;
  /** Compares all facts that belong together. `all` is what the run knows, if `facts` are only a part of it. */
  compare(facts: Facts, all: Facts): Iterable<Comparison>;
}

/** What a relation says of one fact or of two; the rest is known from where they are. */
export type Compared = Omit<Comparison, 'claims' | 'earlier'>;

/** What must hold of each tee sheet by itself. */
export function ofSheet(compare: (sheet: SheetClaim) => Iterable<Compared>): Relation {
  return {
    reads: ['sheets'],
    changes: false,
    *compare({ sheets }) {
      const seen = new Set<SheetClaim['teeTimes']>();
      for (const sheet of sheets) {
        const { facilityId: facility, day, teeTimes } = sheet;
        // The same answer came before.
        if (teeTimes.length > 0 && seen.has(teeTimes)) continue;
        seen.add(teeTimes);
        const claims = [sheet];
        for (const compared of compare(sheet)) yield { facility, day, claims, ...compared };
      }
    },
  };
}

/** What must hold of each price page by itself. */
export function ofPricePage(compare: (page: PricePage) => Iterable<Compared>): Relation {
  return {
    reads: ['prices'],
    changes: false,
    *compare({ prices }) {
      for (const page of prices) {
        const claims = [page];
        for (const compared of compare(page)) yield { claims, ...compared };
      }
    },
  };
}

/** Milliseconds between two answers of one moment. */
const MOMENT = 5000;
/** Differences of a relation that are asked for again. */
const MOST_ASKED = 8;
/** Comparisons between two looks at the clock. */
const MOST_AT_ONCE = 1000;
/** How often answers that change are asked for again, until they differ in the same way twice. */
const MOST_ROUNDS = 4;
/** Exchanges that a result names. */
const MOST_NAMED = 20;

/**
 * Evaluates a relation over all facts of a run. Claims of several answers that differ are asked for again, side by side:
 * others use the deployment, too, so only a difference that remains is a finding.
 *
 * @param explained Takes what was compared, for `--explain`.
 * @throws {Finding} for the first difference that remains.
 */
export async function evaluateRelation(
  relation: Relation,
  session: Session,
  explained?: ComparedAnswers[],
): Promise<Reach> {
  const facts = factsOf(session.run);
  const reach = new ReachCount(facts);
  const votes = votesOf(session.run);
  const differing = new Map<string, Comparison>();
  const explain = explainerOf(explained);
  const { deadline } = session.run.transport;
  let left = MOST_AT_ONCE;
  const { recorded, ofRun } = session.run;
  for (const one of recorded && !ofRun && relation.ofChannel ? [] : relation.compare(facts, facts)) {
    if ((left -= 1) === 0) {
      if (deadline.isLongOver) throw deadline.error;
      left = MOST_AT_ONCE;
    }
    if (recorded && !one.holds && isDoubt(relation, one, facts)) continue;
    votes.note(relation, one);
    explain(one);
    if (one.holds) reach.add(one);
    else {
      // The first difference of each facility and version: one of them may be explained, and another not.
      const key = [one.facility, ...one.claims.map(({ version }) => version)].join(' ');
      if (!differing.has(key)) differing.set(key, one);
    }
  }
  for (const one of [...differing.values()].slice(0, MOST_ASKED)) {
    const standing = await stillDiffering(relation, one, session, facts);
    if (!standing) continue;
    const [wrong, ...others] = [...new Set([...standing.claims, ...(standing.earlier ?? [])].map(({ by }) => by.id))];
    for (const id of [...others, wrong!]) session.exchanges.add(id);
    throw new Finding(standing.what(), standing.expected, standing.actual, {
      shownBy: wrong!,
      ...(others.length > 0 ? { against: others[0]! } : {}),
      settle: () => settledOf(relation, standing, votes),
    });
  }
  for (const id of reach.named) session.exchanges.add(id);
  return reach.counts;
}

const kept = new WeakMap<Session['run']['transport'], Votes>();

function votesOf({ transport }: Session['run']): Votes {
  const known = kept.get(transport) ?? new Votes();
  kept.set(transport, known);
  return known;
}

/** Counts the comparisons of a relation whose rule is known to be broken, for findings of others. */
export function voteOn(relation: Relation, run: Session['run'], explained?: ComparedAnswers[]): void {
  const facts = factsOf(run);
  const votes = votesOf(run);
  const explain = explainerOf(explained);
  for (const one of relation.compare(facts, facts)) {
    votes.note(relation, one);
    explain(one);
  }
}

/** Adds comparisons to rows, one for those of the same answers about one thing. */
function explainerOf(rows: ComparedAnswers[] | undefined): (one: Comparison) => void {
  const places = new Map<string, number>();
  return ({ holds, facility, day, currency, claims, earlier = [] }) => {
    if (!rows) return;
    const exchanges = [...new Set([...claims, ...earlier].map(({ by }) => by.id))];
    const key = [holds, facility, day, currency, ...exchanges].join(' ');
    const place = places.get(key) ?? rows.length;
    places.set(key, place);
    rows[place] = { holds, facility, day, currency, count: (rows[place]?.count ?? 0) + 1, exchanges };
  };
}

/** A difference, seen from the answer that is wrong after all relations of the run have voted. */
function settledOf(
  relation: Relation,
  one: Comparison,
  votes: Votes,
): ReturnType<NonNullable<FindingDetail['settle']>> {
  const { expected, actual } = one;
  // A comparison without two values says itself which answer is wrong.
  const isMutual = expected !== undefined && actual !== undefined;
  const { by } = isMutual ? votes.wrongOf(relation, one) : one.claims[0]!;
  const other = [...one.claims, ...(one.earlier ?? [])].find((claim) => claim.by.id !== by.id);
  const where = {
    shownBy: by.id,
    ...(other ? { against: other.by.id } : {}),
    operations: by.operation ? [by.operation] : [],
  };
  if (by === one.claims[0]!.by) return where;
  if (!isObject(actual) || !('missing' in actual || 'unexpected' in actual)) {
    return { ...where, expected: actual, actual: expected };
  }
  const { missing, unexpected } = actual;
  const turned = {
    ...(unexpected === undefined ? {} : { missing: unexpected }),
    ...(missing === undefined ? {} : { unexpected: missing }),
  };
  return { ...where, expected: 'the same items', actual: turned };
}

/** Whether a recording does not show the values of a difference. */
export function isMasked({ expected, actual }: Pick<Comparison, 'expected' | 'actual'>): boolean {
  return (JSON.stringify([expected, actual]) ?? '').includes(MASK);
}

/** Whether something else than the deployment may explain a difference in a recording, of which nothing can be asked again. */
export function isDoubt(relation: Relation, one: Comparison, facts: Facts): boolean {
  return (relation.changes && !one.lasts && !isOfOneMoment(one, facts)) || isMasked(one);
}

/** Whether the answers came shortly after each other, and nothing was written between them. */
function isOfOneMoment({ claims }: Comparison, facts: Facts): boolean {
  const times = claims.map(({ by }) => by.at);
  return Math.max(...times) - Math.min(...times) <= MOMENT && facts.isQuiet(claims);
}

/**
 * The difference in new answers to the same requests. An answer that contradicts itself needs no other, and what was
 * written is not written again.
 */
async function stillDiffering(
  relation: Relation,
  one: Comparison,
  session: Session,
  all: Facts,
): Promise<Comparison | undefined> {
  const replies = [...new Set(one.claims.map(({ by }) => by))];
  if (session.run.recorded || (replies.length === 1 && !relation.changes)) return one;
  const isKept = ({ operation, asked }: Reply): boolean => !operation || !asked || !onlyReads(operation);
  // Others may write between two answers: what stands differs twice in the same way.
  let before: ReadonlySet<string> | undefined;
  for (let round = 0; round < (relation.changes ? MOST_ROUNDS : 1); round += 1) {
    // What was written may be shown late, and the answers of the round before may come out of a cache.
    if (before) await session.run.host.sleep(session.run.settle);
    // What is not asked again was before.
    const again: Reply[] = [...(one.earlier ?? []).map(({ by }) => by), ...replies.filter(isKept)];
    again.sort((a, b) => a.at - b.at);
    try {
      for (const reply of replies.filter((one) => !isKept(one))) {
        const { operation, asked } = reply;
        if (!operation) continue;
        const { params, caller } = asked as { params: Readonly<Record<string, Param>>; caller: Caller };
        again.push(await session.run.transport.send({ operation, params, as: caller }));
      }
    } catch (error) {
      // Without a second look, nothing is known of the difference.
      if (error instanceof Inconclusive || error instanceof NotAllowed) return undefined;
      throw error;
    }
    const found = [...relation.compare(new Facts(again), all)].filter(({ holds }) => !holds);
    const standing = found.find((other) => !relation.changes || before?.has(wordsOf(other)));
    if (standing || found.length === 0) return standing;
    before = new Set(found.map(wordsOf));
  }
  return undefined;
}

/** A difference in words, whatever the order of its lists. */
function wordsOf({ what, expected, actual }: Comparison): string {
  return canonicalInAnyOrder({ message: what(), expected, actual });
}

/** How often the answers of an operation about a facility agreed with others, by relation. */
interface Count {
  held: number;
  differed: number;
}

/** The comparisons of all relations of a run, to find out which of several answers is wrong. */
class Votes {
  readonly #seats = new Map<string, Map<Relation, Count>>();
  /** The comparison that was noted last, and the counts that it went into: most have the claims of the one before. */
  #last: Pick<Comparison, 'claims' | 'facility'> & { relation?: Relation; counts: readonly Count[] } = {
    claims: [],
    counts: [],
  };

  note(relation: Relation, { holds, claims, facility }: Comparison): void {
    const last = this.#last;
    if (claims !== last.claims || facility !== last.facility || relation !== last.relation) {
      const counts = claims.map((claim) => this.#countOf(relation, claim, facility));
      this.#last = { claims, facility, relation, counts };
    }
    for (const count of this.#last.counts) {
      if (holds) count.held += 1;
      else count.differed += 1;
    }
  }

  #countOf(relation: Relation, { by }: Claim, facility: number | undefined): Count {
    const key = `${by.operation} ${facility}`;
    let seat = this.#seats.get(key);
    if (!seat) this.#seats.set(key, (seat = new Map<Relation, Count>()));
    let count = seat.get(relation);
    if (!count) seat.set(relation, (count = { held: 0, differed: 0 }));
    return count;
  }

  /** Of claims that differ, the one that differs in most relations, and from most others in this one; the first of several. */
  wrongOf(relation: Relation, { claims, facility }: Comparison): Claim {
    const weight = ({ by }: Claim): number => {
      const seat = this.#seats.get(`${by.operation} ${facility}`);
      if (!seat) return 0;
      const { held, differed } = seat.get(relation) ?? { held: 0, differed: 0 };
      const relations = [...seat.values()].filter((count) => count.differed > 0).length;
      return relations + differed / (held + differed + 1);
    };
    // What was sent is no answer; a list that shows it otherwise is.
    const answers = claims.filter(({ by }) => by.asked?.body === undefined);
    return (answers.length > 0 ? answers : claims).reduce((worst, one) => (weight(one) > weight(worst) ? one : worst));
  }
}

/** Over how much a relation held. */
class ReachCount {
  readonly named = new Set<string>();
  readonly #facilities = new Set<number>();
  readonly #days = new Set<string>();
  readonly #currencies = new Set<string>();
  readonly #versions = new Set<string>();
  readonly #channels = new Set<string>();
  #comparisons = 0;
  #last: Partial<Comparison> = {};

  constructor(readonly facts: Facts) {}

  add(comparison: Comparison): void {
    this.#comparisons += 1;
    const { claims, facility, day, currency } = comparison;
    const last = this.#last;
    this.#last = comparison;
    // Most comparisons are of the claims of the one before.
    if (claims === last.claims && currency === last.currency && facility === last.facility && day === last.day) return;
    if (facility !== undefined) this.#facilities.add(facility);
    if (day !== undefined) this.#days.add(day);
    if (currency !== undefined) this.#currencies.add(currency);
    for (const { version, channel, by } of claims) {
      this.#versions.add(version);
      this.#channels.add(channel);
      if (this.named.size < MOST_NAMED) this.named.add(by.id);
    }
  }

  get counts(): Reach {
    const zones = [...this.#facilities].flatMap((id) => this.facts.zoneOf(id) ?? []);
    const sorted = (values: Iterable<string>): string[] => [...new Set(values)].sort();
    return {
      comparisons: this.#comparisons,
      facilities: this.#facilities.size,
      days: this.#days.size,
      currencies: sorted([...this.#currencies].filter(isCurrency)),
      zones: sorted(zones),
      versions: sorted(this.#versions),
      channels: this.#channels.size,
    };
  }
}
