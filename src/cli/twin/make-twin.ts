/** Makes the world file of a deployment, and proves it. */
import { defined } from '../../common/index.js';
import {
  type Answered,
  answersIn,
  type ArchivedExchange,
  cardRules,
  check,
  type CheckOptions,
  Crawl,
  Crawler,
  type CrawlProgress,
  type Day,
  DeploymentFacts,
  type Extent,
  type FacilityFacts,
  keyOfQuestion,
  memoryJournal,
  NoDeployment,
  NotAllowed,
  otherQuestions,
  type Question,
  type Report,
  type RunOptions,
  type Unanswered,
} from '../../conformance/index.js';
import { type OperationId, operationOf, type WorldFile } from '../../contract/index.js';
import { type DialectCard, WorldFault, worldOfFile } from '../../engine/index.js';
import { formsOf, membersOf } from './learn-forms.js';
import { keptAnswer, type KeptAnswer, Proof, type ProofResult } from './proof.js';
import { worldOf, type WorldSource, type WrittenWorld } from './world-of.js';

/** How far a twin has come. */
export type Stage =
  | { readonly stage: 'dialect' }
  | ({ readonly stage: 'reading' } & CrawlProgress)
  | {
      readonly stage: 'planned';
      readonly facilities: number;
      readonly days: number;
      /** Requests that were sent to learn the dialect. */
      readonly sent: number;
      /** Requests to read, about. */
      readonly requests: number;
      /** Requests to compare, about. */
      readonly others: number;
    }
  | { readonly stage: 'comparing'; readonly done: number; readonly planned: number };

export interface TwinOptions extends Omit<CheckOptions, 'onEvent'>, Omit<Extent, 'isOfEach'> {
  readonly onStage?: (stage: Stage) => void;
  /** Called with the world file before the twin is compared with the deployment. */
  readonly onWorld?: (world: WrittenWorld, summary: ReadSummary) => Promise<void>;
  /** Whether the twin is compared with the deployment; default: yes. */
  readonly proves?: boolean;
}

/** What was read. */
export interface ReadSummary {
  readonly baseUrl: string;
  /** The time of the deployment, ISO 8601. */
  readonly at: string;
  readonly facilities: number;
  /** Facilities that are in lists alone. */
  readonly others: number;
  readonly courses: number;
  /** Tee sheets of a course and a day. */
  readonly sheets: number;
  readonly teeTimes: number;
  readonly from: string | undefined;
  readonly to: string | undefined;
  readonly requests: number;
  /** What was asked and not answered with success, in words. */
  readonly unread: readonly string[];
  /** What ended the reading early. */
  readonly cut: string | undefined;
}

export interface Twin {
  readonly summary: ReadSummary;
  readonly world: WrittenWorld;
  /** Absent where nothing was compared. */
  readonly proof: ProofResult | undefined;
}

/** Why no twin was made. */
export class NoTwin extends Error {
  override readonly name = 'NoTwin';
  constructor(
    readonly exitCode: 3 | 4,
    message: string,
  ) {
    super(message);
  }
}

/** The seed of the questions that are asked of both sides: two runs ask the same. */
const SEED = 20_260_701;

/**
 * Makes a twin.
 *
 * @throws {NoTwin} if the deployment cannot be reached, refuses the credentials, or has nothing to read.
 */
