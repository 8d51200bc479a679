import { counted, defined } from '../../common/index.js';
import type { Exchange } from '../client/exchange.js';
import { Inconclusive, NoDeployment, unlessInconclusive } from '../client/outcome.js';
import { type Run, Session } from '../client/session.js';
import { webHost } from '../client/web-host.js';
import type { Host } from '../client/types.js';
import { curlOf } from '../report/check-report.js';
import { cutExchange, exchangeMaskedAgain } from '../report/recorder.js';
import { material } from '../journeys/material.js';
import { budgets, leftoversOf, MIN_OF_CUT_RUN } from '../run/report.js';
import { cancellation, cleanUp } from '../run/target/clean-up.js';
import { connect } from '../run/target/connect.js';
import { keptValue, keptWords, withTexts } from '../run/summary/values.js';
import { openRun, shownBase } from '../run/target/open-run.js';
import { PARALLEL, type RunOptions } from '../run/check-options.js';
import { type Attempt, attempt, isEnd } from './attempt.js';
import { Chance, seedOf } from '../client/chance.js';
import { facts, type Focus, shared } from './found.js';
import { generate, wrongDeck } from './generate.js';
import type { Ground } from './ground.js';
import { abilitiesOf, learn } from './learn.js';
import { Habits } from './model.js';
import {
  type Exploration,
  type ExploreFinding,
  type ExploreOptions,
  MOST_BOOKINGS,
  MOST_FINDINGS,
  SHRINK,
  STEPS,
  WALKS,
} from './options.js';
import { shrunk, upTo, withoutReads } from './shrink.js';
import { type Channel, flat, kindOf, type Step, type Walk } from './steps.js';
import { storyOf } from './story.js';

/** How often the smallest walk is taken again, how often it must fail then, and how often one that fails too rarely is taken at most. */
const [REPETITIONS, ENOUGH, MOST_REPETITIONS] = [5, 3, 20];
/** How often a repetition is taken on other tee times, if its steps went otherwise on those before. */
const MOST_OTHERS = 5;
/** The share of its repetitions in which a walk must fail that others may have disturbed. */
const LEAST_SHARE = 0.4;
/** Chances of a walk with steps at the same time to fail again while it is made smaller. */
const CHANCES = 2;
/** Walks that a run tries while one is made smaller. */
const MOST_TRIES = 300;
/** How often a finding that did not come again is looked into once more. */
const MOST_DOUBTS = 3;
/** Walks in a row that are given up in their first steps, after which a run ends. */
const [MOST_GIVEN_UP, FIRST_STEPS] = [25, 3];
/** How often a run tries to learn what the deployment offers, and the milliseconds between. */
const [LESSONS, BETWEEN_LESSONS] = [3, 1000];
/** Right bookings in a row that are refused, after which no further one is sent. */
const MOST_CLOSED = 3;
/** Bytes of answers that a walk keeps at a time: it needs few of them for long. */
const MOST_EVIDENCE = 32 * 1024 * 1024;
/** Characters of a body that are kept for a finding: as many as a command shows. */
const MOST_BODY = 10_000;
/** Milliseconds that a write may take to be seen while a walk is made smaller, and how often the longest time so far. */
const [SHORT_SETTLE, LAGS] = [200, 4];

/**
 * Explores a deployment by random walks of bookings, payments, cancellations, refreshes and reads, one after another and at
 * the same time. The report is complete even if the deployment cannot be reached.
 */
export async function exploreDeployment(options: ExploreOptions & Pick<RunOptions, 'rehearse'>): Promise<Exploration> {
  return new Expedition(options).run();
}

/** The options of {@link explore}: the host is made of the clock. */
export type ExploreAppOptions = Omit<ExploreOptions, 'host' | 'baseUrl'> &
  Pick<Host, 'now'> & { readonly baseUrl?: string; readonly host?: Partial<Host> };

