import type { CheckOptions } from '../../src/conformance/check-options.js';
import { tellers } from '../../src/conformance/dialect.js';
import { permissions, type Report } from '../../src/conformance/types.js';
import { type Answers, questionSwitches } from '../../src/generated/questions.js';
import type { Sandbox, SandboxOptions } from '../../src/index.js';
import { pairwise } from '../support/pairwise.js';
import { deploy } from './deployment.js';

type Switch = (typeof questionSwitches)[number];
type QuestionId = keyof Answers;

/** Questions that a run can tell the answer of. */
export const told = (Object.keys(tellers) as QuestionId[]).filter((id) => 'by' in tellers[id]);

const defaults = Object.fromEntries(questionSwitches.map((one) => [one.id, one.default])) as unknown as Answers;

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
export function answersTo(one: Switch): readonly unknown[] {
  if (one.kind === 'choice') return [one.default, ...one.options.filter((option) => option !== one.default)];
  if (one.kind === 'header') return [one.default, 'X-Access-Token'];
  if (one.kind === 'subset') return [one.default, ['v1'], ['v3', 'v5']];
  return [one.default, ...numbers[one.id]!];
}

/** Every answer of every question that is not the default. */
export const alone = questionSwitches.flatMap((one) =>
  answersTo(one)
    .slice(1)
    .map((answer) => [one.id, answer] as const),
);

/** Answers that are tried alone: a rate makes a run stop early, and no run sends so large a body. */
const unpaired: readonly string[] = ['rate-limit.per-minute'];
const tooLarge: readonly unknown[] = [16_777_216];

/** Dialects that hold every two answers to every two questions. */
export const pairs = pairwise(
  Object.fromEntries(
    questionSwitches
      .filter(({ id }) => !unpaired.includes(id))
      .map((one) => [one.id, answersTo(one).filter((answer) => !tooLarge.includes(answer))]),
  ),
) as Partial<Answers>[];

/** Settings of a sandbox with a dialect. */
export const dialectOf = (answers: Partial<Answers>): SandboxOptions => ({ dialect: { answers } });

/** A run in a dialect that is told in which header bearer tokens go, as a version may take nothing else. */
export function runIn(answers: Partial<Answers>, run = fullRun): Promise<Report> {
  const bearerHeader = answers['auth.bearer-header'];
  return run(dialectOf(answers), bearerHeader === undefined ? {} : { bearerHeader });
}

/**
 * A run against a sandbox that was made from a card. What no run can tell is no part of a card, and is planted again:
 * it limits what others can tell.
 */
export function runOf(card: Partial<Answers>, planted: Partial<Answers>): Promise<Report> {
  const untold = Object.entries(planted).filter(([id]) => !told.includes(id as QuestionId));
  return runIn({ ...Object.fromEntries(untold), ...card });
}

/** A run with leave for everything and all credentials. */
export async function fullRun(settings: SandboxOptions = {}, changes: Partial<CheckOptions> = {}): Promise<Report> {
  const { sandbox, check } = await deploy(settings);
  return check({ ...everything(sandbox), ...changes });
}

/** A run that only reads and saves requests where it can, with room for every rule all the same. */
export function fewRequests(settings: SandboxOptions = {}, changes: Partial<CheckOptions> = {}): Promise<Report> {
  return fullRun(settings, { allow: [], maxRequests: 200, ...changes });
}

/** More than any deployment waits for a receiver; it is no time of this process that passes. */
const PATIENCE = 90_000;

/** Leave for everything, all credentials of the first two channels, and time for what a deployment does late. */
export function everything({ channels }: Sandbox): Partial<CheckOptions> {
  const [first, second] = channels.map(({ username, password, refreshToken }) => ({
    basic: { username, password },
    refreshToken,
  }));
  return { first: first!, second: second!, allow: permissions, callbackTimeout: PATIENCE };
}

/** What a run complains of: nothing, of a deployment that is as it may be. */
export function complaintsOf({ rules, message, exitCode }: Report): string[] {
  const loud = rules.filter(({ verdict }) => ['fail', 'warn', 'error'].includes(verdict));
  const said = loud.map(({ id, verdict, message, expected, actual }) =>
    [`${verdict} ${id}: ${message}`, expected && `expected ${expected}`, actual && `came ${actual}`]
      .filter(Boolean)
      .join('; '),
  );
  return exitCode === 0 ? said : [...said, message];
}

/** What a run observes that is not what was planted. */
export function wrongIn(planted: Partial<Answers>, observed: Partial<Answers>): object {
  const all: Answers = { ...defaults, ...planted };
  return Object.fromEntries(
    (Object.keys(observed) as QuestionId[])
      .filter((id) => JSON.stringify(observed[id]) !== JSON.stringify(all[id]))
      .map((id) => [id, { planted: all[id], observed: observed[id] }]),
  );
}