export async function makeTwin(given: TwinOptions): Promise<Twin> {
  const { onStage = () => {}, onWorld = async () => {}, proves = true } = given;
  const options = { ...given, first: keptLogin(given.first) };
  onStage({ stage: 'dialect' });
  const startedAt = options.host.now();
  const { card, requests: spent } = await observed(options);
  const crawler = new Crawler({ ...options, ...leftOf(options, spent, startedAt) });
  const kept: KeptAnswer[] = [];
  const asked = new Set<string>();
  const unread: string[] = [];
  const isOfEach = card.answers?.['teetimes.price-meaning'] === 'each';
  const crawl = new Crawl(
    crawler,
    { ...extentOf(options), isOfEach },
    {
      onAnswer(answer) {
        asked.add(keyOfQuestion(answer.question));
        if (!('why' in answer)) kept.push(keptAnswer(answer));
        const why = faultOf(answer);
        if (why !== undefined) unread.push(why);
      },
      onProgress: (progress) => onStage({ stage: 'reading', ...progress }),
      onPlan: (plan) => onStage({ stage: 'planned', sent: spent, others: proves ? plan.requests : 0, ...plan }),
    },
  );
  const cut = await untilEnd(
    async () => {
      await crawler.connect();
      await crawl.read();
    },
    crawler,
    options,
  );
  const facilities = crawl.connected().map((facility) => ({ facility, days: crawl.days(facility) }));
  const read: ReadParts = {
    source: { facts: crawl.facts, facilities, others: crawl.others(), card },
    kept,
    now: crawler.now,
    asked: options.facilities,
    baseUrl: options.baseUrl,
    requests: spent + crawler.requests,
    unread,
    cut,
  };
  const { world, summary } = await assembled(read);
  await onWorld(world, summary);
  if (!proves) return { summary, world, proof: undefined };
  const proof = await Proof.of(world.file, crawler.now);
  // A file of some facilities has other lists than the deployment, on purpose.
  const isFair = (operation: OperationId): boolean =>
    !options.facilities || !/\.list(Countries|Facilities)$/.test(operation);
  for (const one of kept) if (isFair(one.question.operation)) await proof.compare(one, 'read');
  const { facts, others } = read.source;
  const questions = otherQuestions(
    {
      facts,
      facilities,
      all: [...facilities.map(({ facility }) => facility), ...others].map(({ id }) => id),
      has: (operation) => crawler.run.transport.scope.has(operation) && isFair(operation),
    },
    asked,
    SEED,
  );
  const compare = (): Promise<void> =>
    compareOthers(crawler, proof, first(questions, kept.length), kept.length, onStage);
  const early = cut ?? (await untilEnd(compare, crawler, options));
  const result = { ...proof.result(), ...defined({ cut: early }) };
  return { summary: { ...summary, requests: spent + crawler.requests }, world, proof: result };
}

/** Everything that was read, before it is a world. */
interface ReadParts extends Pick<ReadSummary, 'baseUrl' | 'requests' | 'unread' | 'cut'> {
  readonly source: WorldSource;
  readonly kept: readonly KeptAnswer[];
  /** The time of the deployment, in epoch milliseconds. */
  readonly now: number;
  /** The facilities that were asked for, unless it was all. */
  readonly asked?: readonly number[] | undefined;
}

/**
 * The world of what was read.
 *
 * @throws {NoTwin} if that is nothing.
 */
async function assembled({ source, kept, now, asked, ...about }: ReadParts): Promise<Omit<Twin, 'proof'>> {
  const { facts, facilities, others } = source;
  if (facilities.length === 0 && others.length === 0) {
    const why =
      about.cut ?? (asked ? `It has no facility ${asked.join(' or ')}.` : 'There is no facility in the answers.');
    throw new NoTwin(4, `Nothing was read of which a world could be made. ${why}`);
  }
  const known = facilities.map(({ facility }) => facility);
  const forms = formsOf(facts, known);
  const members = await membersOf(kept, await Proof.of(servable(worldOf({ ...source, forms })).file, now));
  const { all, own } = members;
  const whole = Object.keys(all).length > 0 ? { ...forms, members: all } : forms;
  const learnt = { ...source, members: own, ...(Object.keys(whole).length > 0 ? { forms: whole } : {}) };
  const world = servable(worldOf(learnt));
  const days = facilities.flatMap((one) => one.days.map(({ iso }) => iso)).sort();
  const courses = known.flatMap((facility) => [...facility.courses.values()]);
  const sheets = courses.flatMap((course) => [...course.days.values()]);
  const summary: ReadSummary = {
    ...about,
    at: new Date(now).toISOString(),
    facilities: facilities.length,
    others: others.length,
    courses: courses.length,
    sheets: sheets.length,
    teeTimes: sheets.reduce((sum, sheet) => sum + sheet.size, 0),
    from: days[0],
    to: days.at(-1),
  };
  return { world, summary };
}

/** What a twin of recorded traffic is made of. */
export interface RecordedTwinOptions {
  /** The exchanges of each recording, which are used up. */
  readonly recordings: readonly ArchivedExchange[][];
  /** The answers to open questions that the recordings show. */
  readonly card: DialectCard;
  /** Default: the one under which most requests are operations. */
  readonly baseUrl?: string | undefined;
  readonly onWorld?: TwinOptions['onWorld'];
}

/**
 * Makes a twin of recorded traffic. Nothing is sent, so it is compared with the answers of the recordings alone.
 *
 * @throws {NoTwin} if there is no facility in the recordings.
 */
