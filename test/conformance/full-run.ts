import type { CheckOptions } from '../../src/conformance/run/check-options.js';
import { answerSources } from './answer-sources.js';
import { permissions, type Report } from '../../src/conformance/client/types.js';
import { type GivenAnswers, type QuestionId, questionSwitches } from '../../src/contract/generated/questions.js';
import { answersOf } from '../../src/engine/state/dialect.js';
import type { Sandbox, SandboxOptions } from '../../src/engine/library.js';
import { pairwise } from '../support/pairwise.js';
import { deploy } from './deployment.js';

type Switch = (typeof questionSwitches)[number];

/** Questions that a run can tell the answer of. */
export const told = (Object.keys(answerSources) as QuestionId[]).filter((id) => 'by' in answerSources[id]);

/** Numbers worth trying beside the default: those at which rules could stumble. */
const numbers: Readonly<Record<string, readonly number[]>> = {
  'search.max-facility-days': [1, 20],
  'prices.default-limit': [1, 5],
  'prices.max-limit': [1, 7],
  'prices.default-offset': [1, 3],
  'prices.max-days': [1, 7],
  'callback.retries': [1, 5],
  'callback.timeout-seconds': [1, 60],
  'rate-limit.per-minute': [10, 100000],
  'body.max-bytes': [4096, 16_777_216],
};

/** The answers to a question that the matrices try, the default first. */
function answersTo(one: Switch): readonly unknown[] {
  if (one.kind === 'choice') return [one.default, ...one.options.filter((option) => option !== one.default)];
  if (one.kind === 'header') return [one.default, 'X-Access-Token'];
  if (one.kind === 'subset') return [one.default, ['v1'], ['v3', 'v5']];
  return [one.default, ...numbers[one.id]!];
}

/** Something that a deployment answers on its own: a question, or one version of a question that versions may differ in. */
interface Factor {
  readonly name: string;
  readonly id: QuestionId;
  readonly version?: string;
  /** The default first. */
  readonly answers: readonly unknown[];
}

const factors: readonly Factor[] = questionSwitches.flatMap((one): Factor[] => {
  const factor = { name: one.id, id: one.id, answers: answersTo(one) };
  if (!('versions' in one)) return [factor];
  return one.versions.map((version) => ({ ...factor, name: `${one.id} of ${version}`, version }));
});

const isVersioned = (id: QuestionId): boolean => factors.some((factor) => factor.id === id && factor.version);

/** The answers of a card, from answers by the name of a factor. */
function givenBy(answers: Readonly<Record<string, unknown>>): GivenAnswers {
  const given: Record<string, unknown> = {};
  for (const { name, id, version } of factors.filter((factor) => factor.name in answers)) {
    given[id] = version ? { ...(given[id] as object), [version]: answers[name] } : answers[name];
  }
  return given;
}

/** Every answer that is not the default, as the only one of a card. */
export const alone = factors.flatMap(({ name, id, answers }) =>
  answers.slice(1).map((answer) => ({ name, id, answer, given: givenBy({ [name]: answer }) })),
);

/** Answers that are tried alone: a rate makes a run stop early, and no run sends so large a body. */
const unpaired: readonly string[] = ['rate-limit.per-minute'];
const tooLarge: readonly unknown[] = [16_777_216];

/** Dialects that hold every two answers to every two questions. */
export const pairs = pairwise(
  Object.fromEntries(
    factors
      .filter(({ id }) => !unpaired.includes(id))
      .map(({ name, answers }) => [name, answers.filter((answer) => !tooLarge.includes(answer))]),
  ),
).map(givenBy);

/** Settings of a sandbox with a dialect. */
export const dialectOf = (answers: GivenAnswers): SandboxOptions => ({ dialect: { answers } });

/** A run in a dialect that is told in which header bearer tokens go, as a version may take nothing else. */
export function runIn(answers: GivenAnswers, run = fullRun): Promise<Report> {
  const bearerHeader = answers['auth.bearer-header'];
  return run(dialectOf(answers), bearerHeader === undefined ? {} : { bearerHeader });
}

/**
 * A run against a sandbox that was made from a card. What no run can tell is no part of a card, and is planted again:
 * it limits what others can tell.
 */
export function runOf(card: GivenAnswers, planted: GivenAnswers, run = fullRun): Promise<Report> {
  const untold = Object.entries(planted).filter(([id]) => !told.includes(id as QuestionId));
  return runIn({ ...Object.fromEntries(untold), ...card }, run);
}

/** A run with permission for everything and all credentials. */
export async function fullRun(settings: SandboxOptions = {}, changes: Partial<CheckOptions> = {}): Promise<Report> {
  const { sandbox, check } = await deploy(settings);
  return check({ ...everything(sandbox), ...changes });
}

/** The same, with the fewest requests. */
export const quickRun = (settings?: SandboxOptions, changes?: Partial<CheckOptions>): Promise<Report> =>
  fullRun(settings, { ...changes, depth: 'quick' });

/** More than any deployment waits for a receiver; it is no time of this process that passes. */
const PATIENCE = 90_000;

/** Permission for everything, all credentials of the first two channels, and time for what a deployment does late. */
export function everything({ channels }: Sandbox): Partial<CheckOptions> {
  const [first, second] = channels.map(({ username, password, refreshToken }) => ({
    basic: { username, password },
    refreshToken,
  }));
  return { first: first!, second: second!, allow: permissions, callbackTimeout: PATIENCE };
}

const said = (word: string, value: unknown): string | undefined =>
  value === undefined ? undefined : `${word} ${JSON.stringify(value)}`;

/** What a run complains of: nothing, of a deployment that is as it may be. */
export function complaintsOf({ rules, message, exitCode }: Report): string[] {
  const loud = rules.filter(({ verdict }) => ['fail', 'warn', 'error'].includes(verdict));
  const words = loud.map(({ id, verdict, message, expected, actual }) =>
    [`${verdict} ${id}: ${message}`, said('expected', expected), said('came', actual)].filter(Boolean).join('; '),
  );
  return exitCode === 0 ? words : [...words, message];
}

/** What a run observes that is not what was planted. */
export function wrongIn(planted: GivenAnswers, observed: GivenAnswers): object {
  const all = answersOf({ answers: planted });
  const seen = (id: QuestionId): unknown => (isVersioned(id) ? Object.assign({}, all[id], observed[id]) : observed[id]);
  return Object.fromEntries(
    (Object.keys(observed) as QuestionId[])
      .filter((id) => JSON.stringify(seen(id)) !== JSON.stringify(all[id]))
      .map((id) => [id, { planted: all[id], observed: observed[id] }]),
  );
}
