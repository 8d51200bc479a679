import { type FailureCode, failures } from '../../../contract/index.js';
import { isCreation, isUnreadable } from '../operations.js';
import type { ClientCall } from '../traffic.js';

/** How the creation of a booking can end without a booking in the hands of the client. */
export type CreationOutcome = FailureCode | 'lost' | 'server-error';

interface Failure {
  readonly scenario: string;
  readonly pattern: string;
  readonly late?: true;
  readonly fallback?: string;
}

const all = Object.entries(failures) as [FailureCode, Failure][];
const byScenario = new Map<string, FailureCode>(all.map(([code, { scenario }]) => [scenario, code]));

/** A message of a step may say the words of a `late` failure as well. */
const byWords: readonly (readonly [words: RegExp, code: FailureCode])[] = [
  ...all.filter(([, { late }]) => !late),
  ...all.filter(([, { late }]) => late),
  ...all.flatMap(([code, { scenario, fallback }]): typeof all =>
    fallback ? [[code, { scenario, pattern: fallback }]] : [],
  ),
].map(([code, { pattern }]) => [new RegExp(pattern, 'i'), code]);

/** The documented failure that a creation was answered with. */
export function failureOf(call: ClientCall): FailureCode | undefined {
  if (call.status !== 400 || !isCreation(call)) return undefined;
  const injected = call.struck && byScenario.get(call.struck.scenario);
  return injected ?? byWords.find(([words]) => words.test(call.responseBody ?? ''))?.[1];
}

/**
 * How a creation ended, if not with a booking or an ordinary refusal. A 503 is a refusal: the service says that it does not
 * take the request.
 */
export function outcomeOf(call: ClientCall): CreationOutcome | undefined {
  if (!isCreation(call)) return undefined;
  if (call.status === 0 || isUnreadable(call)) return 'lost';
  if (call.status >= 500 && call.status !== 503) return 'server-error';
  return failureOf(call);
}