export async function makeRecordedTwin(given: RecordedTwinOptions): Promise<Twin> {
  const { recordings, card, onWorld = async () => {} } = given;
  const read = recordings.map((one) => answersIn(one, given.baseUrl));
  const answers = read.flatMap((one) => one.answers).sort((a, b) => a.at - b.at);
  const facts = new DeploymentFacts(card.answers?.['teetimes.price-meaning'] === 'each');
  const kept = new Map<string, KeptAnswer>();
  for (const answer of answers) {
    facts.take(answer);
    // Of a question that was asked again, the last answer is that of the file.
    kept.set(keyOfQuestion(answer.question), keptAnswer(answer));
  }
  const all = [...facts.facilities.values()].sort((a, b) => a.id - b.id);
  const isKnown = ({ item, record, details }: FacilityFacts): boolean => (item ?? record ?? details) !== undefined;
  const isOpen = ({ isConnected, courses }: FacilityFacts): boolean => isConnected || courses.size > 0;
  const parts: ReadParts = {
    source: {
      facts,
      facilities: all.filter(isOpen).map((facility) => ({ facility, days: daysIn(facility) })),
      others: all.filter((one) => !isOpen(one) && isKnown(one)),
      card,
    },
    kept: [...kept.values()],
    now: answers.at(-1)?.at ?? 0,
    baseUrl: given.baseUrl ?? read[0]?.baseUrl ?? '',
    requests: 0,
    unread: [],
    cut: undefined,
  };
  const { world, summary } = await assembled(parts);
  await onWorld(world, summary);
  const proof = await Proof.of(world.file, parts.now);
  for (const one of parts.kept) await proof.compare(one, 'read');
  return { world, summary, proof: proof.result() };
}

/** The days of a facility of which a recording has something. */
function daysIn({ courses, sheets }: FacilityFacts): readonly Day[] {
  const dates = new Set([...sheets.keys(), ...[...courses.values()].flatMap(({ days }) => [...days.keys()])]);
  return [...dates].sort().map((iso) => ({ iso, query: iso.split('-').reverse().join('-') }));
}

/** What a twin asks before its file is written, for a plan. */
export async function readAll(given: TwinOptions & RunOptions): Promise<void> {
  await check({ ...given, allow: [], only: cardRules, depth: 'quick' });
  const crawler = new Crawler(given);
  await untilEnd(async () => {
    await crawler.connect();
    await new Crawl(crawler, extentOf(given), { onAnswer: () => {} }).read();
  }, crawler);
}

const extentOf = ({ facilities, from, to }: TwinOptions): Extent => defined({ facilities, from, to });

/** A login whose refresh token is kept between the runs of a command: each of them may use it up. */
function keptLogin(first: CheckOptions['first']): CheckOptions['first'] {
  const { refreshToken, journal, ...login } = first;
  if (journal || refreshToken === undefined) return first;
  return { ...login, journal: memoryJournal(refreshToken) };
}

/** The answers to open questions that reading shows, and what they cost. */
async function observed(options: TwinOptions): Promise<{ readonly card: DialectCard; readonly requests: number }> {
  const report: Report = await check({ ...options, allow: [], only: cardRules, depth: 'quick' });
  if (report.exitCode === 3) throw new NoTwin(3, report.message);
  return { card: cardOf(report.dialect), requests: report.requests };
}

/** A card without what the forms of a world say in more detail: which of the empty members are missing. */
export function cardOf({ name, answers = {} }: DialectCard): DialectCard {
  const { 'facility.empty-fields': empty, ...others } = answers;
  return { ...defined({ name }), answers: empty === 'null' ? answers : others };
}

/** What is left of the budgets of a run. */
function leftOf(
  { maxRequests = 0, deadline = 0, host }: TwinOptions,
  spent: number,
  startedAt: number,
): Pick<CheckOptions, 'maxRequests' | 'deadline'> {
  return {
    ...(maxRequests > 0 ? { maxRequests: Math.max(1, maxRequests - spent) } : {}),
    ...(deadline > 0 ? { deadline: Math.max(1, deadline - (host.now() - startedAt)) } : {}),
  };
}

/** Does work, and gives back what ended it early in a sentence. */
async function untilEnd(
  work: () => Promise<void>,
  crawler: Crawler,
  { maxRequests }: Pick<TwinOptions, 'maxRequests'> = {},
): Promise<string | undefined> {
  try {
    await work();
    return undefined;
  } catch (error) {
    if (error instanceof NoDeployment) throw new NoTwin(3, crawler.run.transport.masker.text(error.message));
    if (!(error instanceof NotAllowed)) throw error;
    // The crawler was given what the requests before it had left.
    const missing = error.reason === 'budget' ? `more than ${maxRequests} requests (--max-requests)` : error.missing;
    return `It ended early. Missing: ${missing}.`;
  }
}

