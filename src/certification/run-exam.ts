import { defined, Masker } from '../common/index.js';
import { answersOf, type Capsule, fetchBy } from '../engine/index.js';
import { ClientChecker, type ObligationResult } from './obligations/client-checker.js';
import { identityOf, kindOf, nameOf } from './obligations/operations.js';
import type { ClientCall, ClientDelivery, SessionFacts, Usual } from './obligations/traffic.js';
import type { AttemptResult, Earlier, ExamResult, ObligationVerdict } from './certification.js';
import type { CertifyEvent } from './certify-options.js';
import type { Exam } from './exam.js';
import { type ExamStart, ExamWorlds } from './exam-worlds.js';
import { happyDay } from './exams/happy-day.js';
import { refusedForGood } from './exams/refused-for-good.js';
import { HappyUse } from './happy-use.js';
import type { Tell } from './in-order.js';
import type { RecordedSandbox } from './recorder.js';
import type { TrafficSink } from './recording.js';
import { type Evidence, MOST_OF_EXAM, Newest } from './kept-exchanges.js';
import { type KeptExchange, type ShownExchange, Showing } from './shown-exchange.js';

/** What the exams of one run share. */
export interface ExamRun extends ExamStart {
  readonly signal: AbortSignal;
  readonly tell: (event: CertifyEvent) => void;
  /** Whether the client's tests pass when nothing goes wrong. Absent: not known. */
  steady?: boolean;
  /** What the client does when nothing goes wrong. */
  usual?: Usual;
  /** The same, as far as it decides which other exams can be reached. Absent: not known. */
  use?: HappyUse;
  /** Whether the program that runs the client's tests sends those again that fail. Absent: not known. */
  repeatsTests?: boolean | undefined;
  /** The obligations that have failed so far, and the first exam of those that are over in which they did. */
  readonly failed: Map<string, number>;
  readonly evidence: Evidence;
  /** What a run has shown that was stopped, and with which this one goes on. */
  readonly earlier?: Earlier | undefined;
  /** Hides the secrets of all exams. Absent before the first. */
  masker?: Masker;
}

/** An exam that is over, with what shows its verdicts. */
export interface TakenExam {
  readonly result: ExamResult;
  readonly results: readonly ObligationResult[];
  /** Shows its calls and callbacks, by their ids. */
  readonly exchanges: ReadonlyMap<string, () => ShownExchange>;
  /** The operations that the client used. */
  readonly operations: ReadonlySet<string>;
  /** If an obligation failed for the first time. */
  readonly capsule?: Capsule;
}

/** An exam among those that are taken at the same time. */
interface ExamTurn {
  /** Its place in their order. */
  readonly at: number;
  readonly tell: Tell;
}

/** Lets the client take one exam in a fresh sandbox. */
export async function takeExam(run: ExamRun, exam: Exam, { at, tell }: ExamTurn): Promise<TakenExam> {
  const begun = run.options.host.now();
  const session = new ExamSession(run, exam, tell);
  const worlds = new ExamWorlds(exam, run, session);
  try {
    const main = await worlds.main();
    session.showing = showingOf(run, exam, main);
    const client = await attempt(run, main, worlds, {
      exam,
      begin: (baseUrl) =>
        tell(() => ({ type: 'exam', exam: exam.id, state: 'begun', baseUrl, results: () => session.results() })),
    });
    run.signal.throwIfAborted();
    await worlds.stop();
    const durationMs = run.options.host.now() - begun;
    const repeatsTests = await session.repeatsTests(client);
    const taken = session.end(client, { durationMs, repeatsTests });
    const shown = newFailure(run, taken, at);
    if (shown === undefined) return taken;
    const { sandbox } = await worlds.worldOf(shown);
    return { ...taken, capsule: await sandbox.capsule() };
  } finally {
    worlds.end();
  }
}