/**
 * Explores a service: random walks of bookings, groups, payments, refreshes and parallel requests, each step compared with
 * a model of what it must change. A failing walk is made smaller until only the steps that matter are left.
 *
 * @param fetch Answers a request: the global `fetch`, or that of an app in this process.
 * @example
 * const { findings } = await explore((request) => app.fetch(request), {
 *   first: { basic: { username, password } },
 *   now: Date.now,
 *   allow: ['bookings', 'payments'],
 *   walks: 20,
 *   reset: () => app.reset(),
 * });
 * for (const { story } of findings) console.log(story.join('\n'));
 */
export async function explore(fetch: Host['fetch'], options: ExploreAppOptions): Promise<Exploration> {
  const { now, host, baseUrl = 'http://app.invalid', seed = now(), ...more } = options;
  const chance = new Chance(seed);
  const own = webHost({ now, random: () => chance.next(), fetch: (request) => fetch(request) });
  return exploreDeployment({ ...more, baseUrl, seed, host: { ...own, ...host } });
}

/** Requests to book after which a deployment that answers none of them cannot be explored. */
const LEAST_WANTED = 3;
const [TOO_MANY, SERVER_ERROR] = [429, 500];

/** A cause that was found. */
interface Cause {
  readonly finding: ExploreFinding;
  seen: number;
}

class Expedition {
  readonly #run: Run;
  readonly #ground: Ground;
  readonly #seed: number;
  readonly #startedAt: number;
  readonly #causes = new Map<string, Cause>();
  /** The causes of failing walks, by what can be told of them before they are made smaller. */
  readonly #alike = new Map<string, string>();
  readonly #notes = new Map<string, number>();
  readonly #pairs = new Map<string, number>();
  readonly #triples = new Map<string, Set<string>>();
  #exchanges = new Map<string, Exchange>();
  #walks = 0;
  #steps = 0;
  #last: readonly string[] = [];
  /** The requests to book: all of them, and those that the deployment accepted or refused in words. */
  readonly #wanted = { all: 0, answered: 0 };
  /** The walks that were not cut short. */
  #whole = 0;
  /** What ended the run before its last walk, if that was a budget, its time or a signal. */
  #cut: string | undefined;
  /** Whether the deployment no longer answers in a way that a walk could follow. */
  #isBroken = false;

  constructor(readonly options: ExploreOptions & Pick<RunOptions, 'rehearse'>) {
    const { host } = options;
    this.#startedAt = host.now();
    const end = this.#startedAt + (options.duration ?? Infinity);
    const onExchange = (exchange: Exchange): void => {
      this.#exchanges.set(exchange.id, exchange);
      this.#noteBooking(exchange);
      options.onEvent?.({ type: 'exchange', exchange });
    };
    const patience = { rereads: true, restsUntil: end, mostBody: MOST_BODY };
    this.#run = openRun({ maxBookings: MOST_BOOKINGS, maxEvidence: MOST_EVIDENCE, ...options }, onExchange, patience);
    this.#seed = (options.seed ?? Math.floor(host.random() * 2 ** 31)) >>> 0;
    const ground = {
      run: this.#run,
      habits: new Habits(),
      taking: 'unknown' as const,
      settle: this.#run.settle,
      compares: options.rehearse === undefined,
      ids: new Map<string, string>(),
      tokens: new Set<string>(),
      bookings: new Map(),
      unclear: new Set<string>(),
      bookable: new Set<string>(),
      refusing: new Set<string>(),
      listed: new Map(),
      bearers: new Map<Channel, string>(),
      hasReused: false,
      lag: 0,
      attempts: 0,
      closed: 0,
      end,
    };
    this.#ground = { ...ground, can: abilitiesOf(ground) };
  }