async function compareOthers(
  crawler: Crawler,
  proof: Proof,
  questions: Iterable<Question>,
  planned: number,
  onStage: (stage: Stage) => void,
): Promise<void> {
  let done = 0;
  let comparing = Promise.resolve();
  await crawler.askAll(questions, (answer) => {
    onStage({ stage: 'comparing', done: (done += 1), planned });
    if ('why' in answer) return;
    const kept = keptAnswer(answer);
    comparing = comparing.then(() => proof.compare(kept, 'other'));
  });
  await comparing;
}

function* first<T>(items: Iterable<T>, most: number): Generator<T> {
  let count = 0;
  for (const one of items) {
    if ((count += 1) > most) return;
    yield one;
  }
}

/** What is not known because of an answer, in words; undefined if it was as expected. */
function faultOf(answer: Answered | Unanswered): string | undefined {
  const { question } = answer;
  const why = 'why' in answer ? answer.why : answer.ok ? undefined : `the status was ${answer.status}`;
  if (why === undefined) return undefined;
  const params = Object.entries(question.params).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}=${value}`],
  );
  return `${operationOf(question.operation).id} ${params.join(' ')}: ${why}`;
}

/** Faults after which a file is given up. */
const MOST_FAULTS = 500;

/**
 * A world that a sandbox takes: what a world file cannot have is left out, and a comment says so.
 *
 * @throws {NoTwin} if nothing remains.
 */
export function servable(world: WrittenWorld): WrittenWorld {
  const file = structuredClone(world.file);
  const comments = new Map([...world.comments].map(([pointer, texts]) => [pointer, [...texts]]));
  for (let faults = 0; faults < MOST_FAULTS; faults += 1) {
    try {
      worldOfFile(file);
      return { file, comments };
    } catch (error) {
      const { pointer, message } = error as WorldFault;
      if (pointer === undefined || pointer === '')
        throw new NoTwin(4, `The world that was read cannot be served: ${message}`);
      const lack = lackOf(pointer, message);
      if (lack) {
        const { at, member, text } = lack;
        (file.facilities[at] as unknown as Record<string, unknown>)[member] = SUBSTITUTES[member];
        comments.set(`/facilities/${at}`, [...(comments.get(`/facilities/${at}`) ?? []), text]);
        continue;
      }
      const place = removeAt(file, pointer);
      if (place === undefined) throw new NoTwin(4, `The world that was read cannot be served: ${message}`);
      comments.set(place, [...(comments.get(place) ?? []), `Left out, since a world file cannot have it: ${message}`]);
    }
  }
  throw new NoTwin(4, 'The world that was read cannot be served: too much of it does not fit.');
}

/** What a facility needs whose country the sandbox does not know, and the values that it gets. */
const SUBSTITUTES = { timeZone: 'UTC', currency: 'EUR' } as const;
const WORDS = { timeZone: 'time zone', currency: 'currency' } as const;

interface Lack {
  /** The position of the facility. */
  readonly at: number;
  readonly member: keyof typeof SUBSTITUTES;
  readonly text: string;
}

/** What a facility lacks, if a fault says so. */
function lackOf(pointer: string, message: string): Lack | undefined {
  const [, at] = /^\/facilities\/(\d+)\/country$/.exec(pointer) ?? [];
  const member = (['timeZone', 'currency'] as const).find((name) => message.includes(`\`${name}\``));
  if (at === undefined || member === undefined) return undefined;
  const text = `Nothing is known of its ${WORDS[member]}, so that this one is made up.`;
  return { at: Number(at), member, text };
}

/** Removes the value at a pointer, and gives back where a comment about it belongs. */
function removeAt(file: WorldFile, pointer: string): string | undefined {
  const path = pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
  const last = path.pop()!;
  const parent = path.reduce<unknown>((value, name) => Object(value)[name], file) as
    | Record<string, unknown>
    | undefined;
  if (typeof parent !== 'object' || parent === null) return undefined;
  if (Array.isArray(parent)) parent.splice(Number(last), 1);
  else if (last in parent) delete parent[last];
  else return removeAt(file, pointer.slice(0, pointer.lastIndexOf('/')));
  return pointer.slice(0, pointer.lastIndexOf('/'));
}