/** A call that shows an obligation that failed in no earlier exam that is over: in the end, the first one has the capsule. */
function newFailure({ options, failed }: ExamRun, { results }: TakenExam, at: number): string | undefined {
  const isNew = ({ id, verdict }: ObligationResult): boolean => verdict === 'fail' && at < (failed.get(id) ?? Infinity);
  const found = results.filter(isNew);
  for (const { id } of found) failed.set(id, at);
  return options.capsules === false ? undefined : found.flatMap(({ evidence }) => evidence)[0];
}

/** Receives the traffic of one exam and evaluates the obligations. */
class ExamSession implements TrafficSink {
  declare showing: Showing;
  readonly #checker: ClientChecker;
  readonly #traffic = new Newest<KeptExchange>(MOST_OF_EXAM);
  readonly #operations = new Set<string>();
  readonly #use = new HappyUse();
  #calls = 0;

  constructor(
    readonly run: ExamRun,
    readonly exam: Exam,
    readonly tell: Tell,
  ) {
    const { only, deliberate = [], isOpen = false } = run.options;
    this.#checker = new ClientChecker({
      ...(only ? { only } : {}),
      deliberate,
      isMeasured: !isOpen,
      onBreach: (breach) => tell(() => ({ type: 'breach', exam: exam.id, breach: this.#clean(breach) })),
    });
  }

  call(call: ClientCall): void {
    this.#calls += 1;
    if (call.operation) this.#operations.add(call.operation);
    this.showing.learn(call);
    this.#use.call(call);
    this.#keep('call', call.id, this.showing.keptCall(call));
    this.#checker.call(call);
  }

  delivery(delivery: ClientDelivery): void {
    this.#keep('delivery', delivery.id, this.showing.keptDelivery(delivery));
    this.#checker.delivery(delivery);
  }

  /** The results so far. */
  results(): readonly ObligationResult[] {
    return this.#checker.results().map((result) => this.#clean(result));
  }

  /** Whether a test runner may have sent the repeats behind a violation; checked only if there is one. */
  async repeatsTests(client: AttemptResult): Promise<boolean> {
    const { run, exam } = this;
    const repeated = run.options.isOpen ? undefined : this.#checker.stop(factsOf(run, exam, client));
    return repeated !== undefined && (run.repeatsTests ??= await repeatsTests(run, repeated)) === true;
  }

  end(
    said: AttemptResult,
    { durationMs, repeatsTests }: { readonly durationMs: number; readonly repeatsTests: boolean },
  ): TakenExam {
    const { run, exam } = this;
    const client = said.said === undefined ? said : { ...said, said: this.showing.text(said.said) };
    const isHappy = exam.id === happyDay.id;
    if (isHappy && client.ok !== undefined) run.steady = client.ok;
    const facts = { ...factsOf(run, exam, client), repeatsTests };
    const results = this.#checker.end(facts).map((result) => this.#clean(result));
    if (isHappy) Object.assign(run, { usual: this.#checker.usual, use: this.#use });
    this.tell(() => ({ type: 'exam', exam: exam.id, state: 'ended', results, client, durationMs }));
    const { id, title, does } = exam;
    const verdicts = results.map((result) => ({ id: result.id, verdict: result.verdict }));
    return {
      result: { id, title, does, verdict: overall(results), results: verdicts, client, calls: this.#calls, durationMs },
      results,
      exchanges: run.evidence.of(results, this.#traffic),
      operations: this.#operations,
    };
  }

  #keep(type: 'call' | 'delivery', id: string, kept: KeptExchange): void {
    const traffic = this.#traffic;
    traffic.keep(id, kept);
    const exam = this.exam.id;
    const event = {
      type,
      exam,
      get exchange() {
        return traffic.get(id)?.show();
      },
    };
    if (this.run.options.onEvent) this.tell(() => event);
  }

  /** Without secrets: a violation may quote what the client sent. */
  #clean<Told extends Partial<Pick<ObligationResult, 'message' | 'expected' | 'deliberate' | 'doubtful'>>>(
    told: Told,
  ): Told {
    const { message, expected, deliberate, doubtful } = told;
    const clean = (text: string): string => this.showing.text(text);
    const words = {
      deliberate: deliberate && { ...deliberate, message: clean(deliberate.message) },
      doubtful: doubtful && { ...doubtful, message: clean(doubtful.message) },
      message: message === undefined ? undefined : clean(message),
      expected: expected === undefined ? undefined : clean(expected),
    };
    return { ...told, ...defined(words) };
  }
}

/** A failure of the client's tests says something only if they pass when nothing goes wrong. */
function factsOf({ steady, usual }: ExamRun, { id, blames }: Exam, { ok, said, hung }: AttemptResult): SessionFacts {
  const facts = defined({ exam: id, isHappy: id === happyDay.id, usual, hung });
  if (ok === undefined || (steady === false && id !== happyDay.id)) return facts;
  return { ...facts, ...defined({ clientOk: ok, clientSaid: said, blames: steady ? blames : undefined }) };
}

function overall(results: readonly ObligationResult[]): ObligationVerdict {
  const has = (wanted: ObligationVerdict): boolean => results.some(({ verdict }) => verdict === wanted);
  return has('fail') ? 'fail' : has('pass') ? 'pass' : 'not-seen';
}

function showingOf(run: ExamRun, exam: Exam, { sandbox }: RecordedSandbox): Showing {
  run.masker ??= new Masker(answersOf(sandbox.dialect)['auth.bearer-header']);
  run.masker.learn(...sandbox.channels.map(({ password }) => password));
  return new Showing(exam.id, run.masker);
}

/**
 * Whether the program that runs the client's tests repeats those that fail, which only their names would tell from a client
 * that does. All is refused for good, so that no client reads anything again. Undefined: the tests passed all the same.
 */
async function repeatsTests(run: ExamRun, repeated: { readonly before: number }): Promise<boolean | undefined> {
  const refused: ClientCall[] = [];
  const sink: TrafficSink = {
    call: (call) => void (call.struck && refused.length < MOST_REFUSED && refused.push(call)),
    delivery() {},
  };
  const exam = refusedForGood(repeated);
  const worlds = new ExamWorlds(exam, run, sink);
  try {
    const { ok } = await attempt(run, await worlds.main(), worlds, { exam, begin() {} });
    run.signal.throwIfAborted();
    if (ok === true || refused.length === 0) return undefined;
    // Some failures of a booking ask for another attempt, or for a look into the list, so that a client may do so whatever
    // the answer.
    const reads = refused.filter((call) => call.method === 'GET' && nameOf(call) !== 'listBookings');
    return hasRepeats(reads.length > 0 ? reads : refused, run.usual);
  } finally {
    await worlds.stop();
    worlds.end();
  }
}

/** Calls that are enough to see repeats. */
const MOST_REFUSED = 200;

/** Whether a call was sent more often than the tests send it when nothing goes wrong. */
function hasRepeats(calls: readonly ClientCall[], usual?: Usual): boolean {
  const sent = new Map<string, number>();
  return calls.some((call) => {
    const key = identityOf(call);
    const times = (sent.get(key) ?? 0) + 1;
    sent.set(key, times);
    return times > Math.max(1, usual?.sent.get(kindOf(call)) ?? 0);
  });
}

/** Runs the client's tests. */
async function attempt(
  { options, signal }: ExamRun,
  { sandbox }: RecordedSandbox,
  { handle }: ExamWorlds,
  { exam, begin }: { readonly exam: Exam; begin(baseUrl: string): void },
): Promise<AttemptResult> {
  const reached = await options.listen?.(exam, handle);
  const baseUrl = reached?.baseUrl ?? `http://sandbox.test/w/${exam.id}`;
  begin(baseUrl);
  const { username, password, refreshToken } = sandbox.channels[0]!;
  try {
    const fetch = fetchBy(handle);
    const environment = { exam, sandbox, baseUrl, username, password, refreshToken, fetch, signal };
    return await options.attempt(environment);
  } catch (error) {
    return { ok: false, said: error instanceof Error ? error.message : String(error) };
  } finally {
    await reached?.close();
  }
}