  async run(): Promise<Exploration> {
    let stopped: NoDeployment | undefined;
    let canceled: ReadonlySet<string> = new Set();
    try {
      await connect(new Session(this.#run));
      await this.#explore();
      canceled = await cleanUp(new Session(this.#run));
      await this.#reuse();
    } catch (error) {
      if (error instanceof NoDeployment) stopped = error;
      else if (isEnd(error)) {
        this.#isBroken = error.reason === 'unhealthy';
        if (budgets.has(error.reason) || error.reason === 'interrupted') this.#cut = error.missing;
        this.#note(`It ended early. Missing: ${error.missing}.`);
      } else throw error;
    }
    if (!stopped && canceled.size === 0) canceled = await cleanUp(new Session(this.#run));
    return this.#result(stopped, canceled);
  }

  async #explore(): Promise<void> {
    await this.#learn();
    const { again, duration, walks = duration === undefined ? WALKS : Infinity } = this.options;
    if (again) return this.#repeat(again);
    const deck = wrongDeck(this.#ground.can.ways);
    let idle = 0;
    for (let at = 0; at < walks; at += 1) {
      if (this.#run.host.now() >= this.#ground.end) {
        this.#cut = 'time for another walk (--for)';
        return;
      }
      const { steps = STEPS, parallel = PARALLEL } = this.options;
      const done = await this.#walk(generate(seedOf(this.#seed, at), this.#ground.can, { steps, parallel }, deck));
      idle = done.givenUp === undefined || done.steps > FIRST_STEPS ? 0 : idle + 1;
      if (this.#ground.closed >= MOST_CLOSED) return this.#note('The deployment accepts no further booking.');
      if (this.#isEnough) return this.#note(`It ended after ${counted(this.#causes.size, 'finding')}.`);
      if (idle >= MOST_GIVEN_UP) {
        this.#isBroken = true;
        return this.#note(`${MOST_GIVEN_UP} walks in a row were given up at once.`);
      }
    }
  }

  /** At the very end, a spent token is sent again even where the channel may then be locked out, which is allowed. */
  async #reuse(): Promise<void> {
    const { can } = this.#ground;
    const isOver = this.#run.host.now() >= this.#ground.end;
    const isDone = isOver || can.reuses || this.#isEnough || this.options.again !== undefined;
    if (isDone || !can.refreshes || !this.#run.transport.allows('lockout')) return;
    this.#ground.can = { ...can, reuses: true };
    const walk: Walk = { form: 1, seed: 1, spots: [{ free: 1 }], steps: [{ do: 'refresh', id: 1, again: true }] };
    const done = await this.#attempt(walk, { fact: 'tokens', isOfEarlier: false });
    if (done.found) await this.#understand(done);
  }

  /** Learns, again where a response was missing: a failure may pass. */
  async #learn(): Promise<void> {
    const { host, memo } = this.#run;
    for (let left = LESSONS - 1; ; left -= 1) {
      try {
        await learn(this.#ground);
        const isClosed = this.#ground.can.ways.length === 0 && this.#run.transport.allows('bookings');
        if (isClosed) this.#note('The deployment accepts no booking, so that the walks only read.');
        return;
      } catch (error) {
        if (!(error instanceof Inconclusive) || error.reason === 'budget' || left === 0) throw error;
        memo.clear();
        await host.sleep(BETWEEN_LESSONS);
      }
    }
  }

  get #isEnough(): boolean {
    const counting = [...this.#causes.values()].filter(({ finding }) => finding.counts).length;
    const { maxFindings = MOST_FINDINGS } = this.options;
    return counting >= maxFindings || this.#causes.size >= MOST_FINDINGS * 2;
  }

  /** A walk of a file, again and again. */
  async #repeat(walk: Walk): Promise<void> {
    let first: Shrunk | undefined;
    const repeated = await repetitions(async () => {
      const done = await this.#repetition(walk, first?.attempt);
      this.#count(done);
      if (done.found) first ??= { attempt: done, exchanges: this.#exchangesOf(done) };
      return done.found !== undefined;
    });
    if (first) this.#keep(first.attempt, repeated, first.exchanges);
  }

  /** A walk; a new finding is made smaller and repeated. */
  async #walk(walk: Walk): Promise<Attempt> {
    const done = await this.#attempt(walk);
    this.#count(done);
    if (done.givenUp !== undefined) this.#note(done.givenUp);
    if (!done.found) return done;
    const known = this.#causes.get(this.#alike.get(alikeOf(done)) ?? '');
    const isUnderstood = known !== undefined && (known.finding.counts || known.seen > MOST_DOUBTS);
    if (isUnderstood) known.seen += 1;
    else await this.#understand(done);
    return done;
  }

  async #understand(done: Attempt): Promise<void> {
    let smallest = { attempt: done, exchanges: this.#exchangesOf(done) };
    const { settle } = this.#ground;
    let repeated = { times: 0, of: 0 };
    try {
      this.#ground.settle = Math.min(settle, Math.max(SHORT_SETTLE, this.#ground.lag * LAGS));
      smallest = await this.#shrink(smallest);
      this.#ground.settle = settle;
      repeated = await this.#repetitions(smallest.attempt);
    } catch (error) {
      if (!isEnd(error)) throw error;
      this.#note(`A finding was not made smaller. Missing: ${error.missing}.`);
      if (this.#run.transport.deadline.isOver) throw error;
    } finally {
      this.#ground.settle = settle;
      this.#keep(smallest.attempt, repeated, smallest.exchanges, alikeOf(done));
    }
  }

  async #shrink(first: Shrunk): Promise<Shrunk> {
    const { host } = this.#run;
    const end = host.now() + (this.options.shrink ?? SHRINK);
    const focus = focusOf(first.attempt);
    const whole = upTo(first.attempt.walk, first.attempt.found!.step);
    let best: Shrunk | undefined;
    for (const walk of isPassing(focus) ? [] : withoutReads(whole)) best ??= await this.#fails(walk, focus, 1);
    // What does not come again cannot be made smaller.
    best ??= await this.#fails(whole, focus, CHANCES);
    if (!best || (isPassing(focus) && best.attempt.walk.steps.length < whole.steps.length)) return first;
    let tries = 0;
    await shrunk(best.attempt.walk, async (walk) => {
      if (host.now() >= end || (tries += 1) > MOST_TRIES) return undefined;
      const isRace = walk.steps.some((one) => one.do === 'together');
      const smaller = await this.#fails(walk, focus, isRace ? CHANCES : 1);
      best = smaller ?? best;
      return smaller?.attempt.walk;
    });
    return best;
  }

  /** Whether a walk finds the same kind of fact wrong; what needs luck gets several chances. */
  async #fails(walk: Walk, focus: Focus, chances: number): Promise<Shrunk | undefined> {
    for (let chance = 0; chance < chances; chance += 1) {
      const done = await this.#attempt(walk, focus);
      if (!isAbout(done, focus)) continue;
      return { attempt: { ...done, walk: upTo(walk, done.found!.step) }, exchanges: this.#exchangesOf(done) };
    }
    return undefined;
  }

  /** How often a walk fails in the same way at its last step. */
  #repetitions(done: Attempt): Promise<ExploreFinding['repeated']> {
    const focus = focusOf(done);
    return repetitions(async () => {
      const again = await this.#repetition(done.walk, done, focus);
      return isAbout(again, focus) && again.found!.step === done.walk.steps.length - 1;
    });
  }

  /** A walk again. Where other free slots make its steps go otherwise, it says nothing, and other tee times are taken. */
  async #repetition(walk: Walk, first: Attempt | undefined, focus?: Focus): Promise<Attempt> {
    for (let left = MOST_OTHERS; ; left -= 1) {
      const again = await this.#attempt(walk, focus);
      if (left === 0 || again.found || !first || !wentOtherwise(again, first)) return again;
    }
  }

  /** One walk on fresh tee times, after which its bookings are cancelled and its answers let go. */
  async #attempt(walk: Walk, focus?: Focus): Promise<Attempt> {
    const { transport } = this.#run;
    const { reset } = this.options;
    if (reset) await this.#reset(reset);
    this.#exchanges = new Map();
    const before = transport.mark();
    const onStep = focus ? undefined : (step: Step): void => this.#cover(step);
    const done = await attempt(this.#ground, walk, { focus, onStep });
    await this.#leave(done);
    transport.forgetSince(before);
    return done;
  }

  async #reset(reset: NonNullable<ExploreOptions['reset']>): Promise<void> {
    await reset();
    this.#ground.ids.clear();
    this.#ground.bookings.clear();
    this.#ground.unclear.clear();
    this.#ground.closed = 0;
  }

  /** Gives tee times back, and keeps in mind what a clean walk has booked. */
  async #leave({ spots, found, givenUp }: Attempt): Promise<void> {
    const { bookings, can } = this.#ground;
    const session = new Session(this.#run);
    const ofWalk = [...bookings.values()].filter(({ spot }) => spot >= 0);
    for (const made of ofWalk) {
      const isClean = found === undefined && givenUp === undefined;
      const isGone = made.isActive && can.cancels !== undefined && made.bookingId !== undefined && !this.options.reset;
      const call = isGone
        ? cancellation({ bookingId: made.bookingId!, channel: made.channel }, can.cancels!)
        : undefined;
      const reply = call ? await session.send(call).catch(unlessInconclusive) : undefined;
      const isKnown = isClean && (!call || reply !== undefined);
      if (isKnown) bookings.set(made.key, { ...made, spot: -1, isActive: made.isActive && reply?.ok !== true });
      else {
        bookings.delete(made.key);
        if (made.bookingId !== undefined) this.#ground.unclear.add(made.bookingId);
      }
    }
    const isBack = ofWalk.every(({ key }) => bookings.get(key)?.isActive === false);
    const isClean = found === undefined && givenUp === undefined && can.cancels !== undefined && isBack;
    if (!this.options.reset && !isClean) return;
    const pool = await material(session);
    // Without a reset, only linked tee times are used again, since a deployment has few of them.
    const again = spots.filter(({ linkedProduct }) => this.options.reset !== undefined || linkedProduct !== undefined);
    for (const { sheet, teeTime } of again) pool.release(sheet, [teeTime]);
  }

  #cover(step: Step): void {
    for (const one of flat([step])) {
      const kind = kindOf(one);
      const [last, before] = this.#last;
      if (last !== undefined) this.#pairs.set(`${last} > ${kind}`, (this.#pairs.get(`${last} > ${kind}`) ?? 0) + 1);
      if (before !== undefined) this.#addTriple(`${before} > ${last}`, kind);
      this.#last = last === undefined ? [kind] : [kind, last];
    }
  }

  #addTriple(pair: string, kind: string): void {
    const kinds = this.#triples.get(pair) ?? new Set();
    this.#triples.set(pair, kinds.add(kind));
  }

  #count(done: Attempt): void {
    this.#walks += 1;
    if (done.isCut) this.#cut = 'time for the rest of a walk (--for)';
    else this.#whole += 1;
    this.#steps += done.steps;
    this.#last = [];
    this.options.onProgress?.({
      walks: this.#walks,
      steps: this.#steps,
      requests: this.#run.transport.requests,
      pairs: this.#pairs.size,
      findings: this.#causes.size,
      milliseconds: this.#run.host.now() - this.#startedAt,
      timeline: done.timeline,
      ...(done.found && { found: this.#run.transport.masker.text(done.found.message) }),
    });
  }

  #note(text: string): void {
    this.#notes.set(text, (this.#notes.get(text) ?? 0) + 1);
  }

  #exchangesOf({ exchanges }: Attempt): readonly Exchange[] {
    return exchanges.map((id) => this.#exchanges.get(id)).filter((one) => one !== undefined);
  }

  #keep(
    done: Attempt,
    repeated: ExploreFinding['repeated'],
    exchanges: readonly Exchange[],
    alike = alikeOf(done),
  ): void {
    const cause = causeOf(done);
    this.#alike.set(alike, cause);
    const before = this.#causes.get(cause);
    if (before) before.seen += 1;
    if (before?.finding.counts) return;
    const { fact, message, expected, actual, shownBy } = done.found!;
    const writes = exchanges.filter(({ request, id }) => request.method !== 'GET' || id === shownBy);
    const text = (value: string): string => keptWords(this.#run.transport.masker.text(value));
    const isRace = done.walk.steps.some((step) => step.do === 'together');
    const finding: ExploreFinding = {
      id: `explore.${fact}`,
      fact,
      severity: facts[fact][0],
      statement: facts[fact][1],
      message: text(message),
      ...(expected === undefined ? {} : { expected: keptValue(expected) }),
      ...(actual === undefined ? {} : { actual: keptValue(actual) }),
      story: storyOf(done).map(text),
      commands: writes.map((one) => this.#run.transport.masker.text(curlOf(one))),
      walk: done.walk,
      timeline: done.timeline,
      exchanges: exchanges.map((one) => cutExchange(one)),
      shownBy,
      seen: 1,
      repeated,
      isRace,
      counts: repeated.times >= ENOUGH && (!shared.has(fact) || repeated.times >= repeated.of * LEAST_SHARE),
    };
    this.#causes.set(cause, { finding, seen: before?.seen ?? 1 });
  }

  /** Counts a request to book, and whether it had an answer that says something about it. */
  #noteBooking({ operation, response }: Exchange): void {
    if (operation === undefined || !/\.create(Bulk)?Booking$/.test(operation)) return;
    this.#wanted.all += 1;
    if (response && response.status !== TOO_MANY && response.status < SERVER_ERROR) this.#wanted.answered += 1;
  }

  #result(stopped: NoDeployment | undefined, canceled: ReadonlySet<string>): Exploration {
    const { transport, host, runId } = this.#run;
    const findings = [...this.#causes.values()].map(({ finding, seen }) => ({ ...this.#maskedAgain(finding), seen }));
    const bookings = transport.budget.leftovers.filter(({ kind }) => kind === 'booking').length;
    return {
      ...this.#verdict(stopped, findings),
      target: { baseUrl: shownBase(this.options.baseUrl), runId, startedAt: new Date(this.#startedAt).toISOString() },
      seed: this.#seed,
      durationMs: host.now() - this.#startedAt,
      walks: this.#walks,
      steps: this.#steps,
      requests: transport.requests,
      bookings,
      findings,
      notes: [...this.#notes].map(([text, times]) =>
        transport.masker.known(times === 1 ? text : `${text} (${times} times)`),
      ),
      pairs: Object.fromEntries(this.#pairs),
      triples: Object.fromEntries([...this.#triples].map(([pair, kinds]) => [pair, kinds.size])),
      learnt: this.#ground.habits.all,
      health: transport.health.health(new Set()),
      litter: leftoversOf(this.#run, canceled),
      canceled: canceled.size,
    };
  }

  /** A finding without the secrets that became known only after it. */
  #maskedAgain(finding: ExploreFinding): ExploreFinding {
    const { message, expected, actual, story, commands, timeline } = finding;
    const { masker } = this.#run.transport;
    const said = defined({ message, expected, actual, story, commands, timeline });
    return {
      ...finding,
      ...(withTexts(said, (text) => masker.known(text)) as typeof said),
      exchanges: finding.exchanges.map((one) => exchangeMaskedAgain(one, (text) => masker.text(text))),
    };
  }

  #verdict(
    stopped: NoDeployment | undefined,
    findings: readonly ExploreFinding[],
  ): Pick<Exploration, 'verdict' | 'exitCode' | 'message'> {
    if (stopped)
      return { verdict: stopped.kind, exitCode: 3, message: this.#run.transport.masker.text(stopped.message) };
    const counting = findings.filter(({ counts }) => counts).length;
    const what = `${counted(this.#walks, 'walk')} of ${counted(this.#steps, 'step')} in all`;
    if (counting > 0) {
      return {
        verdict: 'found',
        exitCode: 1,
        message: `${counted(counting, 'fact contradicts', 'facts contradict')} the steps of a walk, after ${what}.`,
      };
    }
    if (this.#steps === 0) {
      const missing = this.#cut === undefined ? '' : ` Missing: ${this.#cut}.`;
      const message = `No walk got further than its first step.${missing}`;
      return { verdict: 'too-little-explored', exitCode: 4, message };
    }
    const { all, answered } = this.#wanted;
    if (all >= LEAST_WANTED && answered === 0) {
      const message = `No booking was accepted: the deployment answered each of ${all} with an error of its own, so no walk could check what a booking changes.`;
      return { verdict: 'too-little-explored', exitCode: 4, message };
    }
    if (this.#isBroken) {
      const message = `After ${what}, the deployment no longer answers so that a walk can go on.`;
      return { verdict: 'too-little-explored', exitCode: 4, message };
    }
    const message = `No fact contradicts the steps of ${what}.`;
    const { again, duration, walks = duration === undefined ? WALKS : 1 } = this.options;
    const asked = again ? REPETITIONS : walks;
    if (this.#cut === undefined || this.#whole >= asked) return { verdict: 'no-finding', exitCode: 0, message };
    const short = `The run ended after ${this.#whole} of ${counted(asked, 'whole walk')}. Missing: ${this.#cut}.`;
    if ((this.#whole / asked) * 100 < MIN_OF_CUT_RUN) {
      const needs = `Such a run needs ${MIN_OF_CUT_RUN}%: give it more, or ask for fewer walks (--walks).`;
      return { verdict: 'too-little-explored', exitCode: 4, message: `${short} ${needs}` };
    }
    return { verdict: 'no-finding-as-far-as-it-went', exitCode: 0, message: `As far as it went: ${message} ${short}` };
  }
}

/** A failing walk with its requests. */
interface Shrunk {
  readonly attempt: Attempt;
  readonly exchanges: readonly Exchange[];
}

/** How often a walk fails when it is repeated. One that fails too rarely to count gets more chances. */
async function repetitions(fails: () => Promise<boolean>): Promise<ExploreFinding['repeated']> {
  let [times, of] = [0, 0];
  while (of < REPETITIONS || (times > 0 && times < ENOUGH && of < MOST_REPETITIONS)) {
    if (await fails()) times += 1;
    of += 1;
  }
  return { times, of };
}

/** Whether a walk went another way than before because it met other free slots. */
function wentOtherwise(again: Attempt, first: Attempt): boolean {
  const outcomes = ({ timeline }: Attempt): string => timeline.map(({ outcome }) => outcome).join('; ');
  return again.free.join() !== first.free.join() && outcomes(again) !== outcomes(first);
}

/** Whether a fact may be wrong for a moment alone, at any step: then it must come again at the same one. */
function isPassing({ fact }: Focus): boolean {
  return fact === 'server-error' || fact === 'read';
}

function focusOf({ found }: Attempt): Focus {
  return { fact: found!.fact, isOfEarlier: found!.isOfEarlier === true };
}

function isAbout({ found }: Attempt, { fact, isOfEarlier }: Focus): boolean {
  return found?.fact === fact && (found.isOfEarlier === true) === isOfEarlier;
}

/** What two failing walks share that are not worth to be understood twice: the fact, and what was done just before. */
function alikeOf({ found, walk }: Attempt): string {
  const step = walk.steps[found!.step];
  if (step?.do === 'together') return `${found!.fact} together`;
  return `${found!.fact} ${step ? kindOf(step) : ''}`;
}

/** What two findings share that have one cause: the fact, and the last step of the smallest walk, or that it is a race. */
function causeOf({ found, walk }: Attempt): string {
  if (walk.steps.some((step) => step.do === 'together')) return `${found!.fact} together`;
  const writes = flat(walk.steps).filter((step) => ['book', 'pay', 'cancel', 'refresh'].includes(step.do));
  const last = writes.at(-1);
  return `${found!.fact} ${last ? kindOf(last) : ''}`;
}
