import { anyGlob } from '../../common/index.js';
import type { Obligation } from '../../contract/index.js';
import { obligationSpecs } from './index.js';
import { isRefusal } from './operations.js';
import {
  type Breach,
  obligationOf,
  type ObligationSpec,
  type Exhibit,
  type Sight,
  type Watcher,
} from './obligation.js';
import type { ClientCall, ClientDelivery, SessionFacts, Usual } from './traffic.js';
import { MOST_KINDS, type NotedCall, SessionCalls } from './usual.js';

/** What happened, and fails nothing. */
interface ObligationNote {
  readonly message: string;
  readonly times: number;
  readonly evidence: readonly string[];
}

/** The verdict on one obligation. */
export interface ObligationResult extends Pick<
  Obligation,
  'id' | 'severity' | 'basis' | 'statement' | 'source' | 'reason'
> {
  readonly verdict: 'pass' | 'fail' | 'not-seen';
  /** The first violation: what happened, and what should have happened. */
  readonly message?: string;
  readonly expected?: string;
  /** The number of violations of a `fail`. */
  readonly breaches?: number;
  /** For `not-seen`: what the client must do. */
  readonly toSee?: string;
  /** A mistake that the service refused: it seems that the tests of the client send it on purpose. */
  readonly deliberate?: ObligationNote;
  /** A repeat that another process, or another attempt of a test, may have sent as a booking of its own. It fails nothing. */
  readonly doubtful?: ObligationNote;
  /** Ids of calls and callbacks: up to 20 that show violations, or up to 5 that show a pass. */
  readonly evidence: readonly string[];
}

/** Whether nothing is known about an obligation, not even a violation in doubt. */
export const isUnseen = ({ verdict, doubtful }: Pick<ObligationResult, 'verdict' | 'doubtful'>): boolean =>
  verdict === 'not-seen' && !doubtful;

/** Whether a violation of a critical obligation is in doubt: nobody may be told then that the client is ready. */
export const isCriticalDoubt = ({
  severity,
  verdict,
  doubtful,
}: Pick<ObligationResult, 'severity' | 'verdict' | 'doubtful'>): boolean =>
  severity === 'critical' && verdict !== 'fail' && doubtful !== undefined;

/** One violation, as it is seen. */
export interface ObligationBreach extends Pick<ObligationResult, 'id' | 'severity' | 'statement' | 'evidence'> {
  readonly message: string;
  readonly expected: string;
  /** 1 for the first violation of this obligation in the session. */
  readonly nth: number;
}

export interface ClientCheckerOptions {
  /** Globs of the obligations to evaluate; default: all. */
  readonly only?: readonly string[];
  /** Globs of tests and of obligations: mistakes of these tests, and refused ones against these, are on purpose. */
  readonly deliberate?: readonly string[];
  /**
   * Whether the client's tests are compared with its happy path. Mistakes that they could have sent on purpose are then
   * evaluated when the session ends.
   */
  readonly isMeasured?: boolean;
  /**
   * Whether only the calls of the client are known. A repeat then counts only between calls of one sender, and a refused
   * mistake of a named test is evaluated when the session ends.
   */
  readonly isOverheard?: boolean;
  readonly onBreach?: (breach: ObligationBreach) => void;
}

/** Characters of a request body that no booking has, and of all such bodies that the watchers may hold. */
const [LONG_BODY, MOST_LONG_BODIES] = [16_384, 2_097_152];
const MAX_EVIDENCE = 20;
const ENOUGH = 5;

/** Evaluates the obligations during one session of a client. Its memory is bounded. */
export class ClientChecker {
  readonly #cases: readonly ObligationCase[];
  readonly #calls: SessionCalls;
  #longBodies = 0;

  constructor(options: ClientCheckerOptions = {}) {
    const { only, onBreach = () => {}, deliberate = [], isMeasured = false, isOverheard = false } = options;
    const wanted = only ? anyGlob(only) : () => true;
    const isDeliberate = anyGlob(deliberate);
    this.#calls = new SessionCalls(isDeliberate);
    const context = { calls: this.#calls, isMeasured, isOverheard, isDeliberate, onBreach };
    this.#cases = obligationSpecs.filter(({ id }) => wanted(id)).map((spec) => new ObligationCase(spec, context));
  }

  /** Takes a call of the client when it has been answered, or cut. */
  call(call: ClientCall): void {
    this.#calls.call(call);
    const { length } = call.body ?? '';
    const isLong = length > LONG_BODY;
    // Nothing came of it, and it may take long to read: a list of very many bookings, for example.
    if (call.isBodyUnknown || (isLong && isRefusal(call))) return;
    for (const one of this.#cases) one.watcherOf(call).call?.(call);
    if (isLong) this.#longBodies += length;
    if (this.#longBodies <= MOST_LONG_BODIES) return;
    this.#longBodies = 0;
    this.skip();
  }

  /** Takes a callback after its answer. */
  delivery(delivery: ClientDelivery): void {
    for (const one of this.#cases) one.watcherOf(delivery).delivery?.(delivery);
  }

  /** Calls were missed, so later calls are evaluated as if they were the first. The verdicts so far stay. */
  skip(): void {
    for (const one of this.#cases) one.beginAnew();
  }

  /**
   * Takes the end of the calls. If the repeat behind a violation may be another attempt of its test, because no test name
   * rules that out: the first request.
   */
  stop(facts: SessionFacts): Pick<NotedCall, 'before'> | undefined {
    const lastAsUsual = facts.usual && this.#calls.lastAsUsual(facts.usual);
    for (const one of this.#cases) one.stop({ ...facts, ...(lastAsUsual ? { lastAsUsual } : {}) });
    return this.#cases.map((one) => one.unnamedRepeat(facts)).find((one) => one !== undefined);
  }

  /** Ends the session: the results, in the order of the obligations. */
  end(facts: SessionFacts = {}): readonly ObligationResult[] {
    this.stop(facts);
    for (const one of this.#cases) one.end(facts);
    return this.results();
  }

  /** The results so far. */
  results(): readonly ObligationResult[] {
    return this.#cases.map((one) => one.result());
  }

  /** What the client has done in this session, if nothing went wrong in it. */
  get usual(): Usual {
    const mistakes = this.#cases.flatMap((one) => [...one.mistakes]);
    const { sent, refused, tests } = this.#calls;
    const habits = new Set(this.#cases.flatMap((one) => [...one.habits]));
    return { sent, refused, mistakes: new Map(mistakes), habits, tests };
  }
}

interface CaseContext extends Required<Pick<ClientCheckerOptions, 'isMeasured' | 'isOverheard' | 'onBreach'>> {
  readonly calls: SessionCalls;
  readonly isDeliberate: (id: string) => boolean;
}

/** What a refusal undoes: a single request that is wrong. A secret in a URL stays in logs, whatever the answer. */
function isUndone(id: string): boolean {
  return /^(requests|bookings|payments|tokens)\./.test(id) && id !== 'requests.no-secret-in-url';
}

const MOST_HELD = 1000;
/** A client that sends the same refused request or the same mistake this often, among few correct ones, does not test it. */
const HABIT = { requests: 3, mistakes: 4, rightForWrong: 3 };

/** One obligation in one session. */
class ObligationCase implements Sight {
  readonly counts = new Map<string, number>();
  readonly habits = new Set<string>();
  /** Refused mistakes that were taken for ones on purpose, by their key. */
  readonly mistakes = new Map<string, number>();
  /** By world. */
  readonly #watchers = new Map<string, Watcher>();
  /** The calls of violations that wait for the end: by then, others have taken their place among the newest. */
  readonly #notes = new Map<string, NotedCall>();
  readonly #evidence = new Set<string>();
  /** Violations that the client's tests could explain, kept until the end. */
  readonly #repeated: Breach[] = [];
  readonly #refused: Breach[] = [];
  readonly #tolerated: Breach[] = [];
  readonly #absent: Breach[] = [];
  #isStopped = false;
  #metTimes = 0;
  #first: Breach | undefined;
  #breaches = 0;
  #deliberate: ObligationNote | undefined;
  #doubtful: ObligationNote | undefined;

  constructor(
    readonly spec: ObligationSpec,
    readonly context: CaseContext,
  ) {}

  /** The watcher of the world of a call or a callback. */
  watcherOf({ world = '' }: Pick<ClientCall | ClientDelivery, 'world'>): Watcher {
    const key = this.spec.isOfAllWorlds ? '' : world;
    let watcher = this.#watchers.get(key);
    if (!watcher) this.#watchers.set(key, (watcher = this.spec.watch(this)));
    return watcher;
  }

  beginAnew(): void {
    this.#watchers.clear();
    this.counts.clear();
  }

  does(habit: string): void {
    this.habits.add(habit);
  }

  met(...evidence: readonly Exhibit[]): void {
    this.#metTimes += 1;
    if (!this.#first) this.#keep(evidence, ENOUGH);
  }

  broken(given: Breach): void {
    const breach = withIdsAlone(given);
    if (breach.isOfAbsence && this.#watchers.size > 1) return void this.#absent.push(breach);
    this.#take(breach);
  }

  #take(breach: Breach): void {
    const { isMeasured, isOverheard } = this.context;
    if (breach.repeats?.mayBeMeant && !isMeasured) return;
    if (!breach.isOfEnding && breach.evidence.some(({ id }) => this.#noted(id)?.isDeliberate)) return;
    const isRefused =
      !breach.isAccident && this.#noted(breach.evidence.at(-1)!.id)?.isRefused === true && isUndone(this.spec.id);
    if (isRefused && this.context.isDeliberate(this.spec.id)) return;
    if (isOverheard && breach.repeats && !this.#isOfOne(breach)) return this.#doubt(breach);
    const isHeld =
      isMeasured || (isOverheard && isRefused && this.#noted(breach.evidence.at(-1)!.id)?.isOfTest === true);
    if (!isHeld) return this.#report(breach);
    const held = breach.repeats && isMeasured ? this.#repeated : isRefused ? this.#refused : undefined;
    if (!held) this.#report(breach);
    else this.#hold(held, breach);
  }

  mistaken(given: Breach): void {
    const breach = withIdsAlone(given);
    const { isDeliberate } = this.context;
    const isMarked = breach.evidence.some(({ id }) => this.#noted(id)?.isDeliberate) || isDeliberate(this.spec.id);
    if (!isMarked) this.#hold(this.#tolerated, breach);
  }

  #hold(held: Breach[], breach: Breach): void {
    if (held.length >= MOST_HELD) return;
    held.push(breach);
    for (const { id } of [...breach.evidence, ...(breach.repeats ? [breach.repeats.call] : [])]) {
      const noted = this.#noted(id);
      if (noted) this.#notes.set(id, noted);
    }
  }

  #noted(id: string): NotedCall | undefined {
    return this.#notes.get(id) ?? this.context.calls.noted(id);
  }

  stop(facts: SessionFacts): void {
    if (this.#isStopped) return;
    this.#isStopped = true;
    for (const watcher of this.#watchers.values()) watcher.end?.(facts);
    if (this.#metTimes === 0) for (const breach of this.#absent) this.#take(breach);
  }

  /** The request that a violation repeats, if another attempt of its test could have sent it again. */
  unnamedRepeat(facts: SessionFacts): NotedCall | undefined {
    const breach = this.#repeated.find((one) => this.#isProven(one, facts) && this.#isUnnamed(one));
    return breach && this.#noted(breach.evidence[0]!.id);
  }

  end(facts: SessionFacts): void {
    for (const breach of this.#repeated.filter((one) => this.#isProven(one, facts))) {
      if (facts.repeatsTests && this.#isUnnamed(breach)) this.#doubt(breach);
      else this.#report(breach);
    }
    const isFirst = facts.isHappy || this.context.isOverheard;
    const isTest = isFirst ? this.#seemsDeliberate(facts) : (breach: Breach) => this.#isUsual(breach, facts);
    const tests = this.#refused.filter((breach) => isTest(breach) || this.#isConsequence(facts));
    for (const breach of this.#refused) if (!tests.includes(breach)) this.#report(breach);
    if (isFirst) this.#noteDeliberate([...tests, ...(facts.isHappy ? this.#tolerated : [])]);
  }

  result(): ObligationResult {
    const { id, severity, basis, statement, source, reason, toSee } = obligationOf(this.spec.id);
    const deliberate = this.#deliberate && { deliberate: this.#deliberate };
    const doubtful = this.#doubtful && { doubtful: this.#doubtful };
    const said = {
      id,
      severity,
      basis,
      statement,
      ...(source && { source }),
      ...(reason && { reason }),
      ...deliberate,
      ...doubtful,
    };
    const evidence = [...this.#evidence];
    if (!this.#first) return this.#metTimes > 0 ? { ...said, verdict: 'pass', evidence } : notSeen(said, toSee);
    const { message, expected } = this.#first;
    return { ...said, verdict: 'fail', message, expected, breaches: this.#breaches, evidence };
  }

  #isUnnamed({ evidence }: Breach): boolean {
    return evidence.some(({ id }) => this.#noted(id)?.isOfTest === false);
  }

  /** Whether the calls of a violation have one sender, as far as their tests and user agents tell. */
  #isOfOne({ evidence }: Breach): boolean {
    const senders = evidence.map(({ id }) => this.#noted(id)?.sender);
    return senders.every((sender) => sender === senders[0]);
  }

  #doubt({ message, evidence }: Breach): void {
    const { times = 0, ...first } = this.#doubtful ?? {};
    const shown = evidence.map(({ id }) => id);
    this.#doubtful = { message, evidence: shown, ...first, times: times + 1 };
  }

  /** Whether the client sent more of a kind than its tests send on purpose. */
  #isProven(breach: Breach, { isHappy, usual }: SessionFacts): boolean {
    const { call, most, mayBeMeant, mayBegin, lawful = () => 0 } = breach.repeats!;
    if (isHappy) return false;
    if (!usual) return !mayBeMeant;
    const { calls } = this.context;
    const kind = this.#noted(call.id)?.kind;
    if (kind === undefined) return true;
    if (!usual.sent.has(kind) && usual.sent.size >= MOST_KINDS) return false;
    const sent = calls.sent.get(kind) ?? 0;
    const others = totalOf(calls.sent) - sent;
    const begun = mayBegin && this.#isUnnamed(breach) ? Math.max(0, totalOf(usual.sent) - others) : 0;
    return sent > Math.max(1, usual.sent.get(kind) ?? 0) * most + lawful() + begun;
  }

  /**
   * On the happy path: a mistake that is refused and not repeated is deliberate if the tests pass, since they expect it.
   * If they fail, for whatever reason, it is deliberate if the client sends correct requests of its kind as well. Behind
   * a proxy, the tests expect it if the client continues.
   */
  #seemsDeliberate({ clientOk }: SessionFacts): (breach: Breach) => boolean {
    const { calls, isOverheard } = this.context;
    const requests = new Map<string, Set<string>>();
    const mistakes = new Map<string, Set<string>>();
    const add = (map: Map<string, Set<string>>, key: string, id: string): void =>
      void map.set(key, (map.get(key) ?? new Set()).add(id));
    for (const breach of [...this.#refused, ...this.#tolerated]) {
      for (const { id } of breach.evidence) {
        const noted = this.#noted(id);
        if (!noted?.isRefused) continue;
        add(requests, noted.kind, id);
        add(mistakes, this.#keyOf(breach), id);
      }
    }
    return (breach) => {
      const last = this.#noted(breach.evidence.at(-1)!.id)!;
      const same = requests.get(last.kind)!.size;
      const alike = mistakes.get(this.#keyOf(breach))!.size;
      const rights = breach.rights?.() ?? this.#metTimes;
      const most = breach.rights ? 1 : HABIT.requests - 1;
      const isHabit = rights === 0 ? alike > most : alike >= HABIT.mistakes && rights < alike * HABIT.rightForWrong;
      const isExpected = isOverheard ? !calls.isStuckAfter(last) : clientOk === true || rights > 0;
      return isExpected && same < HABIT.requests && !isHabit;
    };
  }

  /**
   * In another exam: the same mistake as on the happy path, or a request that is refused there too. A reused token is the
   * same mistake in each test. If it is reused more often than usual, and nothing succeeds afterwards, it is not
   * deliberate. A runner that retries failed tests repeats their mistakes.
   */
  #isUsual(breach: Breach, { usual }: SessionFacts): boolean {
    const { calls } = this.context;
    const last = this.#noted(breach.evidence.at(-1)!.id)!;
    const known = usual?.mistakes.get(this.#keyOf(breach)) ?? 0;
    if (!this.spec.id.startsWith('tokens.')) return known > 0 || isRefusedToo(usual, last);
    const retried = Math.max(0, calls.tests.size - (usual?.tests.size ?? 0));
    return known > 0 && (this.#refused.length <= known + retried || !calls.isStuckAfter(last));
  }

  /** A client that cannot read the form of an answer does not have what was in it. */
  #isConsequence({ blames, clientOk }: SessionFacts): boolean {
    return blames !== undefined && blames !== this.spec.id && clientOk === false;
  }

  #noteDeliberate(mistakes: readonly Breach[]): void {
    for (const breach of mistakes) {
      const key = this.#keyOf(breach);
      this.mistakes.set(key, (this.mistakes.get(key) ?? 0) + 1);
    }
    const [first] = mistakes;
    if (!first) return;
    const evidence = [...new Set(mistakes.flatMap((one) => one.evidence.map(({ id }) => id)))].slice(0, ENOUGH);
    this.#deliberate = { message: first.message, times: mistakes.length, evidence };
  }

  /** The same mistake has the same key in each exam, whatever the tee time is that it names. */
  #keyOf({ message, evidence }: Breach): string {
    const place = this.#noted(evidence.at(-1)!.id)?.place ?? '';
    const quoted = message.split('`').filter((_, at) => at % 2 === 0);
    const words = quoted.flatMap((text) => text.split(' ')).map((word) => (/\d/.test(word) ? '#' : word));
    return [this.spec.id, place, ...words].join(' ');
  }

  #report(breach: Breach): void {
    if (!this.#first) this.#evidence.clear();
    this.#first ??= breach;
    this.#breaches += 1;
    this.#keep(breach.evidence, MAX_EVIDENCE);
    const { id, severity, statement } = obligationOf(this.spec.id);
    const { message, expected } = breach;
    const evidence = breach.evidence.slice(0, MAX_EVIDENCE).map((shown) => shown.id);
    this.context.onBreach({ id, severity, statement, message, expected, nth: this.#breaches, evidence });
  }

  #keep(evidence: readonly Exhibit[], most: number): void {
    for (const { id } of evidence) if (this.#evidence.size < most) this.#evidence.add(id);
  }
}

/** A breach that is held would hold the bodies of its calls. */
function withIdsAlone({ evidence, repeats, ...breach }: Breach): Breach {
  const ids = evidence.map(({ id }) => ({ id }));
  return { ...breach, evidence: ids, ...(repeats ? { repeats: { ...repeats, call: { id: repeats.call.id } } } : {}) };
}

/** Whether a request is refused on the happy path, or may be one of those that were too many to be counted. */
function isRefusedToo({ refused, sent }: Pick<Usual, 'refused' | 'sent'> = NOTHING, { kind }: NotedCall): boolean {
  return refused.has(kind) || (!sent.has(kind) && sent.size >= MOST_KINDS);
}

const NOTHING: Pick<Usual, 'refused' | 'sent'> = { refused: new Set(), sent: new Map() };

const totalOf = (counts: ReadonlyMap<string, number>): number =>
  [...counts.values()].reduce((sum, count) => sum + count, 0);

function notSeen(said: Omit<ObligationResult, 'verdict' | 'evidence'>, toSee: string): ObligationResult {
  return { ...said, verdict: 'not-seen', toSee, evidence: [] };
}
